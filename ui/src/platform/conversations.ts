// Tasks, their conversations and missions, and forgetting, as the page's door reaches them.
import type { Around, ConversationPage, Forgotten, Mission, PinList, TaskDetails, TaskList, TaskState, ToolCall } from '../bindings'

export interface TasksInput {
  states: TaskState[]
  /** Part of a title. */
  title: string
  offset: number
  limit: number
}
export type Forget =
  | { kind: 'task'; ref: string }
  | { kind: 'comment'; ref: string }
  | { kind: 'passage'; ref: string; passage: string }

export interface Conversations {
  around(comment: string, context: number): Promise<Around>
  conversation(task: string, offset: number, limit: number): Promise<ConversationPage>
  toolCall(comment: string): Promise<ToolCall>
  tasks(input: TasksInput): Promise<TaskList>
  task(task: string): Promise<TaskDetails>
  mission(task: string): Promise<Mission>
  pin(task: string, list: PinList, text: string, comment: string | null): Promise<Mission>
  unpin(task: string, pin: number): Promise<Mission>
  forget(what: Forget): Promise<Forgotten>
}
