// One turn of an experiment: its runs made by an evaluator from the journal on, until they are all there or it is stopped.
import { ApiError } from '../../api.ts'
import { wordsNow } from '../../i18n/locale.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { toldBy } from '../../../model-schema/words.ts'
import {
  BEFORE,
  conduct,
  prepare,
  type Evaluator,
  type Prepared,
  type Results,
  type Runnable,
  type Sample,
} from '../../../sim-engine/experiment.ts'
import { createCloud, Left, ServerStopped } from './cloud.ts'
import type { ConductingEvent, RunsWhere } from './conducting.ts'
import { changeEntry, journalOf, type RunEnd, type Entry } from '../history.ts'

/** Least milliseconds between two looks of the panels at growing results. */
const lookMs = 120
/** Milliseconds between two notes in the history of how far it is: what is there to be read when the tab is gone. */
const noteMs = 1000

/** Workers that make runs; so many threads. */
export type Hire = (runnable: Runnable, threads: number) => Evaluator

export type ConductedRuns = { prepared: Prepared; results: Results }

type Turn = {
  docId: string
  hire: Hire
  prepared: Prepared
  entry: Entry
  where: RunsWhere
  stop: AbortController
  refresh(): Promise<void>
}

type TurnEvent = DistributiveOmit<Extract<ConductingEvent, { type: 'progressed' | 'ended' }>, 'turn'>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** Conducts an entry from its journal to its end, and keeps the entry in the history up to date. */
export async function conductTurn(
  { docId, hire, prepared, entry, where, stop, refresh }: Turn,
  tell: (event: TurnEvent) => void,
): Promise<void> {
  const since = performance.now()
  let first = -1
  let looked = 0
  let noted = since
  let made = 0
  let failed = 0
  let broken: string | null = null
  const journal = journalOf(entry.id, error => {
    broken ??= wordsOf(error)
    stop.abort(error)
  })
  const begun = (job: string): void => void changeEntry(entry.id, { job })
  const evaluator =
    where === 'server'
      ? createCloud({ fileId: docId, entry: entry.id, key: entry.key, known: entry.job ?? null, begun }, hire(prepared.runnable, 1))
      : hire(prepared.runnable, prepared.experiment.threads)
  const minutes = prepared.experiment.maxMinutes
  const timer = minutes === null ? undefined : setTimeout(() => stop.abort(new Error('time')), minutes * 60_000)
  let ended: Exclude<RunEnd, 'running'> = 'failed'
  try {
    await changeEntry(entry.id, { ended: 'running' })
    await refresh()
    const conducted = await conduct({
      prepared,
      evaluator,
      journal,
      signal: stop.signal,
      told({ results, done }) {
        if (first < 0) first = done
        made = done
        failed = results.failed
        const now = performance.now()
        if (now - noted > noteMs) {
          noted = now
          void changeEntry(entry.id, { runs: made, failed })
        }
        if (now - looked < lookMs) return
        looked = now
        tell({ type: 'progressed', results, done, rate: ((done - first) * 1000) / Math.max(1, now - since) })
      },
    })
    ended = broken === null ? conducted.ended : 'failed'
    const { results } = conducted
    made = results.known
    failed = results.failed
    tell({ type: 'progressed', results, done: made, rate: null })
  } catch (error) {
    if (error instanceof ServerStopped) ended = 'stopped'
    else broken ??= wordsOf(error)
  } finally {
    clearTimeout(timer)
    evaluator.close()
    await journal.flush()
    if (broken !== null) ended = 'failed'
    // A job that was stopped, or failed, is not followed again; what it gave is in the journal.
    const left = stop.signal.reason instanceof Left
    await changeEntry(entry.id, { ended, runs: made, failed, ...(left ? {} : { job: null }) })
    tell({ type: 'ended', ended, failure: broken })
  }
}

/** Built from the journal alone: runs that are not in it count as not run. */
export async function readEntry(
  entry: Pick<Entry, 'id' | 'experiment' | 'model'>,
  steps: number | null,
  hire: Hire,
  samples?: ReadonlyMap<number, Sample>,
): Promise<ConductedRuns | null> {
  const made = prepare(entry.experiment, entry.model, steps)
  if (!made.ok) return null
  const { prepared } = made
  const stop = new AbortController()
  const worker = hire(prepared.runnable, 1)
  const nobody: Evaluator = {
    evaluate(jobs, done, signal) {
      const all = [...jobs]
      if (all.every(({ alternative }) => alternative === BEFORE)) return worker.evaluate(all, done, signal)
      stop.abort()
      return Promise.reject(stop.signal.reason)
    },
    close: () => worker.close(),
  }
  try {
    const journal = samples === undefined ? journalOf(entry.id, () => {}) : { read: () => Promise.resolve(samples), write: () => {} }
    const { results } = await conduct({ prepared, evaluator: nobody, journal, signal: stop.signal })
    return { prepared, results }
  } finally {
    nobody.close()
  }
}

const wordsOf = (error: unknown): string => (error instanceof ApiError ? wordsOfError(error) : wordsNow(toldBy(error)))
