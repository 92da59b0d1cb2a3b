// The marks of every type of chart, from grouped rows. One function a family of types; all of them share how rows are put into cells.
import type { Plot } from '../../../model-schema/plot.ts'
import { aggregated, bandsOf, gathered, type How } from './aggregate.ts'
import { columnOf, numberAt, textAt, type Column } from './columns.ts'
import { binOf, chosen, edgesOf, keysOf, noKeys, rowKeys, type Keys } from './keys.ts'
import type { Axis, Encoding, Marks, EncodedMeasure, Panel, Picture, Series } from './picture.ts'
import { boxOfSorted, densityOf, frontOf } from './shapes.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

type Made = Pick<Picture, 'series' | 'panels' | 'x' | 'y'> & { leftNames: number }

/** Most marks of one small chart that are still distinguishable on a screen. */
const mostPoints = 20_000
const mostLines = 2_000
const mostListed = 5_000
/** Numbers along an axis of names, or of a heat map, that are not put into classes. */
const mostPlaces = 60
/** Cells of one chart: beyond them the x axis is put into classes. */
const mostCells = 2_000_000

export function marksOf(all: Encoding): Made {
  switch (all.type) {
    case 'line':
    case 'area':
    case 'bar':
    case 'stacked':
    case 'bands':
      return courses(all)
    case 'pie':
      return slices(all)
    case 'scatter':
    case 'pareto':
      return points(all)
    case 'histogram':
      return bins(all)
    case 'box':
    case 'violin':
      return boxes(all)
    case 'heat':
      return cells(all)
    case 'parallel':
      return lines(all)
    case 'value':
    case 'gauge':
      return figures(all)
    case 'table':
      return listing(all)
    default:
      return unreachable(all.type)
  }
}

/** Which colour and small chart each row is in; -1 for none. */
const corner = ({ color, facet }: Encoding, k: number): number =>
  color.codes[k]! < 0 || facet.codes[k]! < 0 ? -1 : facet.codes[k]! * color.count + color.codes[k]!

/** The cell of each row, by small chart, colour and x. */
function cellsOf(all: Encoding, x: Keys): Int32Array {
  const out = new Int32Array(all.rows.length)
  for (let k = 0; k < out.length; k++) {
    const at = corner(all, k)
    out[k] = at < 0 || x.codes[k]! < 0 ? -1 : at * x.count + x.codes[k]!
  }
  return out
}

const howOf = ({ how }: EncodedMeasure, otherwise: How): How => (how === 'auto' ? otherwise : how)

const titled = ({ facet, plot }: Encoding, f: number): string => (plot.facetBy === '' ? '' : facet.label(f))

const panelsOf = (all: Encoding, marks: (facet: number) => Marks): Panel[] =>
  Array.from({ length: all.facet.count }, (_, f) => ({ title: titled(all, f), marks: marks(f) }))

/** A series for each measure and colour. */
function seriesOf({ measures, color, plot }: Encoding): Series[] {
  return measures.flatMap((measure, m) =>
    Array.from({ length: color.count }, (_, c): Series => {
      const named = plot.colorBy !== '' && color.count > 0
      const label = !named ? measure.label : measures.length > 1 ? `${measure.label} · ${color.label(c)}` : color.label(c)
      return { label, color: named ? '' : measure.color, place: m * color.count + c }
    }),
  )
}

const labelOf = (all: Encoding, field: string): string => columnOf(all.data, field)?.label ?? ''

function axisOf(all: Encoding, x: Keys, asNames: boolean): Axis {
  const label = all.plot.xLabel || labelOf(all, all.plot.dimension)
  if (x.places && !asNames) return { is: 'number', label, dates: x.dates }
  return { is: 'name', label, names: Array.from({ length: x.count }, (_, key) => x.label(key)) }
}

const yLabelOf = ({ plot, measures }: Encoding): string => plot.yLabel || (measures.length === 1 ? (measures[0]?.label ?? '') : '')

