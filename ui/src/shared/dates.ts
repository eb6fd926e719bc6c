// Times as a person reads them: relative within a day, then `2026-06-20 10:00`, with the full time for the tooltip. In the
// computer's own time zone; `now` is given, so that tests and pictures decide it.

const two = (n: number) => String(n).padStart(2, '0')

/** `2026-06-20`, local. */
export function dayOf(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** `2026-06-20 10:00`, local. */
export function minuteOf(time: Date): string {
  return `${dayOf(time)} ${two(time.getHours())}:${two(time.getMinutes())}`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const relative = new Map<string, Intl.RelativeTimeFormat>()
const full = new Map<string, Intl.DateTimeFormat>()

/** As a list shows it. */
export function shortTime(wire: string, now: number, lang: 'ja' | 'en'): string {
  const time = new Date(wire)
  const ago = now - time.getTime()
  if (Number.isNaN(ago)) return wire
  // The clock of the page ticks now and then: what came since its last tick is now.
  if (ago < -MINUTE || ago >= DAY) return minuteOf(time)
  let format = relative.get(lang)
  if (!format) relative.set(lang, (format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })))
  if (ago < MINUTE) return format.format(0, 'second')
  return ago < HOUR
    ? format.format(-Math.floor(ago / MINUTE), 'minute')
    : format.format(-Math.floor(ago / HOUR), 'hour')
}

/** As a tooltip shows it: to the second, with the zone. */
export function fullTime(wire: string, lang: 'ja' | 'en'): string {
  const time = new Date(wire)
  if (Number.isNaN(time.getTime())) return wire
  let format = full.get(lang)
  if (!format) full.set(lang, (format = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeStyle: 'long' })))
  return format.format(time)
}

/** The first moment of a local day `2026-06-20`, `days` later, as it is on the wire. Nothing if there is no such day. */
export function startOfDay(day: string, days = 0): string | undefined {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number)
  const time = new Date(year, month - 1, date + days)
  const real = new Date(year, month - 1, date)
  if (real.getFullYear() !== year || real.getMonth() !== month - 1 || real.getDate() !== date) return undefined
  return time.toISOString()
}
