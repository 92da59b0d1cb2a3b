// Numbers and values as people read them, in the interface language.
import type { Plain } from '../../sim-engine/messages.ts'

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale, options)))
  return format
}

/** A number in a readout: whole numbers as they are, others with five significant digits, very large or small ones with a power of ten. */
export function formatNumber(value: number, locale: string): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '-∞'
  const size = Math.abs(value)
  if (size >= 1e12 || (size > 0 && size < 1e-4)) return formatOf(locale, { notation: 'scientific', maximumFractionDigits: 3 }).format(value)
  if (Number.isInteger(value)) return formatOf(locale, { maximumFractionDigits: 0 }).format(value)
  return formatOf(locale, { maximumSignificantDigits: size >= 10_000 ? Math.floor(Math.log10(size)) + 2 : 5 }).format(value)
}

/** A number shown large: with enough digits to be compared, and of a width that changes little during a run. */
export function formatReadout(value: Plain | undefined, locale: string): string {
  const size = typeof value === 'number' ? Math.abs(value) : 0
  if (typeof value !== 'number' || Number.isInteger(value) || !(size >= 0.001 && size < 1000)) return formatValue(value, locale)
  return formatOf(locale, { minimumSignificantDigits: 3, maximumSignificantDigits: 3 }).format(value)
}

/** Numbers along an axis: short (12K), and all with the decimals their distance asks for. */
export function formatTick(value: number, step: number, locale: string): string {
  const size = Math.abs(value)
  if (size >= 1e15 || (size > 0 && step < 1e-6)) return formatOf(locale, { notation: 'scientific', maximumFractionDigits: 1 }).format(value)
  if (size >= 10_000) return formatOf(locale, { notation: 'compact', maximumFractionDigits: step < 1000 ? 2 : 1 }).format(value)
  const decimals = Math.max(0, Math.min(12, Math.ceil(-Math.log10(Math.max(step, 1e-12)) - 1e-9)))
  return formatOf(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)
}

/** Any value of a model on one line. */
export function formatValue(value: Plain | undefined, locale: string): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'number') return formatNumber(value, locale)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `[${listed(value.map(item => formatValue(item, locale)))}]`
  return `{${listed(Object.entries(value).map(([key, item]) => `${key}: ${formatValue(item, locale)}`))}}`
}

const mostListed = 50

const listed = (items: readonly string[]): string =>
  items.length > mostListed ? `${items.slice(0, mostListed).join(', ')}, … (${items.length})` : items.join(', ')
