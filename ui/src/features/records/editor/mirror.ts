// The editor's text: CodeMirror, set up for records. It is mounted in a shadow root, where it uses constructed style sheets:
// in a document it would insert a `<style>`, which the content security policy refuses.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { foldKeymap } from '@codemirror/language'
import { yamlFrontmatter } from '@codemirror/lang-yaml'
import { lintGutter } from '@codemirror/lint'
import { search } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers, tooltips } from '@codemirror/view'
import { t } from '../../../shared/i18n/index.svelte'
import { isBoolean, keep, recall } from '../../../shared/kept'
import { boundedMarkdown } from './bounded'
import { front } from './front'
import { mentions } from './mentions'
import { looks } from './theme'

/** What the person likes in the text, remembered by the window. */
export interface Likes {
  wrap: boolean
  numbers: boolean
}
export const recallLikes = (): Likes => ({
  wrap: recall('editor.wrap', isBoolean, true),
  numbers: recall('editor.numbers', isBoolean, false),
})
export function keepLikes(likes: Likes): void {
  keep('editor.wrap', likes.wrap)
  keep('editor.numbers', likes.numbers)
}

const [words, liked, access] = [new Compartment(), new Compartment(), new Compartment()]

const wordsNow = (slug: string, lang: string | undefined): Extension => [
  EditorState.phrases.of(t().editor.phrases()),
  EditorView.contentAttributes.of({ 'aria-label': t().editor.text(slug), ...(lang ? { lang } : {}) }),
]
const likedNow = ({ wrap, numbers }: Likes): Extension => [
  numbers ? lineNumbers() : [],
  wrap ? [EditorView.lineWrapping, EditorView.editorAttributes.of({ class: 'cm-wraps' })] : [],
]
const accessNow = (readOnly: boolean): Extension =>
  readOnly ? [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })] : []

export const speakNow = (slug: string, lang: string | undefined) => words.reconfigure(wordsNow(slug, lang))
export const likeNow = (likes: Likes) => liked.reconfigure(likedNow(likes))
export const allowNow = (readOnly: boolean) => access.reconfigure(accessNow(readOnly))

/** Keys that are the window's own: back and forward. */
const TAKEN = new Set(['Alt-ArrowLeft', 'Alt-ArrowRight', 'Mod-Enter'])

export function beginState(of: { doc: string; slug: string; lang: string | undefined; readOnly: boolean; more: Extension }): EditorState {
  return EditorState.create({
    doc: of.doc,
    extensions: [
      // Texts have `\n` alone at their line ends; whatever else stands in them is a character like others.
      EditorState.lineSeparator.of('\n'),
      of.more,
      words.of(wordsNow(of.slug, of.lang)),
      liked.of(likedNow(recallLikes())),
      access.of(accessNow(of.readOnly)),
      history({ minDepth: 500 }),
      lintGutter({ hoverTime: 200 }),
      // It can be focused anyway; what looks for that in the attributes finds it.
      EditorView.contentAttributes.of({ tabindex: '0' }),
      front,
      highlightSpecialChars(),
      yamlFrontmatter({ content: boundedMarkdown() }),
      mentions,
      // The panel is ours and stands outside; this one only keeps the matches marked while that is open.
      search({ createPanel: () => ({ dom: document.createElement('div') }) }),
      tooltips({ position: 'fixed' }),
      looks,
      keymap.of([...historyKeymap, ...foldKeymap, ...defaultKeymap.filter(({ key }) => !TAKEN.has(key ?? '')), indentWithTab]),
    ],
  })
}
