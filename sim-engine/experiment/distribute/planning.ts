// What an experiment will take, before it is begun: how many runs, how long one takes, and how they could be dealt out.
import { conduct, isPlanned, keyOf, plannedRuns, type Evaluator, type Job, type Prepared, type Sample } from '../../experiment.ts'
import { engineHash } from '../engine.ts'
import { BEFORE } from '../protocol.ts'

export type DistributionPlan = {
  experiment: string
  type: string
  key: string
  engine: string
  /** Null: as many as it takes, at most `mostRuns`. */
  runs: number | null
  mostRuns: number
  /** Whether all runs are known before any is made, so that slices can be made of them. */
  kind: 'sliceable' | 'adaptive'
  /** Of one run on one core, the median of those that were tried; null when they failed. */
  secondsPerRun: number | null
  /** Of all runs on one core. */
  coreHours: number | null
  /** A number of slices that are worth their start and short enough to be made again; null where there can be none. */
  slices: number | null
  advice: string[]
}

/** Runs that are tried: the first makes its program ready, and does not count. */
const tried = 4
/** A slice takes half a second to begin, and is made again as a whole when its machine is lost. */
const wantedSeconds = 600

/** Makes a few runs to see how long they take. `now`: a clock in milliseconds. */
export async function planOf(prepared: Prepared, here: Evaluator, now: () => number): Promise<DistributionPlan> {
  const runs = plannedRuns(prepared)
  const isSliceable = isPlanned(prepared)
  const secondsPerRun = await timed(prepared, here, now)
  const seconds = secondsPerRun === null ? null : secondsPerRun * (runs ?? prepared.experiment.maxRuns)
  const slices = isSliceable && seconds !== null ? Math.max(1, Math.min(Math.ceil(seconds / wantedSeconds), 1000, runs ?? 1)) : null
  const plan = {
    experiment: prepared.experiment.name,
    type: prepared.experiment.type,
    key: keyOf(prepared),
    engine: engineHash(),
    runs,
    mostRuns: prepared.experiment.maxRuns,
    kind: isSliceable ? ('sliceable' as const) : ('adaptive' as const),
    secondsPerRun,
    coreHours: seconds === null ? null : seconds / 3600,
    slices,
  }
  return { ...plan, advice: adviceOf(plan, prepared) }
}

async function timed(prepared: Prepared, here: Evaluator, now: () => number): Promise<number | null> {
  const took: number[] = []
  const stop = new AbortController()
  const some: Evaluator = {
    async evaluate(jobs, done, signal) {
      const all: Job[] = []
      for (const job of jobs) {
        all.push(job)
        if (job.alternative !== BEFORE && all.length >= tried) break
      }
      if (all[0]?.alternative === BEFORE) return here.evaluate(all, done, signal)
      for (const [i, job] of all.entries()) {
        const since = now()
        const ends: Sample['end'][] = []
        await here.evaluate([job], (_, { end }) => ends.push(end), signal)
        if (i > 0 || all.length === 1) took.push((now() - since) / 1000)
      }
      stop.abort()
      throw new Error('enough')
    },
    close() {},
  }
  await conduct({ prepared, evaluator: some, journal: { read: () => Promise.resolve([]), write() {} }, signal: stop.signal })
  const sorted = took.sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

function adviceOf({ kind, slices, coreHours, secondsPerRun }: Omit<DistributionPlan, 'advice'>, { experiment }: Prepared): string[] {
  const advice: string[] = []
  if (kind === 'adaptive') {
    advice.push('what it runs next depends on what its runs gave: it cannot be sliced; use --threads, or workers of a queue (--workers)')
    if (experiment.type === 'optimization')
      advice.push(
        `at most ${experiment.settings.populationSize * experiment.replications} runs are under way at a time (population size times replications): more workers than that wait`,
      )
  } else if (slices !== null && slices > 1)
    advice.push(
      `${slices} slices take about ${Math.max(1, Math.round(((coreHours ?? 0) * 60) / slices))} min each on one core; four times as many slices as cores even out slow ones`,
    )
  else advice.push('one machine is enough: it is done in minutes')
  if (secondsPerRun !== null && secondsPerRun < 0.001)
    advice.push('runs are shorter than a millisecond: more threads than cores bring nothing')
  return advice
}
