// An experiment on the page: prepared as it is edited, conducted in workers, its results shown as they come. A store that panels read; all that is
// lasting is in the history of this device.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { nanoid } from 'nanoid'
import { ApiError } from '../api.ts'
import { wordsNow } from '../i18n/locale.ts'
import { wordsOfError } from '../ui/notices.ts'
import { experimentOf } from '../../model-schema/experiment.ts'
import type { Model } from '../../model-schema/model.ts'
import { toldBy } from '../../model-schema/words.ts'
import {
  BEFORE,
  conduct,
  keyOf,
  prepare,
  type Evaluator,
  type Prepared,
  type Results,
  type Runnable,
  type Sample,
} from '../../sim-engine/experiment.ts'
import { whileClosed } from '../local/locks.ts'
import { isOfEngine, pageEngine } from './engine.ts'
import { changeEntry, countEntries, deleteEntry, entriesOf, journalOf, keepEntry, renewEntry, type Entry, type Ended } from './history.ts'
import type { Packed } from './pack.ts'
import {
  conductingAfter,
  firstConducting,
  type Conducting,
  type ConductingEffect,
  type ConductingEvent,
  type Edited,
  type Where,
} from './conducting.ts'
import { createCloud, entryOfJob, Left, ServerStopped } from './cloud.ts'
import { createWorkers } from './workers.ts'

