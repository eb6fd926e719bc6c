// Tasks, their conversations and missions, by the shell's commands.
import { commands } from '../../bindings'
import type { Conversations } from '..'
import { ask, body, nextTurn, number, workName } from './ask'

export const conversations: Conversations = {
  around: (comment, context) => body(commands.around(number(comment), context)),
  conversation: (task, offset, limit) => body(commands.conversation(number(task), offset, limit)),
  toolCall: (comment) => body(commands.toolCall(number(comment))),
  outline: (task) => body(commands.outline(number(task))),
  findInTask: (task, words) => body(commands.findInTask('find', nextTurn(), number(task), words)),
  tasks: ({ states, title, offset, limit, sort = 'updated', within }) =>
    body(commands.tasks({ states, title, offset, limit, sort, top: within === 'top', parent: within?.startsWith('task:') ? number(within) : null })),
  exportConversation: (task, options) => ask(commands.exportConversation(workName('export'), number(task), options)),
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
