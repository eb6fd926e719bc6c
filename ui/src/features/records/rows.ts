// The records as a view shows them: which of them, in which order, and under what heading. Pure functions of the list and
// of the place that the window is in.
import type { RecordRow } from '../../platform'
import type { RecordsPlace } from '../../shared/place'

export const SORT_KEYS = ['slug', 'about', 'kind', 'status', 'updated', 'problems'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export interface Sort {
  key: SortKey
  down: boolean
}

/** The newest first, until somebody says otherwise. */
const USUAL: Sort = { key: 'updated', down: true }

/** Reads `slug` or `-updated`. */
export function readSort(word: string | undefined): Sort {
  const key = SORT_KEYS.find((key) => key === word?.replace(/^-/, ''))
  return key ? { key, down: word?.startsWith('-') ?? false } : USUAL
}

/** The order that a press on a column's head asks for, as the place writes it; nothing for the usual one. */
export function nextSort(now: Sort, key: SortKey): string | undefined {
  // Times and problems begin with the most.
  const first = key === 'updated' || key === 'problems'
  const down = now.key === key ? !now.down : first
  return key === USUAL.key && down === USUAL.down ? undefined : `${down ? '-' : ''}${key}`
}

/** When a record was changed last: as it says itself, else as its file does. */
export const changedAt = (row: RecordRow): string => row.updated ?? row.modified

/** The word of a record's kind that sets it apart from its neighbours: a knowledge record's own, else the record's. */
export const kindWord = (row: RecordRow): string => row.type ?? row.kind

const KINDS = ['summary', 'decision', 'request', 'knowledge']
const troubles = (row: RecordRow): number => (row.unreadable === null ? 0 : 1_000_000) + row.errors * 1_000 + row.warnings

/** Which records a place shows. */
export function fits(row: RecordRow, place: RecordsPlace): boolean {
  if ((row.kind === 'knowledge') !== (place.view === 'knowledge')) return false
  if (place.kind && row.kind !== place.kind) return false
  if (place.type && row.type !== place.type) return false
  if (place.status && row.status !== place.status) return false
  return !place.faulty || troubles(row) > 0
}

export function sorted(rows: readonly RecordRow[], { key, down }: Sort): RecordRow[] {
  const words = (of: (row: RecordRow) => string | null) => (a: RecordRow, b: RecordRow) => {
    const [x, y] = [of(a), of(b)]
    // What has none comes last, whichever way.
    if (!x || !y) return (x ? 0 : 1) - (y ? 0 : 1)
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1)
  }
  const numbers = (of: (row: RecordRow) => number) => (a: RecordRow, b: RecordRow) => (of(a) - of(b)) * (down ? -1 : 1)
  const times = new Map(rows.map((row) => [row.ref, Date.parse(changedAt(row)) || 0]))
  const by: Record<SortKey, (a: RecordRow, b: RecordRow) => number> = {
    slug: words((row) => row.slug),
    about: words((row) => row.about),
    kind: words((row) => `${KINDS.indexOf(row.kind)}${row.type ?? ''}`),
    status: words((row) => row.status),
    updated: numbers((row) => times.get(row.ref) ?? 0),
    problems: numbers(troubles),
  }
  const compare = by[key]
  return rows.toSorted((a, b) => compare(a, b) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.slug < b.slug ? -1 : 1))
}

/** A line of the tree: a heading, or a record under one (or under none, as the summary). */
export type Leaf =
  | { is: 'group'; key: string; kind: RecordRow['kind']; word: string; count: number; open: boolean }
  | { is: 'record'; key: string; row: RecordRow; level: 1 | 2 }

/** The records as a tree: the summary, then decisions and requests; knowledge by its own kinds. */
export function treeOf(rows: readonly RecordRow[], closed: ReadonlySet<string>): Leaf[] {
  const leaves: Leaf[] = []
  const groups = new Map<string, RecordRow[]>()
  for (const row of rows) {
    if (row.kind === 'summary') leaves.push({ is: 'record', key: row.ref, row, level: 1 })
    else {
      const key = row.kind === 'knowledge' ? `knowledge ${row.type ?? ''}` : row.kind
      const group = groups.get(key)
      if (group) group.push(row)
      else groups.set(key, [row])
    }
  }
  const keys = [...groups.keys()].sort((a, b) => (a === 'knowledge ' ? 1 : b === 'knowledge ' ? -1 : a < b ? -1 : 1))
  for (const key of keys) {
    const group = groups.get(key) ?? []
    const { kind = 'knowledge', type = null } = group[0] ?? {}
    const open = !closed.has(key)
    leaves.push({ is: 'group', key, kind, word: type ?? '', count: group.length, open })
    if (open) for (const row of group) leaves.push({ is: 'record', key: row.ref, row, level: 2 })
  }
  return leaves
}
