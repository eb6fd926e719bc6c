// The list of tasks, read in pages as it is scrolled: the top ones with their subtasks under them, or, where words or states
// are asked for, whatever fits. Late answers are dropped, and changes elsewhere read it again.
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { failure, platform, type Failure, type TaskPage, type TaskRow, type TaskSort, type TaskState } from '../../platform'

const PAGE = 200
/** Subtasks of one task that are shown under it. */
const UNDER = 500

export interface Asked {
  states: TaskState[]
  title: string
  sort: TaskSort
}
export interface Row {
  task: TaskRow
  /** 1 for a top task, 2 for its subtasks. */
  level: number
  /** Whether its subtasks stand under it; nothing if it has none, or where they are not shown so. */
  open: boolean | undefined
}

export class TaskRows {
  total = $state(0)
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  busy = $state(false)
  failure = $state.raw<Failure>()
  /** How many questions have been answered. */
  answered = $state(0)
  /** Rows that are new or belong elsewhere by now. */
  waiting = $state(0)
  #top = $state.raw<TaskRow[]>([])
  #under = new SvelteMap<string, TaskRow[]>()
  #opened = new SvelteSet<string>()
  #asked = $state.raw<Asked>({ states: [], title: '', sort: 'updated' })
  #next: TaskPage | undefined
  #turn = 0

  /** Whether subtasks stand under their tasks. */
  nested = $derived(this.#asked.states.length === 0 && this.#asked.title.trim() === '')
  rows = $derived.by((): Row[] => {
    const rows: Row[] = []
    const put = (tasks: TaskRow[], level: number) => {
      for (const task of tasks) {
        const open = this.nested && task.subtasks > 0 ? this.#opened.has(task.ref) : undefined
        rows.push({ task, level, open })
        if (open) put(this.#under.get(task.ref) ?? [], level + 1)
      }
    }
    put(this.#top, 1)
    return rows
  })

  async ask(asked: Asked): Promise<void> {
    this.#asked = asked
    await this.#read(PAGE, true)
    if (this.#asked === asked) this.answered += 1
  }

  /** Reads the list again, as far as it was read. Unless rows may move now, they only change where they stand, and those
   * that belong elsewhere wait. */
  async again(mayMove: boolean): Promise<void> {
    await this.#read(Math.max(PAGE, this.#top.length), mayMove)
    await Promise.all([...this.#opened].map((task) => this.#readUnder(task)))
  }

  /** Puts the rows where they belong. */
  showWaiting(): void {
    if (this.#next) this.#show(this.#next)
  }

  /** Shows a task's subtasks under it, or hides them. */
  async turn(task: string, open: boolean): Promise<void> {
    if (!open) this.#opened.delete(task)
    else if (await this.#readUnder(task)) this.#opened.add(task)
  }

  async #readUnder(task: string): Promise<boolean> {
    try {
      this.#under.set(task, (await platform.tasks({ states: [], title: '', offset: 0, limit: UNDER, sort: 'created', within: task })).tasks.reverse())
      return true
    } catch (thrown) {
      this.failure = failure(thrown)
      return false
    }
  }

  #show(page: TaskPage): void {
    this.#top = page.tasks
    this.total = page.total
    this.waiting = 0
    this.#next = undefined
  }

  #page(offset: number, limit: number): Promise<TaskPage> {
    return platform.tasks({ ...this.#asked, offset, limit, ...(this.nested ? { within: 'top' as const } : {}) })
  }

  async #read(limit: number, mayMove: boolean): Promise<void> {
    const turn = ++this.#turn
    this.busy = true
    try {
      // 1,000 at a time is what the engine gives.
      const page = await this.#page(0, Math.min(limit, 1_000))
      while (page.tasks.length < Math.min(limit, page.total) && turn === this.#turn) {
        const more = await this.#page(page.tasks.length, Math.min(limit - page.tasks.length, 1_000))
        if (more.tasks.length === 0) break
        page.tasks = [...page.tasks, ...more.tasks]
      }
      if (turn !== this.#turn) return
      const before = new Map(this.#top.map((task) => [task.ref, task.updated]))
      const moved = page.tasks.filter((task) => before.get(task.ref) !== task.updated)
      if (mayMove || this.phase !== 'ready' || this.#top.length === 0) this.#show(page)
      else {
        const now = new Map(page.tasks.map((task) => [task.ref, task]))
        this.#top = this.#top.flatMap((task) => {
          const same = now.get(task.ref)
          // What waits keeps its old time, so that it still counts as moved when the list is read once more.
          return same ? [{ ...same, updated: task.updated }] : []
        })
        this.waiting = moved.length
        this.#next = page
      }
      this.failure = undefined
      this.phase = 'ready'
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
      this.phase = 'failed'
    }
    this.busy = false
  }

  async more(): Promise<void> {
    if (this.busy || this.#top.length >= this.total) return
    const turn = this.#turn
    this.busy = true
    try {
      const page = await this.#page(this.#top.length, PAGE)
      if (turn !== this.#turn) return
      const known = new Set(this.#top.map((task) => task.ref))
      this.#top = [...this.#top, ...page.tasks.filter((task) => !known.has(task.ref))]
      this.total = page.tasks.length === 0 ? this.#top.length : page.total
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
    }
    this.busy = false
  }
}
