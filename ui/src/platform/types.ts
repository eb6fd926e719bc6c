// The one door through which the window reaches anything outside itself. `tauri.ts` opens it on the app's shell, `fake/`
// on an invented space in memory, so that every view can be used and tested in any browser.

import type {
  AgentSetUp,
  Attachment,
  Author,
  Around,
  BackupView as Backup,
  Comment,
  ConversationPage,
  ErrorCode,
  Exclusions,
  Forgotten,
  HealthView as Health,
  Hit,
  Member,
  MemoryLimits,
  Mission,
  Order,
  Pin,
  PinList,
  Role,
  Saved,
  SearchResults,
  SessionsWatched,
  SkippedLine,
  TaskDetails,
  TaskName,
  TaskState,
  ToolCall,
  MenuCommand,
  WatchWish,
} from '../bindings'
import type { Conversations } from './conversations'
import type { Lists } from './lists'
import type { Records } from './records'

// What comes from Rust as it is; the forms below are the page's own.
export type {
  AgentSetUp,
  Around,
  Attachment,
  Author,
  Backup,
  Comment,
  ConversationPage,
  ErrorCode,
  Exclusions,
  Forgotten,
  Health,
  Hit,
  Member,
  MemoryLimits,
  MenuCommand,
  Mission,
  Pin,
  PinList,
  Role,
  Saved,
  SearchResults,
  SessionsWatched,
  TaskDetails,
  TaskName,
  TaskState,
  ToolCall,
  WatchWish,
}

/** An error as it crosses the border: `message` is for the person, in the person's language. */
export class Failure extends Error {
  override name = 'Failure'
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message)
  }
}

/** Whatever was thrown, as a failure. */
export function failure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  return new Failure('internal', thrown instanceof Error ? thrown.message : String(thrown))
}

export interface SearchInput {
  query: string
  match_mode: 'any' | 'all'
  kind: string | null
  author: Author | null
  member: string | null
  task: string | null
  states: TaskState[]
  since: string | null
  until: string | null
  order: Order | null
  limit: number
  /** Hits after this one, in the same order. */
  after: string | null
}

export interface SpaceInfo {
  uid: string
  name: string
  path: string
  /** The folder that it belongs to. */
  folder: string
  /** Who the person is in this space. */
  me: string
  members: Member[]
  tasks: number
  comments: number
  pins: number
}
export interface KnownSpace {
  path: string
  name: string
  /** Whether the file is there. */
  present: boolean
}
export interface FoundSessions {
  /** The source's name, such as `claude-code`. */
  source: string
  /** As it is shown, such as `Claude Code`. */
  title: string
  files: number
  bytes: number
}
/** The sessions of one agent that worked in one folder. */
export interface SessionGroup {
  source: string
  title: string
  /** `null`: the sessions do not say. */
  folder: string | null
  files: number
  bytes: number
  /** When one of them was last written to. */
  newest: string | null
  /** Whether the space leaves them out. */
  excluded: boolean
}
export interface SessionsFound {
  groups: SessionGroup[]
  /** Where agents' directories were found and looked through. */
  looked: string[]
  /** Files there that could not be looked at. */
  skipped: number
}
export interface FolderFound {
  path: string
  /** The space that lies in it. */
  space: string | null
  records: number
  sessions: FoundSessions[]
  /** Where a new space's file would lie. */
  suggested: string
}
export interface NewSpace {
  path: string
  name: string
  /** The person's name in it. */
  member: string
  /** Make it although the place is not safe. */
  anyway: boolean
}
export type LeftOut = { kind: 'folder' | 'source'; name: string }
export interface ImportReport {
  tasks: number
  comments: number
  changed: number
  /** Files that were read, and those of them in which nothing was new. */
  files: number
  unchanged: number
  /** Sessions that the space leaves out; comments that were forgotten before, and those that another session holds. */
  excluded: number
  forgotten: number
  repeated: number
  /** Lines of kinds that this program does not know. */
  unknown: number
  skipped: number
  skips: SkippedLine[]
  cancelled: boolean
}
export interface ImportProgress {
  /** The file that is read. */
  what: string
  done: number
  total: number | null
  /** Files that were read to their end, and files in all. */
  files: number
  totalFiles: number
  /** Comments so far. */
  made: number
  /** Comments a second, and seconds left, once they can be told. */
  rate: number
  left: number | null
}
/** Long work under way. */
export interface Running<T> {
  done: Promise<T>
  cancel: () => void
}
export interface Settings {
  lang: 'ja' | 'en' | 'system'
  theme: 'light' | 'dark' | 'system'
  /** In CSS pixels; 13 by itself. */
  size: number
  /** How the person is called in new spaces; empty: as on this computer. */
  name: string
}

