// The memory and knowledge records, as the page's door reaches them: Markdown files in the space's folder, which people,
// agents and other programs write at the same time. Nothing here changes a byte that was not meant, and nothing is lost
// where two write at once.
//
// Texts that cross this door have `\n` at the end of every line, whatever the file has. What is saved gets the file's
// own line ends back, line by line; a byte order mark stays in the text as its first character. So a place in a text is
// the same number here, in the editor and in a finding: UTF-16 units from its beginning.

import type {
  FieldValue,
  FindingCode,
  KeptRecord,
  Merged,
  NewRecord,
  QuickFix,
  RecordDraft,
  RecordField,
  RecordFields,
  RecordFinding,
  RecordHits,
  RecordKind,
  RecordList,
  RecordRow,
  RecordText,
  RecordsFound,
  RenamePreview,
  SaveResult,
  SessionComment,
  Source as RecordSource,
  StrayFile,
  TextEdit,
  Uses,
} from '../bindings'

// What comes from Rust as it is; the forms below are the page's own.
export type {
  FieldValue,
  FindingCode,
  KeptRecord,
  Merged,
  NewRecord,
  QuickFix,
  RecordDraft,
  RecordField,
  RecordFields,
  RecordFinding,
  RecordHits,
  RecordKind,
  RecordList,
  RecordRow,
  RecordSource,
  RecordText,
  RecordsFound,
  RenamePreview,
  SaveResult,
  StrayFile,
  TextEdit,
}

/** The kinds of record, in the order in which lists have them. */
export const RECORD_KINDS: readonly RecordKind[] = ['summary', 'decision', 'request', 'knowledge']

/** What names a record, here and in the page's address: `summary`, `decision:use-cookies`, `knowledge:tax-rounding`. */
export type RecordName = string

/** The words that a decision's status may be. */
export const DECISION_STATUSES = ['open', 'resolved', 'replaced'] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

/** A part of a session from which a record came, as this space holds it. */
export interface SourceFound {
  source: RecordSource
  /** Comments of that part, at most 20; none: the space does not hold the session (or it was forgotten). */
  comments: SessionComment[]
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
  uses: Uses | null
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
