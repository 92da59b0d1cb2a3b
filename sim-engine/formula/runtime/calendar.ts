// The proleptic Gregorian calendar without time zones, in milliseconds since 1970-01-01T00:00.

export const dayMs = 86_400_000

/** 2026-01-31 08:05:00; the time is left out at midnight. */
export function dateText(ms: number): string {
  const iso = new Date(ms).toISOString()
  const time = iso.slice(11, 19)
  return time === '00:00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}

/** NaN when the fields name no day. */
export function dateMs(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const sameDay = new Date(0)
  sameDay.setUTCFullYear(year, month - 1, day)
  if (sameDay.getUTCMonth() !== month - 1 || sameDay.getUTCDate() !== day) return Number.NaN
  return sameDay.getTime() + hour * 3_600_000 + minute * 60_000 + Math.round(second * 1000)
}

/** Reads 2026-01-31, 2026-01-31 08:05 or 2026-01-31T08:05:30; NaN for anything else. */
export function parseDate(text: string): number {
  const match = /^\s*(\d{1,4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?\s*$/.exec(text)
  if (!match) return Number.NaN
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) >= 60) return Number.NaN
  return dateMs(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second))
}
