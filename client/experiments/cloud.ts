// Runs made on the server. It conducts the same study from the same files, so its samples answer what the study here asks for: this page only follows
// it, and could be closed meanwhile.
import { nanoid } from 'nanoid'
import { BEFORE, type Evaluator, type Sample } from '../../sim-engine/experiment.ts'
import { ApiError, server } from '../api.ts'

/** The reason of somebody who goes away: the job goes on without them. */
export class Left extends Error {}

/** Milliseconds between two looks at a job that goes on. */
const LOOK_MS = 700

type Kept = { run: number; end: Sample['end']; ticks: number; values: (number | null)[]; problem: Sample['problem'] }

/**
 * Follows a job: `key` says what is asked for (the server refuses when it has another state of it); `known` tells which one to go on with (its page was closed), else a new one is begun, and `begun` is told its id. Ends with a
 * rejection when the job failed or was cancelled. Stopping cancels the job, but for the reason `Left`: its samples stay. `here` works
 * out what comes before runs.
 */
export function createCloud(
  { fileId, key, known, begun }: { fileId: string; key: string; known: string | null; begun(job: string): void },
  here: Evaluator,
): Evaluator {
  const samples = new Map<number, Sample>()
  let job = known
  let after = -1
  let isOver = false

  const begin = async (): Promise<string> => {
    if (job !== null) return job
    const id = nanoid()
    await server.jobs.$post({ json: { id, kind: 'experiment', fileId, input: { key } } })
    job = id
    begun(id)
    return id
  }

  /** Takes in what the job has kept since the last look. */
  const look = async (id: string): Promise<void> => {
    const state = await (await server.jobs[':id'].$get({ param: { id } })).json()
    for (;;) {
      const { parts } = await (await server.jobs[':id'].parts.$get({ param: { id }, query: { after: `${after}` } })).json()
      for (const { serial, data } of parts) {
        after = serial
        // Written by our own server from what this engine made.
        for (const { run, end, ticks, values, problem } of data as Kept[])
          samples.set(run, { end, ticks, values: values.map(value => value ?? NaN), problem })
      }
      if (parts.length === 0) break
    }
    if (state.job.state === 'failed') throw new Error(state.job.error ?? 'the server could not go on')
    isOver = state.job.state === 'done' || state.job.state === 'cancelled'
  }

  return {
    async evaluate(jobs, done, signal) {
      if (jobs.every(({ alternative }) => alternative === BEFORE)) return here.evaluate(jobs, done, signal)
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
        if (signal.aborted) {
          if (!(signal.reason instanceof Left)) await server.jobs[':id'].cancel.$post({ param: { id } })
          throw signal.reason
        }
        try {
          await look(id)
        } catch (error) {
          // Out of reach for a while: the server goes on without us.
          if (!(error instanceof ApiError) || error.final) throw error
        }
        take()
        if (open.size > 0 && isOver) throw new Error('the server ended without all runs')
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
