// An experiment on the page: prepared as it is edited, conducted in workers, its results shown as they come. A store that panels read; all that is
// lasting is in the history of this device.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { nanoid } from 'nanoid'
import { ApiError } from '../api.ts'
import { wordsOfError } from '../ui/notices.ts'
import { experimentOf, type Experiment } from '../../model-schema/experiment.ts'
import type { Model } from '../../model-schema/model.ts'
import {
  BEFORE,
  conduct,
  keyOf,
  plannedRuns,
  prepare,
  type Evaluator,
  type Preparation,
  type Prepared,
  type Results,
  type Runnable,
  type Sample,
} from '../../sim-engine/experiment.ts'
import { whileClosed } from '../local/locks.ts'
import { isOfEngine, pageEngine } from './engine.ts'
import { changeEntry, countEntries, deleteEntry, entriesOf, journalOf, keepEntry, renewEntry, type Entry, type Ended } from './history.ts'
import type { Packed } from './pack.ts'
import { createCloud, entryOfJob, Left, ServerStopped, wordsOfFailure } from './cloud.ts'
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
  /** The device holds as many entries as the plan allows: nothing is begun or taken from the server until some are deleted. */
  full: boolean
  /** Who makes the runs, or made them last. */
  where: Where
}

export type Conductor = {
  store: StoreApi<Conducting>
  /** The experiment's document or its model changed. */
  edit(study: Model, model: Model | null): void
  /** Begins anew, or goes on where the latest entry of the very same experiment stopped; not while another tab does. */
  start(where?: Where): Promise<'done' | 'elsewhere'>
  /** Stops; it can be continued. */
  stop(): void
  /** Forgets what is shown; the history stays. */
  reset(): void
  /** Shows an entry of the history. */
  show(entry: Entry): Promise<void>
  /** What an entry holds, by its own samples or those given; null when this version can't make sense of it. */
  read(entry: Pick<Entry, 'id' | 'experiment' | 'model'>, samples?: ReadonlyMap<number, Sample>): Promise<Found | null>
  /** Puts a result of the server into the history. False when the history is full. */
  take(id: string, packed: Packed, samples: ReadonlyMap<number, Sample>): Promise<boolean>
  /** Follows a job that was begun on another device. False when the history is full, or this version can't make sense of it. */
  follow(job: string, task: { study: Model; model: Model }): Promise<boolean>
  /** Deletes entries of the history. */
  forget(ids: readonly string[]): Promise<void>
  refresh(): Promise<void>
  /** Reads the history, and shows its latest entry. */
  open(): Promise<void>
  close(): void
}

export type Found = { prepared: Prepared; results: Results }

/** Who makes the runs: workers of this page, or the server, which goes on without this page. */
export type Where = 'here' | 'server'

export type Surroundings = {
  user: string
  docId: string
  /** Most entries on this device; null: no bound. */
  localRuns: number | null
  /** Most ticks of one run; null: no bound. */
  steps: number | null
  hire?(runnable: Runnable, threads: number): Evaluator
  /** The engine that makes the runs: entries of another one are not gone on with. */
  engine?: string | undefined
}

const nothing = {
  prepared: null,
  results: null,
  status: 'idle',
  done: 0,
  planned: null,
  rate: 0,
  failure: null,
  entry: null,
  where: 'here',
} as const

/** Least milliseconds between two looks of the panels at growing results. */
const lookMs = 120
/** Milliseconds between two notes in the history of how far it is: what is there to be read when the tab is gone. */
const noteMs = 1000

