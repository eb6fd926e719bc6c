// Something that was said, as far as the actions on it need to know: a comment of a conversation and a hit of a search
// are both that.
import type { Comment, Hit, TaskName } from '../../platform'

export interface Said {
  ref: string
  task: TaskName
  author: 'user' | 'agent'
  kind: string
  created: string
  text: string
}

export function saidInHit(hit: Hit): Said {
  const { ref, task, author, kind, created } = hit
  return { ref, task, author, kind, created, text: hit.excerpt.replace(/^…|…$/g, '') }
}

export function saidInComment(comment: Comment, task: TaskName): Said {
  const { ref, author, kind, created, body } = comment
  return { ref, task, author, kind, created, text: body }
}

/** As Markdown that stands by itself somewhere else: the words quoted, and where they are from. */
export function asMarkdown(said: Said, link: string): string {
  const quoted = said.text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
  const title = said.task.title.replace(/[\\`*_[\]<>#]/g, '\\$&')
  return `${quoted}\n>\n> — [${title}, ${said.ref}](${link}) (${said.author}/${said.kind}, ${said.created})\n`
}
