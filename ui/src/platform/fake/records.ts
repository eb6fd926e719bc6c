// The memory and knowledge records, invented and kept in memory.
import { fold } from '../../shared/marks'
import {
  RECORD_KINDS,
  type KeptRecord,
  type RecordDraft,
  type RecordKind,
  type RecordRow,
  type Records,
  type RecordText,
  type SourceFound,
} from '../records'
import { Failure } from '../types'
import { checkText, distance, type Others } from './checker'
import { CONTRACT, fieldsOf, readFrontmatter, removeIn, setIn } from './frontmatter'
import type { Ground } from './ground'
import { mergeTexts } from './merge'
import { fileOf, kindOf, readFiles, slugOf, type FakeFile } from './recordFiles'

/** What tests do to the record files, as another process would. */
export interface RecordControls {
  /** Writes a file, and tells the page. */
  write(ref: string, text: string): void
  remove(ref: string): void
  /** What stands in a file; nothing if it is not there. */
  text(ref: string): string | undefined
  readOnly(ref: string): void
  /** An earlier window left this text, begun from what is in the file now. */
  draft(ref: string, text: string): void
}

const SLUG = /^(?!.*--)[a-z0-9][a-z0-9-]{0,63}(?<!-)$/
const EXCERPT_LINES = 3

