// What happens to a list when items are put elsewhere, and when a change is taken back after others have written.
import { describe, expect, test } from 'vitest'
import type { Item, Status } from '../../src/platform'
import { carried, columns, differences, editsOf, naturalPlace, placed, standing } from '../../src/features/board/order'

const WORDS: Record<string, Status> = { p: 'pending', i: 'in_progress', c: 'completed' }
/** `a:p b:i`, and `a:p:text` where the content matters. */
const list = (written: string): Item[] =>
  written.split(' ').filter(Boolean).map((word) => {
    const [id = '', status = 'p', content = id] = word.split(':')
    return { id, content, status: WORDS[status] ?? 'pending', activeForm: '…' }
  })
const write = (items: readonly Item[]) =>
  items.map(({ id, status, content }) => `${id}:${status[0]}${content === id ? '' : `:${content}`}`).join(' ')

describe('putting an item elsewhere', () => {
  const items = list('a:p b:c c:p d:i e:c f:p')
  const put = (id: string, status: Status, at: number) => write(placed(items, { id, status, at }))

  test('in its own column', () => {
    expect(put('f', 'pending', 0)).toBe('f:p a:p b:c c:p d:i e:c')
    expect(put('a', 'pending', 2)).toBe('b:c c:p d:i e:c f:p a:p')
    expect(put('a', 'pending', 0)).toBe(write(items))
    expect(put('f', 'pending', 99)).toBe(write(items))
  })
  test('in another column it keeps its place in the list where the columns come out the same', () => {
    expect(put('c', 'completed', 1)).toBe('a:p b:c c:c d:i e:c f:p')
    expect(put('c', 'completed', 0)).toBe('a:p c:c b:c d:i e:c f:p')
    expect(put('c', 'completed', 2)).toBe('a:p b:c d:i e:c c:c f:p')
  })
  test('only one runs', () => {
    expect(put('f', 'in_progress', 0)).toBe('a:p b:c c:p d:p e:c f:i')
    expect(put('d', 'in_progress', 0)).toBe(write(items))
  })
  test('as edits', () => {
    const edits = (id: string, status: Status, at: number) => editsOf(items, placed(items, { id, status, at }), id).map((edit) => edit.do)
    expect(edits('c', 'completed', 1)).toEqual(['change'])
    expect(edits('c', 'completed', 0)).toEqual(['change', 'move'])
    expect(edits('a', 'pending', 2)).toEqual(['move'])
    expect(edits('a', 'pending', 0)).toEqual([])
  })
  test('on its way it is shown where it is over', () => {
    const shown = columns(items, { id: 'c', status: 'completed', at: 1 })
    expect(write(shown.pending)).toBe('a:p f:p')
    expect(write(shown.completed)).toBe('b:c c:c e:c')
    expect(standing(items, 'f')).toEqual({ id: 'f', status: 'pending', at: 2 })
    expect(naturalPlace(items, 'c', 'completed')).toBe(1)
  })
})

describe('taking a change back', () => {
  /** What becomes of `now` when the change from `before` to `after` is taken back. */
  const back = (before: string, after: string, now: string) => {
    const { items, left } = carried(list(now), list(after), list(before))
    return write(items) + (left.length > 0 ? ` | ${write(left)}` : '')
  }
  test('when nobody wrote since', () => {
    for (const [before, after] of [
      ['a:p b:p', 'a:p b:c'],
      ['a:p b:i c:p', 'a:i b:p c:p'],
      ['a:p b:p c:p', 'a:p c:p'],
      ['b:p', 'a:p b:p'],
      ['a:p b:p c:p', 'c:p a:p b:p'],
      ['a:p b:p:old', 'b:p:new a:p'],
    ] as const)
      expect(back(before, after, after)).toBe(before)
  })
  test('what others changed since stays', () => {
    expect(back('a:p b:p', 'a:p b:c', 'a:i b:c c:p')).toBe('a:i b:p c:p')
    expect(back('a:p b:p', 'a:p b:c', 'a:p b:c:other')).toBe('a:p b:c:other | b:c:other')
    expect(back('a:p b:p c:p', 'a:p c:p', 'c:p a:p')).toBe('c:p a:p b:p')
    expect(back('a:p b:p c:p', 'c:p a:p b:p', 'b:p c:p a:p')).toBe('b:p c:p a:p')
    expect(back('a:p b:p', 'b:p a:p', 'b:p x:p a:p')).toBe('a:p x:p b:p')
  })
  test('what runs by now goes on', () => {
    expect(back('a:p b:i c:p', 'a:i b:p c:p', 'a:p b:p c:i')).toBe('a:p b:p c:i | a:p b:p')
    expect(back('a:i b:p', 'a:c b:p', 'a:c b:i')).toBe('a:p b:i | a:p')
  })
})

test('in what two lists differ', () => {
  const said = differences(list('a:p b:p c:p'), list('c:p a:c d:p')).map(({ before, after }) => `${before?.id ?? '-'}${after?.id ?? '-'}`)
  expect(said).toEqual(['aa', '-d', 'b-'])
})
