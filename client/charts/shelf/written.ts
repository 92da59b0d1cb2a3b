// How a chart writes its numbers.
import type { Plot } from '../../../model-schema/plot.ts'
import { formatNumber, formatTick } from '../format.ts'

export type Written = {
  readonly value: (value: number) => string
  /** Along an axis whose ticks are `step` apart; 0 when that is not known. */
  readonly tick: (value: number, step: number) => string
  readonly date: (value: number) => string
}

export function writtenAs({ format, decimals, unit }: Pick<Plot, 'format' | 'decimals' | 'unit'>, locale: string): Written {
  const options: Record<Plot['format'], Intl.NumberFormatOptions | null> = {
    auto: null,
    fixed: { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
    percent: { style: 'percent', minimumFractionDigits: decimals, maximumFractionDigits: decimals },
    compact: { notation: 'compact', maximumFractionDigits: decimals },
    scientific: { notation: 'scientific', maximumFractionDigits: decimals },
  }
  const asked = options[format]
  const number = asked && new Intl.NumberFormat(locale, asked)
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const behind = unit === '' ? '' : /^[%°′″]/.test(unit) ? unit : `\u00a0${unit}`
  return {
    value: value => (Number.isNaN(value) ? '–' : `${number ? number.format(value) : formatNumber(value, locale)}${behind}`),
    tick: (value, step) => (number ? number.format(value) : step > 0 ? formatTick(value, step, locale) : formatNumber(value, locale)),
    date: value => (Number.isFinite(value) ? (value % 86_400_000 === 0 ? day : moment).format(value) : '–'),
  }
}
