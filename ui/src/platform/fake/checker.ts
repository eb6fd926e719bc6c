// The fake's checker: the rules of the records' contract that a view has something to show of, with their quick fixes.
import { fold } from '../../shared/marks'
import { DECISION_STATUSES, type FieldValue, type FindingCode, type QuickFix, type RecordFinding, type RecordKind, type TextEdit } from '../records'
import { CONTRACT, readFrontmatter, setIn } from './frontmatter'

type Say = (en: string, ja: string) => string

/** Which records there are, as far as the rules look at others. */
export interface Others {
  has(kind: RecordKind, slug: string): boolean
  meant(slug: string): boolean
  slugs(kind: RecordKind | null): string[]
  near(kind: RecordKind, slug: string): string[]
  now: string
}

/** Edit distance. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const swapped = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      next.push(Math.min(swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The one replacement that makes `to` of `from`. */
function between(from: string, to: string): TextEdit {
  let start = 0
  while (start < from.length && from[start] === to[start]) start += 1
  let end = 0
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end += 1
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) }
}

export function checkText(kind: RecordKind, slug: string, text: string, others: Others, say: Say): RecordFinding[] {
  const found: RecordFinding[] = []
  const add = (code: FindingCode, severity: RecordFinding['severity'], from: number, to: number, message: string, fixes: QuickFix[] = []) =>
    found.push({ code, severity, message, from, to, line: text.slice(0, from).split('\n').length, fixes })
  const read = readFrontmatter(text, say)
  const fix = (name: string, value: FieldValue, label: string): QuickFix => ({ label, edit: between(text, setIn(text, name, value, say)) })
  const initial = (name: string): FieldValue => {
    if (name.endsWith('_at')) return { type: 'text', value: others.now }
    if (name.endsWith('sources')) return { type: 'sources', value: [] }
    if (name === 'status') return { type: 'text', value: 'open' }
    if (name === 'kind') return { type: 'text', value: 'note' }
    return name === 'description' ? { type: 'text', value: '' } : { type: 'bool', value: name === 'user_invocable' }
  }
  const field = (name: string) => read.fields.find((field) => field.name === name)
  const textOf = (name: string) => {
    const value = field(name)?.value
    return value?.type === 'text' ? value.value : undefined
  }
  if (text.startsWith('\uFEFF'))
    add('reference_cannot_read', 'warning', 0, 1, say('a byte order mark stands first: other programs can’t read this record', '先頭に BOM があります。ほかのプログラムでは読めません'), [
      { label: say('Remove it', '取り除く'), edit: { from: 0, to: 1, insert: '' } },
    ])
  if (read.bad) {
    const { missing, why, from, to } = read.bad
    const begin = CONTRACT[kind].filter(([, required]) => required).reduce((made, [name]) => setIn(made, name, initial(name), say), '---\n---\n\n')
    add(missing ? 'frontmatter_missing' : 'frontmatter_malformed', 'error', from, to, why, missing ? [{ label: say('Insert frontmatter', 'frontmatter を入れる'), edit: { from: 0, to: 0, insert: begin } }] : [])
  } else {
    const misspelt = kind === 'knowledge' ? field('model_invocation') : undefined
    if (misspelt) {
      const [from] = misspelt.lines
      add('field_misspelt', 'error', from, from + 16, say('`model_invocation` is spelt `model_invokation` here, with a k', 'model_invocation ではなく、k を使って model_invokation と書いてください'), [
        { label: say('Spell it with a k', 'k に直す'), edit: { from, to: from + 16, insert: 'model_invokation' } },
      ])
    }
    for (const [name, required] of CONTRACT[kind]) {
      const present = field(name)
      if (present && present.value.type !== 'null') {
        const { type } = present.value
        const wanted = name.endsWith('sources') ? 'sources' : name.endsWith('_range') ? 'range' : /^(model|user)_/.test(name) ? 'bool' : 'text'
        const time = name.endsWith('_at') && type === 'text' && !/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(textOf(name) ?? '')
        if (type !== wanted || time) add('field_type', 'error', present.from, present.to, say(`\`${name}\` is not of the right shape`, `${name} の形が正しくありません`), name.endsWith('_at') ? [fix(name, initial(name), say('Set to now', '現在の日時にする'))] : [])
      } else if (required && !(name === 'model_invokation' && misspelt))
        add('field_missing', 'error', 0, 3, say(`\`${name}\` is missing`, `${name} がありません`), [fix(name, initial(name), say(`Add ${name}`, `${name} を加える`))])
    }
    if (kind === 'decision') {
      const [status, by] = [field('status'), textOf('replaced_by')]
      const word = textOf('status')
      if (status && word !== undefined && !(DECISION_STATUSES as readonly string[]).includes(word))
        add('status_unknown', 'error', status.from, status.to, say(`\`${word}\` is no status: open, resolved or replaced`, `「${word}」という status はありません。open、resolved、replaced のどれかにしてください`), DECISION_STATUSES.slice(0, 2).map((value) => fix('status', { type: 'text', value }, value)))
      const target = field('replaced_by')
      if (by === undefined && word === 'replaced' && status)
        add('replaced_without_target', 'error', status.from, status.to, say('the status is replaced, and `replaced_by` does not say by what', 'status が replaced ですが、replaced_by がありません'))
      else if (target && by === slug) add('replaced_by_self', 'error', target.from, target.to, say('`replaced_by` names the record itself', 'replaced_by がこの記録自身を指しています'))
      else if (target && by !== undefined && !others.has('decision', by))
        add('replaced_by_unknown', 'error', target.from, target.to, say(`there is no decision \`${by}\``, `decision「${by}」はありません`), others.near('decision', by).map((value) => fix('replaced_by', { type: 'text', value }, value)))
    }
    const [created, updated] = [textOf('created_at'), textOf('updated_at')]
    const late = field('updated_at')
    if (created && updated && late && Date.parse(updated) < Date.parse(created))
      add('updated_before_created', 'warning', late.from, late.to, say('`updated_at` is before `created_at`', 'updated_at が created_at より前になっています'), [fix('updated_at', { type: 'text', value: others.now }, say('Set to now', '現在の日時にする'))])
  }
  const length = [...text.slice(read.body)].length
  const limit = kind === 'summary' ? 20_000 : 8_000
  if (length > limit) add('body_too_long', 'error', read.body, read.body, say(`the body has ${length} characters: at most ${limit} are allowed`, `本文が ${length} 文字あります。${limit} 文字までです`))
  const prose = text.slice(read.body).replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => ' '.repeat(code.length))
  for (const mention of prose.matchAll(/(?<![\w/#&])#([a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])/g)) {
    const [whole, name = ''] = mention
    if (name === slug || others.meant(name) || /^\d+$|^([0-9a-f]{3}|[0-9a-f]{6})$/.test(name)) continue
    const from = read.body + mention.index
    add('mention_unknown', 'warning', from, from + whole.length, say(`\`#${name}\` names no record`, `「#${name}」という記録はありません`), others.slugs(null).filter((other) => fold(other) !== name && distance(other, name) <= 3).slice(0, 3).map((other) => ({ label: `#${other}`, edit: { from, to: from + whole.length, insert: `#${other}` } })))
  }
  const near = kind === 'summary' ? [] : others.near(kind, slug)
  if (near.length > 0)
    add('near_slugs', 'warning', 0, 0, say(`the name is very near to ${near.join(', ')}: should they be merged?`, `名前が ${near.join('、')} とよく似ています。まとめられないか確かめてください`))
  return found.sort((a, b) => a.from - b.from || a.to - b.to)
}
