// A search through the records: late answers are dropped, and files that change have it read again.
import { failure, platform, type Failure, type RecordKind, type RecordsFound } from '../../platform'

export class FoundRecords {
  query = $state('')
  answer = $state.raw<RecordsFound>()
  failure = $state.raw<Failure>()
  busy = $state(false)
  #turn = 0

  async ask(query: string, kinds: readonly RecordKind[]): Promise<void> {
    const turn = ++this.#turn
    if (query.trim() === '') {
      this.query = ''
      this.answer = undefined
      this.failure = undefined
      this.busy = false
      return
    }
    this.busy = true
    try {
      const answer = await platform.searchRecords(query, kinds)
      if (turn !== this.#turn) return
      this.answer = answer
      this.query = query
      this.failure = undefined
    } catch (thrown) {
      const failed = failure(thrown)
      if (turn !== this.#turn || failed.code === 'cancelled') return
      this.failure = failed
    }
    this.busy = false
  }
}
