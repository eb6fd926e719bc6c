// Tasks, their conversations and missions, and forgetting, as the page's door reaches them.
import type {
  Around,
  ConversationPage,
  Forgotten,
  FoundInTask,
  Mission,
  Outline,
  OutlineEntry,
  PinList,
  Saved,
  TaskDetails,
  TaskPage,
  TaskRow,
  TaskSort,
  TaskState,
  ToolCall,
  TranscriptOptions,
} from '../bindings'

export type { FoundInTask, Outline, OutlineEntry, TaskPage, TaskRow, TaskSort, TranscriptOptions }

export interface TasksInput {
  states: TaskState[]
  /** Words of a title, each of which it holds. */
  title: string
  offset: number
  limit: number
  /** Newest update first, if it does not say. */
  sort?: TaskSort
  /** Only the tasks that are nobody's subtask, or only this task's subtasks. */
  within?: 'top' | (string & {})
}
export type Forget =
  | { kind: 'task'; ref: string }
  | { kind: 'comment'; ref: string }
  | { kind: 'passage'; ref: string; passage: string }

export interface Conversations {
  around(comment: string, context: number): Promise<Around>
  conversation(task: string, offset: number, limit: number): Promise<ConversationPage>
  /** What was asked and what came of it, at most 20,000 entries. */
  outline(task: string): Promise<Outline>
  /** Where words stand as they are, in comments and tools' data. A new question takes back the one before it. */
  findInTask(task: string, words: string): Promise<FoundInTask>
  toolCall(comment: string): Promise<ToolCall>
  /** At most 1,000 at a time. */
  tasks(input: TasksInput): Promise<TaskPage>
  task(task: string): Promise<TaskDetails>
  /** Asks for a file and writes the conversation to it as Markdown; `null`: the person chose none. */
  exportConversation(task: string, options: TranscriptOptions): Promise<Saved | null>
  mission(task: string): Promise<Mission>
  pin(task: string, list: PinList, text: string, comment: string | null): Promise<Mission>
  unpin(task: string, pin: number): Promise<Mission>
  forget(what: Forget): Promise<Forgotten>
}
