// The results as columns: what tables list, charts pick axes from.
import type { Prepared, Results } from '../../../sim-engine/experiment.ts'
import { ordered } from '../tables/order.ts'

export type ResultColumn = {
  id: string
  label: string
  /** Of a run; NaN where there is none. Texts count by their place in `names`. */
  at(run: number): number
  /** Of columns that are not numbers. */
  names: readonly string[] | null
  of: 'run' | 'alternative' | 'decision' | 'measure' | 'end'
}

export type ColumnWords = { run: string; point: string; replication: string; seed: string; alternative: string; ticks: string; end: string }

/** Columns in the order of the table. Ends are shown with the engine's own words. */
export function columnsOf({ alternatives }: Prepared, results: Results, words: ColumnWords): ResultColumn[] {
  const number = (id: string, label: string, at: (run: number) => number, of: ResultColumn['of'] = 'run'): ResultColumn => ({
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
    ...results.decisions.map(({ id, label }, k): ResultColumn => {
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

/** At most so many rows, evenly chosen over all known ones: more dots would only overlap. */
export function someRuns(results: Results, most: number): number[] {
  const step = Math.max(1, Math.ceil(results.known / most))
  const runs: number[] = []
  let passed = 0
  for (let run = 0; run < results.rows; run++) if (results.isKnown(run) && passed++ % step === 0) runs.push(run)
  return runs
}

export type ResultFilter = { column: string; how: 'ge' | 'le' | 'is'; value: number }

/** The known rows that pass the filter, in the requested order. Typed, so that millions are sorted in a moment. */
export function arranged(
  results: Results,
  columns: readonly ResultColumn[],
  sort: { column: string; down: boolean } | null,
  filter: ResultFilter | null,
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
  return ordered(rows, key.at, sort.down)
}
