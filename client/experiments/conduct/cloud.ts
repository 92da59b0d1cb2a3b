// Runs made on the server. It conducts the same study from the same files, so its samples are those that the study here requests: this page
// only follows it, and may be closed.
import { nanoid } from 'nanoid'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { english, isWords, say, Told, verbatim, type Words } from '../../../model-schema/words.ts'
import { BEFORE, otherState, type Evaluator, type Sample } from '../../../sim-engine/experiment.ts'
import { storedSamples } from '../../../sim-engine/experiment/doors/stored.ts'
import { ApiError, server } from '../../api.ts'
import { hasOtherBuild } from '../../ui/loading/version.ts'
import { wordsOfLimit } from '../../ui/notices.ts'
import { warn } from '../../ui/toast.ts'
import { readValue } from '../../validate.ts'
import type * as z from '../../zod.ts'

/** Abort reason of a page that is left: the job continues on the server. */
export class Left extends Error {}

/** The server stopped before all runs were made: its time was up, or the job was cancelled elsewhere. */
export class ServerStopped extends Error {}

/** Milliseconds between two requests for the state of a running job. */
const LOOK_MS = 700

/** Reads what a job stored. Throws if it has another form: what was fetched before stays, and the job continues. */
export function readStored<T>(schema: z.ZodMiniType<T>, data: unknown): T {
  const stored = readValue(schema, data)
  if (stored === null) throw new Told(say('The server sent results that this page cannot read. Reload the page, then continue.'))
  return stored
}

/** Jobs are named by the entry they belong to, so that another device finds what it does not have yet. */
export const jobOf = (entry: string): string => `${entry}_${nanoid(tail - 1)}`
const tail = 9
/** A job that was begun by other means is an entry of its own. */
export const entryOfJob = (job: string): string => (job.length > 2 * tail && job.at(-tail) === '_' ? job.slice(0, -tail) : job)

type Wanted = {
  fileId: string
  /** The entry of the history the runs are for. */
  entry: string
  /** The key of the request (`keyOf`): the server refuses it if its file has another state. */
  key: string
  /** The job to go on with, as its page was closed; null: a new one is begun. */
  known: string | null
  /** Called with the id of a new job. */
  begun(job: string): void
}

/**
 * Follows a job. Ends with a rejection when it failed or was cancelled. Stopping cancels the job, but for the reason `Left`: its samples stay. `here`
 * works out what comes before runs.
 */
export function createCloud({ fileId, entry, key, known, begun }: Wanted, here: Evaluator): Evaluator {
  const samples = new Map<number, Sample>()
  let job = known
  let after = -1
  let isOver = false

  const begin = async (): Promise<string> => {
    if (job !== null) return job
    const id = jobOf(entry)
    const { over } = await (await server.jobs.$post({ json: { id, kind: 'experiment', fileId, input: { key } } })).json()
    // It runs all the same, as in pages, which say so as well.
    if (over !== null) warn(wordsOfLimit(over))
    job = id
    begun(id)
    return id
  }

  /** Cancelling ends the job, at any stage; leaving (`Left`) keeps it running. */
  const leave = async ({ reason }: AbortSignal): Promise<never> => {
    if (job !== null && !isOver && !(reason instanceof Left)) await server.jobs[':id'].cancel.$post({ param: { id: job } })
    throw reason
  }

  /** Fetches the samples stored by the job since the last request. */
  const look = async (id: string): Promise<void> => {
    const state = await (await server.jobs[':id'].$get({ param: { id } })).json()
    for (;;) {
      const { parts } = await (await server.jobs[':id'].parts.$get({ param: { id }, query: { after: `${after}` } })).json()
      for (const { serial, data } of parts) {
        after = serial
        for (const { run, ...sample } of readStored(storedSamples, data)) samples.set(run, sample)
      }
      if (parts.length === 0) break
    }
    if (state.job.state === 'failed') throw new Told(await whyFailed(state.job))
    isOver = state.job.state === 'done' || state.job.state === 'cancelled'
  }

  return {
    async evaluate(wanted, done, signal) {
      const jobs = [...wanted]
      if (signal.aborted) return leave(signal)
      if (jobs.length === 0) return
      if (jobs.every(({ alternative }) => alternative === BEFORE))
        return here.evaluate(jobs, done, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error
          return leave(signal)
        })
      const id = await begin()
      const open = new Set(jobs.map(({ run }) => run))
      const take = (): void => {
        for (const run of open) {
          const sample = samples.get(run)
          if (!sample) continue
          open.delete(run)
          done(run, sample)
        }
      }
      take()
      while (open.size > 0) {
        if (signal.aborted) return leave(signal)
        try {
          await look(id)
        } catch (error) {
          // Unreachable for a while: the job continues on the server.
          if (!(error instanceof ApiError) || error.final) throw error
        }
        take()
        if (open.size > 0 && isOver) throw new ServerStopped('the server ended before all runs were made')
        if (open.size > 0) await pause(LOOK_MS, signal)
      }
    },
    close: () => here.close(),
  }
}

/** Resolves after so long, or as soon as the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

export type ServerJob = Awaited<ReturnType<typeof jobsOf>>[number]

/** Jobs of one's own that conduct an experiment and could still be followed, the latest first. */
export async function jobsOf(fileId: string) {
  const { jobs } = await (await server.jobs.$get()).json()
  return jobs.filter(job => job.fileId === fileId && job.kind === 'experiment' && ['queued', 'running', 'done'].includes(job.state))
}

/** The experiment and the model a job works on; null when they can't be read. */
export async function taskOf(job: string): Promise<{ study: Model; model: Model } | null> {
  const { file, linked } = await (await server.jobs[':id'].task.$get({ param: { id: job } })).json()
  const [study, model] = [file, linked ?? ''].map(text => parseFile(text))
  return study && model && 'file' in study && 'file' in model ? { study: modelOfFile(study.file), model: modelOfFile(model.file) } : null
}

/**
 * Why a job failed. Jobs of earlier versions say it in English only. Two builds may plan different runs of one file: then the page is what has to
 * change, and reloading is offered.
 */
export async function whyFailed({ failure, error }: { failure: object | null; error: string | null }): Promise<Words> {
  const words = isWords(failure) ? failure : error === null || error === '' ? say('The server could not go on.') : verbatim(error)
  if (english(words) !== english(otherState) || !(await hasOtherBuild())) return words
  return say(
    'This page and the server have different versions of Holarchy, and they plan different runs. Reload the page, then start again.',
  )
}
