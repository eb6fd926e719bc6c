// What the palette can do, beside going to a task. Each command says what it is in the language of the window.
import type { Component } from 'svelte'
import Knowledge from '@lucide/svelte/icons/book-open'
import Memory from '@lucide/svelte/icons/brain'
import Board from '@lucide/svelte/icons/square-kanban'
import Contrast from '@lucide/svelte/icons/contrast'
import FilePlus from '@lucide/svelte/icons/file-plus-2'
import FolderOpen from '@lucide/svelte/icons/folder-open'
import Keyboard from '@lucide/svelte/icons/keyboard'
import Languages from '@lucide/svelte/icons/languages'
import Link from '@lucide/svelte/icons/link'
import ListTodo from '@lucide/svelte/icons/message-square-text'
import LogOut from '@lucide/svelte/icons/log-out'
import Search from '@lucide/svelte/icons/search'
import Settings from '@lucide/svelte/icons/settings'
import Download from '@lucide/svelte/icons/download'
import { flows } from '../features/spaces/flows.svelte'
import { copy } from '../shared/copy'
import { t } from '../shared/i18n/index.svelte'
import { change, settings } from '../shared/look.svelte'
import { nav } from '../shared/nav.svelte'
import { writeLink } from '../shared/place'
import { space } from '../shared/space.svelte'
import { keyName } from './keys'

export interface Command {
  id: string
  label: string
  icon: Component<{ size?: number | string; 'aria-hidden'?: 'true' }>
  hint?: string
  run: () => void
}

export const copyLink = (): Promise<void> => copy(writeLink(space.open.uid, nav.place), t().nav.linkCopied)

export function commands(sheet: () => void): Command[] {
  const words = t()
  const theme = settings().theme
  const lang = settings().lang
  return [
    { id: 'search', label: words.views.search, icon: Search, hint: keyName('1'), run: () => nav.show('search') },
    { id: 'tasks', label: words.views.tasks, icon: ListTodo, hint: keyName('2'), run: () => nav.show('tasks') },
    { id: 'board', label: words.views.board, icon: Board, hint: keyName('3'), run: () => nav.show('board') },
    { id: 'memory', label: words.views.memory, icon: Memory, hint: keyName('4'), run: () => nav.show('memory') },
    { id: 'knowledge', label: words.views.knowledge, icon: Knowledge, hint: keyName('5'), run: () => nav.show('knowledge') },
    { id: 'settings', label: words.views.settings, icon: Settings, hint: keyName(','), run: () => nav.show('settings') },
    { id: 'link', label: words.nav.copyLink, icon: Link, run: () => void copyLink() },
    { id: 'import', label: words.imports.again, icon: Download, run: () => nav.go({ view: 'settings', section: 'import' }) },
    ...(['light', 'dark', 'system'] as const)
      .filter((one) => one !== theme)
      .map((one) => ({ id: one, label: words.palette.theme(words.settings[one]), icon: Contrast, run: () => void change({ theme: one }) })),
    ...(['ja', 'en'] as const)
      .filter((one) => one !== lang)
      .map((one) => ({ id: `lang-${one}`, label: words.palette.language(words.settings[one]), icon: Languages, run: () => void change({ lang: one }) })),
    { id: 'folder', label: words.spaces.openOther, icon: FolderOpen, run: () => void flows.openFolder() },
    { id: 'create', label: words.spaces.create, icon: FilePlus, run: flows.create },
    { id: 'close', label: words.spaces.close, icon: LogOut, run: () => void space.close() },
    { id: 'keys', label: words.keys.title, icon: Keyboard, hint: '?', run: sheet },
  ]
}
