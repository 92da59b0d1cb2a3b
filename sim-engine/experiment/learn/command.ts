// A training on the command line: here, in one thread. With a journal file it continues where it was, to the same weights.
import { loadChainOf } from '../../chain.ts'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { State } from '../../kernel/snapshot.ts'
import { keyOf } from '../../experiment.ts'
import type { Output } from '../arguments.ts'
import { engineHash } from '../engine.ts'
import type { Prepared } from '../prepare.ts'
import { EpisodeFailed } from './arena.ts'
import { createTraining, hasOwnPolicy } from './begin.ts'
import { trainingPlanOf, type TrainingPlan } from './plan.ts'
import { reportOfTraining, trainingText, type TrainingReport } from './report.ts'
import { type Training } from './training.ts'
import { english, Told } from '../../../model-schema/words.ts'

type Options = {
  readonly journal: string | undefined
  readonly json: boolean
}

/** What was learned is written down after so many milliseconds, and no more often than so many times what writing takes. */
const [keepEvery, keepShare] = [250, 20]

/** Exit code: 0 ok, 1 it failed. */
export async function trainFile(prepared: Prepared, options: Options, output: Output, signal: AbortSignal): Promise<0 | 1> {
  const plan = trainingPlanOf(prepared)
  const journal = options.journal === undefined ? null : new TrainingJournal(options.journal, keyOf(prepared))
  let training: Training | null = null
  try {
    await loadChainOf(plan.model)
    training = createTraining(plan)
    const known = journal?.read() ?? null
    if (known !== null) training.load(known)
    await go(training, options, output, signal, state => journal?.write(state))
    const report = reportOfTraining(training, plan.settings.algorithm, training.spaces, hasOwnPolicy(plan))
    output.out(options.json ? `${JSON.stringify(jsonOf(report, plan, training), null, 2)}\n` : trainingText(report))
    return 0
  } catch (error) {
    if (error instanceof EpisodeFailed) {
      const { code, at, message } = error.problem
      output.err(
        `error model ${code} ${at.id}${at.field === undefined ? '' : ` ${at.field}`}: ${english(message)} (in the episode with seed ${error.seed})\n`,
      )
    } else if (error instanceof Told) output.err(`error ${english(error.words)}\n`)
    else throw error
    return 1
  }
}

async function go(training: Training, { json }: Options, output: Output, signal: AbortSignal, keep: (state: State) => void): Promise<void> {
  const { now } = output
  let kept = now()
  let took = 0
  let told = training.rows.length
  while (!signal.aborted && training.round()) {
    if (training.rows.length > told) {
      told = training.rows.length
      const { epoch, decisions, test } = training.rows.at(-1)!
      if (!json)
        output.err(
          `epoch ${epoch}: ${decisions} decisions, mean return ${Number(test.mean.toPrecision(6))} +- ${Number(test.half.toPrecision(3))}\n`,
        )
    }
    const before = now()
    if (before - kept < Math.max(keepEvery, keepShare * took)) continue
    keep(training.save())
    kept = now()
    took = kept - before
    // A signal could not come otherwise.
    await new Promise(resolve => setImmediate(resolve))
  }
  keep(training.save())
}

function jsonOf(report: TrainingReport, plan: TrainingPlan, { best }: Training): object {
  const { settings } = plan
  return { ...report, settings, policy: best?.policy ? { shape: best.policy.shape, weights: Array.from(best.policy.weights) } : null }
}

/** The state of a training in a file: the old one is there until the new one is whole. */
export class TrainingJournal {
  readonly #path: string
  readonly #key: string

  constructor(path: string, key: string) {
    this.#path = path
    this.#key = key
  }

  /** Null when there is none yet. Throws Error when it is damaged, or of another experiment, model or engine. */
  read(): State | null {
    // The check that it can be written may have left an empty one.
    if (!existsSync(this.#path) || statSync(this.#path).size === 0) return null
    let read: { training?: number; key?: string; engine?: string; state?: State }
    try {
      read = deserialize(readFileSync(this.#path))
    } catch {
      throw new Error(`${this.#path} is damaged: remove it to begin anew`)
    }
    if (read.training !== 1 || read.key !== this.#key || read.state === undefined)
      throw new Error(`${this.#path} is the journal of another experiment or model`)
    if (read.engine !== engineHash())
      throw new Error(
        `${this.#path} was made by another version of the engine (${read.engine ?? 'an early one'}, here ${engineHash()}), which would learn other weights: remove it to begin anew`,
      )
    return read.state
  }

  write(state: State): void {
    const next = `${this.#path}.next`
    const file = openSync(next, 'w')
    writeSync(file, serialize({ training: 1, key: this.#key, engine: engineHash(), state }))
    fsyncSync(file)
    closeSync(file)
    renameSync(next, this.#path)
  }
}
