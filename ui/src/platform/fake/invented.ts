// More lists than the sample has, always the same, when the address asks for them: `threads=200` of them, or one of
// `items=300`. Titles and items are long where real ones are.
import type { Item, Status } from '../lists'
import type { TaskState } from '../types'
import type { FakeList } from './lists'
import type { FakeRecord } from './record'

const TITLES = [
  '会員登録フォームの入力確認を、送信前に一つずつ読み上げソフトでも分かるように直す',
  'Replace the nightly export with an incremental one',
  '在庫の引き当てが二重になる不具合の調査と、同時に注文が入ったときの振る舞いを決めてテストで固定する作業',
  'Audit the dependencies that are older than two years',
  '定期購入の請求日を月末にそろえる',
  'Rate limits per shop, with a burst for imports and a clear message for whoever meets them in the middle of a sale',
  '画像の代替テキストを一括で見直す',
  'Write down how a restore is rehearsed',
]
const STEPS = [
  ['いまの振る舞いを調べて書き出す', 'いまの振る舞いを調べています'],
  ['Write a failing test for the case that was reported', 'Writing a failing test'],
  ['設計を二案くらべて、決めた理由を残す', '設計を二案くらべています'],
  ['Change the schema and write the migration, with a way back', 'Changing the schema'],
  ['画面の文言を日本語と英語でそろえ、長い店名でも折り返しが崩れないことを確かめる', '画面の文言をそろえています'],
  ['Measure before and after on the large corpus', 'Measuring'],
  ['手順書を直す', '手順書を直しています'],
  ['Ask the shop owners about the wording', 'Asking about the wording'],
] as const
const AGENTS = ['agent', 'codex', 'm2', 'm5']
const STATES: TaskState[] = ['running', 'waiting', 'completed', 'interrupted', 'running', 'failed']

const pick = <T>(of: readonly T[], nth: number): T => of[nth % of.length] as T

function steps(count: number, done: number, runs: boolean, from: number): Item[] {
  return Array.from({ length: count }, (_, nth) => {
    const [content, activeForm] = pick(STEPS, nth + from)
    const status: Status = nth < done ? 'completed' : runs && nth === done ? 'in_progress' : 'pending'
    const again = count > STEPS.length ? ` (${nth + 1})` : ''
    return { id: `step_${nth + 1}`, content: content + again, status, activeForm }
  })
}

/** Adds what the address asks for to the lists and to the record. */
export function inventLists(all: FakeList[], record: FakeRecord, address: URLSearchParams, now: number): void {
  const first = 1 + Math.max(0, ...record.tasks.map(({ id }) => id))
  const add = (id: number, title: string, state: TaskState, resource: string, items: Item[], ago: number) => {
    const at = new Date(now - ago).toISOString().replace('.000', '')
    record.tasks.push({ id, uid: `invented-${id}`, title, piece: 'default', state, owner: 'm1', parent: null, created: at, updated: at })
    const change = { id: 20_000 + id, version: 1, at, by: 'agent', door: 'mcp', comment: null, before: [], after: items }
    all.push({ thread: `task:${id}`, resource, version: 1, updated: at, items, history: [change], notes: [], reviews: [] })
  }
  const threads = Number(address.get('threads') ?? 0)
  for (let nth = 0; nth < threads; nth++) {
    const count = 3 + ((nth * 5) % 9)
    const done = nth % 4 === 2 ? count : (nth * 3) % count
    const items = steps(count, done, nth % 3 !== 1, nth)
    const state = done === count ? 'completed' : pick(STATES, nth)
    add(first + nth, `${pick(TITLES, nth)}${nth >= TITLES.length ? ` ${nth + 1}` : ''}`, state, pick(AGENTS, nth), items, 20_000 * (nth + 1) ** 2)
  }
  const items = Number(address.get('items') ?? 0)
  if (items > 0) add(900, `${items.toLocaleString('ja-JP')} 件の項目があるリスト`, 'running', 'agent', steps(items, Math.floor(items / 3), true, 0), 60_000)
}
