// Tasks, their conversations and missions, by the shell's commands.
import { commands } from '../../bindings'
import type { Conversations, TaskList } from '..'
import { body, number } from './ask'

// The list of tasks comes whole, so it is kept until something changes: a title that is typed asks for it at every key.
let list: Promise<TaskList> | undefined
const taskList = () => {
  const asked = (list ??= body(commands.tasks(null, 50_000)) as Promise<TaskList>)
  asked.catch(() => {
    if (list === asked) list = undefined
  })
  return asked
}
const plain = (text: string) => text.normalize('NFKC').toLowerCase()
export const forgetTasks = () => void (list = undefined)

export const conversations: Conversations = {
  around: (comment, context) => body(commands.around(number(comment), context)),
  conversation: (task, offset, limit) => body(commands.conversation(number(task), offset, limit)),
  toolCall: (comment) => body(commands.toolCall(number(comment))),
  async tasks({ states, title, offset, limit }) {
    const words = plain(title)
    const { tasks } = await taskList()
    const all = tasks.filter(
      (task) => (states.length === 0 || states.includes(task.state)) && (words === '' || plain(task.title).includes(words)),
    )
    return { total: all.length, tasks: all.slice(offset, offset + limit) }
  },
  task: (task) => body(commands.task(number(task))),
  mission: (task) => body(commands.mission(number(task))),
  pin: (task, at, text, comment) => body(commands.pin(number(task), at, text, comment === null ? null : number(comment))),
  unpin: (task, pin) => body(commands.unpin(number(task), pin)),
  forget: (what) =>
    body(
      commands.forget(
        what.kind === 'task'
          ? { task: number(what.ref) }
          : what.kind === 'comment'
            ? { comment: number(what.ref) }
            : { passage: [number(what.ref), what.passage] },
      ),
    ),
}
