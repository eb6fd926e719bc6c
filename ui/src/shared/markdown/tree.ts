// Markdown as a tree that can be shown without being trusted:
//
//     import Markdown from '../../shared/markdown/Markdown.svelte'
//     <Markdown {text} />                          a record's text: lines of a paragraph run on
//     <Markdown {text} breaks terms={['認証']} />   something said: line ends are kept, folded terms are marked
//     <Markdown {text} mentions={found} follow={go} />   `#slug` and its like lead where `follow` says
//
// `readMarkdown` gives the tree to whoever needs it without the component. Nothing of a text is ever run, fetched or lost:
// HTML is shown as it is written, an image as its words and its address, a link that is not http, https, mailto or one of
// ours as its words and its address, and a character that would turn the writing around as its number. Whatever the text,
// reading it takes no more than moments and a few frames of the stack: what is nested too deep or runs on too long is
// shown as plain text. Lezer's parser is the one that the editor of records brings; it is fast, has no recursion over
// what is nested, and leaves the meaning of its nodes to this file.
import type { SyntaxNode } from '@lezer/common'
import { GFM, parser, type BlockParser, type LeafBlock, type MarkdownConfig } from '@lezer/markdown'
import { findTerms } from '../marks'
import { entity } from './entities'
import { visible } from './visible'

export type Range = [number, number]
export type Inline =
  /** `marks` are where terms stand in it. */
  | { kind: 'text'; text: string; marks?: Range[] }
  | { kind: 'code'; text: string; marks?: Range[] }
  | { kind: 'break' }
  | { kind: 'em'; of: Inline[] }
  | { kind: 'strong'; of: Inline[] }
  | { kind: 'strike'; of: Inline[] }
  | { kind: 'link'; to: string; of: Inline[] }
  | { kind: 'image'; alt: string; at: string }
export type Block =
  | { kind: 'paragraph'; of: Inline[] }
  /** As it is written: what is too deep or too long to be read, and markup that is none here. */
  | { kind: 'plain'; text: string }
  | { kind: 'source'; of: Inline[] }
  | { kind: 'heading'; level: number; of: Inline[] }
  | { kind: 'code'; lang: string; text: string }
  | { kind: 'quote'; of: Block[] }
  | { kind: 'list'; start: number | undefined; items: Item[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][]; align: ('start' | 'center' | 'end' | undefined)[] }
  | { kind: 'rule' }
export interface Item {
  /** Whether it is ticked, for an item of a list of tasks. */
  done: boolean | undefined
  of: Block[]
}
export interface Reading {
  /** Whether the line ends of a paragraph are kept. */
  breaks?: boolean
  /** Folded terms to be marked. */
  terms?: readonly string[]
  /** What else in a text leads somewhere, such as `#slug`: where it stands, in order, and its address. */
  mentions?: (text: string) => { from: number; to: number; address: string }[]
}

/** More than this is not read as Markdown: `readMarkdown` takes the first so many characters. */
export const MOST = 100_000
/** Blocks within blocks at most, as marks within marks; characters of a paragraph or of a line outside code at most. */
const DEEP = 12
const LONG = 4_000

// The parser takes time that grows with the square of a paragraph's length or of how deep things are: not beyond these.
const bounded: MarkdownConfig = {
  defineNodes: [{ name: 'Plain', block: true }],
  parseBlock: [
    {
      name: 'Plain',
      before: 'LinkReference',
      parse(context, line) {
        if (line.text.length - line.pos <= LONG && context.depth <= 2 * DEEP) return false
        context.addElement(context.elt('Plain', context.lineStart + line.pos, context.lineStart + line.text.length))
        context.nextLine()
        return true
      },
      leaf: () => ({
        nextLine: () => false,
        finish(context, leaf: LeafBlock) {
          if (leaf.content.length <= LONG) return false
          context.addLeafElement(leaf, context.elt('Plain', leaf.start, leaf.start + leaf.content.length))
          return true
        },
      }),
    } satisfies BlockParser,
  ],
}
const markdown = parser.configure([GFM, bounded])

