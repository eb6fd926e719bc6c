// Where the window is, and how it goes elsewhere: the browser's own history carries it, so back, forward and loading again
// work by themselves. What is a step worth going back to is pushed; typing in a field replaces.
import { readPlace, writePlace, type Place, type SearchPlace, type TasksPlace, type View } from './place'

class Nav {
  place = $state.raw<Place>(readPlace(location.hash.slice(1)))
  canBack = $state(false)
  canForward = $state(false)
  /** Where each view was left, so that coming back to it is coming back to that. */
  #left = new Map<View, Place>()
  #at = 0
  #last = 0
  #later: ReturnType<typeof setTimeout> | undefined

  constructor() {
    const state: unknown = history.state
    this.#at = typeof state === 'object' && state !== null && 'at' in state ? Number(state.at) || 0 : 0
    this.#last = this.#at
    history.replaceState({ at: this.#at }, '', `#${writePlace(this.place)}`)
    addEventListener('popstate', () => {
      clearTimeout(this.#later)
      const now: unknown = history.state
      this.#at = typeof now === 'object' && now !== null && 'at' in now ? Number(now.at) || 0 : 0
      this.#last = Math.max(this.#last, this.#at)
      this.#arrive(readPlace(location.hash.slice(1)))
    })
    this.#arrive(this.place)
  }

  #arrive(place: Place) {
    this.place = place
    this.#left.set(place.view, place)
    this.canBack = this.#at > 0
    this.canForward = this.#at < this.#last
  }

  /** Goes there as a step of its own. */
  go(place: Place): void {
    if (writePlace(place) === writePlace(this.place)) return
    clearTimeout(this.#later)
    try {
      history.pushState({ at: this.#at + 1 }, '', `#${writePlace(place)}`)
    } catch {
      // Refused, as in `#write`: then it is no step of its own.
      this.be(place)
      return
    }
    this.#at += 1
    this.#last = this.#at
    this.#arrive(place)
  }

  /** Is there now, without a step: what was typed, what the arrow keys pass over. */
  be(place: Place): void {
    this.#arrive(place)
    this.#write()
  }

  /** WebKit refuses more than 100 changes of the address in 10 seconds, which a held arrow key makes: the place holds all
   * the same, and is written as soon as it may be. */
  #write = (): void => {
    clearTimeout(this.#later)
    try {
      history.replaceState({ at: this.#at }, '', `#${writePlace(this.place)}`)
    } catch {
      this.#later = setTimeout(this.#write, 500)
    }
  }

  /** Goes to a view as it was left. */
  show(view: View): void {
    this.go(this.#left.get(view) ?? readPlace(view))
  }

  back = (): void => {
    if (this.canBack) history.back()
  }

  forward = (): void => {
    if (this.canForward) history.forward()
  }

  /** Another space was opened: where this one was left means nothing there. */
  restart(): void {
    this.#left.clear()
    if (this.place.view !== 'settings') this.be(readPlace(this.place.view))
  }

  get search(): SearchPlace | undefined {
    return this.place.view === 'search' ? this.place : undefined
  }
  get tasks(): TasksPlace | undefined {
    return this.place.view === 'tasks' ? this.place : undefined
  }
}

export const nav = new Nav()

/** The place with some fields changed; `undefined` takes one out. */
export function altered<P extends Place>(place: P, changes: { [K in keyof P]?: P[K] | undefined }): P {
  const next = { ...place, ...changes }
  for (const name of Object.keys(next) as (keyof typeof next)[]) if (next[name] === undefined) delete next[name]
  return next as P
}
