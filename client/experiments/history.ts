// Runs of experiments on this device: one entry for each start of an experiment, with all its samples, so that it can be continued after
// the tab was closed, viewed again and compared. A Dexie database of its own: it may grow large, and is deleted without touching documents.
import { Dexie, type Table } from 'dexie'
import type { Experiment } from '../../model-schema/experiment.ts'
import { plainModel, type Model } from '../../model-schema/model.ts'
import type { Conducted, Journal, Sample } from '../../sim-engine/experiment.ts'

export type RunEnd = Conducted | 'running' | 'failed'

export type Entry = {
  id: string
  user: string
  /** The experiment's document. */
  docId: string
  /** What the samples are samples of (`keyOf`). */
  key: string
  /** The engine that made the samples (`engineHash`); absent in entries of versions that did not record it. */
  engine?: string | undefined
  name: string
  /** Copies from the start of the entry: the experiment, its document, its model. */
  experiment: Experiment
  study: Model
  model: Model
  startedAt: string
  updatedAt: string
  runs: number
  failed: number
  ended: RunEnd
  /** The job on the server that makes its runs, while there is one to follow. */
  job?: string | null
}

type Chunk = { entry: string; from: number; samples: (readonly [run: number, sample: Sample])[] }

class HistoryDatabase extends Dexie {
  entries!: Table<Entry, string>
  chunks!: Table<Chunk, [string, number]>

  constructor() {
    super('holarchy-experiments')
    this.version(1).stores({ entries: 'id, [user+docId]', chunks: '[entry+from], entry' })
  }
}

const database = new HistoryDatabase()

/** Of one experiment, the latest first. */
export async function entriesOf(user: string, docId: string): Promise<Entry[]> {
  const found = await database.entries.where({ user, docId }).toArray()
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
}

/** How many entries a user has on this device, over all experiments: what the plan bounds. */
export const countEntries = (user: string): Promise<number> => database.entries.filter(entry => entry.user === user).count()

/** All of a user on this device, the oldest first: what may be deleted to make room. */
export async function allEntries(user: string): Promise<Pick<Entry, 'id' | 'docId' | 'name' | 'startedAt' | 'runs' | 'ended'>[]> {
  const found: Entry[] = await database.entries.filter(entry => entry.user === user).toArray()
  return found
    .map(({ id, docId, name, startedAt, runs, ended }) => ({ id, docId, name, startedAt, runs, ended }))
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
}

export const keepEntry = (entry: Entry): Promise<string> =>
  database.entries.put({ ...entry, study: plainModel(entry.study), model: plainModel(entry.model) })

export const changeEntry = (id: string, changes: Partial<Entry>): Promise<number> =>
  database.entries.update(id, { ...changes, updatedAt: new Date().toISOString() })

/** Deletes the samples of an entry that another engine version starts again. */
export async function renewEntry(id: string, engine: string): Promise<void> {
  await database.transaction('rw', database.entries, database.chunks, async () => {
    await database.chunks.where({ entry: id }).delete()
    await changeEntry(id, { engine, runs: 0, failed: 0 })
  })
}

export async function deleteEntry(id: string): Promise<void> {
  await database.transaction('rw', database.entries, database.chunks, async () => {
    await database.chunks.where({ entry: id }).delete()
    await database.entries.delete(id)
  })
}

/** All samples of an entry by the number of their run. */
export async function samplesOf(entry: string): Promise<Map<number, Sample>> {
  const chunks = await database.chunks.where({ entry }).sortBy('from')
  return new Map(chunks.flatMap(({ samples }) => samples))
}

/** Milliseconds between two times that samples are stored; meanwhile they are gathered. Runs that are lost in a crash took no longer than that. */
const gatherMs = 250

type StoredJournal = Journal & {
  /** Stores what is still gathered. */
  flush(): Promise<void>
}

/** The journal of an entry. `broke` is called when this device can't store any more. */
export function journalOf(entry: string, broke: (error: unknown) => void): StoredJournal {
  let gathered: (readonly [run: number, sample: Sample])[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let storedAt = -Infinity
  let serial = 0
  let last: Promise<unknown> = Promise.resolve()
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    storedAt = performance.now()
    const samples = gathered
    gathered = []
    if (samples.length > 0) last = last.then(() => database.chunks.add({ entry, from: serial++, samples }))
    await last.catch(broke)
  }
  return {
    async read() {
      const chunks = await database.chunks.where({ entry }).sortBy('from')
      serial = (chunks.at(-1)?.from ?? -1) + 1
      return new Map(chunks.flatMap(({ samples }) => samples))
    },
    write(samples) {
      gathered.push(...samples)
      // The first ones at once: many a short experiment is over before the others are.
      timer ??= setTimeout(() => void flush(), Math.max(0, storedAt + gatherMs - performance.now()))
    },
    flush,
  }
}
