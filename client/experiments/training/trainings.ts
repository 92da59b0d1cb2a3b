// Trainings of this device: the plan, the result of each epoch, and the state from which a training continues. A Dexie database of its own,
// as states may be large.
import { Dexie, type Table } from 'dexie'
import { plainModel } from '../../../model-schema/model.ts'
import type { EpochRow, LearnedPolicy, TrainingPlan, TrainingReport } from '../../../sim-engine/experiment.ts'
import type { Checkpoint } from './checkpoints.ts'

type TrainingEnd = 'running' | 'stopped' | 'finished' | 'failed'

export type TrainingEntry = {
  id: string
  user: string
  /** The experiment's document. */
  docId: string
  /** What it is a training of: equal keys go on. */
  key: string
  /** The engine that learned (`engineHash`); absent in entries of versions that did not record it. */
  engine?: string | undefined
  name: string
  plan: TrainingPlan
  startedAt: string
  rows: readonly EpochRow[]
  decisions: number
  ended: TrainingEnd
  report: TrainingReport | null
  best: LearnedPolicy | null
  /** Policies after some epochs, in their order; absent in entries of versions that kept none. */
  checkpoints?: readonly Checkpoint[]
  /** Its latest job, where it is trained on the server; absent where it is trained on this device. */
  job?: string | undefined
}

class TrainingDatabase extends Dexie {
  trainings!: Table<TrainingEntry, string>
  states!: Table<{ id: string; state: unknown }, string>

  constructor() {
    super('holarchy-trainings')
    this.version(1).stores({ trainings: 'id, [user+docId]', states: 'id' })
  }
}

const database = new TrainingDatabase()

/** Of one experiment, the latest first. */
export async function trainingsOf(user: string, docId: string): Promise<TrainingEntry[]> {
  const found = await database.trainings.where({ user, docId }).toArray()
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
}

export const keepTraining = (entry: TrainingEntry): Promise<string> =>
  database.trainings.put({ ...entry, plan: { ...entry.plan, model: plainModel(entry.plan.model) } })

export const changeTraining = (id: string, changes: Partial<TrainingEntry>): Promise<number> => database.trainings.update(id, changes)

export async function stateOf(id: string): Promise<unknown> {
  return (await database.states.get(id))?.state ?? null
}

/** The state and what it is worth, together or not at all. */
export async function keepState(id: string, state: unknown, changes: Partial<TrainingEntry>): Promise<void> {
  await database.transaction('rw', database.trainings, database.states, async () => {
    await database.states.put({ id, state })
    await database.trainings.update(id, changes)
  })
}

export async function forgetTraining(id: string): Promise<void> {
  await database.transaction('rw', database.trainings, database.states, async () => {
    await database.states.delete(id)
    await database.trainings.delete(id)
  })
}
