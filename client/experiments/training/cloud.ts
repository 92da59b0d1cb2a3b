// A training on the server: this page follows its job as it would listen to a worker, and could be closed meanwhile.
import { decodeWeights } from '../../../sim-engine/network.ts'
import { storedEpochs, storedTraining, type StoredPolicy } from '../../../sim-engine/experiment/doors/stored.ts'
import type { FromTrainer, LearnedPolicy } from '../../../sim-engine/experiment.ts'
import { toldBy, verbatim } from '../../../model-schema/words.ts'
import { ApiError, server } from '../../api.ts'
import { wordsOfError, wordsOfLimit } from '../../ui/notices.ts'
import { warn } from '../../ui/toast.ts'
import { jobOf, readStored, whyFailed } from '../conduct/cloud.ts'
import type { TrainingHands } from './turn.ts'

/** Milliseconds between two requests for the state of a running job. */
const lookMs = 700

/** The server work of an entry. */
type CloudWork = {
  readonly fileId: string
  readonly entry: string
  /** The key of the request (`keyOf`): the server refuses it if its file has another state. */
  readonly key: string
  /** The latest job of the entry; null: none yet. */
  readonly job: string | null
  /** Whether the end of that job was not seen: it is followed. Otherwise a new job continues from its state. */
  readonly isOpen: boolean
  /** Called with the id of a new job. */
  begun(job: string): void
}

export function cloudHands({ fileId, entry, key, job: known, isOpen, begun }: CloudWork): TrainingHands {
  let heard: (message: FromTrainer | null) => void = () => undefined
  let job: string | null = null
  let after = -1
  let isStopped = false
  let isOver = false

  const cancel = async (id: string): Promise<void> => void (await server.jobs[':id'].cancel.$post({ param: { id } }))

  /** The job that was left, or a new one. */
  const begin = async (): Promise<string> => {
    const state = known === null ? null : await stateOf(known)
    if (known !== null && isOpen && state !== null && state !== 'cancelled') return known
    const id = jobOf(entry)
    const input = { key, ...(state === null ? {} : { from: known }) }
    const { over } = await (await server.jobs.$post({ json: { id, kind: 'experiment', fileId, input } })).json()
    if (over !== null) warn(wordsOfLimit(over))
    begun(id)
    return id
  }

  const look = async (id: string): Promise<void> => {
    const { job: now } = await (await server.jobs[':id'].$get({ param: { id } })).json()
    for (;;) {
      const { parts } = await (await server.jobs[':id'].parts.$get({ param: { id }, query: { after: `${after}` } })).json()
      for (const { serial, data } of parts) {
        after = serial
        const { rows, policy } = readStored(storedEpochs, data)
        if (rows.length > 0) heard({ is: 'epoch', rows, policy: policyOf(policy) })
      }
      if (parts.length === 0) break
    }
    heard({ is: 'progress', part: now.progress, decisions: Number(now.note) || 0 })
    if (now.state === 'queued' || now.state === 'running') return
    isOver = true
    if (now.state === 'cancelled') return heard(null)
    if (now.state === 'failed') return heard({ is: 'failed', words: await whyFailed(now), problem: null })
    const { report, policy } = readStored(storedTraining, now.result)
    heard({ is: 'ended', report, best: policyOf(policy) })
  }

  const follow = async (): Promise<void> => {
    const id = await begin()
    job = id
    if (isStopped) await cancel(id)
    for (;;) {
      try {
        await look(id)
      } catch (error) {
        // Unreachable for a while: the job continues on the server.
        if (!(error instanceof ApiError) || error.final) throw error
      }
      if (isOver) return
      await new Promise(resolve => setTimeout(resolve, lookMs))
      if (isOver) return
    }
  }

  const failed = (error: unknown): void => {
    if (isOver) return
    isOver = true
    heard({ is: 'failed', words: error instanceof ApiError ? verbatim(wordsOfError(error)) : toldBy(error), problem: null })
  }

  return {
    send(message) {
      if (message.do === 'train') follow().catch(failed)
      else {
        isStopped = true
        if (job !== null) cancel(job).catch(failed)
      }
    },
    listen: listener => void (heard = listener),
    // The job continues on the server.
    end: () => void (isOver = true),
  }
}

/** Null when it is gone: jobs are kept for a month. */
async function stateOf(id: string): Promise<string | null> {
  try {
    return (await (await server.jobs[':id'].$get({ param: { id } })).json()).job.state
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return null
    throw error
  }
}

function policyOf(kept: StoredPolicy | null): LearnedPolicy | null {
  const weights = kept === null ? null : decodeWeights(kept.weights)
  return kept === null || weights === null ? null : { shape: kept.shape, weights }
}
