// Which comments are folded to a line by themselves: the work, not the words.
import type { Comment } from '../../platform'

const MINOR = ['progress', 'interjection_ack', 'comment']

export function isMinor(comment: Pick<Comment, 'kind' | 'author'>): boolean {
  return MINOR.includes(comment.kind)
}
