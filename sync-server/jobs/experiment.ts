// An experiment on the server: the same study, the same runs and the same numbers as on a page or the command line. Samples are kept as they
// come, so another server continues where this one died.
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { experimentOf, featureOfType } from '../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import type { Feature } from '../../model-schema/business/plans.ts'
import {
  conduct,
  keyOf,
  plannedRuns,
  prepare,
  reportOf,
  type Prepared,
  type Report,
  type Sample,
  type Workers,
  otherState,
} from '../../sim-engine/experiment.ts'
import { storedSamples, type StoredSamples } from '../../sim-engine/experiment/doors/stored.ts'
import { lead, ownWorkers, type Leader } from '../../sim-engine/experiment/doors/queue.ts'
import { createThreads } from '../../sim-engine/threads/node.ts'
import type { Sharing, Tools } from './kinds.ts'
import { logFailure } from '../db/failures.ts'
import { joined, say, Told } from '../../model-schema/words.ts'

export const experimentInput = z.object({
  /** The hash of the experiment and its model as the client knows them (`keyOf`): samples of another one would be taken for its own. */
  key: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  /** An earlier job of the same person with a training that continues here. */
  from: z.string().max(64).optional(),
})

/** How long samples are gathered before they are kept, and most of them at a time. */
const GATHER_MS = 500
const GATHERED = 2000

/** Threads of one experiment, and memory of each in MB. */
const MOST_THREADS = 8
const HEAP_MB = 512
const threadsFor = (wanted: number): number => Math.min(wanted === 0 ? MOST_THREADS : wanted, availableParallelism(), MOST_THREADS)

/** Id of the model an experiment's file is linked to; null when there is none. */
export function linkedModel(text: string): string | null {
  const model = modelIn(text)
  const id = model === null ? '' : (experimentOf(model)?.modelFile ?? '')
  return id === '' ? null : id
}

/** The feature that a file's experiment is; null when there is none in it. */
export function featureOf(text: string): Feature | null {
  const model = modelIn(text)
  const experiment = model === null ? null : experimentOf(model)
  return experiment === null ? null : featureOfType[experiment.type]
}

type Files = { file: string; linked: string | null; steps: number | null }

/** Throws when the experiment or its model can't be read, has problems, or is not the one of the key. */
export function preparedOnServer({ key }: z.infer<typeof experimentInput>, { file, linked, steps }: Files): Prepared {
  const own = modelIn(file)
  const experiment = own === null ? null : experimentOf(own)
  if (experiment === null) throw new Told(say('The file holds no experiment.'))
  const made = prepare(experiment, linked === null ? null : modelIn(linked), steps)
  if (!made.ok) throw new Told(joined(made.problems.flatMap(({ words }, k) => (k === 0 ? [words] : [' ', words]))))
  const { prepared } = made
  if (key !== undefined && key !== keyOf(prepared)) throw new Told(otherState)
  return prepared
}

type Conducting = Files & { known: readonly unknown[]; sharing?: Sharing | null }

export async function conductOnServer(
  prepared: Prepared,
  { file, linked, steps, known, sharing = null }: Conducting,
  { progress, keep, employ }: Omit<Tools, 'hold'>,
): Promise<Report> {
  const { experiment } = prepared
  const samples = new Map<number, Sample>()
  for (const part of known) for (const { run, ...sample } of storedSamples.parse(part)) samples.set(run, sample)
  let gathered: StoredSamples = []
  let since = performance.now()
  const flush = (): void => {
    if (gathered.length > 0) keep(gathered)
    gathered = []
    since = performance.now()
  }
  const planned = plannedRuns(prepared)
  // Being cancelled is the end of this thread, and with it of those it has started.
  const threads = createThreads(prepared.runnable, threadsFor(experiment.threads), () => performance.now(), HEAP_MB)
  const leader = sharing === null ? null : await leaderOf(prepared, threads, { file, linked, steps }, sharing)
  for (const [run, sample] of (await leader?.known()) ?? []) samples.set(run, sample)
  const evaluator: Workers = leader ?? threads
  employ(() => evaluator.worked())
  const { maxMinutes } = experiment
  const signal = maxMinutes === null ? new AbortController().signal : AbortSignal.timeout(Math.min(maxMinutes * 60_000, 2 ** 31 - 1))
  const { results } = await conduct({
    prepared,
    evaluator,
    signal,
    journal: {
      read: () => Promise.resolve(samples),
      write(told) {
        for (const [run, { end, ticks, values, problem }] of told)
          gathered.push({ run, end, ticks, values: values.map(value => (Number.isNaN(value) ? null : value)), problem })
        if (gathered.length >= GATHERED || performance.now() - since > GATHER_MS) flush()
      },
    },
    told: ({ done }) => progress(planned === null ? 0 : Math.min(1, done / planned), `${done}`),
  }).finally(() => leader?.finish(false) ?? threads.close())
  flush()
  return reportOf(prepared, results)
}

/** Shares the runs with other servers and with workers of the database; null when that cannot be done, which stops no experiment. */
async function leaderOf(
  prepared: Prepared,
  local: Workers,
  { file, linked, steps }: { file: string; linked: string | null; steps: number | null },
  { connection, apart }: Sharing,
): Promise<Leader | null> {
  const task = { file, model: linked, modelFile: null, seed: null, runs: null, steps }
  const before = createThreads(prepared.runnable, 1, () => performance.now(), HEAP_MB)
  try {
    return await lead({ connection, prepared, key: keyOf(prepared), task, apart, local, before, ownWorkers: ownWorkers() })
  } catch (error) {
    before.close()
    logFailure('jobs: an experiment is not shared:', error)
    return null
  }
}

function modelIn(text: string): Model | null {
  const parsed = parseFile(text)
  return 'file' in parsed ? modelOfFile(parsed.file) : null
}
