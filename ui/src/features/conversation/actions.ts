// What can be done with something that was said; the same list for a hit and for a comment of a conversation.
import BookmarkPlus from '@lucide/svelte/icons/bookmark-plus'
import Copy from '@lucide/svelte/icons/copy'
import FileText from '@lucide/svelte/icons/file-text'
import Eraser from '@lucide/svelte/icons/eraser'
import Hash from '@lucide/svelte/icons/hash'
import Link from '@lucide/svelte/icons/link'
import NotebookPen from '@lucide/svelte/icons/notebook-pen'
import { platform } from '../../platform'
import { copy } from '../../shared/copy'
import { t } from '../../shared/i18n/index.svelte'
import { writeLink } from '../../shared/place'
import { space } from '../../shared/space.svelte'
import type { MenuSection } from '../../shared/ui/MenuList.svelte'
import { asMarkdown, type Said } from './said'

function linkTo(said: Said): string {
  return writeLink(space.open.uid, { view: 'tasks', task: said.task.ref, at: said.ref })
}

export function copyRef(said: Said): Promise<void> {
  return copy(said.ref, t().comment.refCopied(said.ref))
}

/** The words whole: a hit holds a redacted excerpt, so they are read first. */
export async function wordsOf(said: Said, whole: boolean): Promise<string> {
  if (whole) return said.text
  const found = await platform.around(said.ref, 0).catch(() => undefined)
  return found?.comments.find((comment) => comment.ref === said.ref)?.body ?? said.text
}

/** The whole comment as Markdown. */
export async function copyMarkdown(said: Said, whole: boolean): Promise<void> {
  await copy(asMarkdown({ ...said, text: await wordsOf(said, whole) }, linkTo(said)), t().comment.markdownCopied)
}

/** `ask`: opens the dialog of this kind on it. */
export function actionsOn(said: Said, whole: boolean, ask: (kind: 'pin' | 'record' | 'forget') => void): MenuSection[] {
  const words = t().comment
  return [
    {
      items: [
        { label: words.copyRef, icon: Hash, hint: 'C', run: () => void copyRef(said) },
        { label: words.copyText, icon: FileText, run: async () => void copy(await wordsOf(said, whole), t().common.copied) },
        { label: words.copyMarkdown, icon: Copy, run: () => void copyMarkdown(said, whole) },
        { label: words.copyLink, icon: Link, run: () => void copy(linkTo(said), t().nav.linkCopied) },
      ],
    },
    {
      items: [
        { label: `${words.pin}…`, icon: BookmarkPlus, hint: 'P', run: () => ask('pin') },
        { label: `${words.record}…`, icon: NotebookPen, hint: 'R', run: () => ask('record') },
      ],
    },
    { items: [{ label: `${words.forget}…`, icon: Eraser, danger: true, run: () => ask('forget') }] },
  ]
}
