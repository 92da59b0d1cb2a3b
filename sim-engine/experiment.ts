// Conducts an experiment: asks its study for trials, has an evaluator make the runs, keeps all in a table and a journal. Earlier requests and
// results are in the journal, so an experiment continues after a stop or a crash as if uninterrupted, wherever its runs are made and by how many
// workers.
import type { Experiment } from '../model-schema/experiment.ts'
import { say } from '../model-schema/words.ts'
import { bits, stream } from './kernel/random.ts'
import type { ColumnStore } from './experiment/tables/columns.ts'
import type { Prepared } from './experiment/prepare.ts'
import { BEFORE, type Evaluator, type Job, type Sample } from './experiment/protocol.ts'
import { Results } from './experiment/results.ts'
import type { Plain } from './messages.ts'
import { isPlanned, plannedRuns, studyOf, type Outcome, type Trial } from './experiment/studies.ts'

export { prepare, type ExperimentProblem, type Preparation, type Prepared } from './experiment/prepare.ts'
export { createPool, createLocal, WorkersKeepEnding, type Hands } from './experiment/distribute/pool.ts'
export { createRunner, serveRuns } from './experiment/runner.ts'
export { BEFORE } from './experiment/protocol.ts'
export type { Evaluator, FromRunner, Job, Runnable, Sample, ToRunner, Workers } from './experiment/protocol.ts'
export { csvLines, Results } from './experiment/results.ts'
export { isPlanned, mostRuns, plannedRuns } from './experiment/studies.ts'
export { intervalOf, type Interval } from './experiment/aggregate.ts'
export {
  bestFit,
  convergence,
  differences,
  effects,
  finishedPoints,
  front,
  frontVolume,
  indices,
  intervals,
  intervalsAt,
  posterior,
  scores,
  selection,
  unidentified,
  volumes,
} from './experiment/trust/conclusions.ts'
export { reportOf, type Report } from './experiment/report.ts'
export { settingOf, trainingPlanOf, type TrainingPlan } from './experiment/learn/plan.ts'
export { defaults as learningDefaults } from './experiment/learn/settings.ts'
export type { LearnedPolicy } from './experiment/learn/learner.ts'
export type { TrainingReport } from './experiment/learn/report.ts'
export type { FromTrainer, ToTrainer } from './experiment/learn/serve.ts'
export type { EpochRow } from './experiment/learn/training.ts'
export { fieldsOfNetwork } from './learn/network.ts'
export { toOnnx, toSafetensors } from './learn/exchange.ts'
export type { State } from './kernel/snapshot.ts'
export { warningsOf } from './experiment/trust/warnings.ts'
export { confidenceMarkdown, confidencePage } from './experiment/trust/confidence.ts'
export { coursesOf, warmUpsOf, welch, type Courses } from './experiment/trust/warm-up.ts'

/** The samples of runs made before: added in any order, kept for ever. */
export type Journal = {
  /** All samples with the numbers of their runs. */
  read(): Promise<Iterable<readonly [run: number, sample: Sample]>>
  /** Called with new samples; may gather them, but keeps their order. */
  write(samples: readonly (readonly [run: number, sample: Sample])[]): void
}

type Progress = {
  readonly results: Results
  /** Runs that are done, those taken from the journal included. */
  readonly done: number
  /** Batches the study has asked for. */
  readonly batches: number
}

/** How it ended: all done, no runs left, or stopped (then it can continue). */
export type Conducted = 'finished' | 'budget' | 'stopped'

type Conduct = {
  readonly prepared: Prepared
  readonly evaluator: Evaluator
  readonly journal: Journal
  readonly signal: AbortSignal
  /** Called after each batch of samples and each batch of trials. */
  told?(progress: Progress): void
  /** Where measured values are held; in memory if left out. */
  readonly columns?: ColumnStore
}

