import { describe, expect, test } from 'vitest'
import { asMarkdown } from '../../src/features/conversation/said'
import { firstLine } from '../../src/features/conversation/fold'
import { fieldsOf, langOf as codeOf } from '../../src/features/conversation/toolData'
import { cutAt, findTerms, termsOf } from '../../src/shared/marks'
import { langOf, shortPath, size } from '../../src/shared/names'

const found = (text: string, query: string) => findTerms(text, termsOf(query)).map(([start, end]) => text.slice(start, end))

describe('marks', () => {
  test('a text is cut at its ranges, and loses nothing', () => {
    expect(cutAt('…既存の認証フロー', [[4, 6]])).toEqual([
      { text: '…既存の', marked: false },
      { text: '認証', marked: true },
      { text: 'フロー', marked: false },
    ])
    for (const ranges of [[], [[0, 99]], [[3, 1]], [[2, 4], [3, 5]], [[4, 6], [0, 2]], [[-5, 1]]])
      expect(cutAt('abcdefg', ranges).map((piece) => piece.text).join('')).toBe('abcdefg')
    expect(cutAt('', [[0, 1]])).toEqual([])
  })

  test('terms are found whatever their width or case, in the text’s own characters', () => {
    expect(found('Ｌｏｇｉｎ と LOGIN', 'login')).toEqual(['Ｌｏｇｉｎ', 'LOGIN'])
    expect(found('ﾛｸﾞｲﾝ画面のログイン', 'ログイン')).toEqual(['ﾛｸﾞｲﾝ', 'ログイン'])
    expect(found('㍿こはく', '株式会社')).toEqual(['㍿'])
    expect(found('Straße', 'STRASSE')).toEqual(['Straße'])
    expect(found('👨‍👩‍👧 family 👨‍👩‍👧', 'family')).toEqual(['family'])
    expect(found('rate\n limit', 'rate limit')).toEqual(['rate', 'limit'])
    expect(found('plain', '')).toEqual([])
    expect(found('a.b*c', '. *')).toEqual(['.', '*'])
  })
})

describe('what was said', () => {
  test('a folded comment shows its first line that says something', () => {
    expect(firstLine('\n\n  はじめ  \n次')).toBe('はじめ')
    expect(firstLine('## **見出し**と[リンク](https://example.org)の`code`\n')).toBe('見出しとリンクのcode')
    expect(firstLine('')).toBe('')
  })

  test('what a tool was given is read by its fields, as the texts that they are', () => {
    expect(fieldsOf('{"command":"ls -l\\ncd","timeout":5}')).toEqual([
      { name: 'command', text: 'ls -l\ncd', lang: 'shell' },
      { name: 'timeout', text: '5', lang: 'json' },
    ])
    expect(fieldsOf('{"file_path":"/a/b.rs","new_string":"fn a() {}"}')?.[1]).toEqual({ name: 'new_string', text: 'fn a() {}', lang: 'rs' })
    expect(fieldsOf('{"cut off')).toBeUndefined()
    expect(fieldsOf('[1]')).toBeUndefined()
    expect([codeOf('--- a\n+++ b'), codeOf('{"a":1}'), codeOf('words')]).toEqual(['diff', 'json', ''])
  })

  test('as Markdown it is quoted, with a link to where it is from', () => {
    const said = { ref: 'comment:88', task: { ref: 'task:12', title: 'A [b]' }, author: 'user', kind: 'request', created: '2026-06-20T10:00:00Z', text: 'one\n\ntwo\n' } as const
    expect(asMarkdown(said, 'kiroku://x')).toBe('> one\n>\n> two\n>\n> — [A \\[b\\], comment:88](kiroku://x) (user/request, 2026-06-20T10:00:00Z)\n')
  })
})

test('sizes, paths and languages read as a person reads them', () => {
  expect([0, 999, 1_430_000, 214_300_000].map(size)).toEqual(['0 B', '999 B', '1.4 MB', '214 MB'])
  expect(shortPath('/a/b/c.db')).toBe('b/c.db')
  expect(shortPath('C:\\a\\b.db')).toBe('a/b.db')
  expect([langOf('ログイン'), langOf('login'), langOf('12:30')]).toEqual(['ja', 'en', undefined])
})
