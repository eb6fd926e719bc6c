// The sessions that were found, as the list of them shows them: which are seen, and which are chosen. Everything that is
// not left out is chosen by itself.
import { SvelteSet } from 'svelte/reactivity'
import { failure, platform, type Failure, type SessionGroup, type SessionsFound } from '../../platform'
import { fold } from '../../shared/marks'

export const keyOf = (group: SessionGroup): string => `${group.source} ${group.folder ?? ''}`

export class Found {
  everywhere = $state(false)
  words = $state('')
  answer = $state.raw<SessionsFound>()
  failure = $state.raw<Failure>()
  busy = $state(false)
  /** Those that the person took out of the choice. */
  out = new SvelteSet<string>()
  #turn = 0

  /** By folder, each folder at the newest of its sessions. */
  readonly groups = $derived.by(() => {
    const newest = new Map<string | null, string>()
    for (const { folder, newest: at } of this.answer?.groups ?? [])
      if ((newest.get(folder) ?? '') < (at ?? '')) newest.set(folder, at ?? '')
    const rank = (group: SessionGroup) => newest.get(group.folder) ?? ''
    return (this.answer?.groups ?? []).toSorted(
      (a, b) => rank(b).localeCompare(rank(a)) || (a.folder ?? '').localeCompare(b.folder ?? '') || b.bytes - a.bytes,
    )
  })
  readonly shown = $derived.by(() => {
    const words = fold(this.words.trim())
    return words === '' ? this.groups : this.groups.filter((group) => fold(`${group.folder ?? ''} ${group.title}`).includes(words))
  })
  readonly choosable = $derived(this.shown.filter((group) => !group.excluded))
  readonly chosen = $derived(this.choosable.filter((group) => !this.out.has(keyOf(group))))
  readonly files = $derived(this.chosen.reduce((sum, group) => sum + group.files, 0))
  readonly bytes = $derived(this.chosen.reduce((sum, group) => sum + group.bytes, 0))

  look = async (): Promise<void> => {
    const turn = ++this.#turn
    this.busy = true
    try {
      const answer = await platform.foundSessions(this.everywhere)
      if (turn !== this.#turn) return
      this.answer = answer
      this.failure = undefined
    } catch (thrown) {
      const why = failure(thrown)
      if (turn !== this.#turn || why.code === 'cancelled') return
      this.failure = why
    }
    this.busy = false
  }

  choose(groups: SessionGroup[], wanted: boolean): void {
    for (const group of groups) {
      if (wanted) this.out.delete(keyOf(group))
      else this.out.add(keyOf(group))
    }
  }
}
