// Dates of the model calendar. A difference of dates, and any duration, is a number of days.
import type { Row } from './row.ts'
import { row } from './row.ts'

const r = (shown: string, en: string, zh: string, source: string, result: string): Row => row('dates', shown, en, zh, [source, result])

export const dateRows: readonly Row[] = [
  r(
    'date(year: any, month: number = 1, day: number = 1, hour: number = 0, minute: number = 0, second: number = 0) -> date',
    'A date, from its parts or from a text such as "2026-01-31 08:30".',
    '日期，由各部分或形如“2026-01-31 08:30”的文本给出。',
    'date(2026, 1, 31) + 1',
    '2026-02-01',
  ),
  r('weeks(n: number) -> number', 'n weeks, in days.', 'n 周的天数。', 'weeks(2)', '14'),
  r(
    'days(n: number) -> number',
    'n days: the unit of durations.',
    'n 天（时长的单位）。',
    'date("2026-03-01") - date("2026-02-01") == days(28)',
    'True',
  ),
  r('hours(n: number) -> number', 'n hours, in days.', 'n 小时的天数。', 'hours(12)', '0.5'),
  r('minutes(n: number) -> number', 'n minutes, in days.', 'n 分钟的天数。', 'minutes(720)', '0.5'),
  r('seconds(n: number) -> number', 'n seconds, in days.', 'n 秒的天数。', 'seconds(43200)', '0.5'),
  r('year(d: date) -> number', 'Year of a date.', '日期的年份。', 'year(date(2026, 5, 4))', '2026'),
  r('month(d: date) -> number', 'Month of a date, 1 to 12.', '日期的月份，1 至 12。', 'month(date(2026, 5, 4))', '5'),
  r('day(d: date) -> number', 'Day of the month, 1 to 31.', '日期的日，1 至 31。', 'day(date(2026, 5, 4))', '4'),
  r('hour(d: date) -> number', 'Hour of a date, 0 to 23.', '日期的小时，0 至 23。', 'hour(date(2026, 5, 4, 13))', '13'),
  r('minute(d: date) -> number', 'Minute of a date, 0 to 59.', '日期的分钟，0 至 59。', 'minute(date(2026, 5, 4, 13, 30))', '30'),
  r('second(d: date) -> number', 'Second of a date, 0 to 59.', '日期的秒，0 至 59。', 'second(date(2026, 5, 4, 13, 30, 5))', '5'),
  r(
    'weekday(d: date) -> number',
    'Day of the week: Monday 0 to Sunday 6.',
    '星期几：周一为 0，周日为 6。',
    'weekday(date(2026, 1, 5))',
    '0',
  ),
  r('day_of_year(d: date) -> number', 'Day of the year, 1 to 366.', '一年中的第几天，1 至 366。', 'day_of_year(date(2026, 2, 1))', '32'),
]
