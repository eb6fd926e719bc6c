// One thread's list while a person looks at it and works on it. A person's change is planned on the newest list that is
// known and carries its version. When somebody else wrote meanwhile it is planned anew on what they wrote, unless they
// changed the very item: then it is not made, and what they wrote is shown beside what the person wanted.
import { failure, platform, type Difference, type Edit, type Failure, type Item, type Marks, type PlatformEvent, type Projection, type Side, type ThreadTask } from '../../platform'
import { calm } from '../../shared/calm'
import { t } from '../../shared/i18n/index.svelte'
import { toasts } from '../../shared/ui/toasts.svelte'
import { nameOf, saidOf } from './names'
import { carried, differences, same } from './order'

/** What a person wants to do to a list. */
export interface Wish {
  /** The item that it is about, as the person sees it; none for a new one. */
  item?: Item
  /** Whether it is still meant for the item as it is by now; by itself: if nothing of it has changed. */
  fits?: (now: Item | undefined) => boolean
  /** The message of a clash stands where the person writes, not above the list. */
  inPlace?: boolean
  /** What is to be done to the list as it stands; nothing if there is nothing left to do. */
  plan: (items: readonly Item[]) => { edits: Edit[]; after?: Item[] }
  /** What is said when it is done. */
  said: (before: readonly Item[], after: readonly Item[]) => string
}

/** A change that was not made, because the same item was changed by somebody else. */
export interface Clash {
  wish: Wish
  theirs: Item | undefined
}

interface Done {
  before: Item[]
  after: Item[]
}
interface Seen {
  list: Projection
  marks: Marks
  task: ThreadTask | null
}

/** How long a change from elsewhere is tinted. */
const FRESH_MS = 1_500
/** A plan that meets a newer list each time gives up after so many. */
const TRIES = 5

export class ThreadBoard {
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  failure = $state.raw<Failure>()
  list = $state.raw<Projection>({ thread: '', resource: null, version: 0, updated: null, items: [] })
  marks = $state.raw<Marks>({ notes: [], reviews: [], dropped: [] })
  task = $state.raw<ThreadTask | null>(null)
  busy = $state(false)
  /** Items that somebody else has just changed. */
  fresh = $state.raw<ReadonlySet<string>>(new Set())
  /** Items that somebody else has changed since the person last went near them. */
  marked = $state.raw<ReadonlySet<string>>(new Set())
  /** The newest list, while what is shown must not move. */
  waiting = $state.raw<Projection>()
  /** Who wrote the newest list, if that was somebody else. */
  by = $state('')
  clash = $state.raw<Clash>()
  /** A change that failed for another reason, and how to try it again. */
  refused = $state.raw<{ failure: Failure; again: () => void }>()
  canUndo = $state(false)
  canRedo = $state(false)
  #undo: Done[] = []
  #redo: Done[] = []
  #turn = 0
  #work: Promise<unknown> = Promise.resolve()
  #readSoon = calm(() => this.read(), 200)

  constructor(
    readonly thread: string,
    /** Whether what is shown must stay where it is now. */
    private readonly held: () => boolean,
    /** Tells what others did to whoever does not see it. */
    private readonly tell: (text: string) => void,
  ) {}

  get items(): Item[] {
    return this.list.items
  }
  /** The newest list that is known. */
  get newest(): Projection {
    return this.waiting ?? this.list
  }

  hear = (event: PlatformEvent): void => {
    if (event.kind === 'changed' && (event.all || event.lists || event.tasks.includes(this.thread))) this.#readSoon()
  }

  async read(): Promise<void> {
    const turn = ++this.#turn
    this.busy = this.phase === 'loading'
    try {
      const seen = await platform.threadList(this.thread)
      // A change under way answers for itself: else it would be taken for somebody else's.
      await this.#work
      if (turn === this.#turn) this.#take(seen)
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
      if (this.phase === 'loading' || this.failure.code === 'not_found') this.phase = 'failed'
    }
    this.busy = false
  }

  #take({ list, marks, task }: Seen): void {
    this.task = task
    this.marks = marks
    this.failure = undefined
    if (this.phase !== 'ready') {
      this.list = list
      this.phase = 'ready'
    } else if (list.version > this.newest.version) this.#arrive(list)
  }

