// The memory and knowledge records, by the shell's commands.
import { commands, events } from '../../bindings'
import type { RecordList, Records } from '../records'
import type { PlatformEvent } from '../types'
import { ask, nextTurn } from './ask'

type Listener = (event: PlatformEvent) => void
const listeners = new Set<Listener>()

// The list comes whole, and the browser, completion and the palette all ask for it: it is kept until something changes.
let list: Promise<RecordList> | undefined
const recordList = () => {
  const asked = (list ??= ask(commands.records(nextTurn())))
  asked.catch(() => {
    if (list === asked) list = undefined
  })
  return asked
}

function changed(refs: string[], all = false): void {
  list = undefined
  listeners.forEach((listener) => listener({ kind: 'records', refs, all }))
}

/** Another space was opened: nothing of the one before is kept. */
export const forgetRecords = (): void => void (list = undefined)

// The shell is listened to once, for all listeners: if each forgot the list by itself, the next one to ask would take back
// the question of the one before, which would then never be answered.
let stop: Promise<() => void> | undefined

/** Tells of changes to record files: at once of this window's own, of others' when the shell has seen them. */
export function listenToRecords(listener: Listener): () => void {
  listeners.add(listener)
  stop ??= events.recordsChanged.listen(({ payload: { refs, all } }) => changed(refs, all))
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    void stop?.then((end) => end())
    stop = undefined
  }
}

/** What changed files, told when it is done. */
async function changing<T>(work: Promise<T>, names: (done: T) => string[]): Promise<T> {
  const done = await work
  changed(names(done))
  return done
}

export const records: Records = {
  records: recordList,
  makeFolders: async () => {
    await ask(commands.makeRecordFolders())
    changed([], true)
  },
  slugs: async () => {
    const { records } = await recordList()
    const meant = new Map<string, { slug: string; ref: string; about: string }>()
    // A decision before a request, and knowledge before both: the later of these takes the name.
    for (const kind of ['request', 'decision', 'knowledge'])
      for (const { kind: of, slug, ref, about } of records) if (of === kind) meant.set(slug, { slug, ref, about })
    return [...meant.values()]
  },
  searchRecords: (query, kinds) => ask(commands.searchRecords(`records ${kinds.join()}`, nextTurn(), query, [...kinds])),

  readRecord: (ref) => ask(commands.readRecord(ref)),
  aroundRecord: async (ref) => {
    const { backlinks, sources, uses } = await ask(commands.recordAround(ref))
    return {
      backlinks,
      uses,
      sources: sources.map(({ source, part }) => ({
        source,
        comments: part?.comments ?? [],
        total: part?.total ?? 0,
        task: part && { ref: part.task, title: part.title },
      })),
    }
  },
  checkRecord: (ref, text) => ask(commands.checkRecord(nextTurn(), ref, text)),
  recordFields: (ref, text) => ask(commands.recordFields(ref, text)),
  setField: (text, name, value) => ask(commands.setRecordField(text, name, value)),
  removeField: (text, name) => ask(commands.removeRecordField(text, name)),
  setStatus: (text, status, by) => ask(commands.setRecordStatus(text, status, by)),
  mergeRecord: (base, draft, present) => ask(commands.mergeRecord(base, draft, present)),

  saveRecord: (ref, text, base) =>
    changing(ask(commands.saveRecord(ref, text, base)), ({ outcome }) => (outcome === 'saved' ? [ref] : [])),
  suggestSlug: (kind, title) => ask(commands.suggestSlug(kind, title)),
  createRecord: (record) => changing(ask(commands.createRecord(record)), ({ ref }) => [ref]),
  createFromText: (ref, text) => changing(ask(commands.createRecordOf(ref, text)), () => [ref]),
  previewRename: (ref, slug) => ask(commands.previewRename(ref, slug)),
  renameRecord: (ref, slug, base) =>
    changing(ask(commands.renameRecord(ref, slug, base)), ({ ref: now, changed }) => [ref, now, ...changed]),
  mendName: (file, slug) => changing(ask(commands.mendRecordName(file, slug)), (ref) => [ref]),
  removeRecord: async (ref, base, force) => ({
    id: await changing(ask(commands.removeRecord(ref, base, force)), () => [ref]),
  }),
  restoreRecord: (id) => changing(ask(commands.restoreRecord(id)), (ref) => [ref]),
  keptRecords: () => ask(commands.keptRecords()),

  saveDraft: async (ref, draft) => void (await ask(commands.saveDraft(ref, draft))),
  dropDraft: async (ref) => void (await ask(commands.dropDraft(ref))),
  drafts: () => ask(commands.recordDrafts()),
}
