// Putting fields on shelves and taking them away, as changes of a card's fields. Pure: pointer, keys, menus and tests ask the same functions.
import { keyField, timeField, type Filter, type Metric, type Plot } from '../../../model-schema/plot.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { OfferedField } from './offers.ts'

export type ShelfId = 'dimension' | 'metrics' | 'colorBy' | 'facetBy' | 'filters'

export const shelfIds: readonly ShelfId[] = ['dimension', 'metrics', 'colorBy', 'facetBy', 'filters']

/** The position of a field on a shelf. */
type Place = { readonly shelf: ShelfId; readonly at: number }

export type Changes = { readonly [field: string]: Json }

const metricOf = (field: string): Metric => ({ field, aggregate: 'auto', label: '', color: '', goal: 'min' })
const rowsOf = (rows: readonly (Metric | Filter)[]): Json => rows.map(row => ({ ...row }))

/** The fields on a shelf. */
export function fieldsOn(plot: Plot, shelf: ShelfId): string[] {
  if (shelf === 'metrics' || shelf === 'filters') return plot[shelf].map(({ field }) => field)
  return plot[shelf] === '' ? [] : [plot[shelf]]
}

/** The default shelf of a field: numbers are measured, names are dimensions. */
export function shelfFor(plot: Plot, { id, is }: OfferedField): ShelfId {
  if (is === 'number' && id !== timeField) return 'metrics'
  if (plot.dimension === '') return 'dimension'
  return is === 'name' && plot.colorBy === '' ? 'colorBy' : is === 'name' && plot.facetBy === '' ? 'facetBy' : 'dimension'
}

/** Puts a field on a shelf; `from` is where it was taken from. A shelf of one field takes it in the place of what was there. */
export function put(plot: Plot, field: OfferedField, shelf: ShelfId, from: Place | null = null): Changes {
  const { id } = field
  if (from?.shelf === shelf) return {}
  const left = from ? taken(plot, from) : {}
  const old = from?.shelf === 'metrics' ? plot.metrics[from.at] : undefined
  const metrics = plot.metrics.filter((_, at) => !(from?.shelf === 'metrics' && from.at === at))
  const filters = plot.filters.filter((_, at) => !(from?.shelf === 'filters' && from.at === at))
  // The first metric of a run is shown over its time.
  const isFirst = plot.source === 'model' && shelf === 'metrics' && plot.metrics.length === 0 && plot.dimension === '' && !field.many
  const here: Changes =
    shelf === 'metrics'
      ? { metrics: rowsOf([...metrics, old ?? metricOf(id)]) }
      : shelf === 'filters'
        ? { filters: rowsOf([...filters, { field: id, how: field.is === 'number' ? 'ge' : 'is', value: '' }]) }
        : { [shelf]: id }
  return { ...left, ...here, ...(isFirst && plot.over === 'history' ? { dimension: timeField } : {}), ...overFor(plot, field) }
}

/** What has no course is shown by its latest values; the time shows a course. */
function overFor({ source, over, dimension }: Plot, { id, many }: OfferedField): Changes {
  if (source !== 'model') return {}
  if (id === timeField) return over === 'latest' ? { over: 'history' } : {}
  if (!many && id !== keyField) return {}
  return over === 'latest' ? {} : { over: 'latest', ...(dimension === timeField ? { dimension: '' } : {}) }
}

/** Removes the field at this position. */
export function taken(plot: Plot, { shelf, at }: Place): Changes {
  if (shelf === 'metrics') return { metrics: rowsOf(plot.metrics.filter((_, i) => i !== at)) }
  if (shelf === 'filters') return { filters: rowsOf(plot.filters.filter((_, i) => i !== at)) }
  return { [shelf]: '' }
}

export const withMetric = (plot: Plot, at: number, changes: Partial<Metric>): Changes => ({
  metrics: rowsOf(plot.metrics.map((metric, i) => (i === at ? { ...metric, ...changes } : metric))),
})

export const withFilter = (plot: Plot, at: number, changes: Partial<Filter>): Changes => ({
  filters: rowsOf(plot.filters.map((filter, i) => (i === at ? { ...filter, ...changes } : filter))),
})

/** One step to the front or to the end of its shelf. */
export function shifted(plot: Plot, at: number, by: -1 | 1): Changes {
  const moved = plot.metrics[at]
  const to = at + by
  if (!moved || to < 0 || to >= plot.metrics.length) return {}
  return { metrics: rowsOf(plot.metrics.toSpliced(at, 1).toSpliced(to, 0, moved)) }
}

/** Another source has other fields: the shelves are empty. */
export const emptied = (source: Plot['source']): Changes => ({
  source,
  dimension: '',
  dimensionBins: null,
  metrics: [],
  colorBy: '',
  facetBy: '',
  filters: [],
  type: 'auto',
  over: 'history',
})

export const begun = ({ dimension, metrics }: { dimension: string; metrics: readonly string[] }): Changes => ({
  dimension,
  metrics: rowsOf(metrics.map(metricOf)),
})

export const isBlank = ({ dimension, metrics, colorBy, facetBy, filters }: Plot): boolean =>
  dimension === '' && metrics.length === 0 && colorBy === '' && facetBy === '' && filters.length === 0
