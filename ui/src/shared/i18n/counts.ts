// How counts are written in each language.

export const inEnglish = (count: number): string => count.toLocaleString('en-US')
export const inJapanese = (count: number): string => count.toLocaleString('ja-JP')
/** A count with its noun in English: `1 hit`, `2 hits`. */
export const many = (count: number, one: string, more = `${one}s`): string => `${inEnglish(count)} ${count === 1 ? one : more}`