/** The order of keys on an axis of names, and how many of them are left out. `value` is by key. */
function arranged({ plot }: Encoding, keys: Keys, value: (key: number) => number): { order: number[]; left: number } {
  const order = Array.from({ length: keys.count }, (_, key) => key)
  const by = { none: null, nameUp: 1, nameDown: -1, valueUp: 1, valueDown: -1 }[plot.sort]
  if (by !== null) {
    if (plot.sort.startsWith('name')) {
      const compare = keys.places
        ? (a: number, b: number) => a - b
        : (a: number, b: number) => collator.compare(keys.label(a), keys.label(b))
      order.sort((a, b) => by * compare(a, b))
    } else {
      const size = (key: number): number => (Number.isNaN(value(key)) ? by * Infinity : value(key))
      order.sort((a, b) => (size(a) === size(b) ? a - b : by * (size(a) - size(b))))
    }
  }
  const kept = plot.top === null ? order : order.slice(0, plot.top)
  return { order: kept, left: order.length - kept.length }
}

const collator = new Intl.Collator(undefined, { numeric: true })

function courses(all: Encoding): Made {
  const { plot, type, data, rows, color, facet, measures } = all
  const bars = type === 'bar' || (type === 'stacked' && all.x.places === null)
  if (plot.dimension === '' && bars) return apart(all)
  let x = plot.dimension === '' ? rowKeys(rows.length) : all.x
  if (bars && x.places && x.count > 500) x = keysOf(columnOf(data, plot.dimension), rows, mostPlaces)
  if (x.count * color.count * facet.count > mostCells) x = keysOf(columnOf(data, plot.dimension), rows, 1000)
  const asNames = bars || x.places === null
  const count = facet.count * color.count * x.count
  const bands = type === 'bands'
  // A course over time, a row each: nothing to group.
  const plain = x.own && color.count === 1 && facet.count === 1 && plot.colorBy === '' && plot.facetBy === '' && !bands
  const at = plain ? null : cellsOf(all, x)
  const worked = measures.map(measure => {
    const how = howOf(measure, type === 'stacked' ? 'sum' : 'mean')
    if (at === null && how !== 'count' && how !== 'distinct' && how !== 'std') return { middle: measure.values, low: null, high: null }
    const into = at ?? cellsOf(all, x)
    if (bands && measure.how === 'auto') return bandsOf(measure.values, into, count, plot.band)
    return { middle: aggregated(measure.values, into, count, how), low: null, high: null }
  })
  const first = worked[0]?.middle ?? new Float64Array(0)
  const total = (key: number): number => {
    let sum = NaN
    for (let part = key; part < count; part += x.count) if (Number.isFinite(first[part])) sum = (Number.isNaN(sum) ? 0 : sum) + first[part]!
    return sum
  }
  const { order, left } = asNames ? arranged(all, x, total) : { order: null, left: 0 }
  const kept = order ? chosen(x, order) : x
  const part = (values: Float64Array, f: number, c: number): Float64Array => {
    const from = (f * color.count + c) * x.count
    const own = count === x.count ? values : values.subarray(from, from + x.count)
    return order ? Float64Array.from(order, key => own[key]!) : own
  }
  const each = <T>(f: number, take: (one: (typeof worked)[number], c: number) => T): T[] =>
    worked.flatMap(one => Array.from({ length: color.count }, (_, c) => take(one, c)))
  return {
    series: seriesOf(all),
    x: axisOf(all, kept, asNames),
    y: { label: yLabelOf(all) },
    leftNames: left,
    panels: panelsOf(all, f => ({
      is: 'courses',
      x: asNames ? null : kept.places,
      ys: each(f, ({ middle }, c) => part(middle, f, c)),
      ...(bands
        ? {
            low: each(f, ({ low, middle }, c) => part(low ?? middle, f, c)),
            high: each(f, ({ high, middle }, c) => part(high ?? middle, f, c)),
          }
        : {}),
    })),
  }
}

/** Bars without a dimension: one for each measure, in its own colour; with colours, one of each colour at each measure. */
function apart(all: Encoding): Made {
  const { color, facet, measures, live, plot } = all
  const at = cellsOf(all, noKeys(all.rows.length))
  const values = measures.map(measure => aggregated(measure.values, at, facet.count * color.count, howOf(measure, live ? 'last' : 'mean')))
  const named = plot.colorBy !== ''
  const of = (m: number, f: number, c: number): number => values[m]?.[f * color.count + c] ?? NaN
  const series: Series[] = named
    ? Array.from({ length: color.count }, (_, c) => ({ label: color.label(c), color: '', place: c }))
    : measures.map(({ label, color: own }, m) => ({ label, color: own, place: m }))
  return {
    series,
    x: { is: 'name', label: plot.xLabel, names: measures.map(({ label }) => label) },
    y: { label: plot.yLabel },
    leftNames: 0,
    panels: panelsOf(all, f => ({
      is: 'courses',
      x: null,
      ys: series.map((_, s) => Float64Array.from(measures, (__, m) => (named ? of(m, f, s) : m === s ? of(m, f, 0) : NaN))),
    })),
  }
}

