// How often intervals cover the mean they are of: the intervals of reports, of experiments that end by them, and of one long run, on series with known
// means. `npm run bench -- coverage` counts ten thousand experiments of each.
import { meanInterval } from '../../../sim-engine/experiment/aggregate.ts'
import { batchMeans } from '../../../sim-engine/experiment/trust/output-analysis.ts'
import type { Evaluator, Prepared } from '../../../sim-engine/experiment.ts'
import { conduct, intervals } from '../../../sim-engine/experiment.ts'
import { stream, uniform53 } from '../../../sim-engine/kernel/random.ts'
import { functionModel, memory, prepared } from '../experiments.ts'
import { autoregression, meanWait, normal, waits } from './series.ts'

type Stream = ReturnType<typeof stream>

/** One run of a system: a mean of it over 3,000 customers (200 values of the autoregression) after its warm-up; the true one. */
export type System = { readonly name: string; readonly mean: number; run(random: Stream): number }

const meanBehind = (values: readonly number[], warmUp: number): number => {
  let sum = 0
  for (let i = warmUp; i < values.length; i++) sum += values[i]!
  return sum / (values.length - warmUp)
}

export const systems: readonly System[] = [
  { name: 'mm1', mean: meanWait(0.5, 1), run: random => meanBehind(waits(random, 3100, 0.5), 100) },
  { name: 'mm3', mean: meanWait(0.6, 3), run: random => meanBehind(waits(random, 3100, 0.6, 3), 100) },
  { name: 'ar1', mean: 5, run: random => 5 + meanBehind(autoregression(random, 300, 0.8, 10), 100) },
]

/** Share of experiments of so many runs with an interval of 95 % that holds the mean. */
export function coverageOfReplications({ mean, run }: System, replications: number, experiments: number): number {
  let covered = 0
  for (let k = 0; k < experiments; k++) {
    const random = stream(k + 1, 0, 'replications')
    const { low, high } = meanInterval(
      Array.from({ length: replications }, () => run(random)),
      0.95,
    )
    if (low <= mean && mean <= high) covered++
  }
  return covered / experiments
}

const study = (fields: object): Prepared =>
  prepared(
    functionModel({ x: 1 }),
    { type: 'monteCarlo', until: 'interval', maxRuns: 1_000_000, ...fields },
    {
      r: { kind: 'response', expression: 'x' },
    },
  )

/** Runs that give what is drawn, in place of a model. */
const drawing = (random: Stream, draw: (random: Stream) => number): Evaluator => ({
  async evaluate(jobs, done) {
    for (const { run } of jobs) done(run, { end: 'limited', ticks: 0, values: [draw(random)], problem: null })
  },
  close() {},
})

export type Sequential = { readonly name: string; readonly mean: number; readonly halfWidth: number; draw(random: Stream): number }

export const sequential: readonly Sequential[] = [
  { name: 'normal', mean: 1, halfWidth: 0.1, draw: random => 1 + 0.2 * normal(random) },
  { name: 'exponential', mean: 1, halfWidth: 0.1, draw: random => -Math.log(1 - uniform53(random)) },
  { name: 'share', mean: 0.3, halfWidth: 0.1, draw: random => Number(uniform53(random) < 0.3) },
]

/** Share of experiments that ended when their interval was narrow, and hold the mean; and how many runs they made on average. */
export async function coverageOfStopping(
  { mean, halfWidth, draw }: Sequential,
  experiments: number,
): Promise<{ coverage: number; runs: number }> {
  const of = study({ halfWidth })
  let covered = 0
  let runs = 0
  for (let k = 0; k < experiments; k++) {
    const evaluator = drawing(stream(k + 1, 0, 'stopping'), draw)
    const { results } = await conduct({ prepared: of, evaluator, journal: memory(), signal: new AbortController().signal })
    const { low, high } = intervals(of, results)[0]![0]!
    if (low <= mean && mean <= high) covered++
    runs += results.known
  }
  return { coverage: covered / experiments, runs: runs / experiments }
}

export type LongRun = { readonly name: string; readonly mean: number; readonly cut: number; run(random: Stream): number[] }

/** Warm-ups are cut where they are known to be over: how well they are found is measured by itself. */
export const longRuns: readonly LongRun[] = [
  { name: 'mm1', mean: meanWait(0.5, 1), cut: 200, run: random => waits(random, 20_000, 0.5) },
  { name: 'mm3', mean: meanWait(0.6, 3), cut: 200, run: random => waits(random, 20_000, 0.6, 3) },
  { name: 'ar1', mean: 0, cut: 200, run: random => autoregression(random, 10_000, 0.9, 20) },
]

/** Share of long runs with an interval by batch means that holds the mean. */
export function coverageOfBatchMeans({ mean, cut, run }: LongRun, experiments: number): number {
  let covered = 0
  for (let k = 0; k < experiments; k++) {
    const { low, high } = batchMeans(run(stream(k + 1, 0, 'long run')).slice(cut), 0.95)!
    if (low <= mean && mean <= high) covered++
  }
  return covered / experiments
}
