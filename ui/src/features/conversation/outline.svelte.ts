// The outline of the conversation that is open: what was asked and what came of it. It is read when it is first wanted,
// and again when the conversation changed.
import { failure, platform, type Failure, type OutlineEntry } from '../../platform'

export class Outline {
  entries = $state.raw<OutlineEntry[]>([])
  total = $state(0)
  phase = $state<'none' | 'loading' | 'ready' | 'failed'>('none')
  failure = $state.raw<Failure>()
  #task = ''
  #turn = 0

  /** Reads it, unless it is here. */
  async need(task: string): Promise<void> {
    if (this.#task !== task || this.phase === 'none' || this.phase === 'failed') await this.read(task)
  }

  async read(task: string): Promise<void> {
    const turn = ++this.#turn
    if (task !== this.#task) {
      this.entries = []
      this.total = 0
    }
    this.#task = task
    if (this.entries.length === 0) this.phase = 'loading'
    try {
      const { entries, total } = await platform.outline(task)
      if (turn !== this.#turn) return
      this.entries = entries
      this.total = total
      this.phase = 'ready'
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
      this.phase = 'failed'
    }
  }

  /** Which entry a place in the conversation belongs to: the last that stands at it or before it; -1 before the first. */
  indexAt(place: number): number {
    let [low, high] = [0, this.entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.entries[middle]?.place ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