function slices(all: Encoding): Made {
  const { plot, rows, color, facet, measures, x } = all
  const [measure] = measures
  const byMeasure = plot.dimension === '' && plot.colorBy === ''
  // Without a colour the dimension distinguishes slices; with both, each value of the dimension is a slice.
  const keys = plot.dimension === '' ? color : x
  const cellsOfRows = Int32Array.from(rows, (_, k) => {
    const f = facet.codes[k]!
    const key = byMeasure ? 0 : keys.codes[k]!
    return f < 0 || key < 0 ? -1 : byMeasure ? f : f * keys.count + key
  })
  const values = byMeasure
    ? measures.map(one => aggregated(one.values, cellsOfRows, facet.count, howOf(one, all.live ? 'last' : 'sum')))
    : [aggregated(measure?.values ?? new Float64Array(0), cellsOfRows, facet.count * keys.count, measure ? howOf(measure, 'sum') : 'sum')]
  const total = (key: number): number => {
    let sum = 0
    for (let f = 0; f < facet.count; f++) sum += values[0]?.[f * keys.count + key] || 0
    return sum
  }
  const { order, left } = byMeasure ? { order: [], left: 0 } : arranged(all, keys, total)
  const series = byMeasure
    ? measures.map(({ label, color: own }, place): Series => ({ label, color: own, place }))
    : order.map((key, place): Series => ({ label: keys.label(key), color: '', place }))
  return {
    series,
    x: { is: 'name', label: '', names: [] },
    y: { label: yLabelOf(all) },
    leftNames: left,
    panels: panelsOf(all, f => ({
      is: 'slices',
      values: byMeasure
        ? Float64Array.from(values, one => one[f] ?? NaN)
        : Float64Array.from(order, key => values[0]?.[f * keys.count + key] ?? NaN),
    })),
  }
}

/** Rows of one small chart, at most so many: an even choice, and always the outermost. */
export function someOf(rows: readonly number[], most: number, columns: readonly ((k: number) => number)[]): number[] {
  if (rows.length <= most) return [...rows]
  const step = rows.length / most
  const kept = new Set(Array.from({ length: most }, (_, i) => rows[Math.floor(i * step)]!))
  for (const at of columns) {
    let [low, high] = [rows[0]!, rows[0]!]
    for (const k of rows) {
      if (at(k) < at(low)) low = k
      if (at(k) > at(high)) high = k
    }
    kept.add(low).add(high)
  }
  return [...kept].sort((a, b) => a - b)
}

function points(all: Encoding): Made {
  const { plot, data, rows, color, facet, measures } = all
  const dimension = columnOf(data, plot.dimension)
  const [first, ...others] = measures
  const xColumn = dimension
  const ys = xColumn || others.length === 0 ? measures : others
  const xAt = xColumn
    ? (k: number) => numberAt(xColumn, rows[k]!)
    : others.length > 0
      ? (k: number) => first?.values[k] ?? NaN
      : (k: number) => k + 1
  const byCorner = Array.from({ length: facet.count * color.count }, (): number[] => [])
  for (let k = 0; k < rows.length; k++) byCorner[corner(all, k)]?.push(k)
  const goals: [EncodedMeasure['goal'], EncodedMeasure['goal']] = [
    xColumn ? 'min' : (first?.goal ?? 'min'),
    (ys[0] ?? first)?.goal ?? 'min',
  ]
  const label = xColumn ? xColumn.label : others.length > 0 ? (first?.label ?? '') : ''
  return {
    series: seriesOf({ ...all, measures: ys }),
    x:
      xColumn?.is === 'name'
        ? { is: 'name', label: plot.xLabel || label, names: xColumn.names }
        : { is: 'number', label: plot.xLabel || label, dates: xColumn?.dates === true },
    y: { label: plot.yLabel || (ys.length === 1 ? (ys[0]?.label ?? '') : '') },
    leftNames: 0,
    panels: panelsOf(all, f => {
      const some = ys.flatMap(({ values }) =>
        Array.from({ length: color.count }, (_, c) => {
          const own = (byCorner[f * color.count + c] ?? []).filter(k => Number.isFinite(xAt(k)) && Number.isFinite(values[k]!))
          const kept = someOf(own, mostPoints / (ys.length * color.count), [xAt, k => values[k]!])
          return { xs: Float64Array.from(kept, xAt), ys: Float64Array.from(kept, k => values[k]!), own, values }
        }),
      )
      const front = (): (readonly [number, number])[] => {
        const everyone = some.flatMap(({ own, values }) => own.map(k => [xAt(k), values[k]!] as const))
        const places = frontOf(
          Float64Array.from(everyone, ([x]) => x),
          Float64Array.from(everyone, ([, y]) => y),
          goals,
        )
        return places.map(place => everyone[place]!)
      }
      return {
        is: 'points',
        xs: some.map(one => one.xs),
        ys: some.map(one => one.ys),
        fronts: all.type === 'pareto' ? [front()].flat() : null,
      }
    }),
  }
}

