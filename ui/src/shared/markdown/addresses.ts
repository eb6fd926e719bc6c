// What may be done with an address that stands in a text: opened in the browser after the person has seen it, gone to in
// this window, or nothing.
import { nav } from '../nav.svelte'
import { readLink } from '../place'
import { space } from '../space.svelte'

/** As the browser would understand it, so that what is asked about is what is opened; nothing for any other address. */
export function outside(address: string): URL | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return undefined
  try {
    const url = new URL(address)
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/** Goes to a place of the open space; `undefined` for any other address. */
export function inside(address: string): (() => void) | undefined {
  const found = readLink(address)
  return found && found.space === space.info?.uid.toLowerCase() ? () => nav.go(found.place) : undefined
}
