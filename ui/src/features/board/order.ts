// What happens to a list when an item is put elsewhere, as functions from list to list: where it goes, which edits say so,
// and how a change is taken back without touching what others have changed since.
import type { Difference, Edit, Item, Status } from '../../platform'

export const STATUSES = ['pending', 'in_progress', 'completed'] as const satisfies readonly Status[]

export const same = (a: Item | undefined | null, b: Item | undefined | null): boolean =>
  a === b || (!!a && !!b && a.id === b.id && a.content === b.content && a.status === b.status && a.activeForm === b.activeForm)
export const byId = (items: readonly Item[]): Map<string, Item> => new Map(items.map((item) => [item.id, item]))
export const ofStatus = (items: readonly Item[], status: Status): Item[] => items.filter((item) => item.status === status)
export const contentOf = (items: readonly Item[], id: string): string => items.find((item) => item.id === id)?.content ?? id

/** An item on its way: the column that it is over, and its place there among the others. */
export interface Moving {
  id: string
  status: Status
  at: number
}

/** Where an item stands now, as the beginning of a way. */
export function standing(items: readonly Item[], id: string): Moving | undefined {
  const item = items.find((one) => one.id === id)
  return item && { id, status: item.status, at: ofStatus(items, item.status).findIndex((one) => one.id === id) }
}

/** The place in a column that an item has by its place in the list. */
export function naturalPlace(items: readonly Item[], id: string, status: Status): number {
  const place = items.findIndex((item) => item.id === id)
  return items.slice(0, place).filter((item) => item.status === status).length
}

/** The three columns, with an item on its way where it is over. */
export function columns(items: readonly Item[], moving?: Moving): Record<Status, Item[]> {
  const others = moving ? items.filter((item) => item.id !== moving.id) : items
  const of = (status: Status): Item[] => {
    const column = ofStatus(others, status)
    const item = moving?.status === status ? items.find((one) => one.id === moving.id) : undefined
    return item && moving ? column.toSpliced(Math.min(moving.at, column.length), 0, { ...item, status }) : column
  }
  return { pending: of('pending'), in_progress: of('in_progress'), completed: of('completed') }
}

/** The list when an item is let go: only one runs at a time, so another that ran is to do again. Where the columns come out
 * the same, the item keeps its place in the list. */
export function placed(items: readonly Item[], to: Moving): Item[] {
  const item = items.find((one) => one.id === to.id)
  if (!item) return [...items]
  const moved = { ...item, status: to.status }
  const rest = items
    .filter((one) => one.id !== to.id)
    .map((one): Item => (to.status === 'in_progress' && one.status === 'in_progress' ? { ...one, status: 'pending' } : one))
  const column = ofStatus(rest, to.status)
  const stays = rest.toSpliced(items.indexOf(item), 0, moved)
  if (ofStatus(stays, to.status).indexOf(moved) === Math.min(to.at, column.length)) return stays
  const next = column[to.at]
  const last = column.at(-1)
  return rest.toSpliced(next ? rest.indexOf(next) : last ? rest.indexOf(last) + 1 : items.indexOf(item), 0, moved)
}

/** The edits that make `after` of `before` by moving one item. */
export function editsOf(before: readonly Item[], after: readonly Item[], id: string): Edit[] {
  const [was, is] = [before.find((item) => item.id === id), after.find((item) => item.id === id)]
  if (!was || !is) return []
  const edits: Edit[] = []
  if (was.status !== is.status) edits.push({ do: 'change', id, content: null, activeForm: null, status: is.status })
  if (before.indexOf(was) !== after.indexOf(is)) edits.push({ do: 'move', id, to: after.indexOf(is) })
  return edits
}

/** In what two lists differ, item by item. */
export function differences(before: readonly Item[], after: readonly Item[]): Difference[] {
  const [earlier, later] = [byId(before), byId(after)]
  return [
    ...after.filter((item) => !same(earlier.get(item.id), item)).map((item) => ({ before: earlier.get(item.id) ?? null, after: item })),
    ...before.filter((item) => !later.has(item.id)).map((item) => ({ before: item, after: null })),
  ]
}

const orderOf = (items: readonly Item[], of: Map<string, Item>): string[] => items.flatMap(({ id }) => (of.has(id) ? [id] : []))
const equal = (a: string[], b: string[]): boolean => a.length === b.length && a.every((id, nth) => id === b[nth])

/** `now` with the change from `from` to `to` made, as far as nobody has changed the same since; `left` are the items where
 * somebody has, which stay as they are. Taking a change back is the same with `from` and `to` exchanged. */
export function carried(now: readonly Item[], from: readonly Item[], to: readonly Item[]): { items: Item[]; left: Item[] } {
  let items = [...now]
  const left: Item[] = []
  const target = byId(to)
  for (const { before, after } of differences(from, to)) {
    const id = (after ?? before)?.id ?? ''
    const place = items.findIndex((item) => item.id === id)
    const current = items[place]
    if (before && !same(current, before)) {
      if (current ?? after) left.push((current ?? after) as Item)
    } else if (before && after) items[place] = after
    else if (before) items.splice(place, 1)
    else if (after && current) left.push(current)
    else if (after) {
      // Behind the nearest of those before it that is still there.
      const earlier = to.slice(0, to.indexOf(target.get(id) as Item)).toReversed()
      const behind = earlier.map((one) => items.findIndex((item) => item.id === one.id)).find((at) => at >= 0) ?? -1
      items.splice(behind + 1, 0, after)
    }
  }
  const source = byId(from)
  const shared = byId(items.filter(({ id }) => target.has(id) && source.has(id)))
  const wanted = orderOf(to, shared)
  if (equal(orderOf(items, shared), orderOf(from, shared)) && !equal(wanted, orderOf(from, shared))) {
    const next = wanted.values()
    items = items.map((item) => (shared.has(item.id) ? (shared.get(next.next().value ?? '') ?? item) : item))
  }
  const running = ofStatus(items, 'in_progress')
  if (running.length > 1) {
    // What runs by now goes on; what would have run again waits.
    const stays = running.find((item) => now.some((one) => same(one, item))) ?? running[0]
    items = items.map((item): Item => {
      if (item.status !== 'in_progress' || item === stays) return item
      const waits: Item = { ...item, status: 'pending' }
      left.push(waits)
      return waits
    })
  }
  return { items, left }
}
