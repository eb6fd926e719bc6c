// Characters that are not seen but turn the writing around: in a text that nobody vouches for they are shown by number,
// so that what is read is what stands there.

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

export function visible(text: string): string {
  return text.replace(TURNING, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`)
}

/** What a terminal would have taken for colours and movements goes; the words stay. */
const TERMINAL = /\u001b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

export function withoutTerminal(text: string): string {
  return text.includes('\u001b') ? text.replace(TERMINAL, '') : text
}
