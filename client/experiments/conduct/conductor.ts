// An experiment on the page: prepared as it is edited, conducted in workers, its results shown as they come. A store that panels read; all that is
// lasting is in the history of this device.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { nanoid } from 'nanoid'
import { experimentOf } from '../../../model-schema/experiment.ts'
import type { Model } from '../../../model-schema/model.ts'
import { keyOf, prepare, type Prepared, type Sample } from '../../../sim-engine/experiment.ts'
import { whileClosed } from '../../local/locks.ts'
import { entryOfJob, Left } from './cloud.ts'
import {
  conductingAfter,
  firstConducting,
  type Conducting,
  type ConductingEffect,
  type ConductingEvent,
  type Edited,
  type RunsWhere,
} from './conducting.ts'
import { isOfEngine, pageEngine } from './engine.ts'
import { countEntries, deleteEntry, entriesOf, journalOf, keepEntry, renewEntry, type Entry } from '../history.ts'
import type { Packed } from '../pack.ts'
import { conductTurn, readEntry, type ConductedRuns, type Hire } from './turn.ts'
import { createWorkers } from './workers.ts'

export type ConductorInput = {
  user: string
  docId: string
  /** Most entries on this device; null: no bound. */
  localRuns: number | null
  /** Most ticks of one run; null: no bound. */
  steps: number | null
  hire?: Hire
  /** The engine that makes the runs: entries of another one are not gone on with. */
  engine?: string | undefined
}

/** Milliseconds without an edit after which it is prepared: that checks the whole model, which is too much for every letter. */
const restMs = 250

const reasons = { stopped: () => new Error('stopped'), reset: () => new Error('reset'), closed: () => new Left('the page was closed') }

export class Conductor {
  readonly store: StoreApi<Conducting> = createStore<Conducting>(() => firstConducting)
  readonly #parts: ConductorInput
  readonly #hire: Hire
  readonly #engine: string
  /** Ends a turn that is under way. */
  readonly #aborts = new Map<number, AbortController>()
  /** Prepares the edit that waits. */
  #waiting: (() => void) | null = null
  #rest: ReturnType<typeof setTimeout> | undefined

  constructor(parts: ConductorInput) {
    this.#parts = parts
    this.#hire = parts.hire ?? createWorkers
    this.#engine = parts.engine ?? pageEngine
  }

  /** The experiment's document or its model changed. It is prepared when its writer rests; the first at once. */
  edit(study: Model, model: Model | null): void {
    const experiment = experimentOf(study)
    if (experiment === null) return
    this.#waiting = () => {
      this.#dispatch({ type: 'edited', edited: { study, experiment, model }, preparation: prepare(experiment, model, this.#parts.steps) })
      this.#resume()
    }
    clearTimeout(this.#rest)
    if (this.store.getState().preparation === null) this.#settle()
    else this.#rest = setTimeout(() => this.#settle(), restMs)
  }

  /** What was edited last, prepared now if it still waits; null while it has problems. */
  prepared(): Prepared | null {
    this.#settle()
    const { preparation } = this.store.getState()
    return preparation?.ok ? preparation.prepared : null
  }

  /** Starts from the beginning, or continues the latest entry of the very same experiment; not while another tab runs it. */
  async start(where: RunsWhere = 'here'): Promise<'done' | 'elsewhere'> {
    this.#settle()
    const { preparation, status, edited } = this.store.getState()
    if (status === 'running' || !preparation?.ok || !edited?.model) return 'done'
    await this.refresh()
    const [effect] = this.#dispatch({ type: 'start', where, engine: this.#engine })
    if (effect?.type === 'continue') return this.#alone(effect.prepared, effect.entry, effect.where)
    if (effect?.type !== 'begin') return 'done'
    const entry = this.#entryOf(nanoid(), keyOf(effect.prepared), effect.edited)
    await keepEntry(entry)
    return this.#alone(effect.prepared, entry, effect.where)
  }

  /** Stops; it can be continued. */
  stop(): void {
    this.#dispatch({ type: 'stop' })
  }

  /** Forgets what is shown; the history stays. */
  reset(): void {
    this.#dispatch({ type: 'reset' })
  }

  /** Shows an entry of the history. */
  async show(entry: Entry): Promise<void> {
    if (this.store.getState().status === 'running') return
    const found = await this.read(entry)
    if (found !== null) this.#dispatch({ type: 'show', entry, ...found })
  }

