// `&amp;` and its like, as far as they are written in practice; another one is shown as it stands.

const NAMED: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', hellip: '…',
  mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•', middot: '·',
  times: '×', divide: '÷', deg: '°', plusmn: '±', larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', yen: '¥', euro: '€',
  sect: '§', para: '¶', le: '≤', ge: '≥', ne: '≠', infin: '∞', check: '✓', zwnj: '\u200c', zwj: '\u200d', shy: '\u00ad',
}

export function entity(written: string): string {
  const name = written.slice(1, -1)
  if (!name.startsWith('#')) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? written) : written
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0x1f && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : written
}
