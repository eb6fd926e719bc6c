// The list of tasks, read in pages as it is scrolled; late answers are dropped, and changes elsewhere read it again.
import { failure, platform, type Failure, type TasksInput, type TaskSummary } from '../../platform'

const PAGE = 200

export class TaskRows {
  total = $state(0)
  rows = $state.raw<TaskSummary[]>([])
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  busy = $state(false)
  failure = $state.raw<Failure>()
  #input: Pick<TasksInput, 'states' | 'title'> = { states: [], title: '' }
  #turn = 0

  async ask(input: Pick<TasksInput, 'states' | 'title'>): Promise<void> {
    this.#input = input
    await this.#read(Math.max(PAGE, 0))
  }

  /** Reads the list again, as far as it was read. */
  async again(): Promise<void> {
    await this.#read(Math.max(PAGE, this.rows.length))
  }

  async #read(limit: number): Promise<void> {
    const turn = ++this.#turn
    this.busy = true
    try {
      const list = await platform.tasks({ ...this.#input, offset: 0, limit })
      if (turn !== this.#turn) return
      this.rows = list.tasks
      this.total = list.total
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
