// Agents whose sessions can be read, as people know them.
const TITLES: Record<string, string> = { 'claude-code': 'Claude Code', codex: 'Codex', kiroku: 'Kiroku' }

/** `Claude Code` for `claude-code`; a source that a later program knows stands by its own name. */
export const sourceTitle = (name: string): string => TITLES[name] ?? name
