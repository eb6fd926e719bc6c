// `#slug` in the editor's text: those that name a record are marked, completed while they are typed, shown on hover, and
// followed by Ctrl/⌘ and a click, or by a key. What counts as one is the engine's rule (`prose.rs`): a `#` inside a word or
// an address names nothing, and code is no prose.
import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import { Facet, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, hoverTooltip, keymap, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import type { RecordName } from '../../../platform'
import { t } from '../../../shared/i18n/index.svelte'
import { langOf } from '../../../shared/names'
import { frontOf } from './front'

export interface Mentionable {
  slug: string
  ref: RecordName
  about: string
}

/** Where a mention leads is the window's affair. */
export const follows = Facet.define<(ref: RecordName) => void>()

export const learn = StateEffect.define<readonly Mentionable[]>()
const known = StateField.define<ReadonlyMap<string, Mentionable>>({
  create: () => new Map(),
  update: (value, transaction) => {
    for (const effect of transaction.effects) if (effect.is(learn)) return new Map(effect.value.map((one) => [one.slug, one]))
    return value
  },
})

const MENTION = /(?<![A-Za-z0-9_#/&?=%\\]|\]\()#([a-z0-9]+(?:-[a-z0-9]+)*)(?![A-Za-z0-9_#/])/g
const CODE = new Set(['FencedCode', 'CodeBlock', 'InlineCode', 'CodeText', 'URL'])

function inProse(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, 1); ; node = node.parent) {
    if (CODE.has(node.name)) return false
    if (!node.parent) break
  }
  const front = frontOf(state.doc)
  return !front || at > front.to
}

interface Found extends Partial<Mentionable> {
  slug: string
  from: number
  to: number
}

/** The mention that stands at a place, whether or not it names a record. */
export function mentionAt(state: EditorState, at: number): Found | undefined {
  const line = state.doc.lineAt(at)
  // A line of a hundred thousand characters is looked at around the place alone.
  const start = Math.max(line.from, at - 200)
  for (const match of state.sliceDoc(start, Math.min(line.to, at + 200)).matchAll(MENTION)) {
    const from = start + match.index
    const to = from + match[0].length
    if (from <= at && at <= to && inProse(state, from)) return { slug: match[1] ?? '', ...state.field(known).get(match[1] ?? ''), from, to }
  }
  return undefined
}

/** Every mention of a record in a stretch of the text. */
export function mentionsIn(state: EditorState, from: number, to: number): (Mentionable & { from: number; to: number })[] {
  const records = state.field(known)
  const after = frontOf(state.doc)?.to ?? -1
  // One walk through the tree: to look each place up by itself is slow in a long text.
  const code: [number, number][] = []
  syntaxTree(state).iterate({ from, to, enter: (node) => (CODE.has(node.name) ? (code.push([node.from, node.to]), false) : undefined) })
  return [...state.sliceDoc(from, to).matchAll(MENTION)].flatMap((match) => {
    const record = records.get(match[1] ?? '')
    const at = from + match.index
    const prose = record && at > after && !code.some(([begin, end]) => begin <= at && at < end)
    return prose ? [{ ...record, from: at, to: at + match[0].length }] : []
  })
}

const link = Decoration.mark({ class: 'cm-mention cm-mention-known' })

const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    #tree
    constructor(view: EditorView) {
      this.#tree = syntaxTree(view.state)
      this.decorations = this.#find(view)
    }
    update(update: ViewUpdate) {
      const tree = syntaxTree(update.state)
      const told = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(learn)))
      if (!update.docChanged && !update.viewportChanged && !told && tree === this.#tree) return
      this.#tree = tree
      this.decorations = this.#find(update.view)
    }
    #find({ state, visibleRanges }: EditorView): DecorationSet {
      const found = visibleRanges.flatMap(({ from, to }) => mentionsIn(state, from, to))
      return Decoration.set(found.map(({ from, to }) => link.range(from, to)), true)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

const LISTED = 100

function complete(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/(?<![A-Za-z0-9_#/&?=%\\])#[a-z0-9-]*/)
  if (!before || !inProse(context.state, before.from)) return null
  const options = [...context.state.field(known).values()].map(({ slug, about }) => ({ label: `#${slug}`, ...(about ? { detail: about } : {}) }))
  return options.length === 0 ? null : { from: before.from, options, validFor: /^#[a-z0-9-]*$/ }
}

const card = hoverTooltip((view, at) => {
  const found = mentionAt(view.state, at)
  const ref = found?.ref
  if (!found || !ref) return null
  return {
    pos: found.from,
    end: found.to,
    above: true,
    create: () => {
      const dom = document.createElement('div')
      dom.className = 'cm-card'
      const name = dom.appendChild(document.createElement('b'))
      name.textContent = found.slug
      const about = dom.appendChild(document.createElement('p'))
      about.textContent = found.about ?? ''
      const lang = langOf(found.about ?? '')
      if (lang) about.lang = lang
      const small = dom.appendChild(document.createElement('small'))
      const [kind] = ref.split(':')
      small.textContent = `${t().editor.kind(kind ?? '')} · ${t().editor.followHint}`
      return { dom }
    },
  }
})

function follow(view: EditorView, at: number): boolean {
  const ref = mentionAt(view.state, at)?.ref
  if (!ref) return false
  for (const go of view.state.facet(follows)) go(ref)
  return true
}

/** While Ctrl or ⌘ is held, a mention looks like what it then is: a link. */
const held = EditorView.domEventHandlers({
  mousedown: (event, view) => {
    if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
    if (at === null || !follow(view, at)) return false
    event.preventDefault()
    return true
  },
  mousemove: (event, view) => void view.dom.classList.toggle('cm-follows', event.ctrlKey || event.metaKey),
  keydown: (event, view) => void (event.key !== 'Control' && event.key !== 'Meta' ? undefined : view.dom.classList.add('cm-follows')),
  keyup: (_, view) => void view.dom.classList.remove('cm-follows'),
})

export const mentions: Extension = [
  known,
  marks,
  card,
  held,
  autocompletion({ override: [complete], maxRenderedOptions: LISTED, icons: false, defaultKeymap: false }),
  keymap.of([...completionKeymap, { key: 'Mod-Enter', run: (view) => follow(view, view.state.selection.main.head) }]),
]

