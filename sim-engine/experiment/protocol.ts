// Messages between the conductor of an experiment and its workers. Plain structured-clone data.
import type { Id, Model } from '../../model-schema/model.ts'
import type { Plain, RunResult } from '../messages.ts'
import type { Problem } from '../problems.ts'

/** All that a worker needs to make any run of an experiment. */
export type Runnable = {
  /** The model with the experiment's expressions in it as statistics, once for each alternative. */
  readonly alternatives: readonly { readonly model: Model; readonly scenario: Id }[]
  /** What is measured: statistics by id, at the end of a run or at model times in rising order. */
  readonly measures: readonly { readonly id: Id; readonly at: readonly number[] | null }[]
  /** Values computed from the public variables before a run: a model of these alone. Null where there is nothing of the kind. */
  readonly before: Before | null
  /** Replaces the scenario's total ticks. */
  readonly ticks: number | null
  /** Plan limit of one run. */
  readonly stepLimit: number | null
}

/** Formula-dependent decision variables and constraints on inputs. Pages may not run code, so workers work them out, too. */
export type Before = {
  readonly model: Model
  readonly scenario: Id
  /** Public variables there are in it. */
  readonly accepts: readonly Id[]
  /** Variables given by formulas, then statistics of constraints: a sample has their values in this order. */
  readonly variables: readonly Id[]
  readonly constraints: readonly Id[]
}

/** The alternative of a job that works out what comes before a run. */
export const BEFORE = -1

/** One run that is to be made. */
export type Job = {
  /** Number of the run in the experiment: 0, 1, 2 ... */
  readonly run: number
  readonly alternative: number
  /** Public variables by id. */
  readonly inputs: Readonly<Record<Id, Plain>>
  readonly seed: number
}

/** What a run gave. */
export type Sample = {
  readonly end: RunResult['end']
  readonly ticks: number
  /** One number for each measure, or for each of its times; NaN where there is none. */
  readonly values: readonly number[]
  /** Why it failed. */
  readonly problem: Problem | null
}

export type ToRunner = { readonly do: 'prepare'; readonly runnable: Runnable } | { readonly do: 'run'; readonly jobs: readonly Job[] }
export type FromRunner =
  | { readonly is: 'ready' }
  | { readonly is: 'done'; readonly samples: readonly (readonly [run: number, sample: Sample])[] }
  /** The model can't be compiled, or the engine itself is wrong. */
  | { readonly is: 'broken'; readonly message: string }

/**
 * Where runs are made: workers of this page, of this machine, of a server. `done` is called once for each job, in any order; the promise ends when
 * all are done, or is rejected when the signal is aborted or no worker is left. Jobs are taken as they are needed: there may be millions.
 */
export type Evaluator = {
  evaluate(jobs: Iterable<Job>, done: (run: number, sample: Sample) => void, signal: AbortSignal): Promise<void>
  close(): void
}

/** An evaluator with workers of its own. */
export type Workers = Evaluator & {
  /** How long they have been at work, in milliseconds: of all of them together, those under way included. */
  worked(): number
}
