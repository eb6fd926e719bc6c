// What a window remembers for itself between runs: widths, what was searched last, how the page looked. Nothing of the
// record, and nothing that anything but this page reads, so it stays in the webview's own storage.

/** What was kept under a name, if `fits` says that it is still of the right shape. */
export function recall<T>(name: string, fits: (value: unknown) => value is T, otherwise: T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`kiroku.${name}`) ?? 'null')
    return fits(value) ? value : otherwise
  } catch {
    return otherwise
  }
}

/** Keeps a value under a name; storage that is full or refused only means that it is not remembered. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`kiroku.${name}`, JSON.stringify(value))
  } catch {
    // Not remembered, then.
  }
}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
export const isText = (value: unknown): value is string => typeof value === 'string'
export const isWords = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string')