  /** Somebody else's list: it is shown at once, or waits while what is looked at must not move. */
  #arrive(list: Projection): void {
    const changed = differences(this.newest.items, list.items)
    const held = this.held()
    this.waiting = held ? list : undefined
    if (!held) {
      this.list = list
      this.#tint(changed)
    }
    void platform.listChanges(this.thread, null, 1).then(
      ({ changes }) => {
        this.by = changes[0]?.by ?? ''
        const [first] = changed
        const name = nameOf(this.by)
        this.tell(first && changed.length <= 2 ? t().board.said.byOther(name, saidOf(first)) : t().board.said.others(name, Math.max(1, changed.length)))
      },
      () => undefined,
    )
  }

  /** How many items stand otherwise in the list that waits. */
  get waitingCount(): number {
    return this.waiting ? Math.max(1, differences(this.items, this.waiting.items).length) : 0
  }
  /** What becomes of an item in the list that waits; `undefined`: nothing. */
  later(item: Item): Item | 'removed' | undefined {
    if (!this.waiting) return undefined
    const next = this.waiting.items.find(({ id }) => id === item.id)
    return next === undefined ? 'removed' : same(next, item) ? undefined : next
  }
  /** Shows the list that waits. */
  settle(): void {
    if (!this.waiting) return
    this.#tint(differences(this.items, this.waiting.items))
    this.list = this.waiting
    this.waiting = undefined
  }

  #tint(changed: Difference[]): void {
    const ids = changed.flatMap(({ after }) => after?.id ?? [])
    if (ids.length === 0) return
    this.fresh = new Set([...this.fresh, ...ids])
    this.marked = new Set([...this.marked, ...ids])
    setTimeout(() => (this.fresh = new Set([...this.fresh].filter((id) => !ids.includes(id)))), FRESH_MS)
  }
  /** The person went near an item: its change was seen. */
  saw(id: string): void {
    if (this.marked.has(id)) this.marked = new Set([...this.marked].filter((one) => one !== id))
  }

  /** Makes a change, after those that are under way. Whether it was made. */
  change(wish: Wish, anyway = false): Promise<boolean> {
    const work = this.#work.then(() => this.#change(wish, anyway))
    this.#work = work.catch(() => undefined)
    return work
  }

  async #change(wish: Wish, anyway: boolean): Promise<boolean> {
    this.clash = undefined
    this.refused = undefined
    for (let tries = 0; ; tries++) {
      const { newest } = this
      const theirs = wish.item && newest.items.find(({ id }) => id === wish.item?.id)
      if (wish.item && !anyway && !(wish.fits ? wish.fits(theirs) : same(theirs, wish.item))) {
        this.settle()
        if (!wish.inPlace) this.clash = { wish, theirs }
        return false
      }
      const { edits, after } = wish.plan(newest.items)
      if (edits.length === 0) return true
      // Shown at once: the answer only confirms it.
      const shown = this.list
      if (after && !this.waiting) this.list = { ...newest, items: after }
      try {
        this.#own(newest, await platform.editList(this.thread, newest.version, edits))
        const last = this.#undo.at(-1)
        if (last) this.#say(wish.said(last.before, last.after), last)
        return true
      } catch (thrown) {
        const why = failure(thrown)
        this.list = shown
        const newer = why.code === 'conflict' ? (why.details['list'] as Projection | undefined) : undefined
        if (newer && tries < TRIES) {
          if (newer.version > this.newest.version) this.#arrive(newer)
          continue
        }
        this.#fail(why, () => void this.change(wish))
        return false
      }
    }
  }

  /** The list after the person's own change. */
  #own(before: Projection, after: Projection): void {
    this.list = after
    this.waiting = undefined
    if (after.version === before.version) return
    this.#undo.push({ before: before.items, after: after.items })
    this.#redo.length = 0
    this.#count()
  }

  #fail(why: Failure, again: () => void): void {
    this.refused = { failure: why, again }
    if (why.code === 'not_found' || why.code === 'conflict') this.#readSoon()
  }

  /** A toast is heard as well as seen. */
  #say(text: string, done: Done): void {
    toasts.say(text, { label: t().common.undo, run: () => void this.#takeBack(done) })
  }

  #count(): void {
    this.canUndo = this.#undo.length > 0
    this.canRedo = this.#redo.length > 0
  }

  undo = (): Promise<void> => this.#takeBack(undefined)
  redo = (): Promise<void> => this.#carry(this.#redo, this.#undo, ({ before, after }) => [before, after], t().board.said.redone)
  #takeBack(done: Done | undefined): Promise<void> {
    return this.#carry(this.#undo, this.#redo, ({ before, after }) => [after, before], t().board.said.undone, done)
  }

  /** Takes a change back, or makes it again, as far as nobody has changed the same since: this one, or the last. */
  #carry(from: Done[], to: Done[], way: (done: Done) => [Item[], Item[]], said: string, which?: Done): Promise<void> {
    const work = this.#work.then(async () => {
      const done = which ?? from.at(-1)
      if (!done || !from.includes(done)) return toasts.say(t().board.said.nothingToUndo)
      for (let tries = 0; ; tries++) {
        const { newest } = this
        const { items, left } = carried(newest.items, ...way(done))
        if (differences(newest.items, items).length === 0 && items.every((item, nth) => item.id === newest.items[nth]?.id)) {
          from.splice(from.indexOf(done), 1)
          this.#count()
          return toasts.say(t().board.said.nothingLeft, undefined, true)
        }
        try {
          const list = await platform.editList(this.thread, newest.version, [{ do: 'replace', items }])
          from.splice(from.indexOf(done), 1)
          to.push(done)
          this.#count()
          this.list = list
          this.waiting = undefined
          return toasts.say(left.length > 0 ? t().board.said.and(said, t().board.said.partly) : said)
        } catch (thrown) {
          const why = failure(thrown)
          const newer = why.code === 'conflict' ? (why.details['list'] as Projection | undefined) : undefined
          if (newer && tries < TRIES) this.#arrive(newer)
          else return this.#fail(why, () => void this.#carry(from, to, way, said, which))
        }
      }
    })
    this.#work = work.catch(() => undefined)
    return work
  }

  /** Makes an earlier list the list again, on the list that is shown. */
  async restore(change: number, side: Side): Promise<void> {
    const { list } = this
    try {
      this.#own(list, await platform.restoreList(this.thread, list.version, change, side))
      const last = this.#undo.at(-1)
      if (last) this.#say(t().board.restored, last)
    } catch (thrown) {
      const why = failure(thrown)
      const newer = why.code === 'conflict' ? (why.details['list'] as Projection | undefined) : undefined
      if (newer) {
        this.#arrive(newer)
        this.settle()
      }
      this.#fail(why, () => void this.restore(change, side))
    }
  }

  /** Ticks an item as reviewed, or takes the tick away. */
  async review(item: Item, reviewed: boolean): Promise<void> {
    const { said } = t().board
    try {
      await platform.setReviewed(this.thread, item.id, reviewed)
      await this.read()
      if (reviewed) this.tell(said.reviewed(item.content))
      else toasts.say(said.unreviewed(item.content), { label: t().common.undo, run: () => void this.review(item, true) })
    } catch (thrown) {
      this.#fail(failure(thrown), () => void this.review(item, reviewed))
    }
  }

  /** Leaves a note. Whether it was left: what was written stays where it was if it was not. */
  async note(item: string, text: string): Promise<boolean> {
    try {
      await platform.addNote(this.thread, item, text)
      await this.read()
      this.tell(t().board.noteLeft)
      return true
    } catch (thrown) {
      this.#fail(failure(thrown), () => void this.note(item, text))
      return false
    }
  }
  async removeNote(id: number): Promise<void> {
    const note = this.marks.notes.find((one) => one.id === id)
    if (!note) return
    try {
      await platform.removeNote(this.thread, id)
      await this.read()
      toasts.say(t().board.noteRemoved, { label: t().common.undo, run: () => void this.note(note.item, note.text) })
    } catch (thrown) {
      this.#fail(failure(thrown), () => void this.removeNote(id))
    }
  }
}