/** Counts the times that searches came to ask for other points than before. */
const SEARCHES = 4
/** Counts the times that looks at intervals came to be at other numbers of replications: with several alternatives, runs are numbered by them. */
const LOOKS = 1

/** Why runs that are asked for by a key (`keyOf`) are refused when it is not that of the files at hand. */
export const otherState = say(
  'The server has another state of the experiment or its model. Wait until everything is saved, then start again.',
)

/**
 * What a journal is a journal of: equal keys, equal runs by their numbers. What only bounds an experiment is not in it, so that one can go on with
 * more runs, unless the search looks at its budget or something follows it.
 */
export function keyOf({ experiment, runnable }: Prepared): string {
  const { maxRuns } = experiment
  const { maxIterations } = experiment.settings
  const settings = { ...experiment.settings, maxIterations: null }
  const { type, algorithm, fit, confirmations, resampling } = experiment
  const asked = {
    ...experiment,
    resampling: resampling || undefined,
    warmUpTicks: experiment.warmUpTicks ?? undefined,
    settings,
    maxRuns: null,
    maxMinutes: null,
    threads: null,
    linked: null,
    name: null,
    // A training continues with more epochs, or another aim.
    learning: experiment.learning && { ...experiment.learning, epochs: null, rewardThreshold: null },
  }
  const isSearch = type === 'optimization' || (type === 'calibration' && fit === 'optimise')
  // Runs are known by their numbers: where something comes after the search, more of it would take the numbers of that.
  const isFollowed = (type === 'calibration' && fit === 'optimise') || (type === 'optimization' && (confirmations > 0 || resampling > 0))
  const isBound = isFollowed || (isSearch && (algorithm === 'auto' || algorithm === 'omopso'))
  const bound = isBound ? { maxRuns, maxIterations } : null
  // Alternatives take turns, block by block: how long a block is follows how many runs there are for each.
  const each = type === 'monteCarlo' && runnable.alternatives.length > 1 ? mostOfEach(experiment, runnable.alternatives.length) : null
  const isLooking = each !== null && experiment.until === 'interval'
  const models = runnable.alternatives.map(({ model, scenario }) => [scenario, [...model.elements.values()]])
  const text = JSON.stringify([
    asked,
    bound,
    each,
    models,
    runnable.ticks,
    runnable.stepLimit,
    ...(isSearch ? [SEARCHES] : []),
    ...(isLooking ? [LOOKS] : []),
  ])
  // Two hashes of 32 bits each: one alone would be met by chance now and then.
  return `${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x050c5d1f)}`
}

const mostOfEach = ({ maxRuns, replications, until, selection }: Experiment, alternatives: number): number => {
  const most = Math.floor(maxRuns / alternatives)
  return until === 'fixed' && selection === 'paired' ? Math.min(most, replications) : most
}

