// What a search has found so far. Every key press asks anew; each question has a number, and an answer that is not to the
// newest question is dropped. What was found before stays until the next answer is there, so nothing flickers. When the
// record changes elsewhere the question is asked once more, quietly, and what is new waits until it may be shown.
import { failure, platform, type Failure, type Hit, type SearchInput, type SearchResults } from '../../platform'

export class Results {
  /** The answer that is shown, without its hits. */
  answer = $state.raw<Omit<SearchResults, 'hits'>>()
  pages = $state.raw<Hit[][]>([])
  /** The question that it answers. */
  asked = $state.raw<SearchInput>()
  busy = $state(false)
  failure = $state.raw<Failure>()
  /** Hits that came in since, and wait. */
  waiting = $state.raw<Hit[]>([])
  /** Those that were shown most recently, to be tinted. */
  fresh = $state.raw<ReadonlySet<string>>(new Set())
  counted = $state<number>()
  counting = $state<() => void>()
  #turn = 0
  #next: SearchResults | undefined
  #newest: SearchInput | undefined

  get hits(): Hit[] {
    return this.pages.flat()
  }

  get more(): boolean {
    const count = this.pages.reduce((sum, page) => sum + page.length, 0)
    return this.answer !== undefined && (this.answer.total_is === 'at_least' ? (this.pages.at(-1)?.length ?? 0) > 0 : count < this.answer.total)
  }

  async ask(input: SearchInput): Promise<void> {
    const turn = ++this.#turn
    this.#newest = input
    this.counting?.()
    if (input.query.trim() === '') {
      this.#show(undefined, undefined)
      return
    }
    this.busy = true
    try {
      const answer = await platform.search(input)
      if (turn !== this.#turn) return
      this.#show(input, answer)
    } catch (thrown) {
      const why = failure(thrown)
      // A search that a newer one took back is no failure.
      if (turn !== this.#turn || why.code === 'cancelled') return
      this.busy = false
      this.failure = why
    }
  }

  /** Asks the newest question once more. */
  retry(): void {
    if (this.#newest) void this.ask(this.#newest)
  }

  #show(input: SearchInput | undefined, answer: SearchResults | undefined, fresh: ReadonlySet<string> = new Set()) {
    this.busy = false
    this.failure = undefined
    this.waiting = []
    this.#next = undefined
    this.counted = undefined
    this.fresh = fresh
    this.asked = input
    if (!answer) {
      this.answer = undefined
      this.pages = []
      return
    }
    const { hits, ...rest } = answer
    this.answer = rest
    this.pages = hits.length > 0 ? [hits] : []
  }

  /** Reads the hits after the last one. */
  async readMore(): Promise<void> {
    const last = this.pages.at(-1)?.at(-1)
    if (!this.asked || !last || this.busy || !this.more) return
    const turn = this.#turn
    this.busy = true
    try {
      const answer = await platform.search({ ...this.asked, after: last.ref })
      if (turn !== this.#turn) return
      this.busy = false
      const known = new Set(this.hits.map((hit) => hit.ref))
      const hits = answer.hits.filter((hit) => !known.has(hit.ref))
      if (hits.length > 0) this.pages = [...this.pages, hits]
      else if (this.answer) this.answer = { ...this.answer, total: known.size, total_is: null }
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.busy = false
      const why = failure(thrown)
      if (why.code !== 'cancelled') this.failure = why
    }
  }

  /** Looks whether something new is found; `now` says whether it may be shown at once. */
  async lookAgain(now: () => boolean): Promise<void> {
    const input = this.asked
    if (!input || this.busy) return
    const turn = this.#turn
    const answer = await platform.search(input).catch(() => undefined)
    if (!answer || turn !== this.#turn) return
    const known = new Set(this.hits.map((hit) => hit.ref))
    const came = answer.hits.filter((hit) => !known.has(hit.ref))
    // One page is read anew; what stood further down and slid into it is not new.
    const oldest = this.hits.at(-1)?.created ?? ''
    const news = this.answer?.order === 'newest' && this.more ? came.filter((hit) => hit.created > oldest) : came
    this.#next = answer
    const still = new Set(answer.hits.map((hit) => hit.ref))
    // The whole answer is here and lacks what is shown: it was forgotten, so it goes.
    const gone = answer.hits.length >= answer.total && this.hits.some((hit) => !still.has(hit.ref))
    if (gone) this.#show(input, answer, new Set(news.map((hit) => hit.ref)))
    else if (news.length === 0) {
      const { hits: _, ...rest } = answer
      this.answer = rest
    } else if (now()) this.#show(input, answer, new Set(news.map((hit) => hit.ref)))
    else this.waiting = news
  }

  /** Shows what waits. */
  showWaiting(): void {
    if (this.#next && this.asked) this.#show(this.asked, this.#next, new Set(this.waiting.map((hit) => hit.ref)))
  }

  async countAll(): Promise<void> {
    if (!this.asked || this.counting) return
    const turn = this.#turn
    const running = platform.countAll(this.asked)
    this.counting = () => {
      running.cancel()
      this.counting = undefined
    }
    try {
      const count = await running.done
      // Taken back meanwhile, it is no longer wanted.
      if (turn === this.#turn && this.counting !== undefined) this.counted = count
    } catch (thrown) {
      const why = failure(thrown)
      if (turn === this.#turn && why.code !== 'cancelled') this.failure = why
    } finally {
      if (turn === this.#turn) this.counting = undefined
    }
  }
}
