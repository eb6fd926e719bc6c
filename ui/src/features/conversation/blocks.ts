// A raw body in stretches of prose and of fenced code. Nothing else of Markdown is read here: the drill-down shows what
// was said as it was said.

export interface Block {
  code: boolean
  text: string
}

export function blocksOf(body: string): Block[] {
  const blocks: Block[] = []
  const prose = (text: string) => {
    const trimmed = text.replace(/^\s*\n|\s+$/g, '')
    if (trimmed !== '') blocks.push({ code: false, text: trimmed })
  }
  let open: string | undefined
  let held: string[] = []
  for (const line of body.split(/\r\n|\r|\n/)) {
    const fence = /^\s{0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line)
    if (open === undefined && fence?.[1]) {
      prose(held.join('\n'))
      held = []
      open = fence[1]
    } else if (open !== undefined && fence?.[1]?.startsWith(open) && !fence[2]?.trim()) {
      blocks.push({ code: true, text: held.join('\n') })
      held = []
      open = undefined
    } else held.push(line)
  }
  if (open !== undefined) blocks.push({ code: true, text: held.join('\n') })
  else prose(held.join('\n'))
  return blocks
}

/** The first line that says something, for a comment that is folded to a line. */
export function firstLine(body: string): string {
  return /\S[^\n\r]*/.exec(body.slice(0, 2_000))?.[0]?.trim().slice(0, 200) ?? ''
}
