// The list of records, as it is shown: read whole, arranged as the place says, and read again when files change. What is
// read stays where it is: unless rows may move, they only change where they stand, and those that are new or belong
// elsewhere by now wait to be asked for.
import { SvelteSet } from 'svelte/reactivity'
import { failure, platform, type Failure, type RecordList, type RecordRow } from '../../platform'
import type { RecordsPlace } from '../../shared/place'
import { fits, readSort, sorted } from './rows'

const FRESH_MS = 1_500

/** Records that were made, named or brought back here just now: the person looks for them, so they come in at once. */
export const own = new Set<string>()

export class RecordRows {
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  busy = $state(false)
  failure = $state.raw<Failure>()
  list = $state.raw<RecordList>()
  /** How many rows are new or belong elsewhere by now. */
  waiting = $state(0)
  /** Records that changed just now, elsewhere. */
  readonly fresh = new SvelteSet<string>()
  #place = $state.raw<RecordsPlace>({ view: 'memory' })
  #order = $state.raw<readonly string[]>([])
  #turn = 0

  readonly byRef = $derived(new Map(this.list?.records.map((row) => [row.ref, row])))
  readonly rows = $derived(this.#order.map((ref) => this.byRef.get(ref)).filter((row) => row !== undefined))
  /** All records of this view, whatever is filtered. */
  readonly all = $derived((this.list?.records ?? []).filter((row) => fits(row, { view: this.#place.view })))
  readonly strays = $derived((this.list?.strays ?? []).filter(({ file }) => file.startsWith('knowledge/') === (this.#place.view === 'knowledge')))

  #arranged(): readonly string[] {
    const rows = (this.list?.records ?? []).filter((row) => fits(row, this.#place))
    return sorted(rows, readSort(this.#place.sort)).map(({ ref }) => ref)
  }

  /** Shows what a place says, in its order. */
  arrange(place: RecordsPlace): void {
    this.#place = place
    this.settle()
  }

  /** Puts the rows where they belong by now. */
  settle(): void {
    this.#order = this.#arranged()
    this.waiting = 0
  }

  async read(mayMove: () => boolean): Promise<void> {
    const turn = ++this.#turn
    this.busy = true
    try {
      const list = await platform.records()
      if (turn !== this.#turn) return
      const before = this.byRef
      const first = this.phase !== 'ready'
      this.list = list
      this.failure = undefined
      this.phase = 'ready'
      if (first || mayMove()) this.settle()
      else this.#hold(before)
    } catch (thrown) {
      const failed = failure(thrown)
      if (turn !== this.#turn || failed.code === 'cancelled') return
      this.failure = failed
      this.phase = 'failed'
    } finally {
      if (turn === this.#turn) this.busy = false
    }
  }

  /** Keeps the order, and counts what does not stand where it belongs. */
  #hold(before: ReadonlyMap<string, RecordRow>): void {
    const arranged = this.#arranged()
    const shown = new Set(this.#order)
    const now = new Set(arranged)
    this.#order = this.#order.filter((ref) => now.has(ref))
    const kept = arranged.filter((ref) => shown.has(ref))
    if (arranged.some((ref) => !shown.has(ref) && own.delete(ref))) {
      this.settle()
      return
    }
    const added = arranged.length - kept.length
    const moved = kept.some((ref, at) => ref !== this.#order[at])
    const changed = kept.filter((ref) => before.get(ref)?.modified !== this.byRef.get(ref)?.modified).length
    this.waiting = added + (moved ? Math.max(1, changed) : 0)
  }

  /** Marks what changed for a moment. */
  mark(refs: readonly string[]): void {
    for (const ref of refs) this.fresh.add(ref)
    setTimeout(() => refs.forEach((ref) => this.fresh.delete(ref)), FRESH_MS)
  }
}
