// A conversation of any length, of which only what is looked at is read: a window of it, from the hit and a few comments
// around it up to the whole, and in that window the pages that come into sight.
import { SvelteSet } from 'svelte/reactivity'
import { failure, platform, type Comment, type Failure, type TaskName } from '../../platform'

/** Comments read at a time, and kept at most; what is far from what is looked at goes first. */
const PAGE = 100
const KEPT = 4_000
/** Comments around a hit to begin with, and how many more at a time. */
const AROUND = 4
const STEP = 20

export class Conversation {
  task = $state.raw<TaskName>()
  total = $state(0)
  /** What is shown: comments `from` to before `to`. */
  from = $state(0)
  to = $state(0)
  /** Where the comment is that was asked for. */
  target = $state<number>()
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  failure = $state.raw<Failure>()
  /** Comments from here on came in a moment ago. */
  freshFrom = $state(Infinity)
  /** Comments from here on came in while it was open and have not been in sight yet. */
  unseenFrom = $state(Infinity)
  /** How far comments have moved since it was opened: what stood at place 5 stands at `5 + moved`. */
  moved = $state(0)
  /** Comments that are not folded as their kind is by itself. */
  turned = new SvelteSet<string>()
  #comments = new Map<number, Comment>()
  #version = $state(0)
  #loading = new Set<number>()
  #turn = 0
  #opened: { task: string | undefined; at: string | undefined; whole: boolean } | undefined

  /** The comment at a place, if it has been read. */
  at(index: number): Comment | undefined {
    void this.#version
    return this.#comments.get(index)
  }

  /** Where a comment is, if it has been read. */
  indexOf(ref: string): number | undefined {
    void this.#version
    for (const [index, comment] of this.#comments) if (comment.ref === ref) return index
    return undefined
  }

  async open(task: string | undefined, at: string | undefined, whole: boolean): Promise<void> {
    const known = at === undefined ? undefined : this.indexOf(at)
    this.#opened = { task, at, whole }
    if (this.phase === 'ready' && known !== undefined && (task ?? this.task?.ref) === this.task?.ref) {
      // Another hit of the conversation that is open: the window moves or grows, nothing is read again.
      const near = known >= this.from - STEP && known < this.to + STEP
      this.from = whole ? 0 : Math.max(0, near ? Math.min(this.from, known - AROUND) : known - AROUND)
      this.to = whole ? this.total : Math.min(this.total, near ? Math.max(this.to, known + AROUND + 1) : known + AROUND + 1)
      this.target = known
      return
    }
    const turn = ++this.#turn
    this.phase = 'loading'
    try {
      let first: number
      let comments: Comment[]
      if (at !== undefined) {
        const found = await platform.around(at, AROUND)
        if (turn !== this.#turn) return
        this.#forgetAll()
        first = found.more_before
        comments = found.comments
        this.task = found.task
        this.total = first + comments.length + found.more_after
        const hit = comments.findIndex((comment) => comment.is_target || comment.ref === at)
        this.target = hit < 0 ? undefined : first + hit
      } else {
        const page = await platform.conversation(task ?? '', 0, PAGE)
        if (turn !== this.#turn) return
        this.#forgetAll()
        first = 0
        comments = page.comments
        this.task = page.task
        this.total = page.total
        this.target = undefined
      }
      comments.forEach((comment, nth) => this.#comments.set(first + nth, comment))
      this.from = whole ? 0 : first
      this.to = whole ? this.total : first + comments.length
      this.failure = undefined
      this.phase = 'ready'
      this.#version += 1
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
      this.phase = 'failed'
    }
  }

  retry(): void {
    if (this.#opened) void this.open(this.#opened.task, this.#opened.at, this.#opened.whole)
  }

  #forgetAll(): void {
    this.#comments.clear()
    this.#loading.clear()
    this.turned.clear()
    this.freshFrom = Infinity
    this.unseenFrom = Infinity
    this.moved = 0
  }

  earlier(): void {
    this.from = Math.max(0, this.from - STEP)
  }
  later(): void {
    this.to = Math.min(this.total, this.to + STEP)
  }
  whole(): void {
    this.from = 0
    this.to = this.total
  }

  /** Has a place be one of those that are shown, and its comment be here. */
  async reach(index: number): Promise<void> {
    if (index < this.from || index >= this.to) this.whole()
    if (!this.#comments.has(index)) await this.#read(Math.floor(index / PAGE))
  }

  /** Comments up to this place have been in sight. */
  saw(last: number): void {
    if (last >= this.unseenFrom) this.unseenFrom = last + 1 < this.total ? last + 1 : Infinity
  }

  /** Reads what is missing of comments `first` to `last`. */
  need(first: number, last: number): void {
    if (this.phase !== 'ready' || !this.task) return
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
      const start = Math.max(first, page * PAGE)
      const end = Math.min(last, page * PAGE + PAGE - 1)
      for (let index = start; index <= end; index++) {
        if (!this.#comments.has(index)) {
          void this.#read(page)
          break
        }
      }
    }
    if (this.#comments.size > KEPT) {
      for (const index of this.#comments.keys())
        if (index < first - KEPT / 4 || index > last + KEPT / 4) this.#comments.delete(index)
    }
  }

  async #read(page: number): Promise<void> {
    const task = this.task
    if (!task || this.#loading.has(page)) return
    const turn = this.#turn
    this.#loading.add(page)
    try {
      const read = await platform.conversation(task.ref, page * PAGE, PAGE)
      if (turn !== this.#turn) return
      for (let nth = 0; nth < PAGE; nth++) {
        const comment = read.comments[nth]
        if (comment) this.#comments.set(page * PAGE + nth, comment)
        else this.#comments.delete(page * PAGE + nth)
      }
      this.#grow(read.total)
      this.failure = undefined
      this.#version += 1
    } catch (thrown) {
      if (turn === this.#turn) this.failure = failure(thrown)
    } finally {
      this.#loading.delete(page)
    }
  }

  #grow(total: number): void {
    if (total === this.total) return
    if (total > this.total) {
      this.freshFrom = Math.min(this.freshFrom, this.total)
      this.unseenFrom = Math.min(this.unseenFrom, this.total)
    } else this.unseenFrom = Infinity
    if (this.to === this.total || this.to > total) this.to = total
    this.from = Math.min(this.from, this.to)
    this.total = total
  }

  /** The record changed elsewhere: what is in sight is read again, and the rest when it comes into sight. What stood at
   * place `top` goes on standing where it is in the window, wherever its place is now. */
  async again(first: number, last: number, top: number): Promise<void> {
    if (this.phase !== 'ready') return
    this.freshFrom = Infinity
    const [turn, ref] = [this.#turn, this.#comments.get(top)?.ref]
    const pages = new Set([Math.floor(first / PAGE), Math.floor(last / PAGE)])
    for (const index of this.#comments.keys()) if (!pages.has(Math.floor(index / PAGE))) this.#comments.delete(index)
    await Promise.all([...pages].map((page) => this.#read(page)))
    if (ref === undefined || turn !== this.#turn || this.#comments.get(top)?.ref === ref) return
    const now = this.indexOf(ref) ?? (await platform.around(ref, 0).then((around) => around.more_before, () => undefined))
    if (now === undefined || turn !== this.#turn) return
    const by = now - top
    this.#comments.clear()
    this.moved += by
    if (this.from > 0) this.from = Math.max(0, this.from + by)
    if (this.to < this.total) this.to = Math.min(this.total, Math.max(this.from, this.to + by))
    if (this.target !== undefined) this.target += by
    this.#version += 1
    this.need(Math.max(0, first + by), last + by)
  }
}
