// Hits as the rows of a list: each answer's page grouped by task, in the order in which the tasks come up in it. A later
// page never changes an earlier one, so nothing moves under the pointer when more is read.
import type { Hit, TaskName } from '../../platform'

export type Row = { key: string; task: TaskName; count: number } | { key: string; hit: Hit; last: boolean }

export function rowsOf(pages: readonly (readonly Hit[])[], flat: boolean): Row[] {
  if (flat) return pages.flat().map((hit) => ({ key: hit.ref, hit, last: false }))
  const rows: Row[] = []
  pages.forEach((page, nth) => {
    const groups = new Map<string, Hit[]>()
    for (const hit of page) {
      const group = groups.get(hit.task.ref)
      if (group) group.push(hit)
      else groups.set(hit.task.ref, [hit])
    }
    for (const [ref, hits] of groups) {
      const task = hits[0]?.task
      if (!task) continue
      rows.push({ key: `${nth} ${ref}`, task, count: hits.length })
      hits.forEach((hit, at) => rows.push({ key: hit.ref, hit, last: at === hits.length - 1 }))
    }
  })
  return rows
}

/** The hits alone, in the order in which they are shown: what the arrow keys move through. */
export function shownHits(rows: readonly Row[]): Hit[] {
  return rows.flatMap((row) => ('hit' in row ? [row.hit] : []))
}
