// The fake's frontmatter: enough YAML for the records that are invented here and for what the form sets in them. The
// real thing is the engine's; this one must only behave like it at the door.
import type { FieldValue, RecordField, RecordFields, RecordKind, RecordSource } from '../records'
import { Failure } from '../types'

interface Field {
  name: string
  value: FieldValue
  from: number
  to: number
  lines: [number, number]
}
export interface Frontmatter {
  fields: Field[]
  /** Where the closing fence and the body begin. */
  close: number
  body: number
  /** Why it can't be read, and where. */
  bad: { missing: boolean; why: string; from: number; to: number } | null
}

const SOURCES = ['sources', 'last_sources']
const TIMES = ['created_at', 'updated_at']
/** The fields of each kind's contract, and whether they are required. */
export const CONTRACT: Record<RecordKind, [name: string, required: boolean][]> = {
  summary: [['updated_at', true], ['created_at', false], ['last_rewritten_from_range', false]],
  decision: [['created_at', true], ['updated_at', true], ['sources', true], ['status', true], ['replaced_by', false]],
  request: [['created_at', true], ['updated_at', true], ['sources', true]],
  knowledge: [
    ['kind', true], ['description', true], ['model_invokation', true], ['user_invocable', true], ['last_sources', true],
    ['created_at', true], ['updated_at', true],
  ],
}