export function readMarkdown(text: string, how: Reading = {}): Block[] {
  return new Reader(visible(text.slice(0, MOST).replace(/\r\n?/g, '\n')), how).read()
}

const MARK = /Mark$|^(TableDelimiter|TaskMarker)$/

class Reader {
  /** Where `[label]` leads. */
  readonly #labels = new Map<string, string>()
  constructor(
    readonly source: string,
    readonly how: Reading,
  ) {}

  read(): Block[] {
    const top = markdown.parse(this.source).topNode
    if (this.source.includes(']:')) this.#define(top, 0)
    return this.#blocks(top, 0)
  }

  #text = (node: { from: number; to: number }): string => this.source.slice(node.from, node.to)

  #define(within: SyntaxNode, deep: number): void {
    for (let node = within.firstChild; node; node = node.nextSibling) {
      if (node.name === 'LinkReference') {
        const [label, url] = [node.getChild('LinkLabel'), node.getChild('URL')]
        if (!label || !url) continue
        const name = labelOf(this.#text(label).slice(1, -1))
        if (!this.#labels.has(name)) this.#labels.set(name, addressOf(this.#text(url)))
      } else if (deep < DEEP && ['Blockquote', 'BulletList', 'OrderedList', 'ListItem'].includes(node.name)) this.#define(node, deep + 1)
    }
  }

  #blocks(within: SyntaxNode, deep: number): Block[] {
    const blocks: Block[] = []
    for (let node = within.firstChild; node; node = node.nextSibling) {
      const block = this.#block(node, deep)
      const last = blocks.at(-1)
      // Lines that were too much each by itself are one text.
      if (block?.kind === 'plain' && last?.kind === 'plain') last.text += `\n${block.text}`
      else if (block) blocks.push(block)
    }
    return blocks
  }

