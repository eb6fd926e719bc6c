// A `kiroku://` link goes to its place, and nothing else: it never opens a file or another space by itself.
import { t } from '../shared/i18n/index.svelte'
import { nav } from '../shared/nav.svelte'
import { readLink } from '../shared/place'
import { space } from '../shared/space.svelte'
import { toasts } from '../shared/ui/toasts.svelte'

export function followLink(link: string): void {
  const found = readLink(link)
  if (!found) return
  if (found.space === space.info?.uid.toLowerCase()) nav.go(found.place)
  else toasts.say(`${t().errors.badLink}. ${t().errors.badLinkText}`, undefined, true)
}
