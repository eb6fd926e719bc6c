// The task lists of agents' threads, kept in memory: those of the sample space, and more when the address asks for them
// (`threads=200`, `items=300`).
import sample from '../../../../tests/fixtures/sample-space.jsonl?raw'
import { fold } from '../../shared/marks'
import type { BoardThread, Edit, Item, ListChange, Lists, Note, Projection, ThreadTask } from '../lists'
import { Failure } from '../types'
import type { Ground } from './ground'
import { inventLists } from './invented'
import { apply, differences, reordered, same } from './rules'

export interface FakeChange {
  id: number
  version: number
  at: string
  by: string
  door: string
  comment: number | null
  before: Item[]
  after: Item[]
}
export interface FakeList extends Omit<Projection, 'updated'> {
  updated: string
  history: FakeChange[]
  notes: Note[]
  reviews: { item: string; by: string; at: string }[]
}

/** What tests do to lists in the place of an agent. */
export interface ListControls {
  /** An agent's write: it looks at nothing, as agents do. */
  agent(thread: string, edits: Edit[]): void
  list(thread: string): Item[]
  /** What the agent reads beside the items. */
  check(thread: string): { notes: string[]; reviewed: string[] }
}

interface Row {
  type: string
  task?: number
  thread?: string
  resource?: string
  ref?: string
  items: Item[]
  updated: string
  item: string
  text: string
  by: string
  at: string
  door: string
  before: Item[]
  after: Item[]
}

