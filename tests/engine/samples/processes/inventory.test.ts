// Law and Kelton, Simulation Modeling and Analysis, section 1.5: mean monthly cost over 120 months, expected values
// 125.2, 118.9 and 131.6 for (s, S) = (20, 40), (20, 60), (40, 100) (+-1 %).
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

const inventory = sample('inventory')

describe('inventory', () => {
  it.each([
    [20, 40, 125.2],
    [20, 60, 118.9],
    [40, 100, 131.6],
  ])('(%i, %i) costs %f a month', (low, top, cost) => {
    expectMean(
      replicate(60, seed => statistic(inventory.run({ seed, set: { 'Reorder below': low, 'Order up to': top } }), 'monthly_cost')),
      cost,
      { band: cost * 0.004 },
    )
  })
})
