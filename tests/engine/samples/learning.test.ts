// The samples that can be learned in: their own policies against published results, and what is learned against these.
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import { prepare, trainingPlanOf } from '../../../sim-engine/experiment.ts'
import { createTraining } from '../../../sim-engine/experiment/learn/begin.ts'
import type { Training } from '../../../sim-engine/experiment/learn/training.ts'
import { expectMean, replicate, sample, statistic } from '../../help/samples.ts'
import { english } from '../../../model-schema/words.ts'

/** The shipped experiment, trained to its end. */
function trained(id: string): Training {
  const read = parseFile(readFileSync(new URL(`../../../model-schema/samples/experiments/${id}.holo`, import.meta.url), 'utf8'))
  const experiment = 'file' in read ? experimentOf(modelOfFile(read.file)) : null
  const made = prepare(experiment!, sample(id.replace('-learning', '')).model)
  if (!made.ok) throw new Error(made.problems.map(({ words }) => english(words)).join('; '))
  const training = createTraining(trainingPlanOf(made.prepared))
  while (training.round());
  return training
}

describe('cart and pole', () => {
  it('its rule balances for 500 steps, and PPO learns to', () => {
    expect(statistic(sample('cart-pole').run({ seed: 2 }), 'balanced')).toBe(500)
    const training = trained('cart-pole-learning')
    expect(training.ending).toBe('threshold')
    expect(training.decisions).toBeLessThanOrEqual(60_000)
  })
})

describe('admission to a queue', () => {
  const gain = (most: number) =>
    replicate(8, seed => statistic(sample('admission').run({ seed, ticks: 5000, set: { 'most waiting': most } }), 'gain'))
  it('gains 5.7678 below 4 customers (Naor 1969), and less otherwise', () => {
    expectMean(gain(4), 5.7678, { precision: 0.02 })
    expectMean(gain(10), 4.5732, { precision: 0.05 })
  })
})

describe('walk along a cliff', () => {
  it('takes 13 steps, and Q-learning finds them', () => {
    expect(statistic(sample('cliff-walk').run({ seed: 1 }), 'steps')).toBe(13)
    const training = trained('cliff-walk-learning')
    expect(training.best?.mean).toBe(-13)
    expect(training.best?.policy).not.toBeNull()
  })
})

describe('stock with a lead time', () => {
  it('costs about 4.64 a day at the best level', () => {
    expectMean(
      replicate(6, seed => statistic(sample('lost-sales').run({ seed, ticks: 4000, set: { level: 16 } }), 'mean_cost')),
      4.639,
      { precision: 0.04 },
    )
  })
})
