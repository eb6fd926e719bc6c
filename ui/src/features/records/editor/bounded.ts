// Markdown for the editor, with paragraphs that can't grow beyond measure: Lezer reads a paragraph anew as a whole at each
// key press in it, and a file whose lines are never parted by a blank one is a single paragraph. What runs on longer than
// this is read in pieces, and a line that is longer by itself is left as it is.
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import type { LanguageSupport } from '@codemirror/language'
import type { BlockContext, LeafBlock, Line, MarkdownConfig } from '@lezer/markdown'

const LONG = 4_000

function piece(context: BlockContext, leaf: LeafBlock): true {
  const end = leaf.start + leaf.content.length
  const marks = leaf.content.length > 2 * LONG ? [] : context.parser.parseInline(leaf.content, leaf.start)
  context.addLeafElement(leaf, context.elt('Paragraph', leaf.start, end, marks))
  return true
}

const bounded: MarkdownConfig = {
  parseBlock: [
    {
      name: 'Bounded',
      before: 'LinkReference',
      leaf: () => ({
        nextLine: (context: BlockContext, _line: Line, leaf: LeafBlock) => leaf.content.length > LONG && piece(context, leaf),
        finish: (context: BlockContext, leaf: LeafBlock) => leaf.content.length > LONG && piece(context, leaf),
      }),
    },
  ],
}

export const boundedMarkdown = (): LanguageSupport => markdown({ base: markdownLanguage, extensions: [bounded], pasteURLAsLink: true })
