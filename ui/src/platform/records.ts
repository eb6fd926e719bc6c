// The memory and knowledge records, as the page's door reaches them: Markdown files in the space's folder, which people,
// agents and other programs write at the same time. Nothing here changes a byte that was not meant, and nothing is lost
// where two write at once.
//
// Texts that cross this door have `\n` at the end of every line, whatever the file has. What is saved gets the file's
// own line ends back, line by line; a byte order mark stays in the text as its first character. So a place in a text is
// the same number here, in the editor and in a finding: UTF-16 units from its beginning.

/** A kind of record, in the order in which lists have them. */
export const RECORD_KINDS = ['summary', 'decision', 'request', 'knowledge'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** What names a record, here and in the page's address: `summary`, `decision:use-cookies`, `knowledge:tax-rounding`. */
export type RecordName = string

/** The words that a decision's status may be. */
export const DECISION_STATUSES = ['open', 'resolved', 'replaced'] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

/** A record as the list has it. What can't be read of the frontmatter is `null`. */
export interface RecordRow {
  ref: RecordName
  kind: RecordKind
  slug: string
  /** The file under the content root: `memory/decisions/use-cookies.md`. */
  file: string
  /** What it is about: the frontmatter's description, else the first heading or line of its body; empty if there is none. */
  about: string
  /** The frontmatter's `kind` of a knowledge record. */
  type: string | null
  /** A decision's status, as it is written (also one that is none of the three). */
  status: string | null
  /** The slug of the decision that replaced it. */
  replaced_by: string | null
  /** The frontmatter's `updated_at` as it is written, if it is a time. */
  updated: string | null
  /** When the file was written last. */
  modified: string
  /** In bytes. */
  size: number
  /** How many errors and warnings the checker has. */
  errors: number
  warnings: number
  /** Why the file can't be read (it is not UTF-8, or a link that leads out of the space's folder); it is then shown with this alone. */
  unreadable: string | null
  read_only: boolean
}

/** A file among the records that can be none, as its name stands. */
export interface StrayFile {
  file: string
  message: string
  /** A slug that it could be named by, if its name is what is wrong: see `mendName`. */
  rename_to: string | null
}

export interface RecordList {
  /** The content root's path. */
  root: string
  /** Whether `memory/` or `knowledge/` is there; if not, `makeFolders` makes them. */
  has_folders: boolean
  /** By kind, then by file name. */
  records: RecordRow[]
  strays: StrayFile[]
}

export type FindingCode =
  | 'frontmatter_missing'
  | 'frontmatter_malformed'
  | 'field_missing'
  | 'field_type'
  | 'field_duplicate'
  | 'field_misspelt'
  | 'status_unknown'
  | 'body_too_long'
  | 'description_too_long'
  | 'replaced_by_unknown'
  | 'replaced_by_self'
  | 'replaced_by_cycle'
  | 'replaced_without_target'
  | 'kind_is_record_kind'
  | 'slug_exists'
  | 'mention_unknown'
  | 'could_be_shorter'
  | 'many_sources'
  | 'near_slugs'
  | 'updated_before_created'
  | 'reference_cannot_read'
  | 'cut_silently'

/** One replacement in a text. */
export interface TextEdit {
  from: number
  to: number
  insert: string
}

/** A mechanical way to put a finding right, as a button says it. */
export interface QuickFix {
  label: string
  edit: TextEdit
}

/** One thing that the checker says of a text. */
export interface RecordFinding {
  code: FindingCode
  severity: 'error' | 'warning'
  /** For the person, in the window's language. */
  message: string
  /** Where; `from === to` means the whole record (a body too long) or a place where something is missing. */
  from: number
  to: number
  /** The line of `from`, counted from 1. */
  line: number
  /** Ways to put it right, the most likely first; empty where only a person can. */
  fixes: QuickFix[]
}

/** A record's text and what a change of it is based on. */
export interface RecordText {
  ref: RecordName
  file: string
  text: string
  /** Names this version of the file's bytes: the base of a save, a rename, a removal. */
  hash: string
  findings: RecordFinding[]
  /** The file may not be written: say so before somebody types. */
  read_only: boolean
  /** How the file ends its lines; saving keeps it. `mixed`: each line keeps its own. */
  line_ends: 'lf' | 'crlf' | 'mixed'
  bom: boolean
}

/** A part of a session from which a record's words come. `range` is the first and last `seq` in it. */
export interface RecordSource {
  session_id: string
  range: [number, number]
  /** The file names the session by `segment_id`, and goes on doing so. */
  segment: boolean
}

/** Such a part as this space holds it. */
export interface SourceFound {
  source: RecordSource
  /** The comments of that part in this space, by ref, at most 20; empty: the space does not hold the session (or it was forgotten). */
  comments: { ref: string; excerpt: string; author: 'user' | 'agent'; created: string }[]
  /** How many there are in all. */
  total: number
  /** The task whose conversation holds them. */
  task: { ref: string; title: string } | null
}

/** What stands around a record. */
export interface RecordAround {
  /** The records that refer to it, by `replaced_by` or `#slug`. */
  backlinks: RecordName[]
  /** Where it came from, in the order of `sources` or `last_sources`. */
  sources: SourceFound[]
  /** How often tools gave it to an agent, and when last. */
  uses: { count: number; last: string } | null
}

/** The value of a field as a form shows it. `yaml`: any other shape, as it is written, for the form to show and not to edit. */
export type FieldValue =
  | { type: 'null' }
  | { type: 'bool'; value: boolean }
  | { type: 'int'; value: number }
  | { type: 'text'; value: string }
  | { type: 'range'; value: [number, number] }
  | { type: 'sources'; value: RecordSource[] }
  | { type: 'yaml'; value: string }

export interface RecordField {
  name: string
  value: FieldValue
  /** Where the value is written; empty, right after the colon, if nothing is. */
  from: number
  to: number
  /** Where its lines begin and end. */
  lines: [number, number]
  /** The kind's contract wants it. */
  required: boolean
}

export interface RecordFields {
  /** In the order of the text, and then nothing: `missing` has the others. */
  fields: RecordField[]
  /** Fields of the kind's contract that are not there, required ones first. */
  missing: { name: string; required: boolean }[]
  /** Whether fields can be set one by one. If not, `why` says why, and the frontmatter is edited as text. */
  editable: boolean
  why: string | null
  /** Where the body begins. */
  body: number
}

export type SaveResult =
  | { outcome: 'saved'; record: RecordText }
  /** Nothing was written: the file is not the base any more. `theirs` is what is there now; `null`: somebody removed it. */
  | { outcome: 'conflict'; theirs: { text: string; hash: string } | null }

export interface Merged {
  /** Conflicts stand in it between the lines `<<<<<<< draft`, `||||||| base`, `=======` and `>>>>>>> present`. */
  text: string
  /** In order; none: the text is whole. Each is [first line, line after the last], from 0, in the text that it names. */
  conflicts: { base: [number, number]; draft: [number, number]; present: [number, number] }[]
}

/** A record that is to be made. */
export interface NewRecord {
  kind: RecordKind
  /** 1 to 64 of `a-z 0-9 -`; see `suggestSlug`. `summary` for the summary. */
  slug: string
  /** Fields to set beside those of the kind's template, which has every required one (times are now; a decision is
   * `open`; knowledge is `kind: note`, hidden from models). Usual: `description` and `kind` of a knowledge record. */
  fields: Record<string, FieldValue>
  /** The Markdown under the frontmatter; a `#` heading first, by custom. */
  body: string
  /** Comments that it comes from, by ref (`comment:88`): they become `sources`, one for each run of comments in a session. */
  comments: string[]
}

/** A text that was typed and not saved, kept in the app's own data. */
export interface RecordDraft {
  ref: RecordName
  text: string
  /** What it began from, for the merge; `base_hash` is its version. */
  base: string
  base_hash: string
  /** When it was kept. */
  at: string
}

export interface RenamePreview {
  file: string
  /** Other records whose references would follow, with the lines that change (counted from 1). */
  changes: { ref: RecordName; file: string; lines: { line: number; before: string; after: string }[] }[]
}

/** Something that was removed or overwritten, kept for 30 days. */
export interface KeptRecord {
  id: string
  ref: RecordName
  why: 'deleted' | 'replaced' | 'conflict'
  at: string
}

/** What a search found in one record: matching lines with those around them, where they meet as one piece. */
export interface RecordHits {
  ref: RecordName
  about: string
  /** How many lines match in it. */
  lines: number
  /** Each with the number of its first line, from 1, and its text. */
  excerpts: { line: number; text: string }[]
}

export interface RecordsFound {
  records: RecordHits[]
  /** How many lines match in all, and how many of them are not shown. */
  total: number
  left_out: number
  /** Files that could not be searched, or not wholly. */
  problems: { file: string; message: string }[]
}

export interface Records {
  /** All records; fast at 5,000. Kept until a `records` event comes, so that it may be asked for freely. */
  records(): Promise<RecordList>
  /** Makes `memory/decisions`, `memory/requests` and `knowledge` in the content root, where they are missing. */
  makeFolders(): Promise<void>
  /** The records that a `#slug` means (knowledge before decision before request), for completion and following. */
  slugs(): Promise<{ slug: string; ref: RecordName; about: string }[]>
  /** Lines that hold `query` as it is, ignoring case and width, in these kinds. A new search takes back the one before it. */
  searchRecords(query: string, kinds: readonly RecordKind[]): Promise<RecordsFound>

  /** A record. Fails with `not_found` when it is not there (any more), `damaged` when it is not UTF-8, `refused` when it
   * lies outside the content root. */
  readRecord(ref: RecordName): Promise<RecordText>
  /** What stands around a record as it is on disk. */
  aroundRecord(ref: RecordName): Promise<RecordAround>
  /** What the checker says of a text that is not saved, as it is typed. A new check of the record takes back the one
   * before it, which then fails with `cancelled`. */
  checkRecord(ref: RecordName, text: string): Promise<RecordFinding[]>
  /** The fields of a text's frontmatter. */
  recordFields(ref: RecordName, text: string): Promise<RecordFields>
  /** The text with one field set: only that field's bytes change. A field that is absent is added at the end. Fails with
   * `refused` where that can't be done without touching more (the message says so: edit as text). Writes no file. */
  setField(text: string, name: string, value: FieldValue): Promise<string>
  /** The same, with the field taken out. */
  removeField(text: string, name: string): Promise<string>
  /** The text with a decision's status and `replaced_by` set together (`by` only with `replaced`; else the field goes). */
  setStatus(text: string, status: DecisionStatus, by: string | null): Promise<string>
  /** Merges a draft, begun from `base`, with what is there at present, by lines. */
  mergeRecord(base: string, draft: string, present: string): Promise<Merged>

  /** Saves a text, with errors too; `updated_at` is set to now unless the text sets it (see the answer's text). `base` is
   * the hash that the text was made from. Fails with `refused` when the file is read-only; nothing is written then. */
  saveRecord(ref: RecordName, text: string, base: string): Promise<SaveResult>
  /** A slug for a new record, made of a title; free, and valid. A Japanese title gives one by kind and day. */
  suggestSlug(kind: RecordKind, title: string): Promise<string>
  /** Makes a record. Fails with `invalid_input` for a bad slug, `refused` when one of that name is there. */
  createRecord(record: NewRecord): Promise<RecordText>
  /** Makes a record of a whole text: one that somebody removed while it was edited. Fails as `createRecord` does. */
  createFromText(ref: RecordName, text: string): Promise<RecordText>
  /** What a rename would change. Fails as the rename would. */
  previewRename(ref: RecordName, slug: string): Promise<RenamePreview>
  /** Gives a record another slug; references follow, all or nothing. A kept draft goes with it. */
  renameRecord(ref: RecordName, slug: string, base: string): Promise<{ ref: RecordName; changed: RecordName[] }>
  /** Gives a stray file a name that a record may have. */
  mendName(file: string, slug: string): Promise<RecordName>
  /** Removes a record; it is kept for 30 days, and `restoreRecord` of the answer's id brings it back. Fails with `refused`
   * and the detail `referring` (names) while others refer to it, unless `force`; with `conflict` when it changed. */
  removeRecord(ref: RecordName, base: string, force: boolean): Promise<{ id: string }>
  restoreRecord(id: string): Promise<RecordName>
  /** What is kept, newest first. */
  keptRecords(): Promise<KeptRecord[]>

  /** Keeps a text that is not saved yet, outside the record's file: it survives the end of the program, however that
   * comes. One for each record; a draft of a record that is gone stays. */
  saveDraft(ref: RecordName, draft: { text: string; base: string; base_hash: string }): Promise<void>
  dropDraft(ref: RecordName): Promise<void>
  /** The drafts of this space, newest first. */
  drafts(): Promise<RecordDraft[]>
}
