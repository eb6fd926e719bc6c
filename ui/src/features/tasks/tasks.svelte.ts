// The list of tasks, read in pages as it is scrolled; late answers are dropped, and changes elsewhere read it again.
import { failure, platform, type Failure, type TaskList, type TasksInput, type TaskSummary } from '../../platform'

const PAGE = 200

export class TaskRows {
  total = $state(0)
  rows = $state.raw<TaskSummary[]>([])
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  busy = $state(false)
  failure = $state.raw<Failure>()
  #input: Pick<TasksInput, 'states' | 'title'> = { states: [], title: '' }
  /** Rows that are new or belong elsewhere by now. */
  waiting = $state(0)
  #next: TaskList | undefined
  #turn = 0

  async ask(input: Pick<TasksInput, 'states' | 'title'>): Promise<void> {
    this.#input = input
    await this.#read(PAGE, true)
  }

  /** Reads the list again, as far as it was read. Unless rows may move now, they only change where they stand, and those
   * that belong elsewhere wait. */
  async again(mayMove: boolean): Promise<void> {
    await this.#read(Math.max(PAGE, this.rows.length), mayMove)
  }

  /** Puts the rows where they belong. */
  showWaiting(): void {
    if (this.#next) this.#show(this.#next)
  }

  #show(list: TaskList): void {
    this.rows = list.tasks
    this.total = list.total
    this.waiting = 0
    this.#next = undefined
  }

  async #read(limit: number, mayMove: boolean): Promise<void> {
    const turn = ++this.#turn
    this.busy = true
    try {
      const list = await platform.tasks({ ...this.#input, offset: 0, limit })
      if (turn !== this.#turn) return
      const before = new Map(this.rows.map((task) => [task.ref, task.updated]))
      const moved = list.tasks.filter((task) => before.get(task.ref) !== task.updated)
      if (mayMove || this.phase !== 'ready' || this.rows.length === 0) this.#show(list)
      else {
        const now = new Map(list.tasks.map((task) => [task.ref, task]))
        this.rows = this.rows.flatMap((task) => {
          const same = now.get(task.ref)
          // What waits keeps its old time, so that it still counts as moved when the list is read once more.
          return same ? [{ ...same, updated: task.updated }] : []
        })
        this.waiting = moved.length
        this.#next = list
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
    if (this.busy || this.rows.length >= this.total) return
    const turn = this.#turn
    this.busy = true
    try {
      const list = await platform.tasks({ ...this.#input, offset: this.rows.length, limit: PAGE })
      if (turn !== this.#turn) return
      const known = new Set(this.rows.map((task) => task.ref))
      this.rows = [...this.rows, ...list.tasks.filter((task) => !known.has(task.ref))]
      this.total = list.tasks.length === 0 ? this.rows.length : list.total
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
    }
    this.busy = false
  }
}
