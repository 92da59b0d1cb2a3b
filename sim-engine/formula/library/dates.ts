// Dates of the model calendar. A difference of dates, and any duration, is a number of days.
import type { Row } from './row.ts'
import { row } from './row.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const r = (shown: string, words: Words, source: string, result: string): Row => row('dates', shown, words, [source, result])

export const dateRows: readonly Row[] = [
  r(
    'date(year: any, month: number = 1, day: number = 1, hour: number = 0, minute: number = 0, second: number = 0) -> date',
    say('A date, from its parts or from a text such as "2026-01-31 08:30".'),
    'date(2026, 1, 31) + 1',
    '2026-02-01',
  ),
  r('weeks(n: number) -> number', say('n weeks, in days.'), 'weeks(2)', '14'),
  r('days(n: number) -> number', say('n days: the unit of durations.'), 'date("2026-03-01") - date("2026-02-01") == days(28)', 'True'),
  r('hours(n: number) -> number', say('n hours, in days.'), 'hours(12)', '0.5'),
  r('minutes(n: number) -> number', say('n minutes, in days.'), 'minutes(720)', '0.5'),
  r('seconds(n: number) -> number', say('n seconds, in days.'), 'seconds(43200)', '0.5'),
  r('year(d: date) -> number', say('Year of a date.'), 'year(date(2026, 5, 4))', '2026'),
  r('month(d: date) -> number', say('Month of a date, 1 to 12.'), 'month(date(2026, 5, 4))', '5'),
  r('day(d: date) -> number', say('Day of the month, 1 to 31.'), 'day(date(2026, 5, 4))', '4'),
  r('hour(d: date) -> number', say('Hour of a date, 0 to 23.'), 'hour(date(2026, 5, 4, 13))', '13'),
  r('minute(d: date) -> number', say('Minute of a date, 0 to 59.'), 'minute(date(2026, 5, 4, 13, 30))', '30'),
  r('second(d: date) -> number', say('Second of a date, 0 to 59.'), 'second(date(2026, 5, 4, 13, 30, 5))', '5'),
  r('weekday(d: date) -> number', say('Day of the week: Monday 0 to Sunday 6.'), 'weekday(date(2026, 1, 5))', '0'),
  r('day_of_year(d: date) -> number', say('Day of the year, 1 to 366.'), 'day_of_year(date(2026, 2, 1))', '32'),
]
