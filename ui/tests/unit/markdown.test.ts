// The Markdown reader: what it makes of ordinary text, and that no text can do more than be shown.
import { describe, expect, test } from 'vitest'
import { pieces } from '../../src/shared/markdown/code'
import { readMarkdown, type Block, type Inline } from '../../src/shared/markdown/tree'
import { visible, withoutTerminal } from '../../src/shared/markdown/visible'

/** A tree in short: `p(some *em(words))`. */
const inline = (node: Inline): string =>
  node.kind === 'text' ? node.text
  : node.kind === 'code' ? `\`${node.text}\``
  : node.kind === 'break' ? '⏎'
  : node.kind === 'link' ? `link<${node.to}>(${node.of.map(inline).join('')})`
  : node.kind === 'image' ? `image<${node.at}>(${node.alt})`
  : `${node.kind}(${node.of.map(inline).join('')})`
const line = (nodes: Inline[]) => nodes.map(inline).join('')
const block = (one: Block): string =>
  one.kind === 'paragraph' ? `p(${line(one.of)})`
  : one.kind === 'plain' ? `plain(${one.text})`
  : one.kind === 'source' ? `source(${line(one.of)})`
  : one.kind === 'heading' ? `h${one.level}(${line(one.of)})`
  : one.kind === 'code' ? `code<${one.lang}>(${one.text})`
  : one.kind === 'quote' ? `quote(${one.of.map(block).join(' ')})`
  : one.kind === 'list' ? `list<${one.start ?? ''}>(${one.items.map((item) => `${item.done === undefined ? '' : item.done ? '[x]' : '[ ]'}${item.of.map(block).join(' ')}`).join('; ')})`
  : one.kind === 'table' ? `table<${one.align.join()}>(${[one.head, ...one.rows].map((row) => row.map(line).join('|')).join('; ')})`
  : 'rule'
const short = (text: string, how?: Parameters<typeof readMarkdown>[1]) => readMarkdown(text, how).map(block).join(' ')

