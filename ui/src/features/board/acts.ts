// What a card tells the board of: one object for all cards, so that none of them knows how it is done.
import type { Item } from '../../platform'

export interface Acts {
  /** The page's id of an item's button, and of the words that say which keys it has. */
  idOf: (id: string) => string
  help: string
  open: (item: Item) => void
  edit: (item: Item) => void
  edited: (item: Item) => void
  menu: (item: Item, event: MouseEvent) => void
  press: (item: Item, event: PointerEvent) => void
  over: (item: Item) => void
  focused: (item: Item) => void
  keys: (item: Item, event: KeyboardEvent) => void
}
