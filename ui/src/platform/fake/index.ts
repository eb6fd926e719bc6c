// An invented space in memory in the place of the app's shell: the same door, always the same answers. Tests hold
// answers back, make calls fail and write as another process would through `window.fake`; the address says what to begin
// with, such as `fake.html?begin=first-run`.
import { lang } from '../../shared/i18n/index.svelte'
import {
  Failure,
  type ErrorCode,
  type Platform,
  type PlatformEvent,
  type Settings,
  type SpaceInfo,
} from '../types'
import type { Ground } from './ground'
import { makeConversations } from './conversations'
import { makeImporting, SESSIONS } from './importing'
import { makeLists, type ListControls } from './lists'
import { addHuge, readSample, type FakeComment, type FakeRecord } from './record'
import { makeRecords, type RecordControls } from './records'
import { countRecord, searchRecord } from './search'

/** Five minutes after the sample space's last word, so that dates are told from a fixed point. */
const NOW = Date.parse('2026-08-20T06:00:00Z')
const HOME = '/home/haruka'
const say = (en: string, ja: string) => (lang() === 'ja' ? ja : en)

/** What tests hold in their hands. */
export interface FakeControls {
  /** Calls of this name wait until they are let go; answers the number that waits. */
  hold(call: string): void
  waiting(call: string): number
  /** Lets the nth waiting call of this name go on, the first by itself. */
  release(call: string, nth?: number): void
  /** Stops holding, and lets all go. */
  free(call: string): void
  /** The next call of this name fails. */
  fail(call: string, code: ErrorCode, message?: string): void
  /** The next call of this name answers with this, whatever it is. */
  break(call: string, answer: unknown): void
  /** Another process writes a comment. */
  write(comment: Partial<FakeComment> & { task: number; body: string }): string
  /** Another process writes to lists. */
  lists: ListControls
  /** Another process forgets a comment. */
  forget(comment: string): void
  emit(event: PlatformEvent): void
  gone(): void
  records: RecordControls
  clipboard(): string
  /** Links that the person had opened. */
  opened(): string[]
  saved(): Record<string, string>
  calls(call: string): number
}

