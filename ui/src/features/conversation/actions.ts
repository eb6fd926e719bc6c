// What can be done with something that was said; the same list for a hit and for a comment of a conversation.
import BookmarkPlus from '@lucide/svelte/icons/bookmark-plus'
import Copy from '@lucide/svelte/icons/copy'
import Eraser from '@lucide/svelte/icons/eraser'
import Hash from '@lucide/svelte/icons/hash'
import Link from '@lucide/svelte/icons/link'
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

/** The whole comment as Markdown: a hit holds a redacted excerpt, so the words are read first. */
export async function copyMarkdown(said: Said, whole: boolean): Promise<void> {
  let text = said.text
  if (!whole) {
    const found = await platform.around(said.ref, 0).catch(() => undefined)
    text = found?.comments.find((comment) => comment.ref === said.ref)?.body ?? text
  }
  await copy(asMarkdown({ ...said, text }, linkTo(said)), t().comment.markdownCopied)
}

export function actionsOn(said: Said, whole: boolean, onpin: () => void, onforget: () => void): MenuSection[] {
  const words = t().comment
  return [
    {
      items: [
        { label: words.copyRef, icon: Hash, hint: 'C', run: () => void copyRef(said) },
        { label: words.copyMarkdown, icon: Copy, run: () => void copyMarkdown(said, whole) },
        { label: words.copyLink, icon: Link, run: () => void copy(linkTo(said), t().nav.linkCopied) },
        { label: words.pin, icon: BookmarkPlus, hint: 'P', run: onpin },
      ],
    },
    { items: [{ label: `${words.forget}…`, icon: Eraser, danger: true, run: onforget }] },
  ]
}