function bins(all: Encoding): Made {
  const { plot, data, rows, color, facet } = all
  const dimension = columnOf(data, plot.dimension)
  // Without a metric, the values of the dimension are counted.
  const measures: readonly EncodedMeasure[] =
    plot.metrics.length > 0 || dimension?.is !== 'number'
      ? all.measures
      : [{ label: dimension.label, color: '', values: Float64Array.from(rows, row => dimension.values[row]!), how: 'auto', goal: 'min' }]
  const everyone = Int32Array.from(rows, (_, k) => k)
  const edges = edgesOf(
    measures.map(({ values }) => values),
    everyone,
    plot.bins,
  )
  const count = Math.max(0, edges.length - 1)
  const tally = measures.map(({ values }) => {
    const out = new Float64Array(facet.count * color.count * count)
    for (let k = 0; k < rows.length; k++) {
      const at = corner(all, k)
      const bin = count === 0 ? -1 : binOf(edges, values[k]!)
      if (at >= 0 && bin >= 0) out[at * count + bin]!++
    }
    return out
  })
  const [only] = measures.length === 1 ? measures : []
  return {
    series: seriesOf({ ...all, measures }),
    x: { is: 'number', label: plot.xLabel || (only?.label ?? ''), dates: false },
    y: { label: plot.yLabel },
    leftNames: 0,
    panels: panelsOf(all, f => ({
      is: 'bins',
      edges,
      counts: tally.flatMap(counts =>
        Array.from({ length: color.count }, (_, c) => counts.slice((f * color.count + c) * count, (f * color.count + c + 1) * count)),
      ),
    })),
  }
}

function boxes(all: Encoding): Made {
  const { plot, data, rows, color, facet, measures, type } = all
  const byMeasure = plot.dimension === ''
  const asked = all.x.places && all.x.count > mostPlaces ? keysOf(columnOf(data, plot.dimension), rows, 12) : all.x
  const x = byMeasure ? noKeys(rows.length) : asked
  const at = cellsOf(all, x)
  const count = facet.count * color.count * x.count
  const spread = measures.map(({ values }) => gathered(values, at, count))
  const median = (m: number, cell: number): Float64Array => {
    const { sorted, starts } = spread[m]!
    return sorted.subarray(starts[cell], starts[cell + 1])
  }
  const { order, left } = byMeasure ? { order: [0], left: 0 } : arranged(all, x, key => boxOfSorted(median(0, key))?.median ?? NaN)
  // Measures are on the axis when nothing else is.
  const columns = byMeasure ? measures.map((_, m) => [m, 0] as const) : order.map(key => [-1, key] as const)
  const series: Series[] = byMeasure
    ? Array.from({ length: color.count }, (_, c) => ({ label: plot.colorBy === '' ? '' : color.label(c), color: '', place: c }))
    : seriesOf(all)
  const each = <T>(f: number, take: (values: Float64Array) => T): T[][] =>
    series.map((_, s) =>
      columns.map(([m, key]) => {
        const measure = m < 0 ? Math.floor(s / color.count) : m
        return take(median(measure, (f * color.count + (s % color.count)) * x.count + key))
      }),
    )
  return {
    series,
    x: byMeasure ? { is: 'name', label: plot.xLabel, names: measures.map(({ label }) => label) } : axisOf(all, chosen(x, order), true),
    y: { label: yLabelOf(all) },
    leftNames: left,
    panels: panelsOf(all, f =>
      type === 'box'
        ? { is: 'boxes', boxes: each(f, boxOfSorted) }
        : { is: 'violins', boxes: each(f, boxOfSorted), densities: each(f, values => densityOf(values)) },
    ),
  }
}

