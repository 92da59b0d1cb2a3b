// What a training says of itself at the end: its epochs, the best policy, and how that compares with others on the same episodes.
import { below, uniform } from '../../kernel/random.ts'
import { encodeWeights } from '../../learn/network.ts'
import type { LearnedPolicy, Spaces } from './learner.ts'
import type { Actor, Episode } from './place.ts'
import { testedOf, type Ending, type EpochRow, type Tested, type Training } from './training.ts'
import { policyActor } from './policy.ts'

/** Another policy on the same episodes. `difference`: how much better the learned one is in each, with the half-width at 95 %. */
type Compared = { readonly name: 'random' | 'model'; readonly test: Tested; readonly difference: number; readonly half: number }

export type TrainingReport = {
  readonly algorithm: string
  readonly ending: Ending
  readonly epochs: readonly EpochRow[]
  readonly decisions: number
  readonly episodes: number
  readonly best: { readonly epoch: number; readonly test: Tested } | null
  readonly compared: readonly Compared[]
  /** Distinguishes weights: equal ones, equal hashes. */
  readonly weights: string | null
}

/** `own`: whether the model has a policy of its own to compare with. */
export function reportOfTraining(training: Training, algorithm: string, spaces: Spaces, own: boolean): TrainingReport {
  const { rows, ending, decisions, episodes, best } = training
  const policy = best?.policy ?? null
  const learned = training.returns(policy ? policyActor(policy, spaces) : training.learner.best)
  const others: [Compared['name'], Actor][] = [['random', randomActor(spaces)]]
  if (own) others.push(['model', () => ({ action: null, likelihood: 0 })])
  return {
    algorithm,
    ending,
    epochs: rows,
    decisions,
    episodes,
    best: best && { epoch: best.epoch, test: testedOf(learned) },
    compared: others.map(([name, actor]) => {
      const made = training.returns(actor)
      return { name, test: testedOf(made), ...differenceOf(learned, made) }
    }),
    weights: policy && hashOf(policy),
  }
}

const randomActor =
  ({ choices, actions }: Spaces): Actor =>
  (_seen, allowed, draws) => {
    if (choices === 0) return { action: Array.from({ length: actions }, () => 2 * uniform(draws) - 1), likelihood: 0 }
    const possible = allowed?.flatMap((is, k) => (is ? [k] : []))
    return { action: possible ? possible[below(draws, possible.length)]! : below(draws, choices), likelihood: 0 }
  }

/** Paired: episode by episode. */
function differenceOf(a: readonly Episode[], b: readonly Episode[]): { difference: number; half: number } {
  const each = a.map(({ reward }, k) => ({ reward: reward - b[k]!.reward, decisions: 0 }))
  const { mean, half } = testedOf(each)
  return { difference: mean, half }
}

export function hashOf({ weights }: LearnedPolicy): string {
  let hash = 0x811c9dc5
  const text = encodeWeights(weights)
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** As people read it. */
export function trainingText({ algorithm, ending, epochs, decisions, best, compared, weights }: TrainingReport): string {
  const show = (value: number): string => (Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : '-')
  const lines = [`${algorithm}: ${epochs.length} epochs, ${decisions} decisions, ended by ${ending ?? 'a stop'}`]
  if (best)
    lines.push(
      `best policy: epoch ${best.epoch}, mean return ${show(best.test.mean)} +- ${show(best.test.half)} (${show(best.test.low)} .. ${show(best.test.high)})`,
    )
  for (const { name, test, difference, half } of compared) {
    const sure = Math.abs(difference) > half
    lines.push(
      `${name === 'random' ? 'at random' : "the model's own policy"}: ${show(test.mean)} +- ${show(test.half)}; the learned one is better by ${show(difference)} +- ${show(half)}${sure ? '' : ' (may be chance)'}`,
    )
  }
  if (weights !== null) lines.push(`weights ${weights}`)
  return `${lines.join('\n')}\n`
}
