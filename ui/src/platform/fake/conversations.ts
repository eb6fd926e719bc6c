// Tasks, their conversations and missions, from the record in memory.
import { fold, termsOf } from '../../shared/marks'
import type { Conversations, FoundInTask } from '../conversations'
import { Failure } from '../types'
import type { Ground } from './ground'
import { toWire, type FakeTask } from './record'
import { addTalks } from './talks'

export function makeConversations({ record, address, now, call, emit, say, save }: Ground): Conversations {
  addTalks(record, address.get('talk'))
  const tell = (task: string) => emit({ kind: 'changed', tasks: [task], all: false })
  const number = (ref: string) => Number(ref.split(':')[1])
  const noTask = (ref: string) => new Failure('not_found', say(`${ref} is not here.`, `${ref} はありません。`))
  const findTask = (ref: string) => {
    const task = record.tasks.find((task) => task.id === number(ref))
    if (!task) throw noTask(ref)
    return task
  }
  const ofTask = (id: number) => record.comments.filter((comment) => comment.task === id)
  const mission = (ref: string) => {
    const pins = record.pins.filter((pin) => pin.task === number(ref))
    return {
      user_constraints: pins.filter((pin) => pin.list === 'user_constraints'),
      decisions: pins.filter((pin) => pin.list === 'decisions'),
    }
  }

  return {
    around: (ref, context) =>
      call('around', () => {
        const comment = record.comments.find((it) => it.id === number(ref))
        if (!comment) throw noTask(ref)
        const all = ofTask(comment.task)
        const at = all.indexOf(comment)
        const from = Math.max(0, at - context)
        const part = all.slice(from, at + context + 1)
        return {
          task: { ref: `task:${comment.task}`, title: findTask(`task:${comment.task}`).title },
          comments: part.map((it) => toWire(it, it === comment)),
          more_before: from,
          more_after: all.length - from - part.length,
        }
      }),
    conversation: (ref, offset, limit) =>
      call('conversation', () => {
        const task = findTask(ref)
        const all = ofTask(task.id)
        return {
          task: { ref, title: task.title },
          total: all.length,
          comments: all.slice(offset, offset + limit).map((it) => toWire(it)),
          next_offset: offset + limit < all.length ? offset + limit : null,
        }
      }),
    toolCall: (ref) =>
      call('toolCall', () => {
        const comment = record.comments.find((it) => it.id === number(ref))
        if (!comment) throw noTask(ref)
        const bytes = (text: string | null) => (text === null ? null : new TextEncoder().encode(text).length)
        return { input: comment.input, input_bytes: bytes(comment.input), output: comment.output, output_bytes: bytes(comment.output) }
      }),
    outline: (ref) =>
      call('outline', () => {
        const entries = ofTask(findTask(ref).id).flatMap((comment, place) =>
          ['request', 'interjection', 'ask', 'result', 'handoff'].includes(comment.kind)
            ? [{ place, ref: `comment:${comment.id}`, kind: comment.kind, author: comment.author, member: comment.member, created: comment.created, line: lineOf(comment.body) }]
            : [],
        )
        return { total: entries.length, entries: entries.slice(0, 20_000) }
      }),
    findInTask: (ref, words) =>
      call('findInTask', () => {
        const wanted = spaced(words.trim())
        const holds = (...parts: (string | null)[]) => parts.some((part) => part !== null && spaced(part).includes(wanted))
        const found: FoundInTask = { places: [], in_tools: [] }
        ofTask(findTask(ref).id).forEach((comment, place) => {
          const said = holds(comment.body, comment.tool, ...comment.attachments.map((file) => file.name))
          if (!said && !holds(comment.input, comment.output)) return
          found.places.push(place)
          if (!said) found.in_tools.push(place)
        })
        return found
      }),
    tasks: (input) =>
      call('tasks', () => {
        const terms = termsOf(input.title)
        const { within, sort = 'updated' } = input
        const key = (task: FakeTask) => (sort === 'title' ? fold(task.title) : sort === 'created' ? task.created : task.updated)
        const all = record.tasks
          .filter((task) => input.states.length === 0 || input.states.includes(task.state))
          .filter((task) => within === undefined || (within === 'top' ? task.parent === null : task.parent === number(within)))
          .filter((task) => terms.every((term) => fold(task.title).includes(term)))
          .sort((a, b) => (key(a) < key(b) ? 1 : -1) * (sort === 'title' ? -1 : 1))
        return {
          total: all.length,
          tasks: all.slice(input.offset, input.offset + input.limit).map(({ id, title, piece, state, created, updated, parent }) => ({
            ref: `task:${id}`,
            title,
            piece,
            state,
            created,
            updated,
            parent: parent === null ? null : { ref: `task:${parent}`, title: findTask(`task:${parent}`).title },
            subtasks: record.tasks.filter((it) => it.parent === id).length,
          })),
        }
      }),
    task: (ref) =>
      call('task', () => {
        const task = findTask(ref)
        return {
          ref,
          state: task.state,
          title: task.title,
          piece: task.piece,
          updated: task.updated,
          created: task.created,
          folder: `/home/haruka/kohaku`,
          owner: task.owner,
          parent: task.parent === null ? null : `task:${task.parent}`,
          subtasks: record.tasks.filter((it) => it.parent === task.id).map((it) => `task:${it.id}`),
          comments: ofTask(task.id).length,
        }
      }),
    mission: (ref) => call('mission', () => mission(ref)),
    pin: (ref, list, text, comment) =>
      call('pin', () => {
        const id = 1 + Math.max(0, ...record.pins.map((pin) => pin.id))
        record.pins.push({ id, task: number(ref), list, text, ref: comment, created: new Date(now).toISOString() })
        tell(ref)
        return mission(ref)
      }),
    unpin: (ref, pin) =>
      call('unpin', () => {
        record.pins = record.pins.filter((it) => it.id !== pin)
        tell(ref)
        return mission(ref)
      }),
    forget: (what) =>
      call('forget', () => {
        const id = number(what.ref)
        let comments = 1
        let task = what.ref
        if (what.kind === 'task') {
          comments = ofTask(id).length
          record.tasks = record.tasks.filter((it) => it.id !== id)
          record.comments = record.comments.filter((it) => it.task !== id)
        } else {
          const comment = record.comments.find((it) => it.id === id)
          if (!comment) throw noTask(what.ref)
          task = `task:${comment.task}`
          if (what.kind === 'passage') comment.body = comment.body.replaceAll(what.passage, '[forgotten]')
          else record.comments = record.comments.filter((it) => it !== comment)
        }
        tell(task)
        return { tasks: what.kind === 'task' ? 1 : 0, comments, held_by: [`/home/haruka/kohaku/.kiroku/backups/space-2026-08-20.db`] }
      }),
    exportConversation: (ref, options) =>
      call('exportConversation', () => {
        const all = ofTask(findTask(ref).id)
        const told = options.work ? all : all.filter((comment) => comment.kind !== 'progress')
        const path = `/home/haruka/${ref.replace(':', '-')}.md`
        save(path, told.map((comment) => comment.body).join('\n\n---\n\n'))
        return { path, count: told.length }
      }),
  }
}

const spaced = (text: string) => fold(text).replace(/\s+/gu, ' ')
const lineOf = (body: string) => {
  const line = body.split('\n').map((one) => one.replace(/^[#>*\-`~\s]+/, '')).find((one) => one !== '') ?? ''
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}