function fnv1a(text: string, start: number): string {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** The seed of replication `r`: the same at every point and for every alternative (common random numbers). */
export const seedOf = (experimentSeed: number, r: number): number => bits(stream(experimentSeed, r, 'replication'))

/** Public variables with those that formulas give, and how far each is outside the constraints on inputs. In workers: pages may not run code. */
export async function workOut(
  prepared: Prepared,
  evaluator: Evaluator,
  inputs: readonly Readonly<Record<string, Plain>>[],
  signal: AbortSignal,
): Promise<{ inputs: Record<string, Plain>; violation: number }[]> {
  const worked = new Map<number, readonly number[]>()
  if (prepared.runnable.before !== null) {
    const jobs = inputs.map((own, run) => ({ run, alternative: BEFORE, inputs: own, seed: prepared.experiment.seed }))
    await evaluator.evaluate(jobs, (run, { values }) => worked.set(run, values), signal)
  }
  return inputs.map((own, run) => {
    const more = prepared.workedOut(worked.get(run) ?? [])
    return { inputs: { ...own, ...more.inputs }, violation: more.violation }
  })
}

/** Runs until the study is over, the budget spent or the signal aborted. Rejects only when no worker can make a run. */
export async function conduct({
  prepared,
  evaluator,
  journal,
  signal,
  told,
  columns,
}: Conduct): Promise<{ results: Results; ended: Conducted }> {
  const { experiment } = prepared
  const results = new Results(prepared.decisions, prepared.measures, columns)
  if (isPlanned(prepared)) results.reserve(plannedRuns(prepared) ?? 0)
  for (const [run, sample] of await journal.read()) results.tell(run, sample)
  const points = new Map<string, number>()
  const study = studyOf(prepared)
  let batches = 0

  const keyOfTrial = ({ alternative, point }: Trial): string => `${alternative}:${point?.join(',') ?? ''}`

  /** Adds the points that were not asked for before, with what is worked out for them before a run. */
  const meet = async (trials: readonly Trial[]): Promise<void> => {
    const fresh = [...new Map(trials.map(trial => [keyOfTrial(trial), trial]))].filter(([key]) => !points.has(key))
    const given = fresh.map(([, { point, alternative }]) => {
      const own = point === null ? { settings: [], inputs: {} } : prepared.inputsOf(point)
      return { ...own, inputs: { ...own.inputs, ...prepared.alternatives[alternative]!.inputs } }
    })
    const worked = await workOut(
      prepared,
      evaluator,
      given.map(({ inputs }) => inputs),
      signal,
    )
    fresh.forEach(([key, { alternative }], i) => {
      const { inputs, violation } = worked[i]!
      points.set(key, results.addPoint({ alternative, settings: given[i]!.settings, inputs, violation }))
    })
  }

  const asked = (trial: Trial): { runs: number[]; violation: number } => {
    const point = points.get(keyOfTrial(trial))!
    results.trials.push(point)
    const { violation } = results.points[point]!
    if (violation > 0) return { runs: [], violation }
    // A point that was asked for before is not run again: the same job gives the same sample.
    const own = trial.replications.map(r => results.runAt(point, r) ?? results.addRun(point, r, seedOf(experiment.seed, r)))
    return { runs: own, violation: 0 }
  }

  /** Those of a range of rows that are not known yet; made as they are taken, as there may be millions. */
  function* jobs(from: number, to: number): Generator<Job, void> {
    for (let run = from; run < to; run++) {
      if (results.isKnown(run)) continue
      const { alternative, inputs } = results.points[results.pointOf(run)]!
      yield { run, alternative, inputs, seed: results.seedOf(run) }
    }
  }

  /** Makes the runs from a row on. */
  const make = async (from: number): Promise<void> => {
    await evaluator.evaluate(
      jobs(from, Math.min(results.rows, experiment.maxRuns)),
      (run, sample) => {
        results.tell(run, sample)
        journal.write([[run, sample]])
        told?.({ results, done: results.known, batches })
      },
      signal,
    )
    told?.({ results, done: results.known, batches })
  }

  const pursue = async (): Promise<Conducted> => {
    // Nothing has to be waited for where nothing depends on what runs give: no worker is idle while the last of a batch are under way.
    const waits = !isPlanned(prepared)
    for (let step = study.next(); !step.done;) {
      batches++
      const first = results.rows
      await meet(step.value)
      const wanted = step.value.map(asked)
      if (waits) await make(first)
      if (results.rows > experiment.maxRuns) break
      const outcome = ({ runs, violation }: (typeof wanted)[number]): Outcome => ({
        violation,
        samples: runs.map(run => results.sampleOf(run)!),
      })
      step = study.next(waits ? wanted.map(outcome) : [])
    }
    if (!waits) await make(0)
    return results.rows > experiment.maxRuns ? 'budget' : 'finished'
  }
  try {
    return { results, ended: await pursue() }
  } catch (error) {
    if (!signal.aborted) throw error
    return { results, ended: 'stopped' }
  }
}
