import { describe, expect, test } from 'vitest'
import { filterCount, readLink, readPlace, writeLink, writePlace, type Place } from '../../src/shared/place'

const UUID = '0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31'
const places: Place[] = [
  { view: 'search', q: '' },
  { view: 'search', q: '認証 100% "a&b=c#d"', mode: 'all', kind: 'request', author: 'm1', task: 'task:12', state: 'open' },
  { view: 'search', q: 'x', since: '2026-06-01', until: '2026-06-30', order: 'newest', flat: true, at: 'comment:88' },
  { view: 'tasks' },
  { view: 'tasks', state: 'failed', title: 'ログイン', task: 'task:12', at: 'comment:88' },
  { view: 'settings', section: 'backups' },
]

describe('places', () => {
  test.each(places)('are read back as they were written: %j', (place) => {
    expect(readPlace(writePlace(place))).toEqual(place)
    expect(readLink(writeLink(UUID, place))).toEqual({ space: UUID, place })
  })

  test('what is not known is left out, and never fails', () => {
    expect(readPlace('')).toEqual({ view: 'search', q: '' })
    expect(readPlace('nowhere?x=1')).toEqual({ view: 'search', q: '' })
    expect(readPlace('search?q=a&kind=secret&task=12&at=task:1&since=yesterday&mode=some&state=mad')).toEqual({ view: 'search', q: 'a' })
    expect(readPlace('tasks?task=task:0&state=open')).toEqual({ view: 'tasks', state: 'open' })
    expect(readPlace('settings?section=../..')).toEqual({ view: 'settings', section: 'general' })
  })

  test('a link is one of ours, to a space with a UUID', () => {
    expect(readLink(`  kiroku://space/${UUID.toUpperCase()} `)).toEqual({ space: UUID, place: { view: 'search', q: '' } })
    for (const other of ['', 'https://example.com', 'kiroku://space/12/search', 'kiroku://file/etc/passwd']) expect(readLink(other)).toBeUndefined()
  })

  test('filters are counted, the two ends of a period as one', () => {
    expect(filterCount({ view: 'search', q: 'x', mode: 'all' })).toBe(0)
    expect(filterCount({ view: 'search', q: 'x', kind: 'ask', since: '2026-06-01', until: '2026-06-02' })).toBe(2)
  })
})
