// A training on the page: conducted in a worker, its curves shown as they grow. A store that the bar and the results read; all that is lasting is on this device.
import { nanoid } from 'nanoid'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { whileClosed } from '../../local/locks.ts'
import type { RunsWhere } from '../conduct/conducting.ts'
import { isOfEngine, pageEngine } from '../conduct/engine.ts'
import { forgetTraining, trainingsOf, type TrainingEntry } from './trainings.ts'
import { hireWorker, Turn, type TrainingFailure, type Progress, type TrainingHands } from './turn.ts'
import { keyOf, type Prepared, trainingPlanOf } from '../../../sim-engine/experiment.ts'

export type Training = Progress & {
  entry: TrainingEntry | null
  running: boolean
  failure: TrainingFailure | null
  history: readonly TrainingEntry[]
}

type Surroundings = { user: string; docId: string; hire?: () => TrainingHands; now?: () => number }

/** How often an entry that another page still has is asked for, and milliseconds between. */
const [followTries, followEvery] = [10, 300]

const nothing = { entry: null, running: false, part: 0, decisions: 0, rate: 0, failure: null } as const

export const placeOf = ({ job }: TrainingEntry): RunsWhere => (job === undefined ? 'here' : 'server')

/** The training of this plan that can go on there: it was stopped, or there are to be more epochs. */
export const openTraining = (
  history: readonly TrainingEntry[],
  key: string | null,
  epochs: number,
  where: RunsWhere,
): TrainingEntry | undefined =>
  history.find(
    one =>
      one.key === key &&
      placeOf(one) === where &&
      isOfEngine(one) &&
      (one.ended !== 'finished' || (one.report?.ending === 'epochs' && one.rows.length < epochs)),
  )

export class Trainer {
  readonly store: StoreApi<Training> = createStore<Training>(() => ({ ...nothing, history: [] }))
  readonly #user: string
  readonly #docId: string
  readonly #hire: () => TrainingHands
  readonly #now: () => number
  #turn: Turn | null = null

  constructor({ user, docId, hire = hireWorker, now = () => performance.now() }: Surroundings) {
    this.#user = user
    this.#docId = docId
    this.#hire = hire
    this.#now = now
  }

  /** Starts, or continues from the end of the latest training of the very same plan; not while another tab runs it. */
  async start(prepared: Prepared, where: RunsWhere): Promise<'done' | 'elsewhere'> {
    if (this.store.getState().running) return 'done'
    await this.#refresh()
    const key = keyOf(prepared)
    const plan = trainingPlanOf(prepared)
    const open = openTraining(this.store.getState().history, key, plan.schedule.epochs, where)
    if (open) return this.#alone({ ...open, plan }, where)
    const begun = { id: nanoid(), user: this.#user, docId: this.#docId, key, engine: pageEngine, startedAt: new Date().toISOString() }
    const fresh = { rows: [], decisions: 0, ended: 'running' as const, report: null, best: null }
    return this.#alone({ ...begun, name: prepared.experiment.name, plan, ...fresh }, where)
  }

  stop(): void {
    this.#turn?.stop()
  }

  /** Puts what is shown away; it stays in the history. */
  reset(): void {
    this.stop()
    this.store.setState({ ...nothing })
  }

  show(entry: TrainingEntry): void {
    if (this.store.getState().running) return
    const ended = entry.ended === 'running' ? 'stopped' : entry.ended
    const part = entry.rows.length / entry.plan.schedule.epochs
    this.store.setState({ ...nothing, entry: { ...entry, ended }, decisions: entry.decisions, part })
  }

  async forget(id: string): Promise<void> {
    await forgetTraining(id)
    if (this.#isShown(id)) this.store.setState({ ...nothing })
    await this.#refresh()
  }

  async open(): Promise<void> {
    await this.#refresh()
    const [latest] = this.store.getState().history
    if (latest && this.store.getState().entry === null) this.show(latest)
    // The server went on while the page was closed.
    if (latest?.job !== undefined && latest.ended === 'running' && !this.store.getState().running) void this.#follow(latest)
  }

  /** Ends the turn that is under way, as its page goes. */
  close(): void {
    this.#turn?.leave()
  }

  async #refresh(): Promise<void> {
    this.store.setState({ history: await trainingsOf(this.#user, this.#docId) })
  }

  #isShown(id: string): boolean {
    return this.store.getState().entry?.id === id
  }

  /** Resolves when it is over, whatever the reason. */
  async #conduct(entry: TrainingEntry, where: RunsWhere): Promise<void> {
    const shown = (state: Partial<Training>): void => {
      if (this.#isShown(entry.id)) this.store.setState(state)
    }
    const turn = new Turn(entry, where, this.#docId, this.#hire, this.#now, {
      shows: now => shown({ entry: now }),
      progresses: progress => shown(progress),
      fails: failure => shown({ failure }),
    })
    this.#turn = turn
    await turn.run(async first => {
      this.store.setState({ ...nothing, entry: first, running: true, decisions: first.decisions })
      await this.#refresh()
    })
    if (this.#turn === turn) this.#turn = null
    shown({ running: false })
    await this.#refresh()
  }

  /** Two tabs would write into one entry. */
  async #alone(entry: TrainingEntry, where: RunsWhere): Promise<'done' | 'elsewhere'> {
    const done = await whileClosed(this.#user, `training/${entry.id}`, async () => {
      await this.#conduct(entry, where)
      return 'done' as const
    })
    return done ?? 'elsewhere'
  }

  /** Follows what was begun on the server. The page before this one may still be on its way out. */
  async #follow(entry: TrainingEntry): Promise<void> {
    for (let tries = 0; tries < followTries; tries++) {
      if ((await this.#alone(entry, 'server')) === 'done') return
      await new Promise(resolve => setTimeout(resolve, followEvery))
    }
  }
}
