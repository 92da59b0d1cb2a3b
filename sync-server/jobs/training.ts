// A training on the server: the same rounds and the same weights as on a page or the command line. Its epochs are kept as parts, and its state
// in place of the one before, so another server, or another job, continues to the same bits.
import { deserialize, serialize } from 'node:v8'
import { z } from 'zod'
import {
  keyOf,
  trainingPlanOf,
  type EpochRow,
  type FromTrainer,
  type LearnedPolicy,
  type Prepared,
  type State,
  type TrainingReport,
} from '../../sim-engine/experiment.ts'
import type { StoredPolicy } from '../../sim-engine/experiment/doors/stored.ts'
import { encodeWeights, serveTraining } from '../../sim-engine/experiment/doors/training.ts'
import type { Tools } from './kinds.ts'
import { Told } from '../../model-schema/words.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** Larger states are not kept: such a training starts again when its server dies. */
const MOST_BYTES = 256 * 2 ** 20
/** Least time between two states. */
const KEEP_MS = 1000

/** Read by pages (`storedEpochs`, `storedTraining`). */
type KeptEpochs = { rows: readonly EpochRow[]; policy: StoredPolicy | null }
type TrainingResult = { report: TrainingReport; policy: StoredPolicy | null }

const keptState = z.object({ key: z.string(), state: z.custom<State>(value => value !== undefined) })

const keptPolicy = (policy: LearnedPolicy | null): StoredPolicy | null =>
  policy && { shape: { ...policy.shape, layers: [...policy.shape.layers] }, weights: encodeWeights(policy.weights) }

/** The state that a job kept of this very training; null where there is none, or it can't be read: then the training starts again. */
function stateIn(held: Uint8Array | null, key: string): State | null {
  if (held === null) return null
  try {
    const read = keptState.parse(deserialize(held))
    return read.key === key ? read.state : null
  } catch {
    return null
  }
}

/** Throws when the model fails in an episode, or there is nothing to learn: what it knew until then is held. */
export function trainOnServer(prepared: Prepared, held: Uint8Array | null, { progress, keep, hold }: Tools): Promise<TrainingResult> {
  const key = keyOf(prepared)
  let most = -Infinity
  return new Promise((done, fail) => {
    const hear = (said: FromTrainer): void => {
      switch (said.is) {
        case 'progress':
          return progress(said.part, `${said.decisions}`)
        case 'epoch': {
          const top = Math.max(...said.rows.map(({ test }) => test.mean))
          const isBest = top > most
          most = Math.max(most, top)
          return keep({ rows: said.rows, policy: isBest ? keptPolicy(said.policy) : null } satisfies KeptEpochs)
        }
        case 'state': {
          const bytes = serialize({ key, state: said.state })
          return bytes.byteLength > MOST_BYTES ? undefined : hold(bytes)
        }
        case 'ended':
          return done({ report: said.report, policy: keptPolicy(said.best) })
        case 'failed':
          return fail(new Told(said.words))
        default:
          return unreachable(said)
      }
    }
    serveTraining(hear, () => performance.now(), KEEP_MS)({ do: 'train', plan: trainingPlanOf(prepared), state: stateIn(held, key) })
  })
}
