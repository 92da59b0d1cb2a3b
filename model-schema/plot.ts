// The typed value of a chart of fields, total like all reading; and what the engine is to work out for one that shows a run.
import { elementOf } from './overlay.ts'
import type { Json } from './kinds/kind.ts'
import { aggregates, plotTypes } from './kinds/plot.ts'
import type { Element, Id } from './model.ts'

export type PlotType = Exclude<keyof typeof plotTypes, 'auto'>

export type Aggregate = keyof typeof aggregates

export type Metric = {
  readonly field: string
  readonly aggregate: Aggregate
  readonly label: string
  readonly color: string
  readonly goal: 'min' | 'max'
}

export type Filter = {
  readonly field: string
  readonly how: 'is' | 'not' | 'ge' | 'le' | 'has' | 'known'
  readonly value: string
}

export type Plot = {
  readonly id: Id
  readonly name: string
  readonly source: 'model' | 'experiment' | 'table'
  readonly experimentFile: string
  /** Blank: the latest. */
  readonly experimentEntry: string
  /** Comma-separated values; the first line has the names. */
  readonly lines: readonly string[]
  readonly type: PlotType | 'auto'
  readonly over: 'history' | 'latest'
  readonly window: number | null
  readonly dimension: string
  readonly dimensionBins: number | null
  readonly metrics: readonly Metric[]
  readonly colorBy: string
  readonly facetBy: string
  readonly filters: readonly Filter[]
  readonly sort: 'none' | 'nameUp' | 'nameDown' | 'valueUp' | 'valueDown'
  readonly top: number | null
  readonly bins: number
  readonly band: 'ci95' | 'std' | 'q90' | 'range'
  readonly view: 'chart' | 'value'
  readonly xLabel: string
  readonly yLabel: string
  readonly xScale: 'linear' | 'log'
  readonly yScale: 'linear' | 'log'
  readonly yMin: number | null
  readonly yMax: number | null
  readonly format: 'auto' | 'fixed' | 'percent' | 'compact' | 'scientific'
  readonly decimals: number
  readonly unit: string
  readonly legend: boolean
}

/** Fields that a run has without a formula: its time, and what a list or dictionary calls its values. */
export const timeField = '@time'
export const keyField = '@key'

/** What a table inside a document may hold. */
export const TABLE = { lines: 5_000, length: 400_000, columns: 100 } as const

export function plotOf({ id, fields }: Element): Plot {
  const text = (field: string): string => textOf(fields[field])
  const number = (field: string): number | null => (typeof fields[field] === 'number' ? fields[field] : null)
  const one = <T extends string>(field: string, options: readonly T[]): T => oneOf(fields[field], options)
  return {
    id,
    name: text('name'),
    source: one('source', ['model', 'experiment', 'table']),
    experimentFile: text('experimentFile').trim(),
    experimentEntry: text('experimentEntry').trim(),
    lines: rowsOf(fields.table)
      .slice(0, TABLE.lines + 1)
      .map(row => textOf(row.line)),
    type: one('type', plotTypeIds),
    over: one('over', ['history', 'latest']),
    window: number('window'),
    dimension: text('dimension').trim(),
    dimensionBins: number('dimensionBins'),
    metrics: rowsOf(fields.metrics)
      .map(row => ({
        field: textOf(row.field).trim(),
        aggregate: oneOf(row.aggregate, aggregations),
        label: textOf(row.label),
        color: textOf(row.color),
        goal: oneOf(row.goal, ['min', 'max'] as const),
      }))
      .filter(({ field, aggregate }) => field !== '' || aggregate === 'count'),
    colorBy: text('colorBy').trim(),
    facetBy: text('facetBy').trim(),
    filters: rowsOf(fields.filters)
      .map(row => ({
        field: textOf(row.field).trim(),
        how: oneOf(row.how, ['is', 'not', 'ge', 'le', 'has', 'known'] as const),
        value: textOf(row.value),
      }))
      .filter(({ field }) => field !== ''),
    sort: one('sort', ['none', 'nameUp', 'nameDown', 'valueUp', 'valueDown']),
    top: number('top'),
    bins: number('bins') ?? 20,
    band: one('band', ['ci95', 'std', 'q90', 'range']),
    view: one('view', ['chart', 'value']),
    xLabel: text('xLabel'),
    yLabel: text('yLabel'),
    xScale: one('xScale', ['linear', 'log']),
    yScale: one('yScale', ['linear', 'log']),
    yMin: number('yMin'),
    yMax: number('yMax'),
    format: one('format', ['auto', 'fixed', 'percent', 'compact', 'scientific']),
    decimals: number('decimals') ?? 1,
    unit: text('unit'),
    legend: fields.legend !== false,
  }
}

/** Fields a chart speaks of, each once, in the order of its shelves. */
export function fieldsOf({ dimension, metrics, colorBy, facetBy, filters }: Plot): string[] {
  const all = [dimension, ...metrics.map(({ field }) => field), colorBy, facetBy, ...filters.map(({ field }) => field)]
  return [...new Set(all.filter(field => field !== ''))]
}

/** The formulas that a run is to work out for this chart, in the order its series come; none when it shows something else. */
export function watchedBy(plot: Plot): string[] {
  if (plot.source !== 'model' || plot.type === 'world' || plot.type === 'network') return []
  return fieldsOf(plot).filter(field => field !== timeField && field !== keyField)
}

/**
 * A card for the engine: the series of a chart of fields are the formulas it contains; null for a card that needs no run, or has no
 * formula.
 */
export function runnableCard(element: Element): Element | null {
  if (element.kind !== 'plot') return element
  const known = runnable.get(element)
  if (known !== undefined) return known
  const made = chartOf(element)
  runnable.set(element, made)
  return made
}

/** The same card is the same chart: a run is not begun again for a card that did not change. */
const runnable = new WeakMap<Element, Element | null>()

function chartOf(element: Element): Element | null {
  const plot = plotOf(element)
  const watched = watchedBy(plot)
  if (watched.length === 0) return null
  const series = watched.map(value => ({ label: '', value, color: '' }))
  const chart = elementOf('chart', element.id, element.parent ?? '', { type: plot.over === 'history' ? 'line' : 'table', series })
  return { ...chart, parent: element.parent, geo: element.geo }
}

const keysOf = <K extends string>(words: Readonly<Record<K, unknown>>): K[] => Object.keys(words) as K[]
/** The values of the fields; the first replaces any invalid value. */
export const plotTypeIds = keysOf(plotTypes)
const aggregations = keysOf(aggregates)

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const oneOf = <T extends string>(value: Json | undefined, options: readonly T[]): T =>
  options.find(option => option === value) ?? options[0]!
const rowsOf = (value: Json | undefined): { [key: string]: Json }[] =>
  Array.isArray(value)
    ? value.filter((row): row is { [key: string]: Json } => row !== null && typeof row === 'object' && !Array.isArray(row))
    : []
