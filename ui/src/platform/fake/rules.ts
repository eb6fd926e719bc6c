// What the engine does to a list, told once more for the fake platform: edits, and what a change did.
import type { Difference, Edit, Item } from '../lists'

export const same = (a: Item | undefined, b: Item | undefined): boolean =>
  a === b || (!!a && !!b && a.id === b.id && a.content === b.content && a.status === b.status && a.activeForm === b.activeForm)

function idFor(content: string, taken: Set<string>): string {
  const slug = content.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '').slice(0, 48) || 'item'
  let id = `task_${slug}`
  for (let nth = 2; taken.has(id); nth++) id = `task_${slug}_${nth}`
  return id
}

/** The list after an edit; throws the id that it does not have. */
export function apply(list: Item[], edit: Edit): Item[] {
  const at = (id: string) => {
    const place = list.findIndex((item) => item.id === id)
    if (place < 0) throw id
    return place
  }
  const begin = (items: Item[], id: string): Item[] =>
    items.map((item) => (item.id !== id && item.status === 'in_progress' ? { ...item, status: 'pending' } : item))
  switch (edit.do) {
    case 'add': {
      const item: Item = {
        id: idFor(edit.content, new Set(list.map(({ id }) => id))),
        content: edit.content,
        status: edit.status ?? 'pending',
        activeForm: edit.activeForm ?? edit.content,
      }
      const added = list.toSpliced(edit.at ?? list.length, 0, item)
      return item.status === 'in_progress' ? begin(added, item.id) : added
    }
    case 'change': {
      const place = at(edit.id)
      const items = edit.status === 'in_progress' ? begin(list, edit.id) : list
      const item = items[place] as Item
      return items.with(place, {
        ...item,
        content: edit.content ?? item.content,
        activeForm: edit.activeForm ?? item.activeForm,
        status: edit.status ?? item.status,
      })
    }
    case 'remove':
      return list.toSpliced(at(edit.id), 1)
    case 'move': {
      const place = at(edit.id)
      return list.toSpliced(place, 1).toSpliced(edit.to, 0, list[place] as Item)
    }
    case 'reorder': {
      const named = edit.ids.map((id) => list[at(id)] as Item)
      return [...named, ...list.filter(({ id }) => !edit.ids.includes(id))]
    }
    case 'replace': {
      const taken = new Set(edit.items.flatMap(({ id }) => id ?? []))
      return edit.items.map((item) => {
        const id = item.id ?? idFor(item.content, taken)
        taken.add(id)
        return { ...item, id }
      })
    }
  }
}

export function differences(before: Item[], after: Item[]): Difference[] {
  const earlier = new Map(before.map((item) => [item.id, item]))
  const found: Difference[] = after
    .filter((item) => !same(earlier.get(item.id), item))
    .map((item) => ({ before: earlier.get(item.id) ?? null, after: item }))
  const now = new Set(after.map(({ id }) => id))
  return [...found, ...before.filter(({ id }) => !now.has(id)).map((item) => ({ before: item, after: null }))]
}

export function reordered(before: Item[], after: Item[]): boolean {
  const kept = after.map(({ id }) => before.findIndex((item) => item.id === id)).filter((place) => place >= 0)
  return kept.some((place, nth) => place < (kept[nth - 1] ?? -1))
}