export function createConductor({ user, docId, localRuns, steps, hire = createWorkers, engine = pageEngine }: Surroundings): Conductor {
  const store = createStore<Conducting>(() => ({
    ...nothing,
    preparation: null,
    version: 0,
    history: [],
    full: false,
  }))
  let latest: { study: Model; experiment: Experiment; model: Model | null } | null = null
  let isFollowed = false
  let abort: AbortController | null = null

  const refresh = async (): Promise<void> => {
    const [history, count] = await Promise.all([entriesOf(user, docId), countEntries(user)])
    store.setState({ history, full: localRuns !== null && count >= localRuns })
  }

  const run = async (prepared: Prepared, entry: Entry, where: Where): Promise<void> => {
    const stop = new AbortController()
    abort = stop
    const since = performance.now()
    let first = -1
    let looked = 0
    let noted = since
    let made = 0
    let failed = 0
    let broken: string | null = null
    // What was reset, or is not shown any more, says nothing; its entry is still brought up to date.
    const tell = (change: (state: Conducting) => Partial<Conducting>): void => {
      if (abort === stop) store.setState(change)
    }
    store.setState({ ...nothing, prepared, entry, status: 'running', planned: plannedRuns(prepared), where })
    const journal = journalOf(entry.id, error => {
      broken ??= wordsOf(error)
      stop.abort(error)
    })
    const evaluator =
      where === 'server'
        ? createCloud(
            { fileId: docId, entry: entry.id, key: entry.key, known: entry.job ?? null, begun: job => void changeEntry(entry.id, { job }) },
            hire(prepared.runnable, 1),
          )
        : hire(prepared.runnable, prepared.experiment.threads)
    const minutes = prepared.experiment.maxMinutes
    const timer = minutes === null ? undefined : setTimeout(() => stop.abort(new Error('time')), minutes * 60_000)
    let ended: Ended = 'failed'
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
          const rate = ((done - first) * 1000) / Math.max(1, now - since)
          tell(({ version }) => ({ results, done, rate, version: version + 1 }))
        },
      })
      ended = broken === null ? conducted.ended : 'failed'
      const { results } = conducted
      made = results.known
      failed = results.failed
      tell(({ version }) => ({ results, done: made, version: version + 1 }))
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
      tell(() => ({ status: ended, failure: broken }))
      if (abort === stop) abort = null
      await refresh()
    }
  }

  /** Two tabs would write into one journal. */
  const alone = async (prepared: Prepared, entry: Entry, where: Where): Promise<'done' | 'elsewhere'> =>
    (await whileClosed(user, `run/${entry.id}`, async () => {
      await run(prepared, entry, where)
      return 'done' as const
    })) ?? 'elsewhere'

  const show = async (entry: Entry): Promise<void> => {
    if (store.getState().status === 'running') return
    const found = await readEntry(entry, steps, hire)
    if (found === null || store.getState().status === 'running') return
    const { prepared, results } = found
    store.setState(({ version }) => ({
      prepared,
      results,
      entry,
      // Another tab may run it, or one that is gone; here it stands still.
      status: entry.ended === 'running' ? 'stopped' : entry.ended,
      done: results.known,
      planned: plannedRuns(prepared),
      failure: null,
      where: 'here',
      version: version + 1,
    }))
  }

  const start = async (where: Where): Promise<'done' | 'elsewhere'> => {
    const { preparation, status } = store.getState()
    if (status === 'running' || !preparation?.ok || !latest?.model) return 'done'
    await refresh()
    const { prepared } = preparation
    const key = keyOf(prepared)
    const open = openEntry(store.getState().history, key, engine)
    if (open) return alone(prepared, open, open.job ? 'server' : where)
    if (store.getState().full) return 'done'
    const now = new Date().toISOString()
    const entry: Entry = {
      id: nanoid(),
      user,
      docId,
      key,
      engine,
      name: latest.experiment.name,
      study: latest.study,
      experiment: latest.experiment,
      model: latest.model,
      startedAt: now,
      updatedAt: now,
      runs: 0,
      failed: 0,
      ended: 'running',
    }
    await keepEntry(entry)
    return alone(prepared, entry, where)
  }

  /** Goes on following the job of an entry whose page was closed, once. */
  const follow = (): void => {
    const { preparation, history, status } = store.getState()
    const [entry] = history
    if (isFollowed || status === 'running' || !preparation?.ok || !entry?.job) return
    isFollowed = true
    if (entry.key === keyOf(preparation.prepared)) void renewed(entry).then(() => start('server'))
  }

  /** The server makes the runs of a job anew when its engine is another than before. */
  const renewed = async (entry: Entry): Promise<void> => {
    if (!isOfEngine(entry, engine)) await renewEntry(entry.id, engine)
  }

  return {
    store,
    edit(study, model) {
      const experiment = experimentOf(study)
      if (experiment === null) return
      latest = { study, experiment, model }
      store.setState({ preparation: prepare(experiment, model, steps) })
      follow()
    },
    start: (where = 'here') => start(where),
    stop() {
      abort?.abort(new Error('stopped'))
    },
    reset() {
      abort?.abort(new Error('reset'))
      abort = null
      store.setState({ ...nothing })
    },
    show,
    read: (entry, samples) => readEntry(entry, steps, hire, samples),
    async take(id, packed, samples) {
      await refresh()
      const experiment = experimentOf(packed.study)
      if (store.getState().full || experiment === null) return false
      const { key, study, model, startedAt, runs, failed, ended, ...by } = packed
      const updatedAt = new Date().toISOString()
      // First its samples: an entry without them would look as if it had to be run again.
      const journal = journalOf(id, () => {})
      await journal.read()
      journal.write([...samples])
      await journal.flush()
      await keepEntry({
        id,
        user,
        docId,
        key,
        ...by,
        name: experiment.name,
        experiment,
        study,
        model,
        startedAt,
        updatedAt,
        runs,
        failed,
        ended,
      })
      await refresh()
      return true
    },
    async follow(job, { study, model }) {
      await refresh()
      const experiment = experimentOf(study)
      const { full, status } = store.getState()
      const made = experiment === null ? null : prepare(experiment, model, steps)
      if (full || status === 'running' || experiment === null || !made?.ok) return false
      const now = new Date().toISOString()
      const key = keyOf(made.prepared)
      const entry: Entry = {
        id: entryOfJob(job),
        user,
        docId,
        key,
        engine,
        name: experiment.name,
        experiment,
        study,
        model,
        startedAt: now,
        updatedAt: now,
        runs: 0,
        failed: 0,
        ended: 'running',
        job,
      }
      const before = store.getState().history.find(({ id }) => id === entry.id)
      if (before) await renewed(before)
      await keepEntry(entry)
      void alone(made.prepared, entry, 'server')
      return true
    },
    async forget(ids) {
      const { entry, status } = store.getState()
      for (const id of ids) {
        if (entry?.id === id && status === 'running') continue
        await deleteEntry(id)
        if (entry?.id === id) store.setState({ ...nothing })
      }
      await refresh()
    },
    refresh,
    async open() {
      await refresh()
      const [latestEntry] = store.getState().history
      if (latestEntry && store.getState().entry === null) await show(latestEntry)
      follow()
    },
    close() {
      abort?.abort(new Left('the page was closed'))
    },
  }
}

/** The entry that a start goes on with: of the same key and the same engine, not finished. */
export const openEntry = (history: readonly Entry[], key: string | null, engine: string = pageEngine): Entry | undefined =>
  history.find(entry => entry.key === key && entry.ended !== 'finished' && isOfEngine(entry, engine))

/** Told from the journal alone: what is not in it is not run. */
async function readEntry(
  entry: Pick<Entry, 'id' | 'experiment' | 'model'>,
  steps: number | null,
  hire: NonNullable<Surroundings['hire']>,
  samples?: ReadonlyMap<number, Sample>,
): Promise<Found | null> {
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

const wordsOf = (error: unknown): string =>
  error instanceof ApiError ? wordsOfError(error) : wordsOfFailure(error instanceof Error ? error.message : String(error))
