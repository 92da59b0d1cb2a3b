// A training on the page: conducted in a worker, its curves shown as they grow. A store that the bar and the results read; all that is lasting is on this device.
import { nanoid } from 'nanoid'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Problem } from '../../../sim-engine/problems.ts'
import { whileClosed } from '../../local/locks.ts'
import { withCheckpoint } from './checkpoints.ts'
import type { Where } from '../conducting.ts'
import { isOfEngine, pageEngine } from '../engine.ts'
import { cloudHands } from './cloud.ts'
import { changeTraining, forgetTraining, keepState, keepTraining, stateOf, trainingsOf, type TrainingEntry } from './trainings.ts'
import { type FromTrainer, keyOf, type Prepared, type State, type ToTrainer, trainingPlanOf } from '../../../sim-engine/experiment.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'
import { startWorking } from '../../workers/start.ts'

export type Trainer = {
  store: StoreApi<Training>
  /** Begins, or goes on where the latest training of the very same plan stopped; not while another tab does. */
  start(prepared: Prepared, where: Where): Promise<'done' | 'elsewhere'>
  stop(): void
  /** Puts what is shown away; it stays in the history. */
  reset(): void
  show(entry: TrainingEntry): void
  forget(id: string): Promise<void>
  open(): Promise<void>
  close(): void
}

export type Training = {
  entry: TrainingEntry | null
  running: boolean
  /** How much is done, 0 .. 1. */
  part: number
  decisions: number
  /** Decisions a second. */
  rate: number
  failure: { words: Words; problem: Problem | null } | null
  history: readonly TrainingEntry[]
}

/** A worker that learns, or a stand-in for one. */
export type TrainingHands = { send(message: ToTrainer): void; listen(heard: (message: FromTrainer | null) => void): void; end(): void }

type Surroundings = { user: string; docId: string; hire?: () => TrainingHands; now?: () => number }

/** How often an entry that another page still has is asked for, and milliseconds between. */
const [followTries, followEvery] = [10, 300]

/** Least milliseconds between two looks that the page gets at what was learned. */
const showEvery = 500

const nothing = { entry: null, running: false, part: 0, decisions: 0, rate: 0, failure: null } as const

export const placeOf = ({ job }: TrainingEntry): Where => (job === undefined ? 'here' : 'server')

/** The training of this plan that can go on there: it was stopped, or there are to be more epochs. */
export const openTraining = (
  history: readonly TrainingEntry[],
  key: string | null,
  epochs: number,
  where: Where,
): TrainingEntry | undefined =>
  history.find(
    one =>
      one.key === key &&
      placeOf(one) === where &&
      isOfEngine(one) &&
      (one.ended !== 'finished' || (one.report?.ending === 'epochs' && one.rows.length < epochs)),
  )

