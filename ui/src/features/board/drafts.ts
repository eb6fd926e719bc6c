// What a person has begun to write on the board and not saved: it is there again when they come back to it.

const drafts = new Map<string, string>()

export const draft = (name: string): string => drafts.get(name) ?? ''

export function keepDraft(name: string, text: string): void {
  if (text === '') drafts.delete(name)
  else drafts.set(name, text)
}
