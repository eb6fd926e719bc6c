// Finding in the conversation that is open: where words stand as they are, and stepping from one comment that holds them
// to the next. The engine looks through all of it, also what is folded and what the page has not read.
import { failure, platform, type Failure, type FoundInTask } from '../../platform'
import { fold } from '../../shared/marks'

export class Find {
  open = $state(false)
  words = $state('')
  found = $state.raw<FoundInTask>()
  /** Which of the places one stands at. */
  at = $state(0)
  busy = $state(false)
  failure = $state.raw<Failure>()
  #turn = 0

  /** The words as they are marked. */
  get terms(): string[] {
    const word = fold(this.words.trim()).replace(/\s+/gu, ' ')
    return this.open && word !== '' ? [word] : []
  }

  /** The place that one stands at. */
  get place(): number | undefined {
    return this.open ? this.found?.places[this.at] : undefined
  }

  /** Looks for words, and stands at the first place that holds them from `near` on. */
  async look(task: string, words: string, near: number): Promise<void> {
    const turn = ++this.#turn
    this.words = words
    if (words.trim() === '') {
      this.found = undefined
      this.failure = undefined
      this.busy = false
      return
    }
    this.busy = true
    try {
      const found = await platform.findInTask(task, words)
      if (turn !== this.#turn) return
      const next = found.places.findIndex((place) => place >= near)
      this.at = Math.max(0, next)
      this.found = found
      this.failure = undefined
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.found = undefined
      this.failure = failure(thrown)
    }
    this.busy = false
  }

  /** To the next place or the one before, round the end. */
  step(by: number): void {
    const count = this.found?.places.length ?? 0
    if (count > 0) this.at = (this.at + by + count) % count
  }

  close(): void {
    this.#turn += 1
    this.open = false
    this.busy = false
    this.found = undefined
    this.failure = undefined
  }
}
