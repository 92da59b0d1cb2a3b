// The type that suits the fields on the shelves: the first field already gives a useful chart.
import type { Plot, PlotType } from '../../../model-schema/plot.ts'
import { columnOf, type Column, type Data } from './columns.ts'

/** More names than this are not read along an axis, but in a table. */
const mostNames = 60
/** Most distinguishable parts of a whole. */
const mostSlices = 8

const isNumber = (column: Column | null): boolean => column?.is === 'number'

/** What an automatic chart is drawn as. `live`: its rows come tick by tick. */
export function suggested(plot: Plot, data: Data, live: boolean): PlotType {
  const x = columnOf(data, plot.dimension)
  const color = columnOf(data, plot.colorBy)
  const metrics = plot.metrics.map(({ field }) => columnOf(data, field))
  const measured = metrics.filter(column => column !== null)
  if (measured.some(column => !isNumber(column)) && measured.every(column => column.is === 'name') && !x) return 'table'
  if (x === null) {
    if (measured.length === 0) return isNumber(color) ? 'histogram' : color ? 'pie' : 'table'
    if (live) return 'value'
    if (data.rows <= 1) return measured.length > 1 ? 'bar' : 'value'
    if (color) return 'box'
    return measured.length === 1 ? 'histogram' : measured.length === 2 ? 'scatter' : 'parallel'
  }
  if (x.is === 'name') {
    if (x.names.length > mostNames) return 'table'
    if (color?.is === 'name' && measured.length <= 1 && color.names.length * x.names.length > 40) return 'heat'
    if (measured.length === 0 && !color && x.names.length <= mostSlices) return 'pie'
    return measured.length === 1 && plot.metrics[0]?.aggregate === 'auto' && data.rows >= 5 * x.names.length && !color ? 'box' : 'bar'
  }
  if (measured.length === 0) return color?.is === 'number' ? 'heat' : 'histogram'
  if (plot.dimensionBins !== null) return 'bar'
  if (x.dates || live) return 'line'
  return rising(x.values) ? 'line' : repeats(x.values) ? 'bands' : 'scatter'
}

/** Whether each value is greater than the one before, as time is. */
function rising(values: Float64Array): boolean {
  for (let k = 1; k < values.length; k++) if (!(values[k]! > values[k - 1]!)) return false
  return true
}

/** Whether there are several rows at each value, as there are of replications. */
function repeats(values: Float64Array): boolean {
  const seen = new Set<number>()
  for (const value of values) {
    seen.add(value)
    if (seen.size > 500) return false
  }
  return values.length >= 2 * seen.size
}
