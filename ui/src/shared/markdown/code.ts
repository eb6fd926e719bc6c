// Colours for code: which stretch of it is what. Grammars are read when a text first needs one, and only those that the
// agents' work is full of; code in any other language, or too much of it, stays as it is.
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import type { Parser } from '@lezer/common'
import type { StreamParser } from '@codemirror/language'

/** A stretch of a text, with the name of what it is. */
export interface Styled {
  from: number
  to: number
  style: string
}

const LONGEST = 30_000
/** Nobody reads code in lines such as these by its colours, and grammars take long over what they may nest. */
const ENDLESS = /[^\n]{2000}/

const stream = async (mode: StreamParser<unknown>): Promise<Parser> =>
  (await import('@codemirror/language')).StreamLanguage.define(mode).parser
const script = (dialect: string) => async () => (await import('@lezer/javascript')).parser.configure({ dialect })
const shell = async () => stream((await import('@codemirror/legacy-modes/mode/shell')).shell)
const yaml = async () => (await import('@lezer/yaml')).parser
const html = async () => (await import('@lezer/html')).parser

const GRAMMARS = new Map<string, () => Promise<Parser>>([
  ['js', script('jsx')],
  ['jsx', script('jsx')],
  ['ts', script('ts')],
  ['tsx', script('jsx ts')],
  ['json', async () => (await import('@lezer/json')).parser],
  ['css', async () => (await import('@lezer/css')).parser],
  ['html', html],
  ['rust', async () => (await import('@lezer/rust')).parser],
  ['python', async () => (await import('@lezer/python')).parser],
  ['yaml', yaml],
  ['shell', shell],
  ['diff', async () => stream((await import('@codemirror/legacy-modes/mode/diff')).diff)],
  ['toml', async () => stream((await import('@codemirror/legacy-modes/mode/toml')).toml)],
  ['sql', async () => stream((await import('@codemirror/legacy-modes/mode/sql')).standardSQL)],
  ['go', async () => stream((await import('@codemirror/legacy-modes/mode/go')).go)],
  ['ruby', async () => stream((await import('@codemirror/legacy-modes/mode/ruby')).ruby)],
  ['c', async () => stream((await import('@codemirror/legacy-modes/mode/clike')).cpp)],
  ['java', async () => stream((await import('@codemirror/legacy-modes/mode/clike')).java)],
])
const ALSO = new Map(
  Object.entries({
    javascript: 'js', mjs: 'js', cjs: 'js', typescript: 'ts', mts: 'ts', jsonc: 'json', json5: 'json', jsonl: 'json', xml: 'html',
    svg: 'html', svelte: 'html', vue: 'html', rs: 'rust', py: 'python', yml: 'yaml', sh: 'shell', bash: 'shell', zsh: 'shell',
    console: 'shell', patch: 'diff', golang: 'go', rb: 'ruby', cpp: 'c', 'c++': 'c', h: 'c', kotlin: 'java', scss: 'css',
  }),
)

const style = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self, tags.null, tags.bool, tags.atom], class: 'keyword' },
  { tag: [tags.string, tags.character, tags.attributeValue, tags.regexp, tags.special(tags.string)], class: 'string' },
  { tag: [tags.comment, tags.docComment], class: 'comment' },
  { tag: [tags.number, tags.integer, tags.float, tags.color, tags.unit], class: 'number' },
  { tag: [tags.propertyName, tags.attributeName, tags.definition(tags.variableName), tags.function(tags.variableName), tags.labelName], class: 'name' },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.namespace, tags.macroName], class: 'type' },
  { tag: [tags.meta, tags.processingInstruction, tags.heading], class: 'meta' },
  { tag: tags.inserted, class: 'added' },
  { tag: tags.deleted, class: 'removed' },
])

const ready = new Map<string, Parser>()

function read(parser: Parser, text: string): Styled[] {
  const found: Styled[] = []
  try {
    highlightTree(parser.parse(text.slice(0, LONGEST)), style, (from, to, style) => found.push({ from, to, style }))
  } catch {
    // What is nested ten thousand deep has no colours.
    return []
  }
  return found
}

/** What is what in the code of a language: at once where the grammar is here already. */
export function styled(text: string, lang: string): Styled[] | Promise<Styled[]> {
  const name = ALSO.get(lang) ?? lang
  if (ENDLESS.test(text.slice(0, LONGEST))) return []
  const parser = ready.get(name)
  if (parser) return read(parser, text)
  const load = GRAMMARS.get(name)
  if (!load) return []
  return load().then((parser) => {
    ready.set(name, parser)
    return read(parser, text)
  })
}

/** A piece of code as it is shown: of one style, marked or not. */
export interface Piece {
  text: string
  style: string | undefined
  marked: boolean
}

/** The text in pieces, cut where styles and marks begin and end. Both are in order and don't overlap among themselves. */
export function pieces(text: string, styles: readonly Styled[], marks: readonly (readonly [number, number])[]): Piece[] {
  const found: Piece[] = []
  let [at, s, m] = [0, 0, 0]
  while (at < text.length) {
    while (s < styles.length && (styles[s]?.to ?? 0) <= at) s++
    while (m < marks.length && (marks[m]?.[1] ?? 0) <= at) m++
    const [one, mark] = [styles[s], marks[m]]
    const styleNow = one && one.from <= at ? one : undefined
    const markNow = mark && mark[0] <= at ? mark : undefined
    const end = Math.min(text.length, styleNow?.to ?? one?.from ?? Infinity, markNow?.[1] ?? mark?.[0] ?? Infinity)
    found.push({ text: text.slice(at, end), style: styleNow?.style, marked: markNow !== undefined })
    at = end
  }
  return found
}
