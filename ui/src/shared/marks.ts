// Cutting a text where its marks begin and end, and finding search terms in a raw text that the engine did not mark
// (a whole comment in a conversation). The engine's folding is NFKC with case folding; here it is approximated grapheme
// by grapheme, which is enough to show where a term stands, and never decides whether something is a hit.

/** A stretch of a text, marked or not. */
export interface Piece {
  text: string
  marked: boolean
}

/** The text in pieces; ranges are [start, end) in UTF-16 units. Those that overlap or reach outside do no harm. */
export function cutAt(text: string, ranges: readonly (readonly [number, number] | readonly number[])[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const range of [...ranges].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))) {
    const start = Math.max(at, Math.min(range[0] ?? 0, text.length))
    const end = Math.max(start, Math.min(range[1] ?? 0, text.length))
    if (start === end) continue
    if (start > at) pieces.push({ text: text.slice(at, start), marked: false })
    pieces.push({ text: text.slice(start, end), marked: true })
    at = end
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false })
  return pieces
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Folded for comparing. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss')
}

/** The terms of a query, folded, each once. */
export function termsOf(query: string): string[] {
  return [...new Set(query.split(/\s+/u).map(fold))].filter((term) => term !== '')
}

/** What most of Japanese text is, and what folding leaves as it is. */
const UNFOLDED = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]$/

/** A longer text than this is marked in its first part only: marks are a help for the eye, not worth a stall. */
const LONGEST = 40_000

/** Where the folded terms stand in a raw text, in its UTF-16 units. */
export function findTerms(text: string, terms: readonly string[]): [number, number][] {
  if (terms.length === 0) return []
  const part = text.slice(0, LONGEST)
  // Finding where a term stands is slow, whether it may be there at all is not.
  const whole = fold(part).replace(/\s+/gu, ' ')
  if (!terms.some((term) => whole.includes(term))) return []
  const plain = /^[\x20-\x7e]*$/.test(part)
  // A half-width kana and its voicing mark are one grapheme, so they fold to the one character that they are.
  let folded = plain ? part.toLowerCase() : ''
  // For each unit of the folded text, where the grapheme that it came of begins and ends in the raw one.
  const starts: number[] = []
  const ends: number[] = []
  for (const { segment, index } of plain ? [] : graphemes.segment(part)) {
    const piece = UNFOLDED.test(segment) ? segment : /^\s+$/u.test(segment) ? ' ' : fold(segment)
    folded += piece
    for (let unit = 0; unit < piece.length; unit++) {
      starts.push(index)
      ends.push(index + segment.length)
    }
  }
  const found: [number, number][] = []
  for (const term of terms) {
    for (let at = folded.indexOf(term); at !== -1; at = folded.indexOf(term, at + term.length)) {
      const last = at + term.length - 1
      found.push(plain ? [at, last + 1] : [starts[at] ?? 0, ends[last] ?? part.length])
    }
  }
  return found.sort((a, b) => a[0] - b[0])
}
