// The records that are open in this window, each with its undo history and its unsaved words, and the drafts that earlier
// windows left. One for the space that is open; another space begins with an empty one.
import { platform, type RecordDraft, type RecordName } from '../../../platform'
import { nav } from '../../../shared/nav.svelte'
import type { RecordsPlace } from '../../../shared/place'
import { space } from '../../../shared/space.svelte'
import type { Mentionable } from './mentions'
import { Opened } from './opened.svelte'

/** Where a record is read and edited. */
export function placeOf(ref: RecordName): RecordsPlace {
  return { view: ref.startsWith('knowledge:') ? 'knowledge' : 'memory', at: ref }
}
export const slugOf = (ref: RecordName): string => ref.slice(ref.indexOf(':') + 1)

class Desk {
  /** The records with changes that are not saved, here or in a draft of an earlier window. */
  unsaved = $state.raw<ReadonlySet<RecordName>>(new Set())
  #space = ''
  #opened = new Map<RecordName, Opened>()
  #drafts: readonly RecordDraft[] = []
  #mentionable: readonly Mentionable[] = []
  #listening = false

  /** The record as it is open here; it is opened if it is not. */
  open(ref: RecordName): Opened {
    this.#begin()
    let opened = this.#opened.get(ref)
    if (!opened) {
      opened = new Opened(ref, slugOf(ref), (to) => nav.go(placeOf(to)), this.#count)
      this.#opened.set(ref, opened)
      const made = opened
      void made.load().then(() => made.tell(this.#mentionable))
    }
    return opened
  }

  /** Reads which drafts there are, so that the list of records can say so. */
  async look(): Promise<void> {
    this.#begin()
    this.#drafts = await platform.drafts().catch(() => [])
    this.#count()
  }

  /** Every draft that waits to be kept is kept: the window may close. */
  flush = async (): Promise<void> => {
    await Promise.all([...this.#opened.values()].map((opened) => opened.flush()))
  }

  /** A record has another name from now on; the draft under its old one went along. */
  async moved(from: RecordName): Promise<void> {
    this.#opened.delete(from)
    await this.look()
  }

  #begin() {
    if (!this.#listening) this.#listen()
    if (this.#space === space.open.uid) return
    this.#space = space.open.uid
    this.#opened.clear()
    this.#drafts = []
    void this.#learn()
    void this.look()
  }

  #listen() {
    this.#listening = true
    platform.listen((event) => {
      if (event.kind !== 'records') return
      for (const opened of this.#opened.values()) opened.hear(event.refs, event.all)
      void this.#learn()
    })
    addEventListener('pagehide', () => void this.flush())
    document.addEventListener('visibilitychange', () => document.hidden && void this.flush())
  }

  async #learn() {
    this.#mentionable = await platform.slugs().catch(() => this.#mentionable)
    for (const opened of this.#opened.values()) opened.tell(this.#mentionable)
  }

  #count = () => {
    const left = this.#drafts.map(({ ref }) => ref).filter((ref) => !this.#opened.has(ref))
    const here = [...this.#opened.values()].filter(({ dirty }) => dirty).map(({ ref }) => ref)
    this.unsaved = new Set([...here, ...left])
  }
}

export const desk = new Desk()
