// A record that is open: its text with the changes that nobody saved yet, what the checker says of it, and what became of
// its file meanwhile. It outlives the editor that shows it, so that a record keeps its undo history and its unsaved words
// while the window lives; a draft keeps the words beyond that.
import { EditorState, StateEffect, Transaction, type Text, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { failure, platform, type Failure, type QuickFix, type RecordAround, type RecordDraft, type RecordFields, type RecordFinding, type RecordName, type RecordText } from '../../../platform'
import { calm } from '../../../shared/calm'
import { langOf } from '../../../shared/names'
import { readAhead } from './ahead'
import { Checks } from './checks.svelte'
import type { Merging } from './conflicts'
import { Drafts } from './drafts.svelte'
import { foldFront, frontOf, isFolded } from './front'
import { follows, learn } from './mentions'
import { allowNow, beginState } from './mirror'
import { showProblems } from './problems'
import { changeBetween, overtaken, snapshotOf, type Change, type Snapshot } from './splice'

/** What the file is now, while the text here began from an older one; `null`: somebody removed it. */
export type Theirs = { text: string; hash: string } | null

/** What the person should know of what just happened to this record. */
export type Note =
  | { kind: 'restored'; at: string }
  | { kind: 'errors'; count: number }
  | { kind: 'failed'; failure: Failure }

export class Opened {
  phase = $state<'loading' | 'ready' | 'failed' | 'gone'>('loading')
  failure = $state.raw<Failure>()
  /** The record as it was read or saved last: what the text here is based on. */
  record = $state.raw<RecordText>()
  dirty = $state(false)
  saving = $state(false)
  around = $state.raw<RecordAround>()
  theirs = $state.raw<Theirs>()
  merging = $state.raw<Merging>()
  note = $state.raw<Note>()
  savedAt = $state<number>()
  /** Grows with each change of the text, for what follows it. */
  version = $state(0)
  readonly drafts: Drafts
  readonly #checks: Checks

  #state: EditorState | undefined
  #view: EditorView | undefined
  #scroll: StateEffect<unknown> | undefined
  #baseText: Text | undefined
  readonly #snapshots = new Set<Snapshot>()
  readonly #held = new Map<string, () => void>()
  #stale = false
  #laid: Merging | undefined
  readonly #readAround = calm(async () => {
    this.around = await platform.aroundRecord(this.ref)
  })

  constructor(
    readonly ref: RecordName,
    readonly slug: string,
    readonly go: (ref: RecordName) => void,
    readonly onunsaved: () => void,
  ) {
    this.drafts = new Drafts(ref, (work) => this.#calmly('draft', work))
    this.#checks = new Checks({
      ref,
      length: () => this.doc.length,
      take: () => this.#take(),
      drop: (taken) => void this.#snapshots.delete(taken),
      calmly: (name, work) => this.#calmly(name, work),
      onchecked: () => this.#problemsNow(),
    })
  }

  get doc(): Text {
    return this.#now?.doc ?? EditorState.create().doc
  }
  get text(): string {
    return this.doc.toString()
  }
  get #now(): EditorState | undefined {
    return this.#view?.state ?? this.#state
  }
  get state(): EditorState | undefined {
    void this.version
    return this.#now
  }
  get view(): EditorView | undefined {
    return this.#view
  }
  get findings(): readonly RecordFinding[] {
    return this.#checks.findings
  }
  get fields(): RecordFields | undefined {
    return this.#checks.fields
  }
  get readOnly(): boolean {
    return this.record?.read_only ?? false
  }

  /** Reads the record and its draft. */
  async load(): Promise<void> {
    this.phase = 'loading'
    const draft = await platform.drafts().then(
      (all) => all.find(({ ref }) => ref === this.ref),
      () => undefined,
    )
    try {
      this.#begin(await platform.readRecord(this.ref), draft)
    } catch (thrown) {
      this.failure = failure(thrown)
      if (this.failure.code !== 'not_found') this.phase = 'failed'
      else if (draft) this.#begin(undefined, draft)
      else this.phase = 'gone'
    }
  }

  #begin(record: RecordText | undefined, draft: RecordDraft | undefined) {
    const overtakenDraft = draft !== undefined && draft.base_hash !== record?.hash && draft.text !== record?.text
    const base = overtakenDraft ? { text: draft.base, hash: draft.base_hash } : { text: record?.text ?? '', hash: record?.hash ?? '' }
    const bare = { ref: this.ref, file: '', findings: [], read_only: false, line_ends: 'lf' as const, bom: false }
    this.record = { ...(record ?? bare), ...base }
    this.theirs = overtakenDraft ? (record ? { text: record.text, hash: record.hash } : null) : undefined
    this.#state = beginState({
      doc: base.text,
      slug: this.slug,
      lang: langOf(base.text.slice(base.text.indexOf('\n---') + 1)),
      readOnly: this.record.read_only,
      more: [follows.of(this.go), EditorView.domEventHandlers({ compositionend: () => void setTimeout(this.#settle, 60) })],
    })
    this.#baseText = this.#state.doc
    if (draft) this.drafts.found()
    this.#snapshots.clear()
    this.#checks.begin(record && !overtakenDraft ? record.findings : [])
    this.phase = 'ready'
    if (draft && draft.text !== base.text) {
      const change = changeBetween(base.text, draft.text)
      if (change) this.dispatch({ changes: change })
      this.note = { kind: 'restored', at: draft.at }
    } else if (draft) this.drafts.drop()
    this.#problemsNow()
    this.#readAround()
  }

  /** Mounts the text in an element, by a shadow root of its own. */
  mount = (host: HTMLElement): (() => void) => {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    if (!this.#state) return () => undefined
    const view = new EditorView({
      state: this.#state,
      parent: root,
      root,
      ...(this.#scroll ? { scrollTo: this.#scroll } : {}),
      dispatchTransactions: (transactions, view) => {
        view.update(transactions)
        transactions.forEach((one) => this.#after(one))
      },
    })
    this.#view = view
    const endReading = readAhead(view)
    if (this.#stale) void this.look()
    return () => {
      endReading()
      this.#scroll = view.scrollSnapshot()
      this.#state = view.state
      this.#view = undefined
      view.destroy()
      this.#settle()
      void this.flush()
    }
  }

  dispatch(spec: TransactionSpec): void {
    if (this.#view) this.#view.dispatch(spec)
    else if (this.#state) {
      const transaction = this.#state.update(spec)
      this.#state = transaction.state
      this.#after(transaction)
    }
  }

  #after(transaction: Transaction) {
    if (!transaction.docChanged) return
    for (const one of this.#snapshots) one.since = one.since.compose(transaction.changes)
    this.version += 1
    this.#measure()
    if (this.note?.kind === 'errors') this.note = undefined
    this.#checks.soon()
  }

  /** Whether there is something that is not saved; keeps it as a draft. */
  #measure() {
    const dirty = this.#baseText !== undefined && !this.doc.eq(this.#baseText)
    if (dirty !== this.dirty) {
      this.dirty = dirty
      this.onunsaved()
    }
    const { record } = this
    if (dirty && record) this.drafts.soon(this.doc.length, () => ({ text: this.text, base: record.text, base_hash: record.hash }))
    else this.drafts.drop()
  }

  /** Does something now, or when what an input method composes has ended: nothing may come in between. */
  #calmly(name: string, work: () => void) {
    if (this.#view?.composing) this.#held.set(name, work)
    else work()
  }
  #settle = () => {
    if (this.#view?.composing) return
    const all = [...this.#held.values()]
    this.#held.clear()
    all.forEach((work) => work())
  }
  get composing(): boolean {
    return this.#view?.composing ?? false
  }

  #take(): Snapshot {
    const taken = snapshotOf(this.doc)
    this.#snapshots.add(taken)
    return taken
  }

  #problemsNow() {
    const { made } = this.#checks
    const state = this.#now
    if (made && state) this.dispatch(showProblems(state, this.findings, made, (fix) => this.fix(fix)))
  }

  /** Where a place that the last check told of is now. */
  place(at: number): number {
    return this.#checks.place(at)
  }

  fix(fix: QuickFix): void {
    const { made } = this.#checks
    if (made && !this.readOnly) this.#apply(made, fix.edit, 'input.fix')
  }

  #apply(made: Snapshot, change: Change | undefined, userEvent: string, more: TransactionSpec = {}) {
    if (!change) return
    // A change within what is folded would unfold it.
    const folded = this.#now !== undefined && isFolded(this.#now)
    this.dispatch({ ...more, changes: overtaken(made, change), userEvent })
    if (folded) this.fold(true)
  }

  /** Changes the text by the engine, which touches nothing but what is meant; what is typed meanwhile stays. */
  async edit(work: (text: string) => Promise<string>): Promise<void> {
    const made = this.#take()
    try {
      const text = made.doc.toString()
      this.#apply(made, changeBetween(text, await work(text)), 'input.form')
    } finally {
      this.#snapshots.delete(made)
    }
  }

  /** Something changed on disk, perhaps this. */
  hear(refs: readonly RecordName[], all: boolean): void {
    if (this.phase === 'loading') return
    this.#readAround()
    if (!all && !refs.includes(this.ref)) return this.#checks.soon()
    if (this.#view || this.dirty || this.phase !== 'ready') void this.look()
    else this.#stale = true
  }

  /** Looks what the file is now: what nobody touched here follows it, what was touched waits for a merge. */
  async look(): Promise<void> {
    this.#stale = false
    if (this.phase === 'gone' || this.phase === 'failed') return this.load()
    let now: RecordText | undefined
    try {
      now = await platform.readRecord(this.ref)
    } catch (thrown) {
      if (failure(thrown).code !== 'not_found') return
    }
    // A save that is under way knows better, and looks again when it is done.
    if (this.saving || this.phase !== 'ready') return
    this.#calmly('reload', () => {
      if (now?.hash === this.record?.hash) this.theirs = undefined
      else if (now && (!this.dirty || now.text === this.text)) this.#become(now, this.record?.text ?? '')
      else if (now) this.theirs = { text: now.text, hash: now.hash }
      else if (this.dirty) this.theirs = null
      else this.phase = 'gone'
    })
  }

  /** The record is this now, and so is the text here, but for what was changed since it was `from`. */
  #become(record: RecordText, from: string, made = snapshotOf(this.doc)) {
    this.record = record
    this.theirs = undefined
    // Undoing goes back over what the person did, not over what came from elsewhere.
    this.#apply(made, this.text === record.text ? undefined : changeBetween(from, record.text), 'reload', { annotations: Transaction.addToHistory.of(false) })
    this.#baseText = this.#now?.toText(record.text)
    this.dispatch({ effects: allowNow(record.read_only) })
    this.#measure()
    void this.#checks.now()
  }

  /** Saves, with errors too; a file that changed meanwhile leads to a merge. */
  async save(): Promise<void> {
    const { record, theirs } = this
    if (this.saving || this.phase !== 'ready' || !record || record.read_only || this.composing) return
    if (theirs) return this.merge()
    if (theirs === null) return this.create()
    if (!this.dirty) return
    await this.#write((text) => platform.saveRecord(this.ref, text, record.hash))
  }

  /** Makes the record again, which somebody removed meanwhile. */
  create(): Promise<void> {
    return this.#write(async (text) => ({ outcome: 'saved', record: await platform.createFromText(this.ref, text) }))
  }

  async #write(work: (text: string) => ReturnType<typeof platform.saveRecord>) {
    this.saving = true
    const made = this.#take()
    try {
      const text = made.doc.toString()
      const result = await work(text)
      if (result.outcome === 'conflict') this.theirs = result.theirs
      else {
        this.#become(result.record, text, made)
        const count = result.record.findings.filter(({ severity }) => severity === 'error').length
        this.note = count > 0 ? { kind: 'errors', count } : undefined
        this.savedAt = platform.now()
        this.#readAround()
      }
    } catch (thrown) {
      this.note = { kind: 'failed', failure: failure(thrown) }
    } finally {
      this.#snapshots.delete(made)
      this.saving = false
    }
    if (this.theirs) await this.merge()
    else void this.look()
  }

  /** Lays the text here and the file as it is now beside each other. */
  async merge(): Promise<void> {
    const { theirs, record } = this
    if (!theirs || !record) return
    const draft = this.text
    const laid = this.#laid
    if (laid?.draft === draft && laid.present.hash === theirs.hash && laid.base === record.text) {
      this.merging = laid
      return
    }
    try {
      this.merging = this.#laid = { base: record.text, draft, present: theirs, merged: await platform.mergeRecord(record.text, draft, theirs.text) }
    } catch (thrown) {
      this.note = { kind: 'failed', failure: failure(thrown) }
    }
  }

  /** Takes what came out of the merge as the text, and saves it. */
  async merged(text: string): Promise<void> {
    const { merging, record } = this
    if (!merging || !record) return
    this.merging = undefined
    this.record = { ...record, ...merging.present }
    this.#baseText = this.#now?.toText(merging.present.text)
    this.theirs = undefined
    this.#apply(snapshotOf(this.doc), changeBetween(this.text, text), 'input.merge')
    this.#measure()
    if (this.dirty) await this.save()
    else await this.look()
  }

  /** Goes back to the file as it is, which can be undone like any change. */
  async revert(): Promise<void> {
    this.note = undefined
    const { record, theirs } = this
    if (!record) return
    const to = theirs ? theirs.text : record.text
    if (theirs) {
      this.record = { ...record, ...theirs }
      this.#baseText = this.#now?.toText(theirs.text)
    }
    if (theirs === null) {
      this.drafts.drop()
      this.phase = 'gone'
      return
    }
    this.theirs = undefined
    this.#apply(snapshotOf(this.doc), changeBetween(this.text, to), 'input.revert')
    this.#measure()
    await this.look()
  }

  /** Says which records can be mentioned. */
  tell(all: Parameters<typeof learn.of>[0]): void {
    this.dispatch({ effects: learn.of(all) })
  }

  fold(away: boolean): void {
    const state = this.#now
    if (state) this.dispatch({ effects: foldFront(state, away) })
  }

  /** Puts the caret there, in sight, and the focus on the text. */
  show(from: number, to = from): void {
    const view = this.#view
    if (!view) return
    const front = frontOf(view.state.doc)
    if (front && from <= front.to && to >= front.from) this.fold(false)
    view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    view.focus()
  }

  /** Keeps at once what waits to be kept. */
  flush(): Promise<void> {
    return this.drafts.flush()
  }
}
