// The menu of a record in a list: opening it, how a decision stands, names to take along, removing it.
import ArrowRight from '@lucide/svelte/icons/arrow-right'
import FolderOpen from '@lucide/svelte/icons/folder-open'
import Hash from '@lucide/svelte/icons/hash'
import Link from '@lucide/svelte/icons/link'
import Pencil from '@lucide/svelte/icons/pencil'
import Trash from '@lucide/svelte/icons/trash-2'
import { failure, platform, type RecordRow } from '../../platform'
import { copy } from '../../shared/copy'
import { t } from '../../shared/i18n/index.svelte'
import { writeLink } from '../../shared/place'
import { space } from '../../shared/space.svelte'
import type { MenuSection } from '../../shared/ui/MenuList.svelte'
import { toasts } from '../../shared/ui/toasts.svelte'
import { setStatus } from './acts'
import { placeOf } from './editor/desk.svelte'

interface Acts {
  open: () => void
  /** Not there: the record keeps its name. */
  rename?: () => void
  /** Asks which decision replaced this one. */
  replace: () => void
  remove: () => void
}

export function menuOf(row: RecordRow, root: string, acts: Acts): MenuSection[] {
  const words = t().records
  const statuses: MenuSection = {
    heading: t().editor.status,
    items: [
      ...(['open', 'resolved'] as const).map((status) => ({
        label: t().editor.statuses[status] ?? status,
        checked: row.status === status,
        run: () => void (row.status === status || setStatus(row, status, null)),
      })),
      { label: t().editor.replacedBy, checked: row.status === 'replaced', run: acts.replace },
    ],
  }
  return [
    {
      items: [
        { label: words.open, icon: ArrowRight, hint: 'Enter', run: acts.open },
        { label: words.rename, icon: Pencil, hint: 'F2', disabled: !acts.rename || row.read_only, run: () => acts.rename?.() },
      ],
    },
    ...(row.kind === 'decision' && row.unreadable === null && !row.read_only ? [statuses] : []),
    {
      items: [
        { label: words.copyRef, icon: Hash, run: () => void copy(row.kind === 'summary' ? row.slug : `#${row.slug}`, words.refCopied(row.slug)) },
        { label: t().editor.copyLink, icon: Link, run: () => void copy(writeLink(space.open.uid, placeOf(row.ref)), t().nav.linkCopied) },
        { label: words.reveal, icon: FolderOpen, run: () => void reveal(`${root}/${row.file}`) },
      ],
    },
    { items: [{ label: words.remove, icon: Trash, hint: 'Delete', danger: true, disabled: row.unreadable !== null, run: acts.remove }] },
  ]
}

async function reveal(path: string) {
  try {
    await platform.reveal(path)
  } catch (thrown) {
    toasts.say(`${t().records.notRevealed}: ${failure(thrown).message}`, undefined, true)
  }
}