/** A version's name; only its being the same or not matters here. */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1000193]
  for (let at = 0; at < text.length; at++) {
    a = Math.imul(a ^ text.charCodeAt(at), 0x01000193)
    b = Math.imul(b ^ text.charCodeAt(at), 0x85ebca6b)
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

export function makeRecords(ground: Ground): { records: Records; controls: RecordControls } {
  const { call, emit, say, now, address, record } = ground
  const { files, strays } = readFiles(ground)
  const drafts = new Map<string, RecordDraft>()
  const kept: (KeptRecord & { bytes: FakeFile })[] = []
  const root = '/home/haruka/kohaku/.kiroku'
  let hasFolders = address.get('records') !== 'none' && address.get('begin') !== 'empty'
  const stamp = () => new Date(now).toISOString().replace('.000', '')
  const tell = (...refs: string[]) => emit({ kind: 'records', refs, all: false })

  const missing = (ref: string) => new Failure('not_found', say(`there is no ${ref.replace(':', ' ')}`, `${ref.replace(':', ' ')} はありません`))
  const find = (ref: string): FakeFile => {
    const file = files.get(ref)
    if (!file) throw missing(ref)
    if (file.unreadable) throw new Failure('damaged', say(`${fileOf(ref)} is not UTF-8 (byte 118)`, `${fileOf(ref)} は UTF-8 ではありません（118 バイト目）`))
    return file
  }
  /** In the order of the list: by kind, then by file name. */
  const order = (a: string, b: string) =>
    RECORD_KINDS.indexOf(kindOf(a)) - RECORD_KINDS.indexOf(kindOf(b)) || (`${slugOf(a)}.md` < `${slugOf(b)}.md` ? -1 : 1)
  const refs = () => [...files.keys()].sort(order)
  const meant = (slug: string) => (['knowledge', 'decision', 'request'] as const).map((kind) => `${kind}:${slug}`).find((ref) => files.has(ref))
  const slugs = (kind: RecordKind | null) => [...files.keys()].filter((ref) => (kind === null ? ref !== 'summary' : kindOf(ref) === kind)).map(slugOf)
  const many = files.size > 500
  const others: Others = {
    has: (kind, slug) => files.has(`${kind}:${slug}`),
    meant: (slug) => meant(slug) !== undefined,
    slugs,
    // Numbered names are all alike; and looking is quadratic.
    near: (kind, slug) => (many ? [] : slugs(kind).filter((other) => other !== slug && distance(other, slug) <= 2)),
    get now() {
      return stamp()
    },
  }
  const check = (ref: string, text: string) => checkText(kindOf(ref), slugOf(ref), text, others, say)
  const whole = (ref: string): RecordText => {
    const file = find(ref)
    const { text } = file
    return {
      ref,
      file: fileOf(ref),
      text,
      hash: hashOf(text),
      findings: check(ref, text),
      read_only: file.readOnly ?? false,
      line_ends: file.crlf ? 'crlf' : 'lf',
      bom: text.startsWith('\uFEFF'),
    }
  }
  const about = (text: string): string => {
    const { fields, body } = readFrontmatter(text, say)
    const described = fields.find((field) => field.name === 'description')?.value
    if (described?.type === 'text' && described.value !== '') return described.value
    const line = text.slice(body).split('\n').find((line) => line.trim() !== '') ?? ''
    return line.replace(/^#+\s+/, '').trim()
  }
  const rowOf = (ref: string): RecordRow => {
    const file = files.get(ref)
    const text = file?.text ?? ''
    const findings = file?.unreadable ? [] : check(ref, text)
    const { fields } = readFrontmatter(text, say)
    const word = (name: string) => {
      const value = fields.find((field) => field.name === name)?.value
      return value?.type === 'text' ? value.value : null
    }
    return {
      ref,
      kind: kindOf(ref),
      slug: slugOf(ref),
      file: fileOf(ref),
      about: about(text),
      type: kindOf(ref) === 'knowledge' ? word('kind') : null,
      status: word('status'),
      replaced_by: word('replaced_by'),
      updated: word('updated_at'),
      modified: new Date(file?.modified ?? now).toISOString(),
      size: new TextEncoder().encode(text).length,
      errors: findings.filter(({ severity }) => severity === 'error').length,
      warnings: findings.filter(({ severity }) => severity === 'warning').length,
      unreadable: file?.unreadable ? say('not UTF-8 (byte 118)', 'UTF-8 ではありません（118 バイト目）') : null,
      read_only: file?.readOnly ?? false,
    }
  }
  const mentions = (text: string, slug: string) => new RegExp(`(?<![\\w/#&])#${slug}(?![\\w-])`, 'g').test(text)
  const refers = (from: string, ref: string) => {
    const text = files.get(from)?.text ?? ''
    const by = kindOf(ref) === 'decision' && new RegExp(`^replaced_by: ${slugOf(ref)}$`, 'm').test(text)
    return from !== ref && (by || (meant(slugOf(ref)) === ref && mentions(text, slugOf(ref))))
  }
  const backlinks = (ref: string) => refs().filter((from) => refers(from, ref))
  const follow = (text: string, ref: string, to: string) =>
    text
      .replace(new RegExp(`(?<![\\w/#&])#${slugOf(ref)}(?![\\w-])`, 'g'), `#${to}`)
      .replace(new RegExp(`^(replaced_by: )${slugOf(ref)}$`, 'm'), `$1${to}`)

  function free(ref: string): void {
    if (!SLUG.test(slugOf(ref)))
      throw new Failure('invalid_input', say(`\`${slugOf(ref)}\` is not a slug: 1 to 64 of a-z, 0-9 and -, with no - at either end and no --`, `「${slugOf(ref)}」は slug として使えません。a-z、0-9、- を 1〜64 文字で、両端に - を置かず、-- を含めずに書いてください`))
    if (files.has(ref)) throw new Failure('refused', say(`${ref.replace(':', ' ')} is there already; nothing was written`, `${ref.replace(':', ' ')} はすでにあります。何も書き込んでいません`))
  }
  function based(ref: string, base: string): FakeFile {
    const file = find(ref)
    if (hashOf(file.text) !== base) throw new Failure('conflict', say(`${fileOf(ref)} changed meanwhile; nothing was written`, `${fileOf(ref)} は、その間に変更されました。何も書き込んでいません`))
    return file
  }
  function make(ref: string, text: string): RecordText {
    free(ref)
    hasFolders = true
    files.set(ref, { text, modified: now })
    tell(ref)
    return whole(ref)
  }
  const source = (ref: string) => {
    const comment = record.comments.find(({ id }) => `comment:${id}` === ref)
    const task = record.tasks.find(({ id }) => id === comment?.task)
    if (!comment || !task) throw missing(ref)
    const seq = 1 + record.comments.filter(({ task: of }) => of === task.id).indexOf(comment)
    return { session_id: task.uid, range: [seq, seq] as [number, number], segment: false }
  }

  const records: Records = {
    records: () => call('records', () => ({ root, has_folders: hasFolders, records: refs().map(rowOf), strays: strays.map((one) => ({ ...one, message: say('its name is no slug: 1 to 64 of a-z, 0-9 and -', 'ファイル名が slug ではありません（a-z、0-9、- を 1〜64 文字）') })) })),
    makeFolders: () =>
      call('makeFolders', () => {
        hasFolders = true
        emit({ kind: 'records', refs: [], all: true })
      }),
    slugs: () => call('slugs', () => [...new Set(slugs(null))].map((slug) => ({ slug, ref: meant(slug) ?? '', about: about(files.get(meant(slug) ?? '')?.text ?? '') }))),
    searchRecords: (query, kinds) =>
      call('searchRecords', () => {
        const wanted = fold(query)
        const found = refs()
          .filter((ref) => kinds.includes(kindOf(ref)))
          .flatMap((ref) => {
            const lines = (files.get(ref)?.text ?? '').split('\n')
            const hits = lines.flatMap((line, nth) => (fold(line).includes(wanted) ? [nth] : []))
            const excerpts: [number, number][] = []
            for (const hit of hits) {
              const [from, to] = [Math.max(0, hit - EXCERPT_LINES), Math.min(lines.length, hit + EXCERPT_LINES + 1)]
              const last = excerpts.at(-1)
              if (last && from <= last[1]) last[1] = to
              else excerpts.push([from, to])
            }
            const shown = excerpts.map(([from, to]) => ({ line: from + 1, text: lines.slice(from, to).join('\n') }))
            return hits.length === 0 ? [] : [{ ref, about: about(lines.join('\n')), lines: hits.length, excerpts: shown }]
          })
        const total = found.reduce((sum, { lines }) => sum + lines, 0)
        return { records: found, total, left_out: 0, problems: [] }
      }),

    readRecord: (ref) => call('readRecord', () => whole(ref)),
    aroundRecord: (ref) =>
      call('aroundRecord', () => {
        const { fields } = readFrontmatter(find(ref).text, say)
        const value = fields.find(({ name }) => name === 'sources' || name === 'last_sources')?.value
        const sources = (value?.type === 'sources' ? value.value : []).map((source): SourceFound => {
          const task = record.tasks.find(({ uid }) => uid === source.session_id)
          const [first, last] = source.range
          const all = record.comments.filter(({ task: of }) => of === task?.id).slice(Math.max(0, first - 1), last)
          const comments = all.slice(0, 20).map(({ id, body, author, created }) => ({ ref: `comment:${id}`, excerpt: body.replace(/\s+/g, ' ').slice(0, 160), author, created }))
          return { source, comments, total: all.length, task: task ? { ref: `task:${task.id}`, title: task.title } : null }
        })
        const used = kindOf(ref) === 'knowledge' && slugOf(ref).length % 2 === 0
        return { backlinks: backlinks(ref), sources, uses: used ? { count: slugOf(ref).length, last: '2026-08-19T22:14:00Z' } : null }
      }),
    checkRecord: (ref, text) => call('checkRecord', () => check(ref, text)),
    recordFields: (ref, text) => call('recordFields', () => fieldsOf(kindOf(ref), text, say)),
    setField: (text, name, value) => call('setField', () => setIn(text, name, value, say)),
    removeField: (text, name) => call('removeField', () => removeIn(text, name, say)),
    setStatus: (text, status, by) =>
      call('setStatus', () => {
        const set = setIn(text, 'status', { type: 'text', value: status }, say)
        return by === null || status !== 'replaced' ? removeIn(set, 'replaced_by', say) : setIn(set, 'replaced_by', { type: 'text', value: by }, say)
      }),
    mergeRecord: (base, draft, present) => call('mergeRecord', () => mergeTexts(base, draft, present)),

    saveRecord: (ref, text, base) =>
      call('saveRecord', () => {
        const file = files.get(ref)
        if (!file) return { outcome: 'conflict' as const, theirs: null }
        if (hashOf(file.text) !== base) return { outcome: 'conflict' as const, theirs: { text: file.text, hash: hashOf(file.text) } }
        if (file.readOnly) throw new Failure('refused', say(`${fileOf(ref)} is read-only; nothing was written`, `${fileOf(ref)} は読み取り専用です。何も書き込んでいません`))
        const updated = (of: string) => /^updated_at:.*$/m.exec(of)?.[0]
        const touch = text !== file.text && updated(text) !== undefined && updated(text) === updated(file.text)
        file.text = touch ? setIn(text, 'updated_at', { type: 'text', value: stamp() }, say) : text
        file.modified = now
        tell(ref)
        return { outcome: 'saved' as const, record: whole(ref) }
      }),
    suggestSlug: (kind, title) =>
      call('suggestSlug', () => {
        const made = title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60).replace(/-+$/, '')
        const begin = made || `${kind}-${stamp().slice(0, 10)}`
        for (let nth = 1; ; nth++) {
          const slug = nth === 1 ? begin : `${begin}-${nth}`
          if (!files.has(`${kind}:${slug}`)) return slug
        }
      }),
    createRecord: ({ kind, slug, fields, body, comments }) =>
      call('createRecord', () => {
        const name = kind === 'knowledge' ? 'last_sources' : 'sources'
        const template: Parameters<Records['createRecord']>[0]['fields'] = {
          status: { type: 'text', value: 'open' }, kind: { type: 'text', value: 'note' }, description: { type: 'text', value: '' },
          model_invokation: { type: 'bool', value: false }, user_invocable: { type: 'bool', value: true }, [name]: { type: 'sources', value: comments.map(source) },
        }
        let text = `---\n---\n\n${body}`
        for (const [field, required] of CONTRACT[kind]) if (required) text = setIn(text, field, template[field] ?? { type: 'text', value: stamp() }, say)
        for (const [field, value] of Object.entries(fields)) text = setIn(text, field, value, say)
        return make(kind === 'summary' ? kind : `${kind}:${slug}`, text)
      }),
    createFromText: (ref, text) => call('createFromText', () => make(ref, text)),
    previewRename: (ref, slug) =>
      call('previewRename', () => {
        find(ref)
        const to = `${kindOf(ref)}:${slug}`
        if (to !== ref) free(to)
        const changes = backlinks(ref).map((from) => {
          const lines = (files.get(from)?.text ?? '').split('\n').map((before, nth) => ({ line: nth + 1, before, after: follow(before, ref, slug) }))
          return { ref: from, file: fileOf(from), lines: lines.filter(({ before, after }) => before !== after) }
        })
        return { file: fileOf(to), changes }
      }),
    renameRecord: (ref, slug, base) =>
      call('renameRecord', () => {
        const file = based(ref, base)
        const to = `${kindOf(ref)}:${slug}`
        free(to)
        const changed = backlinks(ref)
        for (const from of changed) {
          const other = files.get(from)
          if (other) other.text = follow(other.text, ref, slug)
        }
        files.delete(ref)
        files.set(to, file)
        const draft = drafts.get(ref)
        if (draft) {
          drafts.delete(ref)
          drafts.set(to, { ...draft, ref: to })
        }
        tell(ref, to, ...changed)
        return { ref: to, changed }
      }),
    mendName: (file, slug) =>
      call('mendName', () => {
        const ref = `${file.startsWith('knowledge/') ? 'knowledge' : 'decision'}:${slug}`
        free(ref)
        strays.splice(strays.findIndex((stray) => stray.file === file), 1)
        files.set(ref, { text: `---\nkind: note\n---\n\n# ${slug}\n`, modified: now })
        tell(ref)
        return ref
      }),
    removeRecord: (ref, base, force) =>
      call('removeRecord', () => {
        const bytes = based(ref, base)
        const referring = backlinks(ref)
        if (referring.length > 0 && !force) throw new Failure('refused', say(`${referring.join(', ')} refers to it; nothing was deleted`, `${referring.join('、')} が参照しています。何も削除していません`), { referring })
        const id = `${now}-${kept.length}`
        kept.unshift({ id, ref, why: 'deleted', at: stamp(), bytes })
        files.delete(ref)
        tell(ref)
        return { id }
      }),
    restoreRecord: (id) =>
      call('restoreRecord', () => {
        const entry = kept.find((entry) => entry.id === id)
        if (!entry) throw new Failure('not_found', say('there is no such entry', 'その項目はありません'))
        if (files.has(entry.ref)) throw new Failure('refused', say('a record of this name is there again', '同じ名前の記録がすでにあります'))
        files.set(entry.ref, entry.bytes)
        tell(entry.ref)
        return entry.ref
      }),
    keptRecords: () => call('keptRecords', () => kept.map(({ bytes: _, ...entry }) => entry)),

    saveDraft: (ref, draft) => call('saveDraft', () => void drafts.set(ref, { ...draft, ref, at: stamp() })),
    dropDraft: (ref) => call('dropDraft', () => void drafts.delete(ref)),
    drafts: () => call('drafts', () => [...drafts.values()]),
  }
  const controls: RecordControls = {
    write(ref, text) {
      files.set(ref, { ...files.get(ref), text, modified: now })
      tell(ref)
    },
    remove(ref) {
      files.delete(ref)
      tell(ref)
    },
    text: (ref) => files.get(ref)?.text,
    readOnly(ref) {
      const file = files.get(ref)
      if (file) file.readOnly = true
    },
    draft(ref, text) {
      const base = files.get(ref)?.text ?? ''
      drafts.set(ref, { ref, text, base, base_hash: hashOf(base), at: new Date(now - 1_700_000).toISOString() })
    },
  }
  return { records, controls }
}
