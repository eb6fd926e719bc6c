// Reads a long text to its end before anybody goes there, a little at a time. Left to itself the editor reads on only when
// the end comes into sight, and then for a tenth of a second at once, which whoever types there feels.
import { ensureSyntaxTree, forceParsing, syntaxTreeAvailable } from '@codemirror/language'
import type { EditorView } from '@codemirror/view'

/** A shorter text is read at once. */
const LARGE = 100_000
/** What a frame has to spare, and how long others go first. */
const SLICE_MS = 10
const PAUSE_MS = 50

/** Begins with it; answers its end. */
export function readAhead(view: EditorView): () => void {
  const step = () => {
    const { length } = view.state.doc
    if (syntaxTreeAvailable(view.state, length)) return
    // Nothing is drawn anew under an input method that composes.
    if (!view.composing && ensureSyntaxTree(view.state, length, SLICE_MS)) forceParsing(view, length, SLICE_MS)
    else timer = setTimeout(step, PAUSE_MS)
  }
  let timer = view.state.doc.length > LARGE ? setTimeout(step, PAUSE_MS) : undefined
  return () => clearTimeout(timer)
}
