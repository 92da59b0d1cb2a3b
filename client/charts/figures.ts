// Chart data in the forms the drawings take: rows over time, named bars, binned samples, and the table behind each.
import { csvCell } from '../../model-schema/csv-cell.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import type { SeriesBuffer } from '../run/series.ts'
import { boxOfSorted, type BoxPlot } from './shelf/shapes.ts'

/** One value per series: what has no history, or the newest row of what has. */
export function latestOf(buffer: SeriesBuffer): readonly Plain[] {
  if (buffer.latest.length > 0 || buffer.length === 0) return buffer.latest
  return Array.from({ length: buffer.columns }, (_, series) => buffer.column(series).at(-1) ?? null)
}

/** The rows of the last `window` of x, or all. */
export function rowsOf(buffer: SeriesBuffer, window: number | null): Float64Array[] {
  const { x } = buffer
  let from = 0
  if (window !== null && x.length > 0) {
    const start = (x.at(-1) ?? 0) - window
    let high = x.length
    while (from < high) {
      const middle = (from + high) >> 1
      if ((x[middle] ?? 0) < start) from = middle + 1
      else high = middle
    }
  }
  return [x.subarray(from), ...Array.from({ length: buffer.columns }, (_, series) => buffer.column(series).subarray(from))]
}

type Bars = { categories: readonly string[]; columns: readonly (readonly (number | null)[])[] }

/** Named amounts: a dict gives a bar per key, a list one per place, a plain number one under its series' label. */
export function barsOf(values: readonly Plain[], labels: readonly string[]): Bars {
  const keyed = values.map(value =>
    Array.isArray(value)
      ? value.map((item, i): [string, Plain] => [String(i), item])
      : value !== null && typeof value === 'object'
        ? Object.entries(value)
        : null,
  )
  if (keyed.every(entries => entries === null)) {
    return { categories: values.map((_, i) => labels[i] ?? ''), columns: [values.map(numberOr)] }
  }
  const places = new Map<string, number>()
  for (const entries of keyed) for (const [key] of entries ?? []) if (!places.has(key)) places.set(key, places.size)
  const columns = keyed.map((entries, series) => {
    const column: (number | null)[] = Array.from({ length: places.size }, () => null)
    for (const [key, value] of entries ?? [[labels[series] ?? '', values[series] ?? null] as const]) {
      const at = places.get(key)
      if (at !== undefined) column[at] = numberOr(value)
    }
    return column
  })
  return { categories: [...places.keys()], columns }
}

const numberOr = (value: Plain): number | null => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null)

type Bins = { edges: readonly number[]; counts: readonly (readonly number[])[] }

/** Samples counted into bins of equal width over the range of all series; ready counts are taken as they are. */
export function binsOf(values: readonly Plain[], bins: number): Bins {
  const ready = values.map(countsOf)
  const first = ready[0]
  if (first && ready.every(one => one !== null)) return { edges: first.edges, counts: ready.map(one => one.counts) }
  const samples = values.map(numbersOf)
  let low = Infinity
  let high = -Infinity
  for (const sample of samples) {
    for (const value of sample) {
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  if (!(low <= high)) return { edges: [], counts: [] }
  if (low === high) [low, high] = [low - 0.5, high + 0.5]
  const width = (high - low) / bins
  const edges = Array.from({ length: bins + 1 }, (_, i) => (i === bins ? high : low + i * width))
  const counts = samples.map(sample => {
    const count = Array.from({ length: bins }, () => 0)
    for (const value of sample) {
      const bin = Math.min(bins - 1, Math.floor((value - low) / width))
      count[bin] = (count[bin] ?? 0) + 1
    }
    return count
  })
  return { edges, counts }
}

/** Numbers in a value, at any depth of lists. */
export function numbersOf(value: Plain): number[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [value] : []
  if (typeof value === 'boolean') return [Number(value)]
  return Array.isArray(value) ? value.flatMap(numbersOf) : []
}

function countsOf(value: Plain): { edges: number[]; counts: number[] } | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const edges = numbersOf(value['edges'] ?? value['bins'] ?? null)
  const counts = numbersOf(value['counts'] ?? null)
  return counts.length > 0 && edges.length === counts.length + 1 ? { edges, counts } : null
}

/** Tukey's box of the numbers in a value; null of none. */
export const boxOf = (value: Plain): BoxPlot | null => boxOfSorted(Float64Array.from(numbersOf(value)).sort())

export type Table = { head: readonly string[]; rows: readonly (readonly Plain[])[] }

/** The numbers behind a chart, newest last. */
export function tableOf(buffer: SeriesBuffer, labels: readonly string[], x: string): Table {
  if (buffer.length > 0) {
    const columns = rowsOf(buffer, null)
    return { head: [x, ...labels], rows: Array.from({ length: buffer.length }, (_, row) => columns.map(column => finite(column[row]))) }
  }
  const { categories, columns } = barsOf(buffer.latest, labels)
  const single = columns.length === 1 && labels.length !== 1
  return {
    head: ['', ...(single ? [''] : labels)],
    rows: categories.map((category, row) => [category, ...columns.map(column => column[row] ?? null)]),
  }
}

const finite = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value)

/** RFC 4180, with a byte order mark so that spreadsheets read the letters right. */
export function csvOf({ head, rows }: Table): string {
  const cell = (value: Plain): string => csvCell(value !== null && typeof value === 'object' ? JSON.stringify(value) : value)
  return `\uFEFF${[head, ...rows].map(row => row.map(cell).join(',')).join('\r\n')}\r\n`
}
