// The tables an experiment has of its own: all its runs, and its points with what their runs gave on average.
import { finishedPoints, valuesAt, type Prepared, type Results } from '../../../sim-engine/experiment.ts'
import { columnsOf, type ColumnWords } from '../results/columns.ts'
import { Growing, type Column, type Table } from './table.ts'

/** As in CSV files: what is joined by name has the same name in every language. */
const words: ColumnWords = {
  run: 'run',
  point: 'point',
  replication: 'replication',
  seed: 'seed',
  alternative: 'alternative',
  ticks: 'ticks',
  end: 'end',
}

/** A copy of the runs that are known. */
export function runsTable(prepared: Prepared, results: Results): Table {
  const known = new Int32Array(results.rows)
  let rows = 0
  for (let run = 0; run < results.rows; run++) if (results.isKnown(run)) known[rows++] = run
  const measures = new Map(results.measures.map(({ id }, k) => [id, k]))
  const columns = columnsOf(prepared, results, words).map(({ id, label, names, of, at }): Column => {
    const measure = of === 'measure' ? measures.get(id) : undefined
    if (measure !== undefined && rows === results.rows) return { kind: 'number', name: label, data: results.column(measure).slice(0, rows) }
    if (names === null) return { kind: 'number', name: label, data: Float64Array.from(known.subarray(0, rows), at) }
    return { kind: 'text', name: label, codes: Int32Array.from(known.subarray(0, rows), at), words: names }
  })
  return { rows, columns }
}

/** One row a point that is done. */
export function pointsTable(prepared: Prepared, results: Results): Table {
  const columns = [
    words.point,
    ...(prepared.alternatives.length > 1 ? [words.alternative] : []),
    ...results.decisions.map(({ label }) => label),
    ...results.measures.map(({ label }) => label),
  ].map(name => new Growing(name))
  const points = finishedPoints(results)
  for (const point of points) {
    const { alternative, settings } = results.points[point]!
    const means = results.measures.map((_, measure) => {
      const values = valuesAt(results, point, measure).filter(value => !Number.isNaN(value))
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
    })
    const cells = [
      point,
      ...(prepared.alternatives.length > 1 ? [prepared.alternatives[alternative]?.name ?? null] : []),
      ...settings.map(value => (typeof value === 'boolean' ? (value ? 'True' : 'False') : value)),
      ...means,
    ]
    cells.forEach((cell, k) => columns[k]!.add(cell))
  }
  return { rows: points.length, columns: columns.map(column => column.end()) }
}