describe('ordinary text', () => {
  test.each([
    ['# 見出し\n\n本文です。', 'h1(見出し) p(本文です。)'],
    ['Title\n===', 'h1(Title)'],
    ['*a* **b** ~~c~~ `d`', 'p(em(a) strong(b) strike(c) `d`)'],
    ['``a ` b`` ` c `', 'p(`a ` b` `c`)'],
    ['一行目\n二行目', 'p(一行目二行目)'],
    ['one\n  two', 'p(one two)'],
    ['one  \ntwo\\\nthree', 'p(one⏎two⏎three)'],
    ['- a\n- b\n  - c\n\n    d', 'list<>(p(a); p(b) list<>(p(c) p(d)))'],
    ['3. a\n4. b', 'list<3>(p(a); p(b))'],
    ['- [x] done\n- [ ] not', 'list<>([x]p(done); [ ]p(not))'],
    ['> a\n> b\n>\n> > c', 'quote(p(a b) quote(p(c)))'],
    ['```ts title=x\nlet a\n\nb\n```', 'code<ts>(let a\n\nb)'],
    ['> ```\n> a\n> b\n> ```', 'quote(code<>(a\nb))'],
    ['    indented\n      more', 'code<>(indented\n  more)'],
    ['| a | b |\n|:--|--:|\n| **1** | 2 |\n| | 4 |', 'table<start,end>(a|b; strong(1)|2; |4)'],
    ['a\n\n---\n\nb', 'p(a) rule p(b)'],
    ['[a](https://example.org "t")', 'p(link<https://example.org>(a))'],
    ['[a *b*][x]\n\n[X]: <https://example.org/ y>', 'p(link<https://example.org/ y>(a em(b))) source([X]: <https://example.org/ y>)'],
    ['<https://example.org> https://example.org/a. www.example.org', 'p(link<https://example.org>(https://example.org) link<https://example.org/a>(https://example.org/a). link<https://www.example.org>(www.example.org))'],
    ['[https://a.example *b*](https://c.example)', 'p(link<https://c.example>(https://a.example em(b)))'],
    ['mail a@example.org', 'p(mail link<mailto:a@example.org>(a@example.org))'],
    ['array[0] and [x] not *links*', 'p(array[0] and [x] not em(links))'],
    ['![alt text](https://example.org/a.png)', 'p(image<https://example.org/a.png>(alt text))'],
    ['a &amp; b &lt; &#x3042; &nothing; \\*c\\*', 'p(a & b < あ &nothing; *c*)'],
    ['a<br>b', 'p(a⏎b)'],
    ['', ''],
  ])('%j', (text, expected) => expect(short(text)).toBe(expected))

  test('what was said keeps its line ends', () => {
    expect(short('一行目\n二行目\n> a\n> b', { breaks: true })).toBe('p(一行目⏎二行目) quote(p(a⏎b))')
  })

  test('what is mentioned leads somewhere, but not in code', () => {
    const mentions = (text: string) => [...text.matchAll(/#([a-z-]+)/g)].map((one) => ({ from: one.index, to: one.index + one[0].length, address: `slug:${one[1]}` }))
    expect(short('as #use-cookies says, `#not-this`', { mentions })).toBe('p(as link<slug:use-cookies>(#use-cookies) says, `#not-this`)')
  })

  test('terms are marked across what is bold, and in code', () => {
    const [one] = readMarkdown('これは**認**証の`認証`です', { terms: ['認証'] })
    const marks = (nodes: Inline[]): string[] =>
      nodes.flatMap((node) => ('text' in node ? (node.marks ?? []).map(([from, to]) => node.text.slice(from, to)) : 'of' in node ? marks(node.of) : []))
    expect(one && 'of' in one ? marks(one.of as Inline[]) : []).toEqual(['認', '証', '認証'])
  })
})

describe('hostile text is shown, and nothing of it is lost', () => {
  test.each([
    ['<script>alert(1)</script>', 'source(<script>alert(1)</script>)'],
    ['<img src=x onerror=alert(1)> text', 'p(<img src=x onerror=alert(1)> text)'],
    ['a <b onclick="x()">b</b>', 'p(a <b onclick="x()">b</b>)'],
    ['[a](javascript:alert(1))', 'p(link<javascript:alert(1)>(a))'],
    ['a \u202e b', 'p(a [U+202E] b)'],
    ['&#x202e;b', 'p([U+202E]b)'],
    ['&#0;&#xd800;&#x110000;', 'p(&#0;&#xd800;&#x110000;)'],
    ['&constructor; &__proto__;', 'p(&constructor; &__proto__;)'],
    ['[constructor] [valueOf][toString]', 'p([constructor] [valueOf][toString])'],
    ['[a]: https://example.org (words)', 'source([a]: https://example.org (words))'],
  ])('%j', (text, expected) => expect(short(text)).toBe(expected))

  const dense = (text: string) => text.replace(/\s+/g, '').length
  const hostile: Record<string, string> = {
    'a list 10,000 deep': `${'- '.repeat(10_000)}x`,
    'a list deep by indentation': Array.from({ length: 300 }, (_, n) => `${'  '.repeat(n)}- x`).join('\n'),
    'quotes 10,000 deep': `${'> '.repeat(10_000)}x`,
    'quotes 2,000 deep in many lines': `${'> '.repeat(2_000)}x\n`.repeat(25),
    'emphasis 5,000 deep': `${'*_'.repeat(5_000)}x${'_*'.repeat(5_000)}`,
    'emphasis in lines that are short enough': `${'*_'.repeat(1_200)}x${'_*'.repeat(1_200)}\n\n`.repeat(20),
    'brackets': `${'['.repeat(20_000)}x${'](a)'.repeat(20_000)}`,
    'links without an end': '[a](<'.repeat(20_000),
    'links without an end in many paragraphs': `${'[a]('.repeat(1_200)}\n\n`.repeat(20),
    'many links': '[a](b) '.repeat(14_000),
    'rows of backticks': Array.from({ length: 440 }, (_, n) => `${'`'.repeat(n)} `).join(''),
    'definitions that break off': '[a]: b "\n'.repeat(11_000),
    'a wide table': `${'|'.repeat(20_000)}\n${'|-'.repeat(20_000)}|\n${'|a'.repeat(20_000)}`,
    'one line of 5 MB': 'あいうえお '.repeat(833_333),
    'one line of 5 MB after a title': `# ${'x'.repeat(5_000_000)}`,
  }
  test.each(Object.entries(hostile))('%s', (_, text) => {
    const began = performance.now()
    const blocks = readMarkdown(text, { breaks: true, terms: ['x'] })
    // Not a measurement: what goes wrong here takes minutes, or the whole stack.
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(dense(JSON.stringify(blocks))).toBeGreaterThan(dense(text.slice(0, 100_000)) * 0.9)
  })
})

test('code in pieces, cut where styles and marks begin and end', () => {
  expect(pieces('const a = 1', [{ from: 0, to: 5, style: 'keyword' }, { from: 10, to: 11, style: 'number' }], [[3, 7]])).toEqual([
    { text: 'con', style: 'keyword', marked: false },
    { text: 'st', style: 'keyword', marked: true },
    { text: ' a', style: undefined, marked: true },
    { text: ' = ', style: undefined, marked: false },
    { text: '1', style: 'number', marked: false },
  ])
})

test('what turns writing around is shown, and what colours a terminal is not', () => {
  expect(visible('a\u2066b\u2069')).toBe('a[U+2066]b[U+2069]')
  expect(withoutTerminal('\u001b[1;31merror\u001b[0m \u001b]8;;http://x\u0007y')).toBe('error y')
})
