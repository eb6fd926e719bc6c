// The task lists of agents' threads, by the shell's commands.
import { commands } from '../../bindings'
import type { Lists } from '../lists'
import { ask, nextTurn } from './ask'

export const lists: Lists = {
  board: (offset, limit) => ask(commands.board(offset, limit)),
  findItems: (field, words, limit) => ask(commands.findItems(field, nextTurn(), words, limit)),
  threadList: (thread) => ask(commands.threadList(thread)),
  editList: (thread, base, edits) => ask(commands.editList(thread, base, edits)),
  listChanges: (thread, before, limit) => ask(commands.listChanges(thread, before, limit)),
  itemChanges: (thread, item, limit) => ask(commands.itemChanges(thread, item, limit)),
  restoreList: (thread, base, change, side) => ask(commands.restoreList(thread, base, change, side)),
  addNote: (thread, item, text) => ask(commands.addListNote(thread, item, text)),
  removeNote: async (thread, note) => void (await ask(commands.removeListNote(thread, note))),
  setReviewed: async (thread, item, reviewed) => void (await ask(commands.setItemReviewed(thread, item, reviewed))),
}
