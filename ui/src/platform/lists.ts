// The task lists of agents' threads, as the page's door reaches them.
import type {
  BoardItem,
  BoardPage,
  BoardThread,
  Difference,
  Edit,
  Item,
  ListChange,
  ListChanges,
  Marks,
  Note,
  Projection,
  Side,
  Status,
  ThreadList,
  ThreadTask,
} from '../bindings'

export type { BoardItem, BoardPage, BoardThread, Difference, Edit, Item, ListChange, ListChanges, Marks, Note, Projection, Side, Status, ThreadList, ThreadTask }

export interface Lists {
  /** A page of the threads that have a list, the one that changed last first: 200 at most. */
  board(offset: number, limit: number): Promise<BoardPage>
  /** Items of all lists that hold every one of these words. A new search of a field takes back the one before it. */
  findItems(field: string, words: string, limit: number): Promise<BoardItem[]>
  threadList(thread: string): Promise<ThreadList>
  /** Makes all of the edits or none. `base` is the version that the person saw: if the list has changed since, it fails
   * with code `conflict` and the newer list in `details.list`. */
  editList(thread: string, base: number, edits: Edit[]): Promise<Projection>
  /** What was done to a list, newest first; `before` is the change that the page before ended with. */
  listChanges(thread: string, before: number | null, limit: number): Promise<ListChanges>
  itemChanges(thread: string, item: string, limit: number): Promise<ListChange[]>
  /** Makes the list before or after a change the list again; `base` as for `editList`. */
  restoreList(thread: string, base: number, change: number, side: Side): Promise<Projection>
  addNote(thread: string, item: string, text: string): Promise<Note>
  removeNote(thread: string, note: number): Promise<void>
  setReviewed(thread: string, item: string, reviewed: boolean): Promise<void>
}
