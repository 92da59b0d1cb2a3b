// From fields on shelves to marks: filter, group, aggregate, sort. A picture is plain data; drawing it needs no further decision.
import type { Plot, PlotType } from '../../../model-schema/plot.ts'
import { columnOf, type Data } from './columns.ts'
import { keysOf, noKeys, type Keys } from './keys.ts'
import { fewest } from './keys.ts'
import { marksOf } from './marks.ts'
import { rowsPassing } from './rows.ts'
import type { BoxPlot, Density } from './shapes.ts'
import { suggested } from './suggest.ts'

export type Series = {
  readonly label: string
  /** A colour of its own; blank: one of the palette. */
  readonly color: string
  /** Its place in the palette. */
  readonly place: number
}

export type Axis =
  | { readonly is: 'number'; readonly label: string; readonly dates: boolean }
  | { readonly is: 'name'; readonly label: string; readonly names: readonly string[] }

/** The marks of one small chart; arrays are by series unless noted otherwise. NaN: no value. */
export type Marks =
  /** Values along an axis: lines, areas, bars. `low` and `high`: bands. */
  | {
      readonly is: 'courses'
      readonly x: Float64Array | null
      readonly ys: readonly Float64Array[]
      readonly low?: readonly Float64Array[]
      readonly high?: readonly Float64Array[]
    }
  | { readonly is: 'slices'; readonly values: Float64Array }
  | {
      readonly is: 'points'
      readonly xs: readonly Float64Array[]
      readonly ys: readonly Float64Array[]
      readonly fronts: readonly (readonly [number, number])[] | null
    }
  | { readonly is: 'bins'; readonly edges: Float64Array; readonly counts: readonly Float64Array[] }
  /** By series, then by name along x. */
  | { readonly is: 'boxes'; readonly boxes: readonly (readonly (BoxPlot | null)[])[] }
  | {
      readonly is: 'violins'
      readonly boxes: readonly (readonly (BoxPlot | null)[])[]
      readonly densities: readonly (readonly (Density | null)[])[]
    }
  /** Row by row of y. */
  | { readonly is: 'cells'; readonly columns: readonly string[]; readonly rows: readonly string[]; readonly values: Float64Array }
  /** Of each line its series and its places on the axes. */
  | {
      readonly is: 'lines'
      readonly axes: readonly { label: string; names: readonly string[] | null }[]
      readonly of: Int32Array
      readonly rows: readonly Float64Array[]
    }
  | { readonly is: 'figures'; readonly values: Float64Array }
  | { readonly is: 'listing'; readonly head: readonly string[]; readonly body: readonly (readonly (string | number | null)[])[] }

export type Panel = { readonly title: string; readonly marks: Marks }

export type Picture = {
  readonly type: Exclude<PlotType, 'world' | 'network'>
  readonly series: readonly Series[]
  readonly panels: readonly Panel[]
  readonly x: Axis
  readonly y: { readonly label: string }
  /** Colours and small charts that were too many. */
  readonly left: { readonly colors: number; readonly facets: number; readonly names: number }
  /** Rows that pass the filters. */
  readonly rows: number
  /** Fields that the data does not have. */
  readonly missing: readonly string[]
}

/** Most small charts and colours that are still distinguishable. */
const mostFacets = 16
const mostColors = 24

/** What all types are made from. */
export type Encoding = {
  readonly plot: Plot
  readonly type: Exclude<PlotType, 'world' | 'network'>
  readonly data: Data
  readonly rows: Int32Array
  readonly live: boolean
  readonly x: Keys
  readonly color: Keys
  readonly facet: Keys
  /** Values of the metrics, by row looked at; of none, a 1 for each row. */
  readonly measures: readonly EncodedMeasure[]
}

export type EncodedMeasure = {
  readonly label: string
  readonly color: string
  readonly values: Float64Array
  readonly how: Plot['metrics'][number]['aggregate']
  readonly goal: 'min' | 'max'
}

type PictureWords = { count: string }

/** `live`: rows come tick by tick, the last being now. */
export function pictureOf(plot: Plot, data: Data, { live, words }: { live: boolean; words: PictureWords }): Picture {
  const rows = rowsPassing(data, plot.filters)
  const asked = plot.view === 'value' ? 'value' : plot.type === 'auto' ? suggested(plot, data, live) : plot.type
  const type = asked === 'world' || asked === 'network' ? 'table' : asked
  const facets = fewest(keysOf(columnOf(data, plot.facetBy), rows, bins(data, plot.facetBy, 6)), mostFacets)
  const colors = fewest(keysOf(type === 'heat' ? null : columnOf(data, plot.colorBy), rows, bins(data, plot.colorBy, 6)), mostColors)
  const measures = plot.metrics.flatMap((metric): EncodedMeasure[] => {
    const column = columnOf(data, metric.field)
    if (!column && metric.aggregate !== 'count') return []
    const values = !column
      ? new Float64Array(rows.length).fill(1)
      : column.is === 'number'
        ? column.values.length === rows.length
          ? column.values
          : Float64Array.from(rows, row => column.values[row]!)
        : Float64Array.from(rows, row => (column.codes[row]! < 0 ? NaN : column.codes[row]!))
    // Names can only be counted.
    const how = column?.is === 'name' && metric.aggregate !== 'distinct' ? 'count' : metric.aggregate
    return [{ label: metric.label || (column?.label ?? words.count), color: metric.color, values, how, goal: metric.goal }]
  })
  const ones: EncodedMeasure = { label: words.count, color: '', values: new Float64Array(rows.length).fill(1), how: 'sum', goal: 'min' }
  const chosen: Encoding = {
    plot,
    type,
    data,
    rows,
    live,
    x: wantsNoKeys.has(type) ? noKeys(rows.length) : keysOf(columnOf(data, plot.dimension), rows, plot.dimensionBins),
    color: colors.keys,
    facet: facets.keys,
    measures: measures.length > 0 ? measures : [ones],
  }
  const made = marksOf(chosen)
  return {
    type,
    ...made,
    rows: rows.length,
    left: { colors: colors.left, facets: facets.left, names: made.leftNames },
    missing: [
      plot.dimension,
      ...plot.metrics.map(({ field }) => field),
      plot.colorBy,
      plot.facetBy,
      ...plot.filters.map(({ field }) => field),
    ].filter((field, at, all) => field !== '' && all.indexOf(field) === at && !columnOf(data, field)),
  }
}

/** Types that look at every row by itself: a million distinct values are no axis. */
const wantsNoKeys: ReadonlySet<PlotType> = new Set(['scatter', 'pareto', 'parallel', 'histogram', 'value', 'gauge'])

/** Numbers that are many become classes where they are colours or small charts. */
function bins(data: Data, field: string, classes: number): number | null {
  const column = columnOf(data, field)
  if (column?.is !== 'number') return null
  const seen = new Set<number>()
  for (const value of column.values) if (seen.add(value).size > 12) return classes
  return null
}
