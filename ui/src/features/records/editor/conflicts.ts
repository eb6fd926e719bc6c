// What comes out of a merge of three texts, and the places in it where a person has to choose: a choice replaces that
// place's lines, whatever was typed there.
import { Facet, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import type { Merged } from '../../../platform'

export type Choice = 'mine' | 'theirs' | 'both'

export interface Conflict {
  mine: string
  theirs: string
  /** What stood there before both. */
  before: string
}

/** A merge that waits for the person. */
export interface Merging {
  base: string
  draft: string
  present: { text: string; hash: string }
  merged: Merged
  /** What was chosen and typed so far, if it was laid aside. */
  left?: ReturnType<typeof resultOf>
}

/** A place in the result, and what was chosen for it; nothing: both stand there until somebody chooses. */
export interface Place {
  from: number
  to: number
  choice: Choice | undefined
}

/** Lines from the one to before the other, with their line ends. */
function linesOf(text: string): (range: [number, number]) => string {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return ([from, to]) => text.slice(starts[from] ?? text.length, starts[to] ?? text.length)
}

export function textOf(conflict: Conflict, choice: Choice): string {
  if (choice !== 'both') return conflict[choice]
  const { mine, theirs } = conflict
  return mine !== '' && theirs !== '' && !mine.endsWith('\n') ? `${mine}\n${theirs}` : mine + theirs
}

/** The merged text with both texts in each conflict in the place of the engine's marked lines. */
export function resultOf(of: { base: string; draft: string; present: string; merged: Merged }): { text: string; conflicts: Conflict[]; places: Place[] } {
  const [base, draft, present] = [linesOf(of.base), linesOf(of.draft), linesOf(of.present)]
  const ended = (lines: string) => (lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`)
  const conflicts: Conflict[] = []
  const places: Place[] = []
  let text = ''
  let at = 0
  for (const range of of.merged.conflicts) {
    const conflict = { mine: draft(range.draft), theirs: present(range.present), before: base(range.base) }
    const marked = `<<<<<<< draft\n${ended(conflict.mine)}||||||| base\n${ended(conflict.before)}=======\n${ended(conflict.theirs)}>>>>>>> present`
    const begin = of.merged.text.indexOf(marked, at)
    if (begin < 0) continue
    text += of.merged.text.slice(at, begin)
    const both = textOf(conflict, 'both')
    places.push({ from: text.length, to: text.length + both.length, choice: undefined })
    conflicts.push(conflict)
    text += both
    at = begin + marked.length
    // The end of the last marked line is the text's own only if one of its sides ends so.
    if (of.merged.text.charAt(at) === '\n') at += 1
  }
  return { text: text + of.merged.text.slice(at), conflicts, places }
}

const chosen = StateEffect.define<{ nth: number; place: Place }>()
const looked = StateEffect.define<number>()

interface Places {
  all: readonly Place[]
  /** The one that is looked at. */
  at: number
}

const decided = Decoration.line({ class: 'cm-place' })
const here = Decoration.line({ class: 'cm-place-here' })

/** Whose lines stand in a place, said on the first of them. */
interface Sides {
  mine: string
  theirs: string
}
const sided = Facet.define<{ conflicts: readonly Conflict[]; words: Sides }, { conflicts: readonly Conflict[]; words: Sides }>({
  combine: ([first]) => first ?? { conflicts: [], words: { mine: '', theirs: '' } },
})

function marksOf(state: EditorState, { all, at }: Places): DecorationSet {
  const { doc } = state
  const { conflicts, words } = state.facet(sided)
  return Decoration.set(
    all.flatMap(({ from, to, choice }, nth) => {
      // As long as nobody chose or typed there, the first lines are the person's own, the others the file's.
      const conflict = conflicts[nth]
      const untouched = conflict && !choice && to - from === textOf(conflict, 'both').length
      const border = from + (conflict?.mine.length ?? 0)
      const marks = []
      for (let start = doc.lineAt(from).from; start < to; start = doc.lineAt(start).to + 1) {
        const side = start < border ? 'mine' : 'theirs'
        const first = start === from || (start >= border && doc.lineAt(start).number - 1 === doc.lineAt(Math.max(from, border - 1)).number)
        marks.push((untouched ? Decoration.line({ class: `cm-place cm-place-${side}`, ...(first ? { attributes: { 'data-side': words[side] } } : {}) }) : decided).range(start))
        if (nth === at) marks.push(here.range(start))
      }
      return marks
    }),
    true,
  )
}

export const placesField = StateField.define<Places>({
  create: () => ({ all: [], at: 0 }),
  update: (value, transaction) => {
    let { all, at } = value
    if (transaction.docChanged) all = all.map((one) => ({ ...one, from: transaction.changes.mapPos(one.from, -1), to: transaction.changes.mapPos(one.to, 1) }))
    for (const effect of transaction.effects) {
      if (effect.is(chosen)) all = all.map((one, nth) => (nth === effect.value.nth ? effect.value.place : one))
      else if (effect.is(looked)) at = effect.value
    }
    return all === value.all && at === value.at ? value : { all, at }
  },
  provide: (field) => EditorView.decorations.compute([field], (state) => marksOf(state, state.field(field))),
})

export const withPlaces = (all: readonly Place[], conflicts: readonly Conflict[], words: Sides): Extension => [
  sided.of({ conflicts, words }),
  placesField.init(() => ({ all, at: 0 })),
]

/** Puts what was chosen in its place. */
export function choose(view: EditorView, nth: number, conflict: Conflict, choice: Choice): void {
  const place = view.state.field(placesField).all[nth]
  if (!place) return
  const insert = textOf(conflict, choice)
  view.dispatch({
    changes: { from: place.from, to: place.to, insert },
    effects: chosen.of({ nth, place: { from: place.from, to: place.from + insert.length, choice } }),
    userEvent: 'input.choose',
  })
}

/** Brings a place into sight. */
export function lookAt(view: EditorView, nth: number): void {
  const place = view.state.field(placesField).all[nth]
  if (place) view.dispatch({ effects: [looked.of(nth), EditorView.scrollIntoView(place.from, { y: 'start', yMargin: 64 })] })
}
