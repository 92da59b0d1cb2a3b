// Policies that a training keeps besides the best one.
import type { LearnedPolicy } from '../../../sim-engine/experiment.ts'

export type Checkpoint = { readonly epoch: number; readonly policy: LearnedPolicy }

/** Most policies that an entry keeps, and most weights of all of them. */
const [mostCheckpoints, mostWeights] = [20, 2_000_000]

/** Adds a policy; if there are too many, removes the one with the closest neighbours, so that those kept are spread over all epochs. */
export function withCheckpoint(known: readonly Checkpoint[], next: Checkpoint): readonly Checkpoint[] {
  const all = [...known.filter(({ epoch }) => epoch < next.epoch), next]
  const most = Math.max(1, Math.min(mostCheckpoints, Math.floor(mostWeights / next.policy.weights.length)))
  while (all.length > most) {
    let least = 0
    const gap = (k: number): number => (k === 0 ? Infinity : all[k + 1]!.epoch - all[k - 1]!.epoch)
    for (let k = 1; k + 1 < all.length; k++) if (gap(k) < gap(least)) least = k
    all.splice(least, 1)
  }
  return all
}