export function createTrainer({ user, docId, hire = hireWorker, now = () => performance.now() }: Surroundings): Trainer {
  const store = createStore<Training>(() => ({ ...nothing, history: [] }))
  let hands: TrainingHands | null = null
  /** Ends the turn that is under way, as its page goes. */
  let leave: (() => void) | null = null

  const refresh = async (): Promise<void> => store.setState({ history: await trainingsOf(user, docId) })

  /** Resolves when it is over, whatever the reason. */
  const conduct = async (first: TrainingEntry, where: Where): Promise<void> => {
    let entry: TrainingEntry = { ...first, ended: 'running' }
    const state = (await stateOf(entry.id)) as State | null
    // What was not kept is done again.
    entry = { ...entry, ...(state === null && where === 'here' ? { rows: [], checkpoints: [] } : {}) }
    await keepTraining(entry)
    const work = {
      fileId: docId,
      entry: entry.id,
      key: entry.key,
      job: entry.job ?? null,
      isOpen: first.ended === 'running',
      begun(job: string) {
        change({ job })
        void changeTraining(entry.id, { job })
      },
    }
    const own = where === 'server' ? cloudHands(work) : hire()
    hands = own
    const since = now()
    let begun = -1
    let saved: Promise<unknown> = Promise.resolve()
    const isShown = (): boolean => store.getState().entry?.id === entry.id
    // Epochs may come faster than they can be drawn.
    let [shownAt, showing]: [number, ReturnType<typeof setTimeout> | undefined] = [-Infinity, undefined]
    const show = (): void => {
      clearTimeout(showing)
      ;[shownAt, showing] = [now(), undefined]
      if (isShown()) store.setState({ entry })
    }
    const change = (changes: Partial<TrainingEntry>): void => {
      entry = { ...entry, ...changes }
      showing ??= setTimeout(show, Math.max(0, shownAt + showEvery - now()))
    }
    store.setState({ ...nothing, entry, running: true, decisions: entry.decisions })
    await refresh()
    await new Promise<void>(resolve => {
      leave = () => {
        // The server goes on; what a worker has learned since its last state is learned again.
        if (where === 'here') change({ ended: 'stopped' })
        resolve()
      }
      own.listen(message => {
        if (message === null) {
          change({ ended: 'stopped' })
          return resolve()
        }
        if (message.is === 'progress') {
          if (begun < 0) begun = message.decisions
          const rate = ((message.decisions - begun) * 1000) / Math.max(1, now() - since)
          change({ decisions: message.decisions })
          if (isShown()) store.setState({ part: message.part, decisions: message.decisions, rate })
        } else if (message.is === 'epoch') {
          const known = entry.rows.filter(({ epoch }) => epoch < message.rows[0]!.epoch)
          const epoch = message.rows.at(-1)!.epoch
          change({
            rows: [...known, ...message.rows],
            ...(where === 'server' && message.policy && { best: message.policy }),
            ...(message.policy && { checkpoints: withCheckpoint(entry.checkpoints ?? [], { epoch, policy: message.policy }) }),
          })
        } else if (message.is === 'state') {
          change({ best: message.best })
          const { rows, best, decisions, checkpoints = [] } = entry
          saved = saved.then(() => keepState(entry.id, message.state, { rows, best, decisions, checkpoints }))
          saved.catch((error: unknown) => {
            const text = error instanceof Error ? error.message : String(error)
            store.setState({ failure: { words: verbatim(text), problem: null } })
            own.send({ do: 'stop' })
          })
        } else if (message.is === 'ended') {
          const { report, best } = message
          change({ ended: report.ending === null ? 'stopped' : 'finished', report, best, decisions: report.decisions })
          resolve()
        } else {
          change({ ended: 'failed' })
          if (isShown()) store.setState({ failure: { words: message.words, problem: message.problem } })
          resolve()
        }
      })
      own.send({ do: 'train', plan: entry.plan, state })
    })
    own.end()
    show()
    if (hands === own) [hands, leave] = [null, null]
    await saved.catch(() => undefined)
    const { ended, report, rows, best, decisions, checkpoints = [] } = entry
    await changeTraining(entry.id, { ended, report, rows, best, decisions, checkpoints })
    if (isShown()) store.setState({ running: false })
    await refresh()
  }

  /** Two tabs would write into one entry. */
  const alone = async (entry: TrainingEntry, where: Where): Promise<'done' | 'elsewhere'> =>
    (await whileClosed(user, `training/${entry.id}`, async () => {
      await conduct(entry, where)
      return 'done' as const
    })) ?? 'elsewhere'

  /** Follows what was begun on the server. The page before this one may still be on its way out. */
  const followed = async (entry: TrainingEntry): Promise<void> => {
    for (let tries = 0; tries < followTries; tries++) {
      if ((await alone(entry, 'server')) === 'done') return
      await new Promise(resolve => setTimeout(resolve, followEvery))
    }
  }

  return {
    store,
    async start(prepared, where) {
      if (store.getState().running) return 'done'
      await refresh()
      const key = keyOf(prepared)
      const plan = trainingPlanOf(prepared)
      const open = openTraining(store.getState().history, key, plan.schedule.epochs, where)
      const entry: TrainingEntry = open
        ? { ...open, plan }
        : {
            id: nanoid(),
            user,
            docId,
            key,
            engine: pageEngine,
            name: prepared.experiment.name,
            plan,
            startedAt: new Date().toISOString(),
            rows: [],
            decisions: 0,
            ended: 'running',
            report: null,
            best: null,
          }
      return alone(entry, where)
    },
    stop: () => hands?.send({ do: 'stop' }),
    reset() {
      hands?.send({ do: 'stop' })
      store.setState({ ...nothing })
    },
    show(entry) {
      if (store.getState().running) return
      const ended = entry.ended === 'running' ? 'stopped' : entry.ended
      store.setState({
        ...nothing,
        entry: { ...entry, ended },
        decisions: entry.decisions,
        part: entry.rows.length / entry.plan.schedule.epochs,
      })
    },
    async forget(id) {
      await forgetTraining(id)
      if (store.getState().entry?.id === id) store.setState({ ...nothing })
      await refresh()
    },
    async open() {
      await refresh()
      const [latest] = store.getState().history
      if (latest && store.getState().entry === null) this.show(latest)
      // The server went on while the page was closed.
      if (latest?.job !== undefined && latest.ended === 'running' && !store.getState().running) void followed(latest)
    },
    close() {
      leave?.()
    },
  }
}

function hireWorker(): TrainingHands {
  const worker = startWorking('training')
  return {
    send: message => worker.postMessage(message, []),
    listen(heard) {
      worker.addEventListener('message', (event: MessageEvent<FromTrainer>) => heard(event.data))
      worker.addEventListener('messageerror', () => heard(null))
      worker.addEventListener('error', event => {
        event.preventDefault()
        heard(null)
      })
    },
    end: () => worker.terminate(),
  }
}
