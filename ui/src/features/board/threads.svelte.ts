// All threads of the board. The lists that changed last stand first, so when something changes the first page tells of it
// at once, and the rest is read again at leisure.
import { failure, platform, type BoardItem, type BoardThread, type Failure, type PlatformEvent } from '../../platform'
import { calm } from '../../shared/calm'
import type { BoardPlace, BoardShow } from '../../shared/place'
import { fold } from '../../shared/marks'
import { nameOf, titleOf } from './names'

const PAGE = 200
/** Threads that are shown at most: what comes after has not changed for a long time. */
const MOST = 5_000
const FRESH_MS = 1_500

const MINUTE = 60_000

/** When a thread was last heard of: by its list, or by its conversation. */
export function heardAt({ list, task }: BoardThread): string {
  return task && task.heard > list.updated ? task.heard : list.updated
}

/** Not done, and neither the list nor the conversation has changed for so many minutes. */
export function isStuck(thread: BoardThread, now: number, minutes: number): boolean {
  return thread.list.summary.incomplete > 0 && now - Date.parse(heardAt(thread)) >= minutes * MINUTE
}

export function meets(thread: BoardThread, show: BoardShow | undefined, now: number, minutes: number): boolean {
  if (show === 'running') return thread.list.running !== null
  if (show === 'stuck') return isStuck(thread, now, minutes)
  return show !== 'done' || thread.list.summary.allCompleted
}

export class Threads {
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  failure = $state.raw<Failure>()
  busy = $state(false)
  all = $state.raw<BoardThread[]>([])
  total = $state(0)
  /** Threads whose list has just changed. */
  fresh = $state.raw<ReadonlySet<string>>(new Set())
  /** What stands otherwise by now, while cards must not move: the newest of all. */
  waiting = $state.raw<BoardThread[]>()
  /** Items that hold the words, by thread; nothing while no words are there. */
  found = $state.raw<ReadonlyMap<string, BoardItem['found']['item']>>()
  #turn = 0
  #words = ''
  #first = calm(() => this.#read(PAGE), 200)
  #rest = calm(() => this.#read(MOST), 2_000)

  constructor(private readonly held: () => boolean) {}

  hear = (event: PlatformEvent): void => {
    if (event.kind !== 'changed') return
    if (event.all || event.lists) this.#first()
    if (!event.lists || this.total > PAGE) this.#rest()
    if (this.#words !== '' && (event.all || event.lists)) void this.find(this.#words)
  }

  read = (): Promise<void> => this.#read(MOST)

  async #read(most: number): Promise<void> {
    const turn = ++this.#turn
    this.busy = this.phase === 'loading'
    try {
      let threads: BoardThread[] = []
      for (let total = 1; threads.length < Math.min(most, total); ) {
        const page = await platform.board(threads.length, PAGE)
        if (turn !== this.#turn) return
        // A list that changed between two pages is on both.
        const known = new Set(threads.map(({ list }) => list.thread))
        threads = [...threads, ...page.threads.filter(({ list }) => !known.has(list.thread))]
        total = page.threads.length === 0 ? 0 : page.total
        this.total = page.total
      }
      if (threads.length < Math.min(this.total, this.all.length)) {
        const known = new Set(threads.map(({ list }) => list.thread))
        threads = [...threads, ...this.all.filter(({ list }) => !known.has(list.thread))]
      }
      this.#take(threads)
      this.failure = undefined
      this.phase = 'ready'
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
      if (this.phase === 'loading') this.phase = 'failed'
    }
    this.busy = false
  }

  #take(threads: BoardThread[]): void {
    const before = new Map((this.waiting ?? this.all).map(({ list }) => [list.thread, list.version]))
    const changed = threads.filter(({ list }) => before.get(list.thread) !== list.version).map(({ list }) => list.thread)
    if (this.phase === 'ready' && changed.length > 0) {
      this.fresh = new Set([...this.fresh, ...changed])
      setTimeout(() => (this.fresh = new Set([...this.fresh].filter((id) => !changed.includes(id)))), FRESH_MS)
    }
    const moves = threads.length !== this.all.length || threads.some(({ list }, nth) => list.thread !== this.all[nth]?.list.thread)
    if (this.phase !== 'ready' || !moves || !this.held()) {
      this.all = threads
      this.waiting = undefined
      return
    }
    // Cards say what is so now, where they stand.
    const now = new Map(threads.map((thread) => [thread.list.thread, thread]))
    this.all = this.all.map((thread) => now.get(thread.list.thread) ?? thread)
    this.waiting = threads
  }

  /** Puts every card where it belongs. */
  settle(): void {
    if (this.waiting) this.all = this.waiting
    this.waiting = undefined
  }

  async find(words: string): Promise<void> {
    this.#words = words
    if (words.trim() === '') {
      this.found = undefined
      return
    }
    const items = await platform.findItems('board', words, 500).catch(() => undefined)
    if (words !== this.#words || !items) return
    this.found = new Map(items.toReversed().map(({ found }) => [found.thread, found.item]))
  }

  /** Those that the words and the agent of a place leave. */
  within(place: BoardPlace): BoardThread[] {
    const words = fold(place.q ?? '').split(/\s+/u).filter(Boolean)
    return this.all.filter(({ list, task }) => {
      if (place.agent !== undefined && list.resource !== place.agent) return false
      if (words.length === 0) return true
      const said = fold(`${titleOf(list.thread, task)} ${list.thread} ${nameOf(list.resource)}`)
      return words.every((word) => said.includes(word)) || this.found?.has(list.thread) === true
    })
  }
}
