// Functions of dates. Durations are numbers of days.
import { RunError } from '../../problems.ts'
import { dateMs, dateText, parseDate } from './calendar.ts'
import { number, text } from './operators.ts'
import { FormulaDate } from './values.ts'

/** The date a first argument of text spells, or the one with these parts. */
export function makeDate(
  year: unknown,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  from: number,
  to: number,
): FormulaDate {
  const ms = typeof year === 'string' ? parseDate(text(year, from, to)) : dateMs(number(year, from, to), month, day, hour, minute, second)
  if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15) throw new RunError(10013, [], from, to)
  return new FormulaDate(ms)
}
export const weeks = (n: number): number => n * 7
export const days = (n: number): number => n
export const hours = (n: number): number => n / 24
export const minutes = (n: number): number => n / 1440
export const seconds = (n: number): number => n / 86400

const of = (date: FormulaDate): Date => new Date(date.ms)
export const year = (date: FormulaDate): number => of(date).getUTCFullYear()
export const month = (date: FormulaDate): number => of(date).getUTCMonth() + 1
export const day = (date: FormulaDate): number => of(date).getUTCDate()
export const hour = (date: FormulaDate): number => of(date).getUTCHours()
export const minute = (date: FormulaDate): number => of(date).getUTCMinutes()
export const second = (date: FormulaDate): number => of(date).getUTCSeconds()
export const weekday = (date: FormulaDate): number => (of(date).getUTCDay() + 6) % 7
export const day_of_year = (date: FormulaDate): number => Math.floor((date.ms - Date.UTC(of(date).getUTCFullYear(), 0, 1)) / 86_400_000) + 1
export const date_weekday = weekday
export const date_isoformat = (date: FormulaDate): string => dateText(date.ms)
