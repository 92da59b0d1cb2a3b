// An experiment on the page: prepared as it is edited, conducted in workers, its results shown as they come. A store that panels read; all that is
// lasting is in the history of this device.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { nanoid } from 'nanoid'
import type { Experiment } from '../../model-schema/experiment.ts'
import type { Model } from '../../model-schema/model.ts'
import {
  conduct,
  keyOf,
  plannedRuns,
  prepare,
  type Evaluator,
  type Preparation,
  type Prepared,
  type Results,
  type Runnable,
} from '../../sim-engine/experiment.ts'
import { changeEntry, countEntries, entriesOf, journalOf, keepEntry, type Entry, type Ended } from './history.ts'
import { createWorkers } from './workers.ts'

export type Status = 'idle' | Ended

export type Conducting = {
  /** Of the experiment as it is now. */
  preparation: Preparation | null
  /** What `results` are of: as it was when it was begun. */
  prepared: Prepared | null
  results: Results | null
  /** Counts up whenever `results` changed inside. */
  version: number
  status: Status
  done: number
  /** Runs there will be, when that is known. */
  planned: number | null
  /** Runs a second, since it was begun or continued. */
  rate: number
  /** Why it failed. */
  failure: string | null
  entry: Entry | null
  /** Entries of this experiment on this device, the latest first. */
  history: readonly Entry[]
  /** The device holds as many entries as the plan allows: nothing is begun until some are deleted. */
  full: boolean
}

export type Conductor = {
  store: StoreApi<Conducting>
  /** The experiment or its model changed. */
  edit(experiment: Experiment, model: Model | null): void
  /** Begins anew, or goes on where the latest entry of the very same experiment stopped. */
  start(): Promise<void>
  /** Stops; it can be continued. */
  stop(): void
  /** Forgets what is shown; the history stays. */
  reset(): void
  /** Shows an entry of the history. */
  show(entry: Entry): Promise<void>
  refresh(): Promise<void>
  close(): void
}

export type Surroundings = {
  user: string
  docId: string
  /** Most entries on this device; null: no bound. */
  localRuns: number | null
  /** Most ticks of one run; null: no bound. */
  steps: number | null
  hire?(runnable: Runnable, threads: number): Evaluator
}

/** Least milliseconds between two looks of the panels at growing results. */
const lookMs = 120

export function createConductor({ user, docId, localRuns, steps, hire = createWorkers }: Surroundings): Conductor {
  const store = createStore<Conducting>(() => ({
    preparation: null,
    prepared: null,
    results: null,
    version: 0,
    status: 'idle',
    done: 0,
    planned: null,
    rate: 0,
    failure: null,
    entry: null,
    history: [],
    full: false,
  }))
  let latest: { experiment: Experiment; model: Model | null } | null = null
  let abort: AbortController | null = null

  const refresh = async (): Promise<void> => {
    const [history, count] = await Promise.all([entriesOf(user, docId), countEntries(user)])
    store.setState({ history, full: localRuns !== null && count >= localRuns })
  }

  const run = async (prepared: Prepared, entry: Entry): Promise<void> => {
    const stop = new AbortController()
    abort = stop
    const since = performance.now()
    let first = -1
    let looked = 0
    store.setState({ prepared, entry, status: 'running', failure: null, results: null, done: 0, rate: 0, planned: plannedRuns(prepared) })
    const journal = journalOf(entry.id, error => {
      store.setState({ failure: error instanceof Error ? error.message : String(error) })
      stop.abort(error)
    })
    const evaluator = hire(prepared.runnable, prepared.experiment.threads)
    const minutes = prepared.experiment.maxMinutes
    const timer = minutes === null ? undefined : setTimeout(() => stop.abort(new Error('time')), minutes * 60_000)
    let ended: Ended = 'failed'
    try {
      const conducted = await conduct({
        prepared,
        evaluator,
        journal,
        signal: stop.signal,
        told({ results, done }) {
          if (first < 0) first = done
          const now = performance.now()
          if (now - looked < lookMs) return
          looked = now
          const rate = ((done - first) * 1000) / Math.max(1, now - since)
          store.setState(({ version }) => ({ results, done, rate, version: version + 1 }))
        },
      })
      ended = store.getState().failure === null ? conducted.ended : 'failed'
      const { results } = conducted
      store.setState(({ version }) => ({ results, done: results.rows, version: version + 1 }))
    } catch (error) {
      store.setState({ failure: error instanceof Error ? error.message : String(error) })
    } finally {
      clearTimeout(timer)
      evaluator.close()
      await journal.flush()
      const { results } = store.getState()
      await changeEntry(entry.id, { ended, runs: results?.rows ?? 0, failed: results?.failed ?? 0 })
      if (abort === stop) abort = null
      store.setState({ status: ended })
      await refresh()
    }
  }

  return {
    store,
    edit(experiment, model) {
      latest = { experiment, model }
      store.setState({ preparation: prepare(experiment, model, steps) })
    },
    async start() {
      const { preparation, status } = store.getState()
      if (status === 'running' || !preparation?.ok || !latest?.model) return
      await refresh()
      const { prepared } = preparation
      const key = keyOf(prepared)
      const open = store.getState().history.find(entry => entry.key === key && entry.ended !== 'finished')
      if (open) return run(prepared, open)
      if (store.getState().full) return
      const now = new Date().toISOString()
      const entry: Entry = {
        id: nanoid(),
        user,
        docId,
        key,
        name: latest.experiment.name,
        experiment: latest.experiment,
        model: latest.model,
        startedAt: now,
        updatedAt: now,
        runs: 0,
        failed: 0,
        ended: 'running',
      }
      await keepEntry(entry)
      return run(prepared, entry)
    },
    stop() {
      abort?.abort(new Error('stopped'))
    },
    reset() {
      abort?.abort(new Error('reset'))
      store.setState({ prepared: null, results: null, status: 'idle', done: 0, planned: null, failure: null, entry: null })
    },
    async show(entry) {
      if (store.getState().status === 'running') return
      const made = prepare(entry.experiment, entry.model, steps)
      if (!made.ok) return
      const { prepared } = made
      // Told from the journal alone: what is not in it is not run.
      const stop = new AbortController()
      const nobody: Evaluator = {
        evaluate: jobs => (jobs.length === 0 ? Promise.resolve() : (stop.abort(), Promise.reject(stop.signal.reason))),
        close() {},
      }
      const { results } = await conduct({ prepared, evaluator: nobody, journal: journalOf(entry.id, () => {}), signal: stop.signal })
      store.setState(({ version }) => ({
        prepared,
        results,
        entry,
        status: entry.ended,
        done: results.rows,
        planned: plannedRuns(prepared),
        failure: null,
        version: version + 1,
      }))
    },
    refresh,
    close() {
      abort?.abort(new Error('closed'))
    },
  }
}
