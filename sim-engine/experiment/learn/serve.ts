// A training behind a port: it learns in its worker, reports each epoch and hands over its state now and then, so that nothing is lost with it.
import type { State } from '../../kernel/snapshot.ts'
import type { Problem } from '../../problems.ts'
import { loadChainOf } from '../../chain.ts'
import { EpisodeFailed } from './arena.ts'
import { createTraining, hasOwnPolicy } from './begin.ts'
import type { LearnedPolicy } from './learner.ts'
import type { TrainingPlan } from './plan.ts'
import { reportOfTraining, type TrainingReport } from './report.ts'
import { type EpochRow } from './training.ts'
import { toldBy, type Words } from '../../../model-schema/words.ts'

export type ToTrainer = { readonly do: 'train'; readonly plan: TrainingPlan; readonly state: State | null } | { readonly do: 'stop' }

export type FromTrainer =
  /** How much is done, 0 .. 1, and decisions so far. */
  | { readonly is: 'progress'; readonly part: number; readonly decisions: number }
  /** `policy`: of the last of these epochs; null where no network can say it, or nothing is new. */
  | { readonly is: 'epoch'; readonly rows: readonly EpochRow[]; readonly policy: LearnedPolicy | null }
  | { readonly is: 'state'; readonly state: State; readonly best: LearnedPolicy | null }
  /** It is over, or was stopped: then `report.ending` is null. */
  | { readonly is: 'ended'; readonly report: TrainingReport; readonly best: LearnedPolicy | null }
  /** What is wrong with the model, or with learning; or the engine's own fault. */
  | { readonly is: 'failed'; readonly words: Words; readonly problem: Problem | null }

/** Milliseconds between two reports of progress; and the least time between two states, as a multiple of the time that handing one over takes. */
const [tellEvery, keepShare] = [150, 20]

/** Never throws out of it. `now`: a clock in milliseconds. `keepEvery`: least milliseconds between two states handed over. */
export function serveTraining(post: (message: FromTrainer) => void, now: () => number, keepEvery = 10_000): (message: ToTrainer) => void {
  const stop = new AbortController()
  const train = async ({ plan, state }: ToTrainer & { do: 'train' }): Promise<void> => {
    await loadChainOf(plan.model)
    const training = createTraining(plan)
    if (state !== null) training.load(state)
    if (training.rows.length > 0) post({ is: 'epoch', rows: training.rows, policy: null })
    const keep = (): void => post({ is: 'state', state: training.save(), best: training.best?.policy ?? null })
    let [toldAt, keptAt, told, took] = [now(), now(), training.rows.length, 0]
    const until = now() + (plan.maxMinutes ?? Infinity) * 60_000
    for (let more = training.ending === null; more && !stop.signal.aborted && now() < until;) {
      more = training.round()
      const time = now()
      if (training.rows.length > told) {
        told = training.rows.length
        post({ is: 'epoch', rows: training.rows.slice(-1), policy: training.learner.policy() })
      }
      if (time - keptAt > Math.max(keepEvery, keepShare * took)) {
        keep()
        keptAt = now()
        took = keptAt - time
      }
      if (time - toldAt < tellEvery) continue
      post({ is: 'progress', part: training.part, decisions: training.decisions })
      toldAt = time
      // A word to stop could not come otherwise.
      await new Promise(resolve => setTimeout(resolve, 0))
    }
    keep()
    post({ is: 'progress', part: training.part, decisions: training.decisions })
    const report = reportOfTraining(training, plan.settings.algorithm, training.spaces, hasOwnPolicy(plan))
    post({ is: 'ended', report, best: training.best?.policy ?? null })
  }
  return message => {
    if (message.do === 'stop') {
      stop.abort()
      return
    }
    train(message).catch((error: unknown) => {
      const problem = error instanceof EpisodeFailed ? error.problem : null
      post({ is: 'failed', words: toldBy(error), problem })
    })
  }
}
