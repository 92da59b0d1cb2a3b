// The results of an experiment as data: a row a run, with its decisions and what was measured.
import type { Prepared, Results } from '../../../sim-engine/experiment.ts'
import { names, numbers, type Column, type Data } from './columns.ts'

type ResultWords = { run: string; point: string; replication: string; seed: string; alternative: string; ticks: string; end: string }

/** Runs that are not known yet give no rows. Columns are identified by names of decisions and measures; equal names by ids. */
export function resultsData({ prepared, results }: { prepared: Prepared; results: Results }, words: ResultWords): Data {
  const runs: number[] = []
  for (let run = 0; run < results.rows; run++) if (results.isKnown(run)) runs.push(run)
  const number = (id: string, label: string, at: (run: number) => number): Column => numbers(id, label, Float64Array.from(runs, at))
  const pointOf = (run: number) => results.points[results.pointOf(run)]
  const { alternatives } = prepared
  return {
    rows: runs.length,
    columns: [
      ...results.decisions.map(({ id, label }, k): Column => {
        const values = runs.map(run => pointOf(run)?.settings[k])
        return values.some(value => typeof value === 'string' || typeof value === 'boolean')
          ? names(
              id,
              label,
              values.map(value => (value === undefined ? null : String(value))),
            )
          : numbers(
              id,
              label,
              Float64Array.from(values, value => Number(value ?? NaN)),
            )
      }),
      ...(alternatives.length > 1
        ? [
            names(
              '@alternative',
              words.alternative,
              runs.map(run => alternatives[pointOf(run)?.alternative ?? 0]?.name ?? null),
            ),
          ]
        : []),
      ...results.measures.map(({ id, label }, k) => number(id, label, run => results.value(run, k))),
      number('@run', words.run, run => run),
      number('@point', words.point, results.pointOf),
      number('@replication', words.replication, results.replicationOf),
      number('@seed', words.seed, results.seedOf),
      number('@ticks', words.ticks, results.ticksOf),
      names(
        '@end',
        words.end,
        runs.map(run => results.endOf(run) ?? null),
      ),
    ],
  }
}