  #block(node: SyntaxNode, deep: number): Block | undefined {
    const { name } = node
    const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name)
    if (heading) return { kind: 'heading', level: Number(heading[1]), of: this.#line(node) }
    switch (name) {
      case 'Paragraph':
      case 'Task':
        return { kind: 'paragraph', of: this.#line(node) }
      case 'FencedCode':
      case 'CodeBlock': {
        const info = node.getChild('CodeInfo')
        const text = node.getChildren('CodeText').map(this.#text).join('')
        return { kind: 'code', lang: info ? (/^[\w+#.-]+/.exec(this.#text(info))?.[0] ?? '').toLowerCase() : '', text }
      }
      case 'Blockquote':
        return deep < DEEP ? { kind: 'quote', of: this.#blocks(node, deep + 1) } : { kind: 'plain', text: this.#text(node) }
      case 'BulletList':
      case 'OrderedList': {
        if (deep >= DEEP) return { kind: 'plain', text: this.#text(node) }
        const items = node.getChildren('ListItem').map((item): Item => {
          const marker = item.getChild('Task')?.getChild('TaskMarker')
          return { done: marker ? /x/i.test(this.#text(marker)) : undefined, of: this.#blocks(item, deep + 1) }
        })
        const first = node.getChild('ListItem')?.getChild('ListMark')
        return { kind: 'list', start: name === 'BulletList' || !first ? undefined : Number.parseInt(this.#text(first), 10), items }
      }
      case 'HorizontalRule':
        return { kind: 'rule' }
      case 'Table':
        return this.#table(node)
      case 'Plain':
        return { kind: 'plain', text: this.#text(node) }
      default:
        return MARK.test(name) ? undefined : { kind: 'source', of: this.#marked([{ kind: 'text', text: this.#text(node) }]) }
    }
  }

  #table(node: SyntaxNode): Block {
    const cells = (row: SyntaxNode | null) => {
      // A cell with nothing in it is no node: between two delimiters without a cell there is one.
      const found: Inline[][] = []
      let empty = false
      for (let part = row?.firstChild ?? null; part; part = part.nextSibling) {
        if (part.name === 'TableCell') found.push(this.#line(part))
        else if (part.name === 'TableDelimiter' && empty) found.push([])
        empty = part.name === 'TableDelimiter'
      }
      return found
    }
    const head = cells(node.getChild('TableHeader'))
    const line = node.getChild('TableDelimiter')
    const align = (line ? this.#text(line) : '')
      .replace(/^\s*\||\|\s*$/g, '')
      .split('|')
      .map((column) => {
        const [start, end] = [/^\s*:/.test(column), /:\s*$/.test(column)]
        return start && end ? 'center' : end ? 'end' : start ? 'start' : undefined
      })
    const rows = node.getChildren('TableRow').map((row) => cells(row).slice(0, head.length))
    return { kind: 'table', head, rows, align }
  }

  /** What stands in one block, with the terms in it marked. */
  #line(node: SyntaxNode): Inline[] {
    return this.#marked(trimmed(this.#inline(node, node.from, node.to, 0)))
  }

  /** `linked`: within a link, where there is no other. */
  #inline(within: SyntaxNode, from: number, to: number, deep: number, linked = false): Inline[] {
    const run = new Run(linked ? { ...this.how, mentions: () => [] } : this.how)
    let at = from
    for (let node = within.firstChild; node; node = node.nextSibling) {
      if (node.to <= from || node.from >= to) continue
      run.text(this.source.slice(at, node.from))
      at = node.to
      if (MARK.test(node.name)) continue
      const made = this.#node(node, deep, linked)
      run.put(typeof made === 'string' ? [{ kind: 'text', text: made }] : made)
    }
    run.text(this.source.slice(at, to))
    return run.nodes
  }

  /** One inline node; text that stands for it, as it is, where it is no more than that. */
  #node(node: SyntaxNode, deep: number, linked: boolean): Inline[] | string {
    const text = this.#text(node)
    if (deep >= DEEP) return text
    const inner = () => this.#inline(node, node.from, node.to, deep + 1, linked)
    switch (node.name) {
      case 'Emphasis':
        return [{ kind: 'em', of: inner() }]
      case 'StrongEmphasis':
        return [{ kind: 'strong', of: inner() }]
      case 'Strikethrough':
        return [{ kind: 'strike', of: inner() }]
      case 'InlineCode': {
        const [open, close] = [node.firstChild, node.lastChild]
        const code = this.source.slice(open?.to ?? node.from, close?.from ?? node.to).replace(/\n\s*(?:>\s?)*/g, ' ')
        return [{ kind: 'code', text: /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code }]
      }
      case 'Escape':
        return text.slice(1)
      case 'Entity':
        return visible(entity(text))
      case 'HardBreak':
        return [{ kind: 'break' }]
      case 'HTMLTag':
        return /^<br\s*\/?>$/i.test(text) ? [{ kind: 'break' }] : text
      case 'URL':
        if (linked) return text
        return [{ kind: 'link', to: addressOf(text), of: [{ kind: 'text', text }] }]
      case 'Autolink': {
        const written = text.slice(1, -1)
        if (linked) return written
        return [{ kind: 'link', to: addressOf(written), of: [{ kind: 'text', text: written }] }]
      }
      case 'Link':
      case 'Image':
        return this.#link(node, deep)
      default:
        return text
    }
  }

  #link(node: SyntaxNode, deep: number): Inline[] | string {
    const [open, close] = node.getChildren('LinkMark')
    if (!open || !close) return this.#text(node)
    const label = node.getChild('LinkLabel')
    const written = this.source.slice(open.to, close.from)
    // An address may stand in its words too.
    const url = node.getChildren('URL').find((one) => one.from >= close.to)
    const named = label && label.to - label.from > 2 ? this.#text(label).slice(1, -1) : written
    const to = url ? addressOf(this.#text(url)) : this.#labels.get(labelOf(named))
    // `[ ]` and `array[0]` are no links.
    const of = (linked: boolean) => this.#inline(node, open.to, close.from, deep + 1, linked)
    if (to === undefined) return node.name === 'Image' ? this.#text(node) : [{ kind: 'text', text: '[' }, ...of(false), { kind: 'text', text: this.source.slice(close.from, node.to) }]
    return [node.name === 'Image' ? { kind: 'image', alt: written.replace(/\s+/g, ' '), at: to } : { kind: 'link', to, of: of(true) }]
  }

  #marked(of: Inline[]): Inline[] {
    const { terms = [] } = this.how
    if (terms.length === 0) return of
    const leaves: { text: string; marks?: Range[] }[] = []
    const collect = (nodes: Inline[]) => {
      for (const node of nodes) {
        if ('text' in node) leaves.push(node)
        else if ('of' in node) collect(node.of)
        else leaves.push({ text: ' ' })
      }
    }
    collect(of)
    let at = 0
    const ranges = findTerms(leaves.map((leaf) => leaf.text).join(''), terms)
    if (ranges.length === 0) return of
    for (const leaf of leaves) {
      const end = at + leaf.text.length
      const marks = ranges.filter(([from, to]) => from < end && to > at).map(([from, to]): Range => [Math.max(0, from - at), Math.min(end, to) - at])
      if (marks.length > 0) leaf.marks = marks
      at = end
    }
    return of
  }
}

const labelOf = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** An address as it is meant: without its angle brackets and escapes. */
function addressOf(written: string): string {
  const plain = /^<.*>$/.test(written) ? written.slice(1, -1) : written
  const meant = plain.replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, entity)
  if (/^www\./i.test(meant)) return `https://${meant}`
  return /^[^\s:/?#@]+@[^\s:/?#@]+\.[^\s:/?#@]+$/.test(meant) ? `mailto:${meant}` : meant
}

const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]/u

/** Inline nodes as they come, with what becomes of the line ends between them: a break where they are kept, else a space,
 * but none between Japanese characters. */
class Run {
  nodes: Inline[] = []
  #lineEnds = false
  constructor(readonly how: Reading) {}

  text(text: string): void {
    text.split('\n').forEach((line, nth, { length }) => {
      if (nth > 0) this.#lineEnds = true
      const words = this.#lineEnds || this.nodes.at(-1)?.kind === 'break' ? line.trimStart() : line
      if (words.trim() !== '' || (words !== '' && nth === length - 1)) this.put(this.#read(nth < length - 1 ? words.trimEnd() : words))
    })
  }

  /** The words, with what is mentioned in them as links. */
  #read(words: string): Inline[] {
    const nodes: Inline[] = []
    let at = 0
    for (const { from, to, address } of this.how.mentions?.(words) ?? []) {
      if (from > at) nodes.push({ kind: 'text', text: words.slice(at, from) })
      nodes.push({ kind: 'link', to: address, of: [{ kind: 'text', text: words.slice(from, to) }] })
      at = to
    }
    return at < words.length ? [...nodes, { kind: 'text', text: words.slice(at) }] : nodes
  }

  put(nodes: Inline[]): void {
    if (this.#lineEnds && nodes.length > 0 && this.nodes.length > 0) {
      const last = this.nodes.at(-1)
      if (last?.kind === 'text') last.text = last.text.trimEnd()
      const wide = WIDE.test(edge(this.nodes, -1)) && WIDE.test(edge(nodes, 0))
      if (last?.kind !== 'break') this.nodes.push(this.how.breaks ? { kind: 'break' } : { kind: 'text', text: wide ? '' : ' ' })
    }
    this.#lineEnds = false
    this.nodes.push(...nodes)
  }
}

/** The first character of what is said, or the last. */
function edge(nodes: Inline[], at: 0 | -1): string {
  const node = nodes.at(at)
  if (!node) return ''
  return 'text' in node ? node.text.slice(at, at === 0 ? 1 : undefined) : 'of' in node ? edge(node.of, at) : ''
}

/** Without space and line ends at either end. */
function trimmed(nodes: Inline[]): Inline[] {
  const blank = (node: Inline | undefined) => node?.kind === 'break' || (node?.kind === 'text' && node.text.trim() === '')
  let [from, to] = [0, nodes.length]
  while (from < to && blank(nodes[from])) from++
  while (to > from && blank(nodes[to - 1])) to--
  const kept = nodes.slice(from, to)
  const [first, last] = [kept[0], kept.at(-1)]
  if (first?.kind === 'text') first.text = first.text.trimStart()
  if (last?.kind === 'text') last.text = last.text.trimEnd()
  return kept
}
