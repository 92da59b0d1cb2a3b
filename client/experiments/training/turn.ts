// One turn of a training: from its stored state until its worker, or the server, reports its end.
import type { Problem } from '../../../sim-engine/problems.ts'
import type { FromTrainer, State, ToTrainer } from '../../../sim-engine/experiment.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'
import { startWorking } from '../../workers/start.ts'
import type { RunsWhere } from '../conduct/conducting.ts'
import { withCheckpoint } from './checkpoints.ts'
import { cloudHands } from './cloud.ts'
import { changeTraining, keepState, keepTraining, stateOf, type TrainingEntry } from './trainings.ts'

/** A learning worker, or a substitute in tests. */
export type TrainingHands = { send(message: ToTrainer): void; listen(heard: (message: FromTrainer | null) => void): void; end(): void }

/** Least milliseconds between two looks that the page gets at what was learned. */
const showEvery = 500

export type TrainingFailure = { words: Words; problem: Problem | null }

/** How much is done, 0 .. 1; decisions so far, and a second. */
export type Progress = { part: number; decisions: number; rate: number }

/** The page that looks on. */
type Onlooker = {
  /** The entry changed: at once at first, then at most every half second. */
  shows(entry: TrainingEntry): void
  progresses(progress: Progress): void
  fails(failure: TrainingFailure): void
}

/** What a message of the trainer makes of the entry; null ends the turn where the trainer went away. */
export function entryAfter(entry: TrainingEntry, message: FromTrainer | null, where: RunsWhere): TrainingEntry {
  if (message === null) return { ...entry, ended: 'stopped' }
  switch (message.is) {
    case 'progress':
      return { ...entry, decisions: message.decisions }
    case 'epoch': {
      const { rows, policy } = message
      const known = entry.rows.filter(({ epoch }) => epoch < rows[0]!.epoch)
      const next = { ...entry, rows: [...known, ...rows] }
      if (!policy) return next
      const checkpoints = withCheckpoint(entry.checkpoints ?? [], { epoch: rows.at(-1)!.epoch, policy })
      return { ...next, checkpoints, ...(where === 'server' && { best: policy }) }
    }
    case 'state':
      return { ...entry, best: message.best }
    case 'ended': {
      const { report, best } = message
      return { ...entry, ended: report.ending === null ? 'stopped' : 'finished', report, best, decisions: report.decisions }
    }
    default:
      return { ...entry, ended: 'failed' }
  }
}

export class Turn {
  readonly #where: RunsWhere
  readonly #docId: string
  readonly #hire: () => TrainingHands
  readonly #now: () => number
  readonly #onlooker: Onlooker
  readonly #over = Promise.withResolvers<void>()
  #entry: TrainingEntry
  #hands: TrainingHands | null = null
  /** When it began, and the decisions there were at its first progress. */
  #since = 0
  #begun = -1
  /** Epochs may come faster than they can be drawn. */
  #shownAt = -Infinity
  #showing: ReturnType<typeof setTimeout> | undefined
  #saved: Promise<unknown> = Promise.resolve()

  constructor(entry: TrainingEntry, where: RunsWhere, docId: string, hire: () => TrainingHands, now: () => number, onlooker: Onlooker) {
    this.#entry = entry
    this.#where = where
    this.#docId = docId
    this.#hire = hire
    this.#now = now
    this.#onlooker = onlooker
  }

  /** Resolves when it is over and kept, whatever the reason; `began` is called with the entry it starts from. */
  async run(began: (entry: TrainingEntry) => Promise<void>): Promise<void> {
    const wasRunning = this.#entry.ended === 'running'
    const { id, plan } = this.#entry
    const state = (await stateOf(id)) as State | null
    // Work that was not stored is repeated.
    const isLost = state === null && this.#where === 'here'
    this.#entry = { ...this.#entry, ended: 'running', ...(isLost ? { rows: [], checkpoints: [] } : {}) }
    await keepTraining(this.#entry)
    const hands = this.#where === 'server' ? this.#server(wasRunning) : this.#hire()
    this.#hands = hands
    this.#since = this.#now()
    await began(this.#entry)
    hands.listen(message => this.#hear(message))
    hands.send({ do: 'train', plan, state })
    await this.#over.promise
    hands.end()
    this.#hands = null
    this.#show()
    await this.#saved.catch(() => undefined)
    const { ended, report, rows, best, decisions, checkpoints = [] } = this.#entry
    await changeTraining(id, { ended, report, rows, best, decisions, checkpoints })
  }

  stop(): void {
    this.#hands?.send({ do: 'stop' })
  }

  /** Called when the page is left. The server continues; what a worker has learned since its last state is learned again. */
  leave(): void {
    if (this.#where === 'here') this.#become({ ...this.#entry, ended: 'stopped' })
    this.#over.resolve()
  }

  #server(isOpen: boolean): TrainingHands {
    const { id, key, job = null } = this.#entry
    const begun = (job: string): void => {
      this.#become({ ...this.#entry, job })
      void changeTraining(id, { job })
    }
    return cloudHands({ fileId: this.#docId, entry: id, key, job, isOpen, begun })
  }

  #hear(message: FromTrainer | null): void {
    this.#become(entryAfter(this.#entry, message, this.#where))
    if (message === null) return this.#over.resolve()
    switch (message.is) {
      case 'progress': {
        const { part, decisions } = message
        if (this.#begun < 0) this.#begun = decisions
        const rate = ((decisions - this.#begun) * 1000) / Math.max(1, this.#now() - this.#since)
        return this.#onlooker.progresses({ part, decisions, rate })
      }
      case 'epoch':
        return
      case 'state':
        return this.#keep(message.state)
      case 'ended':
        return this.#over.resolve()
      default:
        this.#onlooker.fails({ words: message.words, problem: message.problem })
        return this.#over.resolve()
    }
  }

  #keep(state: Extract<FromTrainer, { is: 'state' }>['state']): void {
    const { id, rows, best, decisions, checkpoints = [] } = this.#entry
    this.#saved = this.#saved.then(() => keepState(id, state, { rows, best, decisions, checkpoints }))
    this.#saved.catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error)
      this.#onlooker.fails({ words: verbatim(text), problem: null })
      this.stop()
    })
  }

  #become(entry: TrainingEntry): void {
    this.#entry = entry
    this.#showing ??= setTimeout(() => this.#show(), Math.max(0, this.#shownAt + showEvery - this.#now()))
  }

  #show(): void {
    clearTimeout(this.#showing)
    this.#shownAt = this.#now()
    this.#showing = undefined
    this.#onlooker.shows(this.#entry)
  }
}

/** A worker of this page that learns. */
export function hireWorker(): TrainingHands {
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
