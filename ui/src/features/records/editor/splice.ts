// Small changes between two texts, so that what comes from elsewhere (a form's field, a saved time, another program) moves
// neither the caret nor the rest of the text; and texts that were given away, with all that changed since.
import { ChangeSet, type Text } from '@codemirror/state'

export interface Change {
  from: number
  to: number
  insert: string
}

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The one replacement that makes `after` of `before`; nothing if they are the same. No character is cut in two. */
export function changeBetween(before: string, after: string): Change | undefined {
  if (before === after) return undefined
  const least = Math.min(before.length, after.length)
  let start = 0
  while (start < least && before.charCodeAt(start) === after.charCodeAt(start)) start++
  if (isLow(before.charCodeAt(start)) || isLow(after.charCodeAt(start))) start = Math.max(0, start - 1)
  let end = 0
  while (end < least - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++
  if (end > 0 && isLow(before.charCodeAt(before.length - end))) end--
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}

/** A text as it was at some moment, and the changes since. */
export interface Snapshot {
  readonly doc: Text
  since: ChangeSet
}

export const snapshotOf = (doc: Text): Snapshot => ({ doc, since: ChangeSet.empty(doc.length) })

/** A change that was made of a snapshot's text, as a change of the present text. */
export function overtaken({ doc, since }: Snapshot, change: Change): ChangeSet {
  return ChangeSet.of([change], doc.length).map(since)
}

/** Where a place of the snapshot's text is now. */
export const placeNow = ({ doc, since }: Snapshot, at: number): number => since.mapPos(Math.min(at, doc.length), 1)
