// What a tool was given, as a person reads it: the fields of its JSON, each by name, with the text of a file or a command
// as the text that it is and not as a string with `\n` in it.

export interface Part {
  name: string
  text: string
  /** The language of its code, if that can be told. */
  lang: string
}

/** A field that is one short line is said in the line of its name. */
export const isShort = (part: Part): boolean => part.text.length <= 120 && !part.text.includes('\n')

const endOf = (path: unknown) => (typeof path === 'string' ? (/\.(\w+)$/.exec(path)?.[1] ?? '') : '')

/** The fields of a JSON object, in its order; nothing if it is none, or was cut. */
export function fieldsOf(input: string): Part[] | undefined {
  if (!input.trimStart().startsWith('{')) return undefined
  let given: unknown
  try {
    given = JSON.parse(input)
  } catch {
    return undefined
  }
  const fields = Object.entries(given as Record<string, unknown>)
  if (fields.length > 40) return undefined
  const file = fields.find(([name]) => /^(file_path|path|file|notebook_path)$/.test(name))?.[1]
  return fields.map(([name, value]) => {
    if (typeof value !== 'string') return { name, text: JSON.stringify(value, null, 2), lang: 'json' }
    return { name, text: value, lang: name === 'command' || name === 'cmd' ? 'shell' : /content|string|text|code|patch|diff/.test(name) ? langOf(value) || endOf(file) : '' }
  })
}

/** What a text is written in, by how it begins. */
export function langOf(text: string): string {
  const start = text.slice(0, 200).trimStart()
  if (/^(diff --git |--- |@@ |\*\*\* Begin Patch)/.test(start)) return 'diff'
  return /^[[{]/.test(start) && /^[\s\S]*[\]}]\s*$/.test(text.slice(-20)) ? 'json' : ''
}
