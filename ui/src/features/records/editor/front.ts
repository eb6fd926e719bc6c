// The frontmatter as the editor's text has it: where its fences stand, its own font, and the fold that hides it while the
// form shows the same fields.
import { codeFolding, foldEffect, foldedRanges, unfoldEffect } from '@codemirror/language'
import { RangeSetBuilder, type EditorState, type Extension, type Text } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import { t } from '../../../shared/i18n/index.svelte'

/** No frontmatter that anybody writes by hand is longer than this many lines. */
const LONGEST = 2_000
const FENCE = /^---\s*$/

/** From the start of its first fence to the end of its last, with the number of lines between them. */
export function frontOf(doc: Text): { from: number; to: number; lines: number } | undefined {
  let number = 1
  const first = doc.line(1)
  let open = first.text.replace(/^\ufeff/, '')
  while (open.trim() === '' && number < Math.min(doc.lines, LONGEST)) open = doc.line(++number).text
  if (!FENCE.test(open)) return undefined
  const { from } = doc.line(number)
  for (let at = number + 1; at <= Math.min(doc.lines, number + LONGEST); at++) {
    const line = doc.line(at)
    if (FENCE.test(line.text)) return { from, to: line.to, lines: at - number - 1 }
  }
  return undefined
}

const frontLine = Decoration.line({ class: 'cm-front' })

/** Gives the frontmatter's lines their class, those that are in sight. */
const frontLines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    #front: ReturnType<typeof frontOf>
    constructor(view: EditorView) {
      this.#front = frontOf(view.state.doc)
      this.decorations = this.#mark(view)
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.#front = frontOf(update.state.doc)
      if (update.docChanged || update.viewportChanged) this.decorations = this.#mark(update.view)
    }
    #mark(view: EditorView): DecorationSet {
      const marks = new RangeSetBuilder<Decoration>()
      const front = this.#front
      if (front) {
        const { doc } = view.state
        let at = doc.lineAt(Math.max(front.from, view.viewport.from)).from
        while (at <= Math.min(front.to, view.viewport.to)) {
          marks.add(at, at, frontLine)
          const { to } = doc.lineAt(at)
          if (to === doc.length) break
          at = to + 1
        }
      }
      return marks.finish()
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

const folding = codeFolding({
  preparePlaceholder: (state) => frontOf(state.doc)?.lines ?? 0,
  placeholderDOM(_view, onclick, lines: number) {
    const chip = document.createElement('span')
    chip.className = 'cm-fold'
    chip.textContent = t().editor.folded(lines)
    chip.title = t().editor.unfold
    chip.onclick = onclick
    return chip
  },
})

/** Whether the frontmatter is folded away. */
export function isFolded(state: EditorState): boolean {
  const front = frontOf(state.doc)
  let folded = false
  if (front) foldedRanges(state).between(front.from, front.to, () => void (folded = true))
  return folded
}

/** What folds the frontmatter away, or shows it. */
export function foldFront(state: EditorState, away: boolean) {
  const front = frontOf(state.doc)
  if (!front || isFolded(state) === away) return []
  if (away) return [foldEffect.of({ from: front.from, to: front.to })]
  const effects: ReturnType<typeof unfoldEffect.of>[] = []
  foldedRanges(state).between(front.from, front.to, (from, to) => void effects.push(unfoldEffect.of({ from, to })))
  return effects
}

export const front: Extension = [frontLines, folding]