/** What happened outside. */
export type PlatformEvent =
  /** Rows of these tasks changed, through whatever door; `all`: read everything anew. */
  | { kind: 'changed'; tasks: string[]; all: boolean; /** Task lists, or what stands beside them. */ lists?: boolean }
  /** Record files of these names changed on disk, by whatever program; `all`: read everything anew. */
  | { kind: 'records'; refs: string[]; all: boolean }
  /** The space file is not where it was. */
  | { kind: 'gone'; failure: Failure }
  /** A `kiroku://` link was opened. */
  | { kind: 'link'; link: string }
  /** A space file, or a folder, was given to the program. */
  | { kind: 'file'; path: string }
  | { kind: 'folder'; path: string }
  /** The index is being built; searching works meanwhile. */
  | { kind: 'indexing'; done: number; total: number; ended: boolean }
  /** Sessions that come in by themselves: how it stands, and what they brought. */
  | { kind: 'watched'; watched: SessionsWatched }
  /** The person chose this in the menu of the window or of the system. */
  | { kind: 'menu'; command: MenuCommand }
  /** The settings were changed elsewhere. */
  | { kind: 'settings'; settings: Settings }

export interface Platform extends Conversations, Lists, Records {
  now(): number
  settings(): Promise<Settings>
  saveSettings(settings: Settings): Promise<void>
  listen(listener: (event: PlatformEvent) => void): () => void

  knownSpaces(): Promise<KnownSpace[]>
  forgetKnownSpace(path: string): Promise<void>
  /** The space that is open now, if one is: the window may have been loaded again. */
  current(): Promise<SpaceInfo | null>
  /** What to begin with when none is open: the space that was open last, and the link or the folder that the program was
   * given. */
  last(): Promise<{ path: string | null; link: string | null; folder: string | null }>
  openSpace(path: string): Promise<SpaceInfo>
  openSample(): Promise<SpaceInfo>
  closeSpace(): Promise<void>
  createSpace(space: NewSpace): Promise<SpaceInfo>
  /** Why a space's file would not be safe there; `null`: it would be. */
  risk(path: string): Promise<string | null>
  /** A safe place for a space of this name. */
  safePlace(name: string): Promise<string>
  /** Asks where a new space's file goes. */
  pickPlace(name: string): Promise<string | null>
  /** How the person is called on this computer. */
  personName(): Promise<string>
  look(folder: string): Promise<FolderFound>
  pickFolder(): Promise<string | null>
  pickSpaceFile(): Promise<string | null>

  /** The sessions that worked in the space's folder, or all on this computer. */
  foundSessions(everywhere: boolean): Promise<SessionsFound>
  /** Imports those of the space's folder. */
  importSessions(sources: string[], progress: (now: ImportProgress) => void): Running<ImportReport>
  importGroups(groups: SessionGroup[], progress: (now: ImportProgress) => void): Running<ImportReport>
  /** Asks for session files, or files in the exchange format; none: the person chose none. */
  pickImportFiles(): Promise<string[]>
  importFiles(paths: string[], progress: (now: ImportProgress) => void): Running<ImportReport>
  exclusions(): Promise<Exclusions>
  /** Leaves something out of importing from now on, or takes it in again; what was imported stays. */
  setExcluded(what: LeftOut, excluded: boolean): Promise<Exclusions>
  /** Sessions that come in by themselves: how it stands, whether they are to, and a rest until it is wished again. */
  watched(): Promise<SessionsWatched>
  watch(wish: WatchWish): Promise<SessionsWatched>
  pauseWatch(): Promise<SessionsWatched>
  /** Shows a file in the system's file manager. */
  reveal(path: string): Promise<void>

  renameSpace(name: string): Promise<void>
  beMember(id: string): Promise<void>
  addMember(id: string, name: string, role: Role): Promise<Member>
  removeMember(id: string): Promise<void>
  backups(path: string): Promise<Backup[]>
  backupNow(): Promise<Backup>
  /** Looks whether the space is whole; with `mend` what can be mended is. */
  checkSpace(mend: boolean): Promise<Health>
  /** Texts that set agents up to use the space over MCP. */
  agentSetUp(): Promise<AgentSetUp[]>
  memoryLimits(): Promise<MemoryLimits>
  setMemoryLimit(name: string, value: number): Promise<MemoryLimits>
  /** Answers where the file that stood there is kept. */
  restore(path: string, backup: string): Promise<string | null>

  /** A new search of a field takes back the one before it. */
  search(input: SearchInput): Promise<SearchResults>
  countAll(input: SearchInput): Running<number>

  copy(text: string): Promise<void>
  /** Opens a page or a letter in the person's own program: http, https and mailto only. */
  openLink(url: string): Promise<void>
  /** Asks for a file and writes the hits to it; `null`: the person chose none. */
  exportResults(input: SearchInput, format: 'markdown' | 'json'): Promise<Saved | null>
  /** Asks for a file and writes the whole space to it, without secrets if `redact`. */
  exportSpace(redact: boolean): Promise<Saved | null>
}
