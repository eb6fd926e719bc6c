// The states that a filter's word stands for: `open` and `closed` take in three each, as the contract's list does.
import type { TaskState } from '../platform'

const GROUPS: Record<'open' | 'closed', TaskState[]> = {
  open: ['queued', 'running', 'waiting'],
  closed: ['completed', 'failed', 'interrupted'],
}

export function statesOf(word: TaskState | 'open' | 'closed' | undefined): TaskState[] {
  if (word === undefined) return []
  return word === 'open' || word === 'closed' ? GROUPS[word] : [word]
}