function valueOf(name: string, written: string): FieldValue {
  const plain = written.replace(/\s+#.*$/, '').trim()
  if (plain === '' || plain === 'null' || plain === '~') return { type: 'null' }
  if (SOURCES.includes(name)) {
    const found = [...written.matchAll(/(session_id|segment_id):\s*"?([^\s",}]+)"?,?\s*range:\s*\[(\d+),\s*(\d+)\]/g)]
    if (plain === '[]' || found.length > 0)
      return {
        type: 'sources',
        value: found.map(([, key, id = '', a, b]): RecordSource => ({ session_id: id, range: [Number(a), Number(b)], segment: key === 'segment_id' })),
      }
  }
  const range = /^\[(\d+),\s*(\d+)\]$/.exec(plain)
  if (range) return { type: 'range', value: [Number(range[1]), Number(range[2])] }
  if (/^[[{|>&*]/.test(plain) || written.includes('\n')) return { type: 'yaml', value: written }
  if (plain === 'true' || plain === 'false') return { type: 'bool', value: plain === 'true' }
  if (/^-?\d+$/.test(plain)) return { type: 'int', value: Number(plain) }
  if (/^".*"$/.test(plain)) return { type: 'text', value: String(JSON.parse(plain)) }
  if (/^'.*'$/.test(plain)) return { type: 'text', value: plain.slice(1, -1).replaceAll("''", "'") }
  return { type: 'text', value: plain }
}

export function readFrontmatter(text: string, say: (en: string, ja: string) => string): Frontmatter {
  const open = /^\uFEFF?(?:[ \t]*\n)*---[ \t]*(?:\n|$)/.exec(text)
  const nothing = (missing: boolean, why: string, from: number, to: number): Frontmatter => ({
    fields: [], close: 0, body: 0, bad: { missing, why, from, to },
  })
  const firstLine = /^.*/.exec(text)?.[0].length ?? 0
  if (!open)
    return nothing(true, say('the frontmatter is missing: the first line must be `---`', 'frontmatter がありません。最初の行は「---」でなければなりません'), 0, firstLine)
  const start = open[0].length
  const end = /^---[ \t]*$/m.exec(text.slice(start))
  if (!end)
    return nothing(false, say('the frontmatter is not closed: a second line `---` is missing', 'frontmatter が閉じられていません。2 つめの「---」の行がありません'), 0, firstLine)
  const close = start + end.index
  const body = Math.min(text.length, close + end[0].length + 1)
  const fields: Field[] = []
  let at = start
  for (const line of text.slice(start, close).split(/(?<=\n)/)) {
    const key = /^([^\s:#'"[\]{}-][^:\n]*?)[ \t]*:(?=\s|$)/.exec(line)
    const last = fields.at(-1)
    if (key?.[1] !== undefined) {
      const written = line.slice(key[0].length).replace(/\s+$/, '')
      const lead = written.length - written.trimStart().length
      const from = at + key[0].length + (written.trim() === '' ? 0 : lead)
      if (/^[^"'[{|>]*: /.test(written.trim()))
        return {
          ...nothing(false, say(`the frontmatter is not valid YAML (line ${text.slice(0, at).split('\n').length}: mapping values are not allowed here); text that holds \`: \` or \` #\` must be quoted`, `frontmatter が YAML として読めません（${text.slice(0, at).split('\n').length} 行目）。「: 」や「 #」を含む文字列は引用符で囲んでください`), at, at + line.trimEnd().length),
          close, body,
        }
      fields.push({ name: key[1], value: { type: 'null' }, from, to: at + key[0].length + written.length, lines: [at, at + line.length] })
    } else if (last && /^(\s|-)/.test(line) && line.trim() !== '') {
      if (last.from === last.to) last.from = at + line.length - line.trimStart().length
      last.to = at + line.trimEnd().length
      last.lines[1] = at + line.length
    }
    at += line.length
  }
  for (const field of fields) field.value = valueOf(field.name, text.slice(field.from, field.to))
  return { fields, close, body, bad: null }
}

function write(name: string, value: FieldValue): string {
  switch (value.type) {
    case 'null':
      return ''
    case 'range':
      return ` [${value.value.join(', ')}]`
    case 'sources':
      if (value.value.length === 0) return ' []'
      return value.value
        .map(({ session_id, range, segment }) => `\n  - ${segment ? 'segment_id' : 'session_id'}: ${session_id}\n    range: [${range.join(', ')}]`)
        .join('')
    case 'text': {
      const plain = TIMES.includes(name) || /^[^\s\-?:,[\]{}#&*!|>'"%@`0-9](?!.*(: | #|:$|\s$))/u.test(value.value)
      const word = /^(true|false|null|yes|no|on|off|~)$/i.test(value.value)
      return ` ${plain && !word && !value.value.includes('\n') ? value.value : JSON.stringify(value.value)}`
    }
    default:
      return ` ${String(value.value)}`
  }
}

const refused = (why: string, say: (en: string, ja: string) => string) =>
  new Failure('refused', say(`${why}; edit the file as text instead`, `${why}。ファイルをテキストとして編集してください`))

export function setIn(text: string, name: string, value: FieldValue, say: (en: string, ja: string) => string): string {
  const read = readFrontmatter(text, say)
  if (read.bad) throw refused(read.bad.why, say)
  const written = write(name, value)
  const field = read.fields.find((field) => field.name === name)
  if (!field) return `${text.slice(0, read.close)}${name}:${written}\n${text.slice(read.close)}`
  const colon = text.indexOf(':', field.lines[0]) + 1
  return text.slice(0, colon) + written + text.slice(field.to)
}

export function removeIn(text: string, name: string, say: (en: string, ja: string) => string): string {
  const read = readFrontmatter(text, say)
  if (read.bad) throw refused(read.bad.why, say)
  const field = read.fields.find((field) => field.name === name)
  return field ? text.slice(0, field.lines[0]) + text.slice(field.lines[1]) : text
}

export function fieldsOf(kind: RecordKind, text: string, say: (en: string, ja: string) => string): RecordFields {
  const read = readFrontmatter(text, say)
  const contract = new Map(CONTRACT[kind])
  const fields = read.fields.map((field): RecordField => ({ ...field, required: contract.get(field.name) ?? false }))
  const missing = CONTRACT[kind]
    .filter(([name]) => !fields.some((field) => field.name === name))
    .map(([name, required]) => ({ name, required }))
  return { fields, missing, editable: read.bad === null, why: read.bad?.why ?? null, body: read.body }
}
