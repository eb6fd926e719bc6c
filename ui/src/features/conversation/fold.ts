// What is folded to a line by itself (the work, not the words), and what that line says.
import type { Comment } from '../../platform'
import { visible } from '../../shared/markdown/visible'

const MINOR = ['progress', 'interjection_ack', 'comment']

export function isMinor(comment: Pick<Comment, 'kind' | 'author'>): boolean {
  return MINOR.includes(comment.kind)
}

/** The first line that says something, without the marks of Markdown. */
export function firstLine(body: string): string {
  for (const line of body.slice(0, 2_000).split(/[\n\r]/)) {
    const words = line
      .replace(/^[\s#>*`~-]+/, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|~~|`/g, '')
      .trim()
    if (words !== '') return visible(words.slice(0, 200))
  }
  return ''
}
