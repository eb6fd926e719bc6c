import { describe, expect, test } from 'vitest'
import { inputOf } from '../../src/features/search/input'
import { rowsOf, shownHits } from '../../src/features/search/rows'
import type { Hit } from '../../src/platform'
import { partsOf, searchRecord } from '../../src/platform/fake/search'
import { readSample } from '../../src/platform/fake/record'
import { startOfDay } from '../../src/shared/dates'

const hit = (id: number, task: number): Hit => ({
  ref: `comment:${id}`,
  task: { ref: `task:${task}`, title: `t${task}` },
  author: 'user',
  kind: 'request',
  created: '2026-06-20T10:00:00Z',
  excerpt: '',
  matches: [],
})

describe('rows', () => {
  const pages = [[hit(1, 1), hit(2, 2), hit(3, 1)], [hit(4, 2)]]
  test('hits are grouped by task within each page, so that more hits move nothing', () => {
    const first = rowsOf(pages.slice(0, 1), false)
    const all = rowsOf(pages, false)
    expect(all.slice(0, first.length)).toEqual(first)
    expect(all.map((row) => ('task' in row ? `${row.task.ref} ${row.count}` : row.hit.ref))).toEqual([
      'task:1 2', 'comment:1', 'comment:3', 'task:2 1', 'comment:2', 'task:2 1', 'comment:4',
    ])
    expect(new Set(all.map((row) => row.key)).size).toBe(all.length)
  })
  test('flat they keep the order of the answer', () => {
    expect(shownHits(rowsOf(pages, true)).map((one) => one.ref)).toEqual(['comment:1', 'comment:2', 'comment:3', 'comment:4'])
  })
})

test('a place becomes what the engine is asked', () => {
  const input = inputOf({ view: 'search', q: 'a', mode: 'all', author: 'm2', state: 'open', since: '2026-06-01', until: '2026-06-30' })
  expect(input).toMatchObject({ match_mode: 'all', author: null, member: 'm2', states: ['queued', 'running', 'waiting'] })
  expect(input.since).toBe(startOfDay('2026-06-01'))
  expect(input.until).toBe(startOfDay('2026-07-01'))
  expect(inputOf({ view: 'search', q: 'a', author: 'agent' })).toMatchObject({ author: 'agent', member: null })
})

describe('the fake search keeps to the contract', () => {
  const record = readSample()
  const ask = (q: string) => searchRecord(record, inputOf({ view: 'search', q }))
  test('its own example is found, newest first, with marks', () => {
    const { hits, order } = ask('認証')
    expect(order).toBe('newest')
    const refs = hits.map((one) => one.ref)
    expect(refs).toContain('comment:95')
    expect(refs.indexOf('comment:95')).toBeLessThan(refs.indexOf('comment:88'))
    for (const one of hits) expect(one.matches.map(([start, end]) => one.excerpt.slice(start, end))).toContain('認証')
  })
  test('a word that is nowhere is searched by its parts', () => {
    expect(partsOf('満月の周期の計算')).toEqual(['満月', '周期', '計算'])
    expect(partsOf('はがき')).toEqual([])
    expect(ask('満月の周期の計算').note).toEqual({ kind: 'split', terms: ['満月', '周期', '計算'] })
  })
})
