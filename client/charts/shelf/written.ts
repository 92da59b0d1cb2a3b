// How a chart writes its numbers.
import type { Plot } from '../../../model-schema/plot.ts'
import { formatNumber } from '../format.ts'

export type Written = {
  readonly value: (value: number) => string
  /** Along an axis. */
  readonly tick: (value: number) => string
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
  const plain = new Intl.NumberFormat(locale, { useGrouping: false })
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const behind = unit === '' ? '' : /^[%°′″]/.test(unit) ? unit : `\u00a0${unit}`
  return {
    value: value => (Number.isNaN(value) ? '–' : `${number ? number.format(value) : formatNumber(value, locale)}${behind}`),
    tick: value => {
      if (number) return number.format(value)
      // Years are written as years.
      if (Number.isInteger(value) && Math.abs(value) < 10_000) return plain.format(value)
      return Math.abs(value) >= 10_000 && Math.abs(value) < 1e15 ? short.format(value) : formatNumber(value, locale)
    },
    date: value => (Number.isFinite(value) ? (value % 86_400_000 === 0 ? day : moment).format(value) : '–'),
  }
}
