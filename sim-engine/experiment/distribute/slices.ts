// A part of an experiment's runs, made by one process of many: every N-th run from the I-th on, so that cheap and costly corners of a design are dealt out
// evenly. For designs that are known beforehand only: what a search asks for next depends on all its runs.
import { BEFORE, type Evaluator, type Job } from '../protocol.ts'
import { Misuse } from '../arguments.ts'

export type Slice = { readonly index: number; readonly of: number }

/** Most slices: Slurm's arrays have no more than a few thousand tasks, and a slice takes half a second to begin. */
const mostSlices = 10_000

const isOf = ({ index, of }: Slice, run: number): boolean => run % of === index

/** Makes the runs of a slice and leaves out the others. */
export function sliced(evaluator: Evaluator, slice: Slice): Evaluator {
  function* own(jobs: Iterable<Job>): Generator<Job, void> {
    for (const job of jobs) if (job.alternative === BEFORE || isOf(slice, job.run)) yield job
  }
  return { evaluate: (jobs, done, signal) => evaluator.evaluate(own(jobs), done, signal), close: () => evaluator.close() }
}

type Environment = Readonly<Record<string, string | undefined>>

/** `I/N`, with I from 0, or `auto`: as the array job says that this process is a task of. Throws Misuse. */
export function sliceOf(text: string, environment: Environment): Slice {
  const [index = NaN, of = NaN] = text === 'auto' ? ofArray(environment) : /^\d+\/\d+$/.test(text) ? text.split('/').map(Number) : []
  if (Number.isNaN(index) || Number.isNaN(of))
    throw new Misuse(
      text === 'auto'
        ? '--slice auto finds no array job: neither SLURM_ARRAY_TASK_ID, nor PBS_ARRAY_INDEX, JOB_COMPLETION_INDEX or PARALLEL_SEQ with HOLARCHY_SLICES'
        : `--slice takes I/N, such as 0/4, or auto, not "${text}"`,
    )
  if (!(of >= 1 && of <= mostSlices && index >= 0 && index < of))
    throw new Misuse(`--slice ${index}/${of}: slices are 0 .. N - 1 of at most ${mostSlices}`)
  return { index, of }
}

/** Slurm says how many tasks there are; the others only which one this is, and for Kubernetes and GNU parallel the count is said twice. */
function ofArray(environment: Environment): readonly number[] {
  const number = (name: string): number => {
    const text = environment[name]
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : NaN
  }
  const slices = number('HOLARCHY_SLICES')
  if (environment['SLURM_ARRAY_TASK_ID'] !== undefined) {
    // A task that is begun again alone is an array of one: the submission passes how many there were.
    const count = Number.isNaN(slices) ? number('SLURM_ARRAY_TASK_COUNT') : slices
    const first = Number.isNaN(slices) ? number('SLURM_ARRAY_TASK_MIN') : 0
    return [number('SLURM_ARRAY_TASK_ID') - (Number.isNaN(first) ? 0 : first), count]
  }
  if (environment['PBS_ARRAY_INDEX'] !== undefined) return [number('PBS_ARRAY_INDEX'), slices]
  if (environment['JOB_COMPLETION_INDEX'] !== undefined) return [number('JOB_COMPLETION_INDEX'), slices]
  // GNU parallel counts from 1.
  return [number('PARALLEL_SEQ') - 1, slices]
}
