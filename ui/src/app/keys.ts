// The keys that hold everywhere, as a pure reading of a key press: what it asks for, if anything.
import type { View } from '../shared/place'

export const MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '')

/** The views that are there, in the order of `Ctrl/⌘ 1…`. */
export const VIEWS = ['search', 'tasks', 'board', 'memory', 'knowledge'] as const satisfies readonly View[]
export const isView = (name: string): name is (typeof VIEWS)[number] => VIEWS.some((view) => view === name)

export type Asked = { to: 'palette' | 'field' | 'sheet' | 'settings' | 'back' | 'forward' } | { to: 'view'; view: View }

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** `writing`: the focus is where characters are typed, so that bare ones belong to it. */
export function readKey(press: Press, writing: boolean, mac: boolean): Asked | undefined {
  const main = mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey
  const bare = !press.ctrlKey && !press.metaKey && !press.altKey
  const key = press.key.toLowerCase()
  if (main && !press.altKey && !press.shiftKey) {
    if (key === 'k') return { to: 'palette' }
    if (key === ',') return { to: 'settings' }
    if (key === 'f') return { to: 'field' }
    if (mac && key === '[') return { to: 'back' }
    if (mac && key === ']') return { to: 'forward' }
    const view = /^[1-9]$/.test(key) ? VIEWS[Number(key) - 1] : undefined
    return view && { to: 'view', view }
  }
  if (!mac && press.altKey && !press.ctrlKey && !press.metaKey) {
    if (key === 'arrowleft') return { to: 'back' }
    if (key === 'arrowright') return { to: 'forward' }
  }
  if (bare && !writing) {
    if (key === '/') return { to: 'field' }
    if (press.key === '?') return { to: 'sheet' }
  }
  return undefined
}

/** As a key is called on this computer: `⌘K`, `Ctrl+K`. */
export function keyName(key: string, mac = MAC): string {
  return mac ? `⌘${key}` : `Ctrl+${key}`
}
