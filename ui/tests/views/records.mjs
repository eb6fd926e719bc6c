// The tour's views of memory and knowledge; `tour.mjs` says what a view is.
import { editorViews } from './editor.mjs'

export const recordsViews = [...editorViews]