export type Conductor = {
  store: StoreApi<Conducting>
  /** The experiment's document or its model changed. It is prepared when its writer rests; the first at once. */
  edit(study: Model, model: Model | null): void
  /** What was edited last, prepared now if it still waits; null while it has problems. */
  prepared(): Prepared | null
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

/** Least milliseconds between two looks of the panels at growing results. */
const lookMs = 120
/** Milliseconds between two notes in the history of how far it is: what is there to be read when the tab is gone. */
const noteMs = 1000
/** Milliseconds without an edit after which it is prepared: that checks the whole model, which is too much for every letter. */
const restMs = 250

export function createConductor(parts: Surroundings): Conductor {
  const { user, docId, localRuns, steps, hire = createWorkers, engine = pageEngine } = parts
  const store = createStore<Conducting>(() => firstConducting)
  /** Ends a turn that is under way. */
  const aborts = new Map<number, AbortController>()

  const reasons = { stopped: () => new Error('stopped'), reset: () => new Error('reset'), closed: () => new Left('the page was closed') }

  /** Changes the state, and returns the effects that are left to the caller. */
  const dispatch = (event: ConductingEvent): readonly ConductingEffect[] => {
    const [next, effects] = conductingAfter(store.getState(), event)
    store.setState(next, true)
    for (const effect of effects) if (effect.type === 'abort') aborts.get(effect.turn)?.abort(reasons[effect.reason]())
    return effects
  }

  const refresh = async (): Promise<void> => {
    const [history, count] = await Promise.all([entriesOf(user, docId), countEntries(user)])
    dispatch({ type: 'historyRead', history, full: localRuns !== null && count >= localRuns })
  }

  const run = async (prepared: Prepared, entry: Entry, where: Where): Promise<void> => {
    const turn = store.getState().turns + 1
    const stop = new AbortController()
    aborts.set(turn, stop)
    dispatch({ type: 'began', turn, prepared, entry, where })
    try {
      const context = { user, docId, hire, prepared, entry, where, stop, refresh }
      await conductTurn(context, event => dispatch({ ...event, turn }))
    } finally {
      aborts.delete(turn)
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
    if (found !== null) dispatch({ type: 'show', entry, ...found })
  }

  const entryOf = (id: string, key: string, { study, experiment, model }: Edited & { model: Model }): Entry => {
    const now = new Date().toISOString()
    const { name } = experiment
    const fresh = { startedAt: now, updatedAt: now, runs: 0, failed: 0, ended: 'running' as const }
    return { id, user, docId, key, engine, name, study, experiment, model, ...fresh }
  }

  /** Prepares the edit that waits. */
  let waiting: (() => void) | null = null
  let rest: ReturnType<typeof setTimeout> | undefined
  const settle = (): void => {
    clearTimeout(rest)
    const now = waiting
    waiting = null
    now?.()
  }

  const start = async (where: Where): Promise<'done' | 'elsewhere'> => {
    settle()
    const { preparation, status, edited } = store.getState()
    if (status === 'running' || !preparation?.ok || !edited?.model) return 'done'
    await refresh()
    const [effect] = dispatch({ type: 'start', where, engine })
    if (effect?.type === 'continue') return alone(effect.prepared, effect.entry, effect.where)
    if (effect?.type !== 'begin') return 'done'
    const entry = entryOf(nanoid(), keyOf(effect.prepared), effect.edited)
    await keepEntry(entry)
    return alone(effect.prepared, entry, effect.where)
  }

  /** Follows the job of an entry whose page was closed, once. */
  const resume = (): void => {
    for (const effect of dispatch({ type: 'resume' })) if (effect.type === 'follow') void renewed(effect.entry).then(() => start('server'))
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
      waiting = () => {
        dispatch({ type: 'edited', edited: { study, experiment, model }, preparation: prepare(experiment, model, steps) })
        resume()
      }
      clearTimeout(rest)
      if (store.getState().preparation === null) settle()
      else rest = setTimeout(settle, restMs)
    },
    prepared() {
      settle()
      const { preparation } = store.getState()
      return preparation?.ok ? preparation.prepared : null
    },
    start: (where = 'here') => start(where),
    stop: () => void dispatch({ type: 'stop' }),
    reset: () => void dispatch({ type: 'reset' }),
    show,
    read: (entry, samples) => readEntry(entry, steps, hire, samples),
    async take(id, packed, samples) {
      await refresh()
      const experiment = experimentOf(packed.study)
      if (store.getState().full || experiment === null) return false
      // First its samples: an entry without them would look as if it had to be run again.
      const journal = journalOf(id, () => {})
      await journal.read()
      journal.write([...samples])
      await journal.flush()
      await keepEntry({ ...packed, id, user, docId, name: experiment.name, experiment, updatedAt: new Date().toISOString() })
      await refresh()
      return true
    },
    async follow(job, { study, model }) {
      await refresh()
      const experiment = experimentOf(study)
      const { full, status, history } = store.getState()
      const made = experiment === null ? null : prepare(experiment, model, steps)
      if (full || status === 'running' || experiment === null || !made?.ok) return false
      const entry = { ...entryOf(entryOfJob(job), keyOf(made.prepared), { study, experiment, model }), job }
      const before = history.find(({ id }) => id === entry.id)
      if (before) await renewed(before)
      await keepEntry(entry)
      void alone(made.prepared, entry, 'server')
      return true
    },
    async forget(ids) {
      for (const id of ids) {
        const { entry, status } = store.getState()
        if (entry?.id === id && status === 'running') continue
        await deleteEntry(id)
        dispatch({ type: 'forgotten', entry: id })
      }
      await refresh()
    },
    refresh,
    async open() {
      await refresh()
      const [latestEntry] = store.getState().history
      if (latestEntry && store.getState().entry === null) await show(latestEntry)
      resume()
    },
    close() {
      clearTimeout(rest)
      waiting = null
      dispatch({ type: 'close' })
    },
  }
}

type Turn = {
  docId: string
  hire: NonNullable<Surroundings['hire']>
  prepared: Prepared
  entry: Entry
  where: Where
  stop: AbortController
  refresh(): Promise<void>
}

type TurnEvent = DistributiveOmit<Extract<ConductingEvent, { type: 'progressed' | 'ended' }>, 'turn'>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** Conducts an entry from its journal to its end, and keeps the entry in the history up to date. */
async function conductTurn({ docId, hire, prepared, entry, where, stop, refresh }: Turn, tell: (event: TurnEvent) => void): Promise<void> {
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
  let ended: Exclude<Ended, 'running'> = 'failed'
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

const wordsOf = (error: unknown): string => (error instanceof ApiError ? wordsOfError(error) : wordsNow(toldBy(error)))
