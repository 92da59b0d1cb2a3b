// The results as columns: what tables list, charts pick axes from.
import type { Prepared, Results } from '../../../sim-engine/experiment.ts'

export type Column = {
  id: string
  label: string
  /** Of a run; NaN where there is none. Texts count by their place in `names`. */
  at(run: number): number
  /** Of columns that are not numbers. */
  names: readonly string[] | null
  of: 'run' | 'alternative' | 'decision' | 'measure' | 'end'
}

export type ColumnWords = { run: string; point: string; replication: string; seed: string; alternative: string; ticks: string; end: string }

/** Columns in the order of the table. Ends are told by the engine's own words. */
export function columnsOf({ alternatives }: Prepared, results: Results, words: ColumnWords): Column[] {
  const number = (id: string, label: string, at: (run: number) => number, of: Column['of'] = 'run'): Column => ({
    id,
    label,
    at,
    names: null,
    of,
  })
  return [
    number('run', words.run, run => run),
    number('point', words.point, results.pointOf),
    number('replication', words.replication, results.replicationOf),
    number('seed', words.seed, results.seedOf),
    ...(alternatives.length > 1
      ? [
          {
            id: 'alternative',
            label: words.alternative,
            at: (run: number) => results.points[results.pointOf(run)]!.alternative,
            names: alternatives.map(({ name }) => name),
            of: 'alternative' as const,
          },
        ]
      : []),
    ...results.decisions.map(({ id, label }, k): Column => {
      const texts = [...new Set(results.points.flatMap(({ settings }) => (typeof settings[k] === 'string' ? [settings[k]] : [])))].sort()
      return {
        id,
        label,
        of: 'decision',
        names: texts.length > 0 ? texts : null,
        at: run => {
          const value = results.points[results.pointOf(run)]!.settings[k]
          return typeof value === 'string' ? texts.indexOf(value) : Number(value ?? NaN)
        },
      }
    }),
    ...results.measures.map(({ id, label }, k) =>
      number(id, label, run => (results.isKnown(run) ? results.value(run, k) : NaN), 'measure'),
    ),
    number('ticks', words.ticks, results.ticksOf),
    { id: 'end', label: words.end, at: run => ends.indexOf(results.endOf(run) ?? 'none'), names: ends, of: 'end' },
  ]
}

const ends: readonly string[] = ['none', 'success', 'terminated', 'limited', 'failed']

/** At most so many rows, evenly chosen over all that are known: more dots can't be told apart. */
export function someRuns(results: Results, most: number): number[] {
  const step = Math.max(1, Math.ceil(results.rows / most))
  const runs: number[] = []
  for (let run = 0; run < results.rows; run += step) if (results.isKnown(run)) runs.push(run)
  return runs
}

export type Filter = { column: string; how: 'ge' | 'le' | 'is'; value: number }

/** Rows that are known and pass the filter, in the order asked for. Typed, so that millions are sorted in a moment. */
export function arranged(
  results: Results,
  columns: readonly Column[],
  sort: { column: string; down: boolean } | null,
  filter: Filter | null,
): Int32Array {
  const kept = new Int32Array(results.rows)
  const by = filter && columns.find(({ id }) => id === filter.column)
  let count = 0
  for (let run = 0; run < results.rows; run++) {
    if (!results.isKnown(run)) continue
    if (by) {
      const value = by.at(run)
      if (!(filter.how === 'ge' ? value >= filter.value : filter.how === 'le' ? value <= filter.value : value === filter.value)) continue
    }
    kept[count++] = run
  }
  const rows = kept.subarray(0, count)
  const key = sort && columns.find(({ id }) => id === sort.column)
  if (!key || (sort.column === 'run' && !sort.down)) return rows
  return sorted(rows, key.at, sort.down)
}

/**
 * Rows by their values, those without one last, equal ones as they were. Radix sort by digits of 11 bits over the bits of the numbers, whose order
 * as whole numbers is their own once negative ones are turned: a comparing sort of a million rows would stop the page for a second.
 */
function sorted(rows: Int32Array, at: (run: number) => number, down: boolean): Int32Array {
  const { length } = rows
  const bits = new Uint32Array(new Float64Array(1).buffer)
  const number = new Float64Array(bits.buffer)
  const low = new Uint32Array(length)
  const high = new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    const value = at(rows[i]!)
    // The two zeros are one.
    number[0] = value === 0 ? 0 : value
    const negative = bits[1]! >>> 31 === 1
    const turn = negative !== down ? 0xffffffff : 0
    low[i] = bits[0]! ^ turn
    high[i] = bits[1]! ^ turn ^ (negative ? 0 : 0x80000000)
    if (Number.isNaN(value)) low[i] = high[i] = 0xffffffff
  }
  let order = Int32Array.from({ length }, (_, i) => i)
  let next = new Int32Array(length)
  for (let digit = 0; digit < 6; digit++) {
    const word = digit < 3 ? low : high
    const shift = (digit % 3) * 11
    const starts = new Int32Array(2049)
    for (let i = 0; i < length; i++) starts[((word[i]! >>> shift) & 2047) + 1]!++
    for (let k = 1; k < 2049; k++) starts[k]! += starts[k - 1]!
    for (let i = 0; i < length; i++) next[starts[(word[order[i]!]! >>> shift) & 2047]!++] = order[i]!
    ;[order, next] = [next, order]
  }
  return order.map(i => rows[i]!)
}
