// The table of all runs as Parquet files in a folder: parts of bounded size, each with row groups of bounded size, so that neither writing nor reading
// takes more memory when there are more runs.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ParquetWriter, schemaFromColumnData, type ColumnSource } from 'hyparquet-writer'
import { fileWriter } from 'hyparquet-writer/src/node.js'
import { isParquetPart } from '../arguments.ts'
import type { Results } from '../results.ts'

/** Most runs of one file, and of one group of rows in it. */
const partRows = 1_000_000
const groupRows = 100_000

const partName = (k: number): string => `part-${String(k).padStart(5, '0')}.parquet`

/**
 * Writes the runs that are known into `part-00000.parquet`, ... of a folder, in the order of their numbers, with the columns of the CSV file; what is
 * missing is null. Parts that were there are removed. Returns how many files. Throws when they cannot be written.
 */
export function writeParquet(path: string, results: Results, alternatives: readonly string[], rows = partRows, group = groupRows): number {
  mkdirSync(path, { recursive: true })
  for (const name of readdirSync(path)) if (isParquetPart(name)) rmSync(join(path, name))
  const known = knownRuns(results)
  let parts = 0
  // A table without a row is one part: it has the names of the columns.
  for (let runs = taken(known, rows); runs.length > 0 || parts === 0; runs = taken(known, rows)) {
    writePart(join(path, partName(parts++)), results, alternatives, runs, group)
    if (runs.length < rows) break
  }
  return parts
}

function* knownRuns(results: Results): Generator<number, void> {
  for (let run = 0; run < results.rows; run++) if (results.isKnown(run)) yield run
}

function taken(known: Generator<number, void>, most: number): Int32Array {
  const runs = new Int32Array(most)
  let count = 0
  while (count < most) {
    const next = known.next()
    if (next.done === true) break
    runs[count++] = next.value
  }
  return runs.subarray(0, count)
}

function writePart(file: string, results: Results, alternatives: readonly string[], runs: Int32Array, group: number): void {
  const first = columnsOf(results, alternatives, runs.subarray(0, group))
  const writer = new ParquetWriter({ writer: fileWriter(file), schema: schemaFromColumnData({ columnData: first }) })
  for (let from = 0; from < runs.length; from += group) {
    const columnData = from === 0 ? first : columnsOf(results, alternatives, runs.subarray(from, from + group))
    void writer.write({ columnData, rowGroupSize: group })
  }
  void writer.finish()
}

function columnsOf(results: Results, alternatives: readonly string[], runs: Int32Array): ColumnSource[] {
  const whole = (name: string, of: (run: number) => number): ColumnSource => ({ name, type: 'INT32', nullable: false, data: runs.map(of) })
  const real = (name: string, of: (run: number) => number): ColumnSource => {
    const values = Float64Array.from(runs, of)
    const data = values.some(Number.isNaN) ? Array.from(values, value => (Number.isNaN(value) ? null : value)) : values
    return { name, type: 'DOUBLE', nullable: true, data }
  }
  const text = (name: string, of: (run: number) => string): ColumnSource => ({
    name,
    type: 'STRING',
    nullable: false,
    data: Array.from(runs, of),
  })
  const pointAt = (run: number) => results.points[results.pointOf(run)]!
  const columns = [
    whole('run', run => run),
    whole('point', results.pointOf),
    whole('replication', results.replicationOf),
    // Up to 2^32 - 1, more than a signed number of 32 bits has.
    {
      name: 'seed',
      type: 'INT64' as const,
      nullable: false,
      data: BigInt64Array.from(runs as Iterable<number>, run => BigInt(results.seedOf(run))),
    },
    ...(alternatives.length > 1 ? [text('alternative', run => alternatives[pointAt(run).alternative] ?? '')] : []),
    ...results.decisions.map(({ label }, k) =>
      results.points.every(({ settings }) => typeof settings[k] === 'number')
        ? real(label, run => Number(pointAt(run).settings[k]))
        : text(label, run => String(pointAt(run).settings[k])),
    ),
    ...results.measures.map(({ label }, k) => real(label, run => results.value(run, k))),
    real('ticks', results.ticksOf),
    text('end', run => results.endOf(run) ?? ''),
  ]
  return columns.map((column, k) => ({ ...column, name: freshName(columns, k) }))
}

/** Columns of one file have different names: a second `wait` is `wait 2`. */
function freshName(columns: readonly { name: string }[], k: number): string {
  const same = columns.slice(0, k).filter(({ name }) => name === columns[k]!.name).length
  return same === 0 ? columns[k]!.name : `${columns[k]!.name} ${same + 1}`
}