export function makeFake(address: URLSearchParams): { platform: Platform; controls: FakeControls } {
  const begin = address.get('begin') ?? 'open'
  const listeners = new Set<(event: PlatformEvent) => void>()
  const held = new Map<string, (() => void)[]>()
  const failing = new Map<string, Failure>()
  const broken = new Map<string, unknown>()
  const called = new Map<string, number>()
  const files: Record<string, string> = {}
  let clipboard = ''
  const opened: string[] = []
  let settings: Settings = {
    lang: (address.get('lang') as Settings['lang'] | null) ?? 'system',
    theme: (address.get('theme') as Settings['theme'] | null) ?? 'system',
    size: Number(address.get('size') ?? 13),
    name: '',
  }
  const record: FakeRecord = readSample()
  const huge = Number(address.get('huge') ?? 0)
  if (huge > 0) addHuge(record, huge)
  if (begin === 'empty') Object.assign(record, { tasks: [], comments: [], pins: [] })
  const path = `${HOME}/kohaku/.kiroku/space.db`
  let known = begin === 'first-run' ? [] : [
    { path, name: record.name, present: true },
    { path: `${HOME}/notes/.kiroku/space.db`, name: 'Notes', present: true },
    { path: '/media/usb/old/space.db', name: '旧チーム', present: false },
  ]
  let me = 'm1'
  let open: string | null = begin === 'open' || begin === 'empty' ? path : null

  const info = (): SpaceInfo => ({
    uid: record.uid,
    name: record.name,
    path: open ?? path,
    folder: `${HOME}/kohaku`,
    me,
    members: [...record.members],
    tasks: record.tasks.length,
    comments: record.comments.length,
    pins: record.pins.length,
  })
  const emit = (event: PlatformEvent) => listeners.forEach((listener) => listener(event))
  const changed = (task: string) => emit({ kind: 'changed', tasks: [task], all: false })

  /** Every call goes through here: counted, held back, failed. */
  async function call<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    called.set(name, (called.get(name) ?? 0) + 1)
    const queue = held.get(name)
    if (queue) await new Promise<void>((go) => queue.push(go))
    const fails = failing.get(name)
    if (fails) {
      failing.delete(name)
      throw fails
    }
    await Promise.resolve()
    if (broken.has(name)) {
      const answer = broken.get(name)
      broken.delete(name)
      return answer as T
    }
    // Structured, as what crosses the real border is: nobody can change the record by holding on to an answer.
    return structuredClone(await work())
  }

  function openAt(at: string): SpaceInfo {
    if (at.includes('newer'))
      throw new Failure(
        'newer_schema',
        say(`${at} was written by a newer Kiroku (form 9, this one knows 3).`, `${at} は、より新しい Kiroku（形式 9）で書かれています。このプログラムが読めるのは形式 3 までです。`),
      )
    if (at.includes('broken'))
      throw new Failure('damaged', say(`${at} is damaged: the database disk image is malformed.`, `${at} は壊れています。(database disk image is malformed)`))
    if (at.includes('/media/usb') || at.includes('gone'))
      throw new Failure('not_found', say(`${at} is not there.`, `${at} がありません。`))
    open = at
    known = [{ path: at, name: record.name, present: true }, ...known.filter((space) => space.path !== at)]
    return info()
  }

  const ground: Ground = { record, address, now: NOW, call, emit, me: () => me, say, save: (path, text) => void (files[path] = text) }
  const { lists, controls: listControls } = makeLists(ground)
  const records = makeRecords(ground)
  const platform: Platform = {
    ...makeConversations(ground),
    ...makeImporting(ground),
    ...lists,
    ...records.records,
    now: () => NOW,
    settings: () => call('settings', () => settings),
    saveSettings: (given) => call('saveSettings', () => void (settings = given)),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    knownSpaces: () => call('knownSpaces', () => known),
    forgetKnownSpace: (at) => call('forgetKnownSpace', () => void (known = known.filter((it) => it.path !== at))),
    current: () => call('current', () => (open === null ? null : info())),
    last: () => call('last', () => ({ path: begin === 'broken' || begin === 'newer' ? `${HOME}/${begin}/space.db` : null, link: null, folder: address.get('given') })),
    openSpace: (at) => call('openSpace', () => openAt(at)),
    openSample: () => call('openSample', () => openAt(`${HOME}/.local/share/kiroku/sample/space.db`)),
    closeSpace: () => call('closeSpace', () => void (open = null)),
    createSpace: (space) =>
      call('createSpace', () => {
        Object.assign(record, { name: space.name, tasks: [], comments: [], pins: [] })
        record.members = [{ id: 'm1', name: space.member, role: 'owner' }]
        return openAt(space.path)
      }),
    risk: (at) =>
      call('risk', () =>
        at.includes('Dropbox')
          ? say(
              'This folder is kept in step by Dropbox. A space that is synchronised while it is open can be damaged.',
              'このフォルダーは Dropbox で同期されています。開いている間に同期されると、スペースが壊れることがあります。',
            )
          : null,
      ),
    safePlace: (name) => call('safePlace', () => `${HOME}/.local/share/kiroku/spaces/${name || 'space'}.db`),
    pickPlace: (name) => call('pickPlace', () => `${address.get('place') ?? `${HOME}/Documents`}/${name || 'space'}.db`),
    personName: () => call('personName', () => settings.name || '藤沢 遥'),
    look: (folder) =>
      call('look', () => ({
        path: folder,
        space: null,
        records: folder.includes('empty') ? 0 : 24,
        sessions: folder.includes('empty') ? [] : SESSIONS,
        suggested: `${folder}/.kiroku/space.db`,
      })),
    pickFolder: () => call('pickFolder', () => address.get('folder') ?? `${HOME}/kohaku`),
    pickSpaceFile: () => call('pickSpaceFile', () => address.get('file') ?? path),

    renameSpace: (name) => call('renameSpace', () => void (record.name = name)),
    beMember: (id) => call('beMember', () => void (me = id)),
    addMember: (id, name, role) =>
      call('addMember', () => {
        if (record.members.some((member) => member.id === id))
          throw new Failure('refused', say(`There is a member “${id}” already`, `「${id}」というメンバーはすでにいます`))
        record.members.push({ id, name, role })
        return { id, name, role }
      }),
    removeMember: (id) =>
      call('removeMember', () => {
        const owners = record.members.filter((member) => member.role === 'owner')
        if (owners.length === 1 && owners[0]?.id === id) throw new Failure('refused', say('A space needs an owner', 'スペースにはオーナーが必要です'))
        record.members = record.members.filter((member) => member.id !== id)
      }),
    backups: () =>
      call('backups', () =>
        begin === 'gone'
          ? []
          : ['2026-08-20T01:12:00Z', '2026-08-19T00:40:00Z', '2026-08-18T02:05:00Z'].map((made) => ({
              path: `${HOME}/kohaku/.kiroku/backups/space-${made.slice(0, 10)}.db`,
              bytes: 1_430_000,
              made,
            })),
      ),
    backupNow: () => call('backupNow', () => ({ path: `${HOME}/kohaku/.kiroku/backups/space-now.db`, bytes: 1_430_000, made: new Date(NOW).toISOString() })),
    restore: () => call('restore', () => `${HOME}/kohaku/.kiroku/space-before-restore.db`),

    search: (input) => call('search', () => searchRecord(record, input)),
    countAll: (input) => {
      let cancelled = false
      const done = call('countAll', () => {
        if (cancelled) throw new Failure('cancelled', say('cancelled', '取り消しました'))
        return countRecord(record, input)
      })
      return { done, cancel: () => void (cancelled = true) }
    },

    copy: (text) => call('copy', () => void (clipboard = text)),
    openLink: (url) => call('openLink', () => void opened.push(url)),
    exportResults: (input, format) =>
      call('exportResults', () => {
        const { hits } = searchRecord(record, { ...input, limit: 10_000, after: null })
        const at = `${HOME}/search.${format === 'json' ? 'json' : 'md'}`
        files[at] = format === 'json' ? JSON.stringify(hits) : hits.map((hit) => `- ${hit.ref} ${hit.excerpt}`).join('\n')
        return { path: at, count: hits.length }
      }),
    exportSpace: (redact) =>
      call('exportSpace', () => {
        const at = `${HOME}/${record.name}.jsonl`
        files[at] = redact ? 'redacted' : 'whole'
        return { path: at, count: record.comments.length }
      }),
  }

  const controls: FakeControls = {
    hold: (name) => void held.set(name, []),
    waiting: (name) => held.get(name)?.length ?? 0,
    release: (name, nth = 0) => held.get(name)?.splice(nth, 1).forEach((go) => go()),
    free(name) {
      const queue = held.get(name) ?? []
      held.delete(name)
      queue.forEach((go) => go())
    },
    fail: (name, code, message = say('The disk could not be read.', 'ディスクを読み取れませんでした。')) =>
      void failing.set(name, new Failure(code, message)),
    break: (name, answer) => void broken.set(name, answer),
    write(given) {
      const id = 1 + Math.max(...record.comments.map((comment) => comment.id))
      const created = new Date(NOW + id).toISOString()
      record.comments.push({
        author: 'agent',
        member: null,
        kind: 'result',
        progress: null,
        tool: null,
        input: null,
        output: null,
        attachments: [],
        created,
        ...given,
        id,
      })
      const task = record.tasks.find((it) => it.id === given.task)
      if (task) task.updated = created
      changed(`task:${given.task}`)
      return `comment:${id}`
    },
    forget(ref) {
      const gone = record.comments.find((comment) => `comment:${comment.id}` === ref)
      record.comments = record.comments.filter((comment) => comment !== gone)
      if (gone) changed(`task:${gone.task}`)
    },
    lists: listControls,
    emit,
    records: records.controls,
    gone: () =>
      emit({ kind: 'gone', failure: new Failure('not_found', say(`${path} is not there any more.`, `${path} がなくなりました。`)) }),
    clipboard: () => clipboard,
    opened: () => opened,
    saved: () => files,
    calls: (name) => called.get(name) ?? 0,
  }
  return { platform, controls }
}