function readLists(): FakeList[] {
  const lists = new Map<string, FakeList>()
  let id = 0
  for (const line of sample.split('\n')) {
    if (!/^\{"type":"(list|history|note|review)"/.test(line)) continue
    const row = JSON.parse(line) as Row
    const thread = row.thread ?? `task:${row.task}`
    const list = lists.get(thread) ?? { thread, resource: 'agent', version: 0, updated: '', items: [], history: [], notes: [], reviews: [] }
    lists.set(thread, list)
    id += 1
    const { item, text, by, at, door, before, after } = row
    if (row.type === 'list') Object.assign(list, { items: row.items, updated: row.updated, resource: row.resource ?? 'agent' })
    else if (row.type === 'note') list.notes.push({ id, uid: `n${id}`, item, text, by, at })
    else if (row.type === 'review') list.reviews.push({ item, by, at })
    else {
      list.version += 1
      const comment = row.ref === undefined ? null : Number(row.ref.split(':')[1])
      list.history.push({ id, version: list.version, at, by, door, comment, before, after })
    }
  }
  return [...lists.values()]
}

export function makeLists({ record, address, now, me, call, emit, say }: Ground): { lists: Lists; controls: ListControls } {
  const all: FakeList[] = address.get('begin') === 'empty' ? [] : readLists()
  inventLists(all, record, address, now)
  let last = 10_000
  let clock = now

  const taskOf = (thread: string): ThreadTask | null => {
    const task = record.tasks.find(({ id }) => thread === `task:${id}`)
    return task ? { title: task.title, state: task.state, heard: task.updated } : null
  }
  const find = (thread: string): FakeList => {
    const known = all.find((list) => list.thread === thread)
    if (known) return known
    if (!taskOf(thread)) throw new Failure('not_found', say(`${thread} has no task list in this space.`, `このスペースに ${thread} のタスクリストはありません。`))
    return { thread, resource: null, version: 0, updated: new Date(now).toISOString(), items: [], history: [], notes: [], reviews: [] }
  }
  const shown = ({ thread, resource, version, updated, items }: FakeList): Projection => ({ thread, resource, version, updated: version === 0 ? null : updated, items })
  const told = () => emit({ kind: 'changed', tasks: [], all: false, lists: true })

  function write(list: FakeList, items: Item[], by: string, door: string): Projection {
    if (items.length === list.items.length && items.every((item, nth) => same(item, list.items[nth]))) return shown(list)
    if (!all.includes(list)) all.push(list)
    const at = new Date((clock += 1000)).toISOString()
    list.version += 1
    list.history.push({ id: ++last, version: list.version, at, by, door, comment: null, before: list.items, after: items })
    Object.assign(list, { items, updated: at, resource: list.resource ?? by })
    told()
    return shown(list)
  }
  function edited(items: Item[], edits: Edit[]): Item[] {
    try {
      return edits.reduce(apply, items)
    } catch (id) {
      throw new Failure('not_found', say(`There is no item ${String(id)}. Nothing was changed.`, `項目「${String(id)}」はありません。何も変更していません。`))
    }
  }
  function check(list: FakeList, base: number) {
    if (list.version === base) return
    throw new Failure('conflict', say('the list was changed meanwhile. Your change was not made', 'この間にリストが変更されました。今回の変更は行っていません'), { list: structuredClone(shown(list)) })
  }
  const changeOf = ({ before, after, ...row }: FakeChange): ListChange => ({ ...row, differences: differences(before, after), reordered: reordered(before, after), length: after.length })
  const newest = (list: FakeList) => list.history.toSorted((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1))

  function glance(list: FakeList): BoardThread {
    const of = (status: Item['status']) => list.items.filter((item) => item.status === status)
    const [pending, running, completed] = [of('pending'), of('in_progress'), of('completed')]
    const [total, change] = [list.items.length, newest(list)[0]]
    return {
      task: taskOf(list.thread),
      list: {
        thread: list.thread,
        task: /^task:\d+$/.test(list.thread) ? Number(list.thread.slice(5)) : null,
        resource: list.resource ?? '',
        version: list.version,
        updated: list.updated,
        summary: {
          total,
          completed: completed.length,
          inProgress: running.length,
          pending: pending.length,
          incomplete: total - completed.length,
          hasTasks: total > 0,
          allCompleted: total > 0 && completed.length === total,
        },
        running: running[0] ?? null,
        next: pending[0] ?? null,
        changed: change ? { by: change.by, door: change.door, at: change.at } : null,
        notes: list.notes.length,
        reviewed: list.reviews.filter(({ item }) => list.items.some(({ id }) => id === item)).length,
      },
    }
  }

  const lists: Lists = {
    board: (offset, limit) =>
      call('board', () => ({
        threads: all.toSorted((a, b) => (a.updated < b.updated ? 1 : -1)).slice(offset, offset + Math.min(200, limit)).map(glance),
        total: all.length,
      })),
    findItems: (_, words, limit) =>
      call('findItems', () => {
        const terms = fold(words).split(/\s+/u).filter(Boolean)
        const holds = ({ content, activeForm }: Item) => [content, activeForm].some((text) => terms.every((term) => fold(text).includes(term)))
        const found = terms.length === 0 ? [] : all.flatMap((list) => list.items.filter(holds).map((item) => ({ thread: list.thread, item })))
        return found.slice(0, limit).map((found) => ({ found, task: taskOf(found.thread) }))
      }),
    threadList: (thread) =>
      call('threadList', () => {
        const list = find(thread)
        const held = new Set(list.items.map(({ id }) => id))
        const gone = new Set([...list.notes, ...list.reviews].map(({ item }) => item).filter((id) => !held.has(id)))
        const dropped = [...gone].flatMap((id) => {
          const row = newest(list).find(({ before, after }) => before.some((item) => item.id === id) && !after.some((item) => item.id === id))
          const item = row?.before.find((item) => item.id === id)
          return row && item ? [{ item, by: row.by, door: row.door, at: row.at, history: row.id }] : []
        })
        return { list: shown(list), marks: { notes: list.notes, reviews: list.reviews, dropped }, task: taskOf(thread) }
      }),
    editList: (thread, base, edits) =>
      call('editList', () => {
        const list = find(thread)
        check(list, base)
        return write(list, edited(list.items, edits), me(), 'app')
      }),
    listChanges: (thread, before, limit) =>
      call('listChanges', () => {
        const rows = newest(find(thread))
        const from = before === null ? 0 : rows.findIndex(({ id }) => id === before) + 1
        const changes = rows.slice(from, from + limit).map(changeOf)
        return { changes, total: rows.length, next: from + limit < rows.length ? (changes.at(-1)?.id ?? null) : null }
      }),
    itemChanges: (thread, item, limit) =>
      call('itemChanges', () =>
        newest(find(thread))
          .map(changeOf)
          .map((row) => ({ ...row, differences: row.differences.filter(({ before, after }) => (after ?? before)?.id === item) }))
          .filter(({ differences }) => differences.length > 0)
          .slice(0, limit),
      ),
    restoreList: (thread, base, change, side) =>
      call('restoreList', () => {
        const list = find(thread)
        check(list, base)
        const row = list.history.find(({ id }) => id === change)
        if (!row) throw new Failure('not_found', say('The history has no such row.', '履歴にその行はありません。'))
        return write(list, row[side], me(), 'restore')
      }),
    addNote: (thread, item, text) =>
      call('addNote', () => {
        const note = { id: ++last, uid: `n${last}`, item, text: text.trim(), by: me(), at: new Date((clock += 1000)).toISOString() }
        find(thread).notes.push(note)
        told()
        return note
      }),
    removeNote: (thread, note) =>
      call('removeNote', () => {
        const list = find(thread)
        list.notes = list.notes.filter(({ id }) => id !== note)
        told()
      }),
    setReviewed: (thread, item, reviewed) =>
      call('setReviewed', () => {
        const list = find(thread)
        list.reviews = list.reviews.filter((review) => review.item !== item)
        if (reviewed) list.reviews.push({ item, by: me(), at: new Date((clock += 1000)).toISOString() })
        told()
      }),
  }
  const controls: ListControls = {
    agent: (thread, edits) => void write(find(thread), edited(find(thread).items, edits), 'agent', 'mcp'),
    list: (thread) => structuredClone(find(thread).items),
    check: (thread) => {
      const { notes, reviews } = find(thread)
      return { notes: notes.map(({ text }) => text), reviewed: reviews.map(({ item }) => item) }
    },
  }
  return { lists, controls }
}
