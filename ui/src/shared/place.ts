// Where the person is, as something that can be written down: back, forward, copying a link and opening one are all this
// and nothing else. `kiroku://space/UUID/search?q=…` outside, the part after the UUID in the page's own address.

export const TASK_STATES = ['queued', 'running', 'waiting', 'completed', 'failed', 'interrupted'] as const
export type TaskStateWord = (typeof TASK_STATES)[number]
export const KINDS = ['request', 'result', 'ask', 'interjection', 'progress', 'handoff'] as const
export type KindWord = (typeof KINDS)[number]

/** What is searched for. Absent fields are the defaults, so that equal searches are written alike. */
export interface SearchPlace {
  view: 'search'
  q: string
  mode?: 'all'
  kind?: KindWord
  /** `user`, `agent`, or a member's id. */
  author?: string
  /** `task:12`. */
  task?: string
  state?: TaskStateWord | 'open' | 'closed'
  /** The first and the last day that count, as `2026-06-20`, in the person's own time zone. */
  since?: string
  until?: string
  order?: 'newest' | 'relevance'
  flat?: true
  /** The hit that is opened: `comment:88`. */
  at?: string
}

export interface TasksPlace {
  view: 'tasks'
  state?: TaskStateWord | 'open' | 'closed'
  title?: string
  /** Newest update first, if it does not say. */
  sort?: 'created' | 'title'
  /** The task that is opened, and the comment in it that is looked at. */
  task?: string
  at?: string
}

/** The board: the lists of all threads, or one thread's list as columns. */
export interface BoardPlace {
  view: 'board'
  /** Which threads: those that run, those that are stuck, those that are done. */
  show?: BoardShow
  /** Only this agent's. */
  agent?: string
  /** Words of a thread's title, or of its items. */
  q?: string
  /** The thread that is opened, and the item in it that is looked at. */
  thread?: string
  item?: string
  /** Its history is looked at. */
  history?: true
}
export const BOARD_SHOWS = ['running', 'stuck', 'done'] as const
export type BoardShow = (typeof BOARD_SHOWS)[number]

/** Memory, or knowledge: the records of the space's folder. */
export interface RecordsPlace {
  view: 'memory' | 'knowledge'
  /** What is searched for in them. */
  q?: string
  kind?: 'decision' | 'request'
  /** A knowledge record's own kind. */
  type?: string
  status?: string
  /** Only records with faults. */
  faulty?: true
  sort?: string
  /** The record that is opened, as `decision:use-cookies`, `summary` or `knowledge:tax`. */
  at?: string
}

export const SECTIONS = ['general', 'space', 'import', 'agents', 'memory', 'backups'] as const
export type Section = (typeof SECTIONS)[number]
export interface SettingsPlace {
  view: 'settings'
  section: Section
}

export type Place = SearchPlace | TasksPlace | BoardPlace | RecordsPlace | SettingsPlace
export type View = Place['view']

const one = <T extends string>(words: readonly T[], word: string | null): T | undefined =>
  words.find((known) => known === word)
const matching = (shape: RegExp, word: string | null): string | undefined =>
  word !== null && shape.test(word) ? word : undefined
const STATES = [...TASK_STATES, 'open', 'closed'] as const
const TASK = /^task:[1-9]\d{0,15}$/
const COMMENT = /^comment:[1-9]\d{0,15}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Leaves out what is undefined, as `exactOptionalPropertyTypes` wants it. */
function solid<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** Reads the page's own form, such as `search?q=認証`. What it does not know it leaves out: a link never fails. */
export function readPlace(written: string): Place {
  const [path = '', query = ''] = written.replace(/^\/+/, '').split(/\?(.*)/s)
  const given = new URLSearchParams(query)
  const word = (name: string) => given.get(name)
  switch (path.replace(/\/+$/, '')) {
    case 'tasks':
      return solid<TasksPlace>({
        view: 'tasks',
        state: one(STATES, word('state')),
        title: word('title') || undefined,
        sort: one(['created', 'title'] as const, word('sort')),
        task: matching(TASK, word('task')),
        at: matching(COMMENT, word('at')),
      })
    case 'board':
      return solid<BoardPlace>({
        view: 'board',
        show: one(BOARD_SHOWS, word('show')),
        agent: word('agent') || undefined,
        q: word('q') || undefined,
        thread: word('thread') || undefined,
        item: word('item') || undefined,
        history: word('history') === 'true' ? true : undefined,
      })
    case 'memory':
    case 'knowledge':
      return solid<RecordsPlace>({
        view: path.startsWith('m') ? 'memory' : 'knowledge',
        q: word('q') || undefined,
        kind: one(['decision', 'request'] as const, word('kind')),
        type: word('type') || undefined,
        status: word('status') || undefined,
        faulty: word('faulty') === 'true' ? true : undefined,
        sort: word('sort') || undefined,
        at: word('at') || undefined,
      })
    case 'settings':
      return { view: 'settings', section: one(SECTIONS, word('section')) ?? 'general' }
    default:
      return solid<SearchPlace>({
        view: 'search',
        q: word('q') ?? '',
        mode: word('mode') === 'all' ? 'all' : undefined,
        kind: one(KINDS, word('kind')),
        author: word('author') || undefined,
        task: matching(TASK, word('task')),
        state: one(STATES, word('state')),
        since: matching(DAY, word('since')),
        until: matching(DAY, word('until')),
        order: one(['newest', 'relevance'] as const, word('order')),
        flat: word('flat') === 'true' ? true : undefined,
        at: matching(COMMENT, word('at')),
      })
  }
}

/** Writes the page's own form; `readPlace` reads it back. */
export function writePlace(place: Place): string {
  const { view, ...fields } = place
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  const written = query.toString()
  return written ? `${view}?${written}` : view
}

/** The same place as a link that can be given away. */
export function writeLink(space: string, place: Place): string {
  return `kiroku://space/${space}/${writePlace(place)}`
}

/** Reads such a link; nothing if it is none. */
export function readLink(link: string): { space: string; place: Place } | undefined {
  const found = /^kiroku:\/\/space\/([0-9a-fA-F-]{36})(?:\/(.*))?$/s.exec(link.trim())
  return found?.[1] ? { space: found[1].toLowerCase(), place: readPlace(found[2] ?? '') } : undefined
}

/** How many filters a search has, beside its words. */
export function filterCount(place: SearchPlace): number {
  const dates = place.since !== undefined || place.until !== undefined
  return [place.kind, place.author, place.task, place.state].filter(Boolean).length + (dates ? 1 : 0)
}
