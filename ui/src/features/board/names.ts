// Who did what on the board, as a person reads it.
import type { Difference, Item, ThreadTask } from '../../platform'
import { t } from '../../shared/i18n/index.svelte'
import { space } from '../../shared/space.svelte'

/** A member by name, the agent by that word, anybody else by id. */
export const nameOf = (id: string): string => (id === 'agent' ? t().author.agent : (space.memberName(id) ?? id))

export const doorOf = (door: string): string => (t().board.doors as Record<string, string>)[door] ?? door

export const titleOf = (thread: string, task: ThreadTask | null | undefined): string => task?.title || thread

/** What is shown of an item while it runs. */
export const shownOf = (item: Item): string => (item.status === 'in_progress' ? item.activeForm : item.content)

/** What happened to one item, in a sentence for whoever does not see it. */
export function saidOf({ before, after }: Difference): string {
  const { said, status } = t().board
  if (!after) return said.removed(before?.content ?? '')
  if (!before) return said.added(after.content)
  return before.status === after.status ? said.changed(after.content) : said.moved(after.content, status[after.status])
}
