// The tables an experiment has of its own: all its runs, and its points with what their runs gave on average.
import { finishedPoints, type Prepared, type Results } from '../../../sim-engine/experiment.ts'
import { columnsOf, type ColumnWords } from '../results/columns.ts'
import { Growing, type TableColumn, type Table } from './table.ts'

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
  const columns = columnsOf(prepared, results, words).map(({ id, label, names, of, at }): TableColumn => {
    const measure = of === 'measure' ? measures.get(id) : undefined
    if (measure !== undefined && rows === results.rows) return { kind: 'number', name: label, data: results.column(measure).slice(0, rows) }
    if (names === null) return { kind: 'number', name: label, data: filled(new Float64Array(rows), known, at) }
    return { kind: 'text', name: label, codes: filled(new Int32Array(rows), known, at), words: names }
  })
  return { rows, columns }
}

/** By hand: `from` with a function would stop the page for a second at a million rows. */
function filled<T extends Float64Array | Int32Array>(made: T, known: Int32Array, at: (run: number) => number): T {
  for (let row = 0; row < made.length; row++) made[row] = at(known[row]!)
  return made
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
  const means = results.measures.map((_, measure) => meansOf(results, measure))
  for (const point of points) {
    const { alternative, settings } = results.points[point]!
    const cells = [
      point,
      ...(prepared.alternatives.length > 1 ? [prepared.alternatives[alternative]?.name ?? null] : []),
      ...settings.map(value => (typeof value === 'boolean' ? (value ? 'True' : 'False') : value)),
      ...means.map(of => of[point]!),
    ]
    cells.forEach((cell, k) => columns[k]!.add(cell))
  }
  return { rows: points.length, columns: columns.map(column => column.end()) }
}

/** The mean of a measure at each point, in one pass over the runs. */
function meansOf(results: Results, measure: number): Float64Array {
  const sums = new Float64Array(results.points.length)
  const counts = new Uint32Array(sums.length)
  const values = results.column(measure)
  for (let run = 0; run < results.rows; run++) {
    const value = values[run]!
    if (!results.isKnown(run) || Number.isNaN(value)) continue
    const point = results.pointOf(run)
    sums[point]! += value
    counts[point]!++
  }
  return sums.map((sum, point) => sum / counts[point]!)
}
