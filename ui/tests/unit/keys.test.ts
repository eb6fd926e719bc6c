import { expect, test } from 'vitest'
import { keyName, readKey } from '../../src/app/keys'

const press = (key: string, held: ('ctrl' | 'meta' | 'alt' | 'shift')[] = []) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
})

test('the keys that hold everywhere', () => {
  expect(readKey(press('k', ['ctrl']), true, false)).toEqual({ to: 'palette' })
  expect(readKey(press('k', ['meta']), true, true)).toEqual({ to: 'palette' })
  expect(readKey(press('k', ['meta']), false, false)).toBeUndefined()
  expect(readKey(press('2', ['ctrl']), false, false)).toEqual({ to: 'view', view: 'tasks' })
  expect(readKey(press('5', ['ctrl']), false, false)).toEqual({ to: 'view', view: 'knowledge' })
  expect(readKey(press('6', ['ctrl']), false, false)).toBeUndefined()
  expect(readKey(press('ArrowLeft', ['alt']), false, false)).toEqual({ to: 'back' })
  expect(readKey(press('[', ['meta']), false, true)).toEqual({ to: 'back' })
})

test('bare characters belong to whoever writes', () => {
  expect(readKey(press('/'), false, false)).toEqual({ to: 'field' })
  expect(readKey(press('/'), true, false)).toBeUndefined()
  expect(readKey(press('?', ['shift']), true, false)).toBeUndefined()
  expect(readKey(press('?', ['shift']), false, false)).toEqual({ to: 'sheet' })
})

test('keys are called as the computer calls them', () => {
  expect([keyName('K', true), keyName('K', false)]).toEqual(['⌘K', 'Ctrl+K'])
})
