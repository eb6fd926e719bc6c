// Words of the record as a person reads them; a word that a later program wrote is shown as it stands.
import { t } from './i18n/index.svelte'

export function kindName(kind: string, progress?: string | null): string {
  const { kinds, progress: types } = t()
  if (kind === 'progress' && progress) return (types as Record<string, string>)[progress] ?? progress
  return (kinds as Record<string, string>)[kind] ?? kind
}

/** `1.4 MB`: how large a file is, in the units of a file list. */
export function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let amount = bytes
  let unit = 0
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000
    unit += 1
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit] ?? ''}`
}

/** The end of a path, with its folder: enough to know it by, the whole in a tooltip. */
export function shortPath(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).slice(-2).join('/')
}

const KANA_OR_HAN = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u

/** The language of a text, as far as its letters tell: for fonts, line breaks and voices. */
export function langOf(text: string): 'ja' | 'en' | undefined {
  const start = text.slice(0, 400)
  if (KANA_OR_HAN.test(start)) return 'ja'
  return /[a-z]{2}/i.test(start) ? 'en' : undefined
}