  /** What an entry holds, by its own samples or those given; null when this version can't make sense of it. */
  read(entry: Pick<Entry, 'id' | 'experiment' | 'model'>, samples?: ReadonlyMap<number, Sample>): Promise<ConductedRuns | null> {
    return readEntry(entry, this.#parts.steps, this.#hire, samples)
  }

  /** Puts a result of the server into the history. False when the history is full. */
  async take(id: string, packed: Packed, samples: ReadonlyMap<number, Sample>): Promise<boolean> {
    const { user, docId } = this.#parts
    await this.refresh()
    const experiment = experimentOf(packed.study)
    if (this.store.getState().full || experiment === null) return false
    // First its samples: an entry without them would look as if it had to be run again.
    const journal = journalOf(id, () => {})
    await journal.read()
    journal.write([...samples])
    await journal.flush()
    await keepEntry({ ...packed, id, user, docId, name: experiment.name, experiment, updatedAt: new Date().toISOString() })
    await this.refresh()
    return true
  }

  /** Follows a job that was begun on another device. False when the history is full, or this version can't make sense of it. */
  async follow(job: string, { study, model }: { study: Model; model: Model }): Promise<boolean> {
    await this.refresh()
    const experiment = experimentOf(study)
    const { full, status, history } = this.store.getState()
    const made = experiment === null ? null : prepare(experiment, model, this.#parts.steps)
    if (full || status === 'running' || experiment === null || !made?.ok) return false
    const entry = { ...this.#entryOf(entryOfJob(job), keyOf(made.prepared), { study, experiment, model }), job }
    const before = history.find(({ id }) => id === entry.id)
    if (before) await this.#renew(before)
    await keepEntry(entry)
    void this.#alone(made.prepared, entry, 'server')
    return true
  }

  /** Deletes entries of the history. */
  async forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const { entry, status } = this.store.getState()
      if (entry?.id === id && status === 'running') continue
      await deleteEntry(id)
      this.#dispatch({ type: 'forgotten', entry: id })
    }
    await this.refresh()
  }

  async refresh(): Promise<void> {
    const { user, docId, localRuns } = this.#parts
    const [history, count] = await Promise.all([entriesOf(user, docId), countEntries(user)])
    this.#dispatch({ type: 'historyRead', history, full: localRuns !== null && count >= localRuns })
  }

  /** Reads the history, and shows its latest entry. */
  async open(): Promise<void> {
    await this.refresh()
    const [latestEntry] = this.store.getState().history
    if (latestEntry && this.store.getState().entry === null) await this.show(latestEntry)
    this.#resume()
  }

  close(): void {
    clearTimeout(this.#rest)
    this.#waiting = null
    this.#dispatch({ type: 'close' })
  }

  /** Changes the state, and returns the effects that are left to the caller. */
  #dispatch(event: ConductingEvent): readonly ConductingEffect[] {
    const [next, effects] = conductingAfter(this.store.getState(), event)
    this.store.setState(next, true)
    for (const effect of effects) if (effect.type === 'abort') this.#aborts.get(effect.turn)?.abort(reasons[effect.reason]())
    return effects
  }

  #settle(): void {
    clearTimeout(this.#rest)
    const now = this.#waiting
    this.#waiting = null
    now?.()
  }

  /** Two tabs would write into one journal. */
  async #alone(prepared: Prepared, entry: Entry, where: RunsWhere): Promise<'done' | 'elsewhere'> {
    const done = await whileClosed(this.#parts.user, `run/${entry.id}`, async () => {
      await this.#run(prepared, entry, where)
      return 'done' as const
    })
    return done ?? 'elsewhere'
  }

  async #run(prepared: Prepared, entry: Entry, where: RunsWhere): Promise<void> {
    const turn = this.store.getState().turns + 1
    const stop = new AbortController()
    this.#aborts.set(turn, stop)
    this.#dispatch({ type: 'began', turn, prepared, entry, where })
    try {
      const { docId } = this.#parts
      const context = { docId, hire: this.#hire, prepared, entry, where, stop, refresh: () => this.refresh() }
      await conductTurn(context, event => this.#dispatch({ ...event, turn }))
    } finally {
      this.#aborts.delete(turn)
      await this.refresh()
    }
  }

  #entryOf(id: string, key: string, { study, experiment, model }: Edited & { model: Model }): Entry {
    const { user, docId } = this.#parts
    const now = new Date().toISOString()
    const fresh = { startedAt: now, updatedAt: now, runs: 0, failed: 0, ended: 'running' as const }
    return { id, user, docId, key, engine: this.#engine, name: experiment.name, study, experiment, model, ...fresh }
  }

  /** Follows the job of an entry from a closed page, once. */
  #resume(): void {
    for (const effect of this.#dispatch({ type: 'resume' }))
      if (effect.type === 'follow') void this.#renew(effect.entry).then(() => this.start('server'))
  }

  /** The server repeats the runs of a job if its engine has another version than before. */
  async #renew(entry: Entry): Promise<void> {
    if (!isOfEngine(entry, this.#engine)) await renewEntry(entry.id, this.#engine)
  }
}
