// The fake platform's search: a plain scan by the contract's rules, so that what the views show of it is the real thing:
// marks, order, the cap, the second try with a word's parts.
import { findTerms, fold, termsOf } from '../../shared/marks'
import type { Hit, SearchInput, SearchResults } from '../types'
import type { FakeComment, FakeRecord } from './record'

/** Counting stops here, as the engine's does. */
const CAP = 1_000
const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })

/** What is searched of a comment; nothing if it is never found. */
function indexText(comment: FakeComment): string | null {
  const names = comment.attachments.map((file) => `\n${file.name}`).join('')
  if (['request', 'interjection', 'result', 'ask', 'handoff'].includes(comment.kind)) return comment.body + names
  if (comment.kind !== 'progress') return null
  if (comment.progress === 'tool') return `tool: ${comment.tool ?? ''}${names}`
  return comment.progress === 'thinking' || comment.progress === 'summary' ? comment.body + names : null
}

function excerpt(text: string, terms: string[]): Pick<Hit, 'excerpt' | 'matches'> {
  const shown = text
    .replace(/(パスワードは[「\s]*)([!-~]{6,})/u, '$1[redacted:password]')
    .replace(/\s+/gu, ' ')
    .trim()
  const first = findTerms(shown, terms)[0]?.[0] ?? 0
  const all = [...graphemes.segment(shown)]
  let at = Math.max(0, all.findIndex((it) => it.index >= first) - 30)
  // Not inside a word, as the engine does it.
  const latin = (nth: number) => /^[a-z0-9]$/i.test(all[nth]?.segment ?? '')
  if (at > 0 && latin(at - 1) && latin(at)) {
    const next = all.slice(at, at + 24).findIndex((it) => it.segment === ' ')
    if (next >= 0) at += next + 1
  }
  const part = all.slice(at, at + 120)
  const cutAfter = at + 120 < all.length
  const piece = `${at > 0 ? '…' : ''}${part.map((it) => it.segment).join('')}${cutAfter ? '…' : ''}`
  return { excerpt: piece, matches: findTerms(piece, terms) }
}

/** The parts of a word, by the contract's rule: at punctuation, and at a particle that follows no hiragana. */
export function partsOf(word: string): string[] {
  const parts = word
    .split(/[\p{P}\p{S}]+|(?<=[^\p{sc=Hiragana}])(?:から|まで|より|の|は|が|を|に|へ|と|で|も|や)/u)
    .filter(Boolean)
  const once = [...new Set(parts)]
  return once.length > 1 ? once : []
}

function matching(record: FakeRecord, input: SearchInput, terms: string[]): FakeComment[] {
  const tasks = new Map(record.tasks.map((task) => [task.id, task]))
  const only = input.task ? Number(input.task.replace('task:', '')) : null
  return record.comments.filter((comment) => {
    if (input.kind && comment.kind !== input.kind) return false
    if (input.author && comment.author !== input.author) return false
    if (input.member && comment.member !== input.member) return false
    if (only !== null && comment.task !== only) return false
    if (input.since && comment.created < input.since) return false
    if (input.until && comment.created >= input.until) return false
    const state = tasks.get(comment.task)?.state
    if (input.states.length > 0 && (!state || !input.states.includes(state))) return false
    const text = indexText(comment)
    if (text === null) return false
    const folded = fold(text.replace(/\s+/gu, ' '))
    return input.match_mode === 'all'
      ? terms.every((term) => folded.includes(term))
      : terms.some((term) => folded.includes(term))
  })
}

export function searchRecord(record: FakeRecord, input: SearchInput): SearchResults {
  let terms = termsOf(input.query)
  let found = matching(record, input, terms)
  let note: SearchResults['note'] = null
  if (found.length === 0 && input.match_mode === 'any' && terms.length === 1) {
    const parts = partsOf(input.query.trim())
    const again = parts.length > 0 ? matching(record, input, parts.map(fold)) : []
    if (again.length > 0) {
      found = again
      terms = parts.map(fold)
      note = { kind: 'split', terms: parts }
    }
  }
  const order = input.order ?? (terms.every((term) => [...term].length >= 3) ? 'relevance' : 'newest')
  found.sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : b.id - a.id))
  const capped = found.length > CAP
  if (order === 'relevance') {
    const weight = (comment: FakeComment) => {
      const text = fold(indexText(comment) ?? '')
      return terms.reduce((sum, term) => sum + text.split(term).length - 1, 0) / Math.sqrt(text.length + 40)
    }
    found = found.slice(0, CAP).sort((a, b) => weight(b) - weight(a))
  }
  const from = input.after ? 1 + found.findIndex((comment) => `comment:${comment.id}` === input.after) : 0
  return {
    total: capped ? CAP : found.length,
    total_is: capped ? 'at_least' : null,
    order,
    ranked_among: capped && order === 'relevance' ? CAP : null,
    note,
    hits: found.slice(from, from + input.limit).map((comment) => ({
      ref: `comment:${comment.id}`,
      task: {
        ref: `task:${comment.task}`,
        title: record.tasks.find((task) => task.id === comment.task)?.title ?? '',
      },
      author: comment.author, member: comment.member,
      kind: comment.kind,
      created: comment.created,
      ...excerpt(indexText(comment) ?? '', terms),
    })),
  }
}

/** Every hit, however many. */
export function countRecord(record: FakeRecord, input: SearchInput): number {
  return matching(record, input, termsOf(input.query)).length
}
