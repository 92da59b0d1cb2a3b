// One run of an experiment, to see how long it takes; the samples of single points, for exploring by hand.
import { seedOf, workOut, type Evaluator, type Job, type Prepared, type Sample } from '../../sim-engine/experiment.ts'
import { wordsNow } from '../i18n/locale.ts'
import { createWorkers, threadsOf } from './conduct/workers.ts'

export type TrialRun = { seconds: number; threads: number; /** Why it failed. */ failed: string | null }

/** The middle of each variable's range. */
export const middleOf = ({ space }: Prepared): Float64Array =>
  Float64Array.from(space.domains, domain =>
    domain.as === 'choice' ? 0 : domain.as === 'real' ? (domain.low + domain.high) / 2 : Math.round((domain.low + domain.high) / 2),
  )

/** The public variables of a point (null: of the first alternative), those given by formulas included, and whether constraints on inputs forbid it. */
export async function inputsAt(
  prepared: Prepared,
  evaluator: Evaluator,
  point: Float64Array | null,
  signal: AbortSignal,
): Promise<{ inputs: Job['inputs']; forbidden: boolean }> {
  const own = { ...(point === null ? {} : prepared.inputsOf(point).inputs), ...prepared.alternatives[0]?.inputs }
  const [worked] = await workOut(prepared, evaluator, [own], signal)
  return { inputs: worked?.inputs ?? own, forbidden: (worked?.violation ?? 0) > 0 }
}

export const jobOf = ({ experiment }: Prepared, inputs: Job['inputs'], replication: number): Job => ({
  run: replication,
  alternative: 0,
  inputs,
  seed: seedOf(experiment.seed, replication),
})

/** Makes one run; the first in a worker also compiles, so the second is the one that is measured. */
export async function trialOf(prepared: Prepared): Promise<TrialRun> {
  const evaluator = createWorkers(prepared.runnable, 1)
  const point = prepared.free.length === 0 ? null : middleOf(prepared)
  let last: Sample | null = null
  const { signal } = new AbortController()
  try {
    const { inputs } = await inputsAt(prepared, evaluator, point, signal)
    const once = (run: number): Promise<void> => evaluator.evaluate([jobOf(prepared, inputs, run)], (_, sample) => (last = sample), signal)
    await once(0)
    const since = performance.now()
    await once(1)
    const seconds = (performance.now() - since) / 1000
    const problem = sampleProblem(last)
    return { seconds, threads: threadsOf(prepared.experiment.threads), failed: problem }
  } finally {
    evaluator.close()
  }
}

const sampleProblem = (sample: Sample | null): string | null =>
  sample?.end === 'failed' && sample.problem ? wordsNow(sample.problem.message) : null
