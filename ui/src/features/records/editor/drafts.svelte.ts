// Keeps what was typed and not saved outside the record's file, at most a third of a second after it was typed (a long text
// when typing rests for half a second), so that it survives the end of the program however that comes. One write at a
// time, the newest text last.
import { failure, platform, type Failure, type RecordName } from '../../../platform'

const WITHIN_MS = 300
/** A text of a megabyte takes a moment to cross the border: it waits until typing rests, but not for ever. */
const LARGE = 200_000
const REST_LARGE_MS = 480
const WITHIN_LARGE_MS = 5_000

interface Draft {
  text: string
  base: string
  base_hash: string
}

export class Drafts {
  /** Why the last draft could not be kept: words may be lost then, so the person must know. */
  failure = $state.raw<Failure>()
  #kept = false
  #waits: (() => Draft) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Since when a long text waits. */
  #since: number | undefined
  #writing: Promise<void> = Promise.resolve()

  /** `calmly` does something as soon as no input method composes: half a composition is nothing that anybody wrote. */
  constructor(
    readonly ref: RecordName,
    readonly calmly: (work: () => void) => void,
  ) {}

  /** There is one from before. */
  found(): void {
    this.#kept = true
  }

  /** Keeps a draft soon; its text is taken then. `length` is how long it is now. */
  soon(length: number, of: () => Draft): void {
    this.#waits = of
    const write = () => this.calmly(() => void this.flush())
    if (length <= LARGE) {
      // Counted from the first key press, not from the last: who types on and on loses no more than that either.
      this.#timer ??= setTimeout(write, WITHIN_MS)
      return
    }
    this.#since ??= performance.now()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(write, Math.min(REST_LARGE_MS, Math.max(0, this.#since + WITHIN_LARGE_MS - performance.now())))
  }

  /** There is nothing to keep any more. */
  drop(): void {
    if (!this.#waits && !this.#kept) return
    this.#waits = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#since = undefined
    this.#kept = false
    this.#next(() => platform.dropDraft(this.ref))
  }

  /** Keeps at once what waits. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#since = undefined
    const draft = this.#waits?.()
    this.#waits = undefined
    if (draft) {
      this.#kept = true
      this.#next(() => platform.saveDraft(this.ref, draft))
    }
    return this.#writing
  }

  #next(work: () => Promise<void>) {
    this.#writing = this.#writing.then(work).then(
      () => void (this.failure = undefined),
      (thrown) => void (this.failure = failure(thrown)),
    )
  }
}
