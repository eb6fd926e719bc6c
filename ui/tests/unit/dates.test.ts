import { expect, test } from 'vitest'
import { dayOf, fullTime, shortTime, startOfDay } from '../../src/shared/dates'

const now = new Date(2026, 7, 20, 15, 0).getTime()
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

test('a time is relative within a day, then a date and a minute', () => {
  expect(shortTime(ago(0), now, 'en')).toBe('now')
  expect(shortTime(ago(5), now, 'ja')).toBe('5 分前')
  expect(shortTime(ago(60 * 23), now, 'en')).toBe('23 hours ago')
  expect(shortTime(ago(60 * 25), now, 'ja')).toBe('2026-08-19 14:00')
  expect(shortTime(ago(-10), now, 'en')).toBe('2026-08-20 15:10')
  expect(shortTime('no time', now, 'en')).toBe('no time')
  expect(fullTime('no time', 'ja')).toBe('no time')
})

test('a day begins where the person is, and an impossible one begins nowhere', () => {
  const start = startOfDay('2026-06-20')
  expect(start && dayOf(new Date(start))).toBe('2026-06-20')
  expect(startOfDay('2026-12-31', 1)).toBe(new Date(2027, 0, 1).toISOString())
  expect(startOfDay('2026-02-30')).toBeUndefined()
  expect(startOfDay('soon')).toBeUndefined()
})