/** Keys for a side of a heat map: many numbers become classes. */
function side(all: Encoding, field: string, classes: number | null): Keys {
  const column = columnOf(all.data, field)
  const keys = keysOf(column, all.rows, classes)
  return keys.places && classes === null && keys.count > mostPlaces ? keysOf(column, all.rows, 30) : keys
}

function cells(all: Encoding): Made {
  const { plot, rows, facet, measures } = all
  const [measure] = measures
  const x = side(all, plot.dimension, plot.dimensionBins)
  const byMeasure = plot.colorBy === '' && measures.length > 1
  const y = byMeasure ? noKeys(rows.length) : side(all, plot.colorBy, null)
  const at = Int32Array.from(rows, (_, k) => {
    const [f, row, column] = [facet.codes[k]!, y.codes[k]!, x.codes[k]!]
    return f < 0 || row < 0 || column < 0 ? -1 : (f * y.count + row) * x.count + column
  })
  const size = y.count * x.count
  const worked = (byMeasure ? measures : measures.slice(0, 1)).map(one =>
    aggregated(one.values, at, facet.count * size, howOf(one, 'mean')),
  )
  const { order, left } = arranged(all, x, key => worked[0]?.[key] ?? NaN)
  const named = (keys: Keys): string[] => Array.from({ length: keys.count }, (_, key) => keys.label(key))
  return {
    series: [{ label: byMeasure ? '' : (measure?.label ?? ''), color: measure?.color ?? '', place: 0 }],
    x: axisOf(all, chosen(x, order), true),
    y: { label: plot.yLabel || labelOf(all, plot.colorBy) },
    leftNames: left,
    panels: panelsOf(all, f => ({
      is: 'cells',
      columns: order.map(x.label),
      rows: byMeasure ? measures.map(({ label }) => label) : named(y),
      values: byMeasure
        ? Float64Array.from(worked.flatMap(one => order.map(key => one[f * x.count + key] ?? NaN)))
        : Float64Array.from({ length: y.count * order.length }, (_, i) => {
            const row = Math.floor(i / order.length)
            return worked[0]?.[f * size + row * x.count + order[i % order.length]!] ?? NaN
          }),
    })),
  }
}

function lines(all: Encoding): Made {
  const { plot, data, rows, color, facet } = all
  const columns: Column[] = [plot.dimension, ...plot.metrics.map(({ field }) => field)].flatMap(field => columnOf(data, field) ?? [])
  const series: Series[] = Array.from({ length: color.count }, (_, c) => ({
    label: plot.colorBy === '' ? '' : color.label(c),
    color: '',
    place: c,
  }))
  return {
    series,
    x: { is: 'name', label: '', names: columns.map(({ label }) => label) },
    y: { label: '' },
    leftNames: 0,
    panels: panelsOf(all, f => {
      const own: number[] = []
      for (let k = 0; k < rows.length; k++) if (facet.codes[k] === f && color.codes[k]! >= 0) own.push(k)
      const kept = someOf(
        own,
        mostLines,
        columns.map(column => (k: number) => numberAt(column, rows[k]!)),
      )
      return {
        is: 'lines',
        axes: columns.map(column => ({ label: column.label, names: column.is === 'name' ? column.names : null })),
        of: Int32Array.from(kept, k => color.codes[k]!),
        rows: kept.map(k => Float64Array.from(columns, column => numberAt(column, rows[k]!))),
      }
    }),
  }
}

function figures(all: Encoding): Made {
  const { color, facet, measures, live } = all
  const at = cellsOf(all, noKeys(all.rows.length))
  const values = measures.map(one => aggregated(one.values, at, facet.count * color.count, howOf(one, live ? 'last' : 'mean')))
  return {
    series: seriesOf(all),
    x: { is: 'name', label: '', names: [] },
    y: { label: yLabelOf(all) },
    leftNames: 0,
    panels: panelsOf(all, f => ({
      is: 'figures',
      values: Float64Array.from(values.flatMap(one => [...one.subarray(f * color.count, (f + 1) * color.count)])),
    })),
  }
}

