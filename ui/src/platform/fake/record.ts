// The sample space read from its exchange file into plain arrays, for the fake platform. Beside it, a conversation of
// 100,000 comments when the address asks for it.
import sample from '../../../../tests/fixtures/sample-space.jsonl?raw'
import type { Attachment, Author, Comment, Member, Pin, PinList, TaskState } from '../types'

export interface FakeTask {
  id: number
  uid: string
  title: string
  piece: string
  state: TaskState
  owner: string | null
  parent: number | null
  created: string
  updated: string
}
export interface FakeComment {
  id: number
  task: number
  author: Author
  member: string | null
  kind: string
  progress: string | null
  tool: string | null
  input: string | null
  output: string | null
  body: string
  created: string
  attachments: Attachment[]
}
export interface FakePin extends Pin {
  task: number
  list: PinList
}
export interface FakeRecord {
  uid: string
  name: string
  members: Member[]
  tasks: FakeTask[]
  comments: FakeComment[]
  pins: FakePin[]
}

type Row = Record<string, never> & { type: string }

/** What a tool was given may be any JSON; it is kept as text. */
const written = (value: unknown) =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value, null, 2)

export function readSample(): FakeRecord {
  const record: FakeRecord = { uid: '', name: '', members: [], tasks: [], comments: [], pins: [] }
  for (const line of sample.split('\n')) {
    if (line === '') continue
    const { type, ...row } = JSON.parse(line) as Row
    const or = <T>(name: string, otherwise: T): T => (row[name] as T | undefined) ?? otherwise
    if (type === 'kiroku') record.uid = or('space', '')
    else if (type === 'space') record.name = or('name', '')
    else if (type === 'member') record.members.push(row as unknown as Member)
    else if (type === 'task')
      record.tasks.push({
        id: or('id', 0),
        uid: or('uid', ''),
        title: or('title', ''),
        piece: or('piece', ''),
        state: or<TaskState>('state', 'completed'),
        owner: or<string | null>('owner', null),
        parent: or<number | null>('parent', null),
        created: or('created', ''),
        updated: or('updated', or('created', '')),
      })
    else if (type === 'comment')
      record.comments.push({
        id: or('id', record.comments.length + 1),
        task: or('task', 0),
        author: or<Author>('author', 'agent'),
        member: or<string | null>('member', null),
        kind: or('kind', 'comment'),
        progress: or<string | null>('progress', null),
        tool: or<string | null>('tool', null),
        input: written(or<unknown>('input', null)),
        output: written(or<unknown>('output', null)),
        body: or('body', ''),
        created: or('created', ''),
        attachments: or<Attachment[]>('attachments', []),
      })
    else if (type === 'pin')
      record.pins.push({
        id: record.pins.length + 1,
        task: or('task', 0),
        list: or<PinList>('list', 'decisions'),
        text: or('text', ''),
        ref: or<string | null>('ref', null),
        created: or('created', '2026-07-01T00:00:00Z'),
      })
  }
  for (const comment of record.comments) {
    const task = record.tasks.find((task) => task.id === comment.task)
    if (task && task.updated < comment.created) task.updated = comment.created
  }
  return record
}

const WORDS = ['認証', 'the cart', '税率', 'ログイン', 'rate limit', '画像', '在庫', 'the queue', '注文', 'the index']

/** Adds a task of so many comments: every tenth is a person's, the rest is work. Always the same. */
export function addHuge(record: FakeRecord, count: number): void {
  const id = 1 + Math.max(...record.tasks.map((task) => task.id))
  const first = 1 + Math.max(...record.comments.map((comment) => comment.id))
  const begin = Date.parse('2026-08-01T00:00:00Z')
  const at = (nth: number) => new Date(begin + nth * 10_000).toISOString().replace('.000', '')
  record.tasks.push({
    id,
    uid: 'long',
    title: `長い会話 ${count.toLocaleString('ja-JP')} 件`,
    piece: 'migration',
    state: 'running',
    owner: 'm1',
    parent: null,
    created: at(0),
    updated: at(count),
  })
  for (let nth = 0; nth < count; nth++) {
    const word = WORDS[(nth * 7) % WORDS.length] ?? ''
    const person = nth % 10 === 0
    record.comments.push({
      id: first + nth,
      task: id,
      author: person ? 'user' : 'agent',
      member: person ? 'm1' : null,
      kind: person ? 'request' : nth % 10 === 9 ? 'result' : 'progress',
      progress: person || nth % 10 === 9 ? null : 'summary',
      tool: null,
      input: null,
      output: null,
      body: `${nth}: ${word} を確認しました。${'続きの文です。'.repeat(nth % 9)}`,
      created: at(nth),
      attachments: [],
    })
  }
}

export function toWire(comment: FakeComment, target = false): Comment {
  return {
    ref: `comment:${comment.id}`,
    author: comment.author,
    member: comment.member,
    kind: comment.kind,
    progress: comment.progress,
    tool: comment.tool,
    created: comment.created,
    body: comment.body,
    is_target: target,
    attachments: comment.attachments,
  }
}
