// How the editor's text looks. It lives in a shadow root (see `mirror.ts`), where the window's own rules do not reach, but
// its tokens do: prose in the window's font, the frontmatter and code in the fixed one, by day and by night.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const MONO = { fontFamily: 'var(--mono)', fontSize: 'var(--t12)' }
const FLOAT = {
  border: '1px solid var(--hairline)',
  borderRadius: '8px',
  backgroundColor: 'var(--float)',
  color: 'var(--ink)',
  boxShadow: 'var(--cast)',
}

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--sans)', fontSize: 'var(--t13)', lineHeight: '1.75', overflow: 'auto' },
  '.cm-content': { padding: '12px 0 32px', caretColor: 'var(--ink)', cursor: 'text', WebkitUserSelect: 'text', userSelect: 'text' },
  '.cm-line': { padding: '0 24px 0 0' },
  '&.cm-wraps .cm-line': { maxWidth: '48em' },
  '&.cm-focused .cm-content::selection, .cm-line::selection, .cm-line ::selection': { backgroundColor: 'var(--chosen)' },
  '.cm-placeholder': { color: 'var(--quiet)' },
  '.cm-specialChar': { color: 'var(--trouble)' },

  '.cm-front': MONO,
  '.cm-fold': {
    display: 'inline-flex',
    alignItems: 'center',
    height: '20px',
    padding: '0 8px',
    border: '1px solid var(--hairline)',
    borderRadius: '4px',
    backgroundColor: 'var(--ground)',
    color: 'var(--quiet)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--t12)',
    lineHeight: '18px',
    cursor: 'default',
  },
  '.cm-fold:hover': { color: 'var(--ink)', backgroundColor: 'var(--hover)' },

  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--quiet)', border: '0', fontSize: 'var(--t12)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 12px', minWidth: '36px', fontVariantNumeric: 'tabular-nums', fontFamily: 'var(--sans)' },
  '.cm-gutter-lint': { width: '20px', marginInlineStart: '4px' },
  '.cm-gutter-lint .cm-gutterElement': { display: 'grid', justifyItems: 'center', padding: '0' },
  '.cm-gutter-lint .cm-lint-marker': { content: 'normal', width: '10px', height: '10px', marginTop: '0.45em', backgroundColor: 'var(--quiet)' },
  '.cm-gutter-lint .cm-lint-marker-error': { content: 'normal', backgroundColor: 'var(--trouble)', borderRadius: '50%' },
  '.cm-gutter-lint .cm-lint-marker-warning': { content: 'normal', clipPath: 'polygon(50% 0, 100% 100%, 0 100%)' },
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0', textUnderlineOffset: '3px', textDecorationSkipInk: 'none' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--trouble) 1px' },
  '.cm-lintRange-warning': { textDecoration: 'underline dotted var(--quiet) 2px' },
  '.cm-lintRange-active': { backgroundColor: 'var(--trouble-ground)' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--trouble)' },
  '.cm-lintPoint-warning:after': { borderBottomColor: 'var(--quiet)' },

  '.cm-mention': { color: 'var(--accent)', borderRadius: '3px' },
  '.cm-mention-known': { textDecoration: 'underline', textUnderlineOffset: '3px', textDecorationColor: 'color-mix(in oklch, var(--accent) 45%, transparent)' },
  '&.cm-follows .cm-mention-known': { cursor: 'pointer', textDecorationColor: 'var(--accent)' },

  '.cm-searchMatch': { backgroundColor: 'var(--mark)', color: 'var(--on-mark)', borderRadius: '2px' },
  '.cm-searchMatch *': { color: 'inherit' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)', backgroundColor: 'var(--mark)' },
  '.cm-panels': { display: 'none' },

  '.cm-tooltip': { ...FLOAT, zIndex: '5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--sans)', fontSize: 'var(--t13)', maxHeight: '232px', padding: '4px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '12px',
    height: '28px',
    maxWidth: '440px',
    padding: '0 8px',
    borderRadius: '4px',
    lineHeight: '28px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--chosen)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { marginInlineStart: 'auto', fontStyle: 'normal', color: 'var(--quiet)', fontSize: 'var(--t12)', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-tooltip-lint': { padding: '4px 0', maxWidth: '420px' },
  '.cm-diagnostic': { padding: '4px 12px', borderInlineStart: '0', marginInlineStart: '0', lineHeight: '1.6', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderInlineStart: '0' },
  '.cm-diagnostic-warning': { borderInlineStart: '0' },
  '.cm-diagnosticText': { display: 'block' },
  '.cm-diagnosticAction': {
    display: 'inline-block',
    margin: '6px 8px 4px 0',
    padding: '0 10px',
    height: '26px',
    lineHeight: '24px',
    border: '1px solid var(--hairline)',
    borderRadius: '6px',
    backgroundColor: 'var(--float)',
    color: 'var(--ink)',
    font: '400 var(--t13) var(--sans)',
  },
  '.cm-diagnosticAction:hover': { backgroundColor: 'var(--hover)' },
  '.cm-card': { maxWidth: '400px', padding: '8px 12px', lineHeight: '1.6' },
  '.cm-card b': { fontWeight: '600' },
  '.cm-card p': { margin: '4px 0 0', overflowWrap: 'anywhere' },
  '.cm-card small': { display: 'block', marginTop: '4px', fontSize: 'var(--t12)', color: 'var(--quiet)' },
  '@media (forced-colors: active)': {
    '.cm-searchMatch': { backgroundColor: 'Mark', color: 'MarkText' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { outline: '1px solid Highlight' },
  },
})