type Cell = string | number | null
const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value)
const cellOf = (column: Column, row: number): Cell =>
  column.is === 'number' && !column.dates ? numberOrNull(column.values[row]!) : textAt(column, row)

function listing(all: Encoding): Made {
  const { plot, data, rows, measures } = all
  const fields = [plot.facetBy, plot.dimension, plot.colorBy].filter(field => field !== '' && columnOf(data, field))
  const grouped = fields.length > 0 && plot.metrics.length > 0
  const { head, body, left } = grouped ? groupedRows(all) : plainRows(all)
  return {
    series: measures.map(({ label, color }, place) => ({ label, color, place })),
    x: { is: 'name', label: '', names: [] },
    y: { label: '' },
    leftNames: left + Math.max(0, body.length - mostListed),
    panels: [{ title: '', marks: { is: 'listing', head, body: body.slice(0, mostListed) } }],
  }

  function plainRows({ live }: Encoding): { head: string[]; body: Cell[][]; left: number } {
    const asked = [...fields, ...plot.metrics.map(({ field }) => field)].flatMap(field => columnOf(data, field) ?? [])
    const columns = asked.length > 0 ? asked : data.columns
    const key = columns[0]
    const by = { none: 0, nameUp: 1, nameDown: -1, valueUp: 1, valueDown: -1 }[plot.sort]
    const valued = plot.sort.startsWith('value') ? (columns.find(column => column.is === 'number') ?? key) : key
    // Of a run the newest rows come first.
    let order = [...rows]
    if (live && plot.over === 'history') order = order.slice(-mostListed).reverse()
    if (by !== 0 && valued) order.sort((a, b) => by * compareCells(cellOf(valued, a), cellOf(valued, b)))
    const kept = plot.top === null ? order : order.slice(0, plot.top)
    return {
      head: columns.map(({ label }) => label),
      body: kept.slice(0, mostListed).map(row => columns.map(column => cellOf(column, row))),
      left: rows.length - Math.min(kept.length, mostListed),
    }
  }
}

const compareCells = (a: Cell, b: Cell): number =>
  a === b
    ? 0
    : a === null
      ? 1
      : b === null
        ? -1
        : typeof a === 'number' && typeof b === 'number'
          ? a - b
          : collator.compare(String(a), String(b))

function groupedRows(all: Encoding): { head: string[]; body: Cell[][]; left: number } {
  const { plot, color, facet, measures, x } = all
  const at = cellsOf(all, x)
  const count = facet.count * color.count * x.count
  const seen = new Uint8Array(count)
  for (const cell of at) if (cell >= 0) seen[cell] = 1
  const values = measures.map(one => aggregated(one.values, at, count, howOf(one, 'mean')))
  const keyed: [string, (cell: number) => Cell][] = []
  const keyCell = (keys: Keys, key: number): Cell => (keys.places && !keys.edges && !keys.dates ? keys.places[key]! : keys.label(key))
  if (plot.facetBy !== '') keyed.push([labelOf(all, plot.facetBy), cell => keyCell(facet, Math.floor(cell / (color.count * x.count)))])
  if (plot.dimension !== '') keyed.push([labelOf(all, plot.dimension), cell => keyCell(x, cell % x.count)])
  if (plot.colorBy !== '') keyed.push([labelOf(all, plot.colorBy), cell => keyCell(color, Math.floor(cell / x.count) % color.count)])
  const found = [...seen.keys()].filter(cell => seen[cell] === 1)
  const by = sortOf(plot)
  if (by !== null) {
    const [, name] = keyed[0]!
    const size = (cell: number): Cell => (by.name ? name(cell) : numberOrNull(values[0]![cell]!))
    found.sort((a, b) => by.sign * compareCells(size(a), size(b)) || a - b)
  }
  const kept = plot.top === null ? found : found.slice(0, plot.top)
  return {
    head: [...keyed.map(([label]) => label), ...measures.map(({ label }) => label)],
    body: kept.map(cell => [...keyed.map(([, take]) => take(cell)), ...values.map(one => numberOrNull(one[cell]!))]),
    left: found.length - kept.length,
  }
}

const sortOf = ({ sort }: Plot): { name: boolean; sign: number } | null =>
  sort === 'none' ? null : { name: sort.startsWith('name'), sign: sort.endsWith('Up') ? 1 : -1 }
