// Language, theme and font size: read from the settings, put on the document, and saved when the person changes one.
import { failure, platform, type Settings } from '../platform'
import { speak, t } from './i18n/index.svelte'
import { toasts } from './ui/toasts.svelte'

const look = $state<{ now: Settings }>({ now: { lang: 'system', theme: 'system', size: 13, name: '' } })

export function settings(): Settings {
  return look.now
}

export function apply(given: Settings): void {
  look.now = given
  speak(given.lang)
  const root = document.documentElement
  root.dataset['theme'] = given.theme
  root.style.setProperty('--font-size', `${given.size}px`)
}

/** Reads the settings; those of the system stand in where they can't be read. */
export async function readLook(): Promise<void> {
  try {
    apply(await platform.settings())
  } catch {
    apply({ lang: 'system', theme: 'system', size: 13, name: '' })
  }
}

/** Changes one thing at once, and saves it; what could not be saved is said, and still holds in this window. */
export async function change(changes: Partial<Settings>): Promise<void> {
  const next = { ...look.now, ...changes }
  apply(next)
  try {
    await platform.saveSettings(next)
  } catch (thrown) {
    toasts.say(`${t().errors.save}: ${failure(thrown).message}`, undefined, true)
  }
}