const words = HighlightStyle.define([
  { tag: tags.heading1, fontWeight: '600', fontSize: 'var(--t18)' },
  { tag: tags.heading2, fontWeight: '600', fontSize: 'var(--t15)' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.monospace], fontFamily: 'var(--mono)', fontSize: '0.923em' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.quote, color: 'var(--quiet)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.separator, tags.punctuation], color: 'var(--quiet)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.propertyName), tags.propertyName, tags.labelName], color: 'var(--accent)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--done)' },
  { tag: [tags.bool, tags.null, tags.number, tags.keyword, tags.typeName], color: 'var(--running)' },
])

/** Everything about looks. */
export const looks = [look, syntaxHighlighting(words)]

/** What a merge's two texts have beside that. */
export const mergeLooks = EditorView.theme({
  '&': { height: 'auto' },
  '.cm-content': { padding: '8px 0 16px' },
  '.cm-line': { padding: '0 12px' },
  '&.cm-merge-b': { borderInlineStart: '1px solid var(--hairline)' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'color-mix(in oklch, var(--running) 9%, transparent)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'color-mix(in oklch, var(--done) 9%, transparent)' },
  '&.cm-merge-a .cm-changedText': { background: 'color-mix(in oklch, var(--running) 20%, transparent)' },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in oklch, var(--done) 20%, transparent)' },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--running)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--done)' },
  '.cm-collapsedLines': { padding: '4px 12px', background: 'var(--side)', color: 'var(--quiet)', fontSize: 'var(--t12)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '&.cm-merge-b .cm-place.cm-line': { backgroundColor: 'color-mix(in oklch, var(--done) 14%, transparent)' },
  '&.cm-merge-b .cm-place-theirs.cm-line': { backgroundColor: 'color-mix(in oklch, var(--running) 14%, transparent)' },
  '&.cm-merge-b .cm-place .cm-changedText': { background: 'none' },
  '.cm-place[data-side]::after': {
    content: 'attr(data-side)',
    float: 'right',
    marginInlineStart: '12px',
    color: 'var(--quiet)',
    fontSize: 'var(--t12)',
  },
  '.cm-place-here': { boxShadow: 'inset 3px 0 0 var(--accent)' },
})
