// Nagel and Schreckenberg, J. Physique I 2 (1992); for top speed 1 exactly (Schreckenberg et al. 1995) the flow is
// (1 - sqrt(1 - 4 (1 - p) rho (1 - rho))) / 2 = .16928 for p = rho = .25.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

const traffic = sample('traffic')

describe('traffic', () => {
  it('flows as computed exactly for top speed 1', () => {
    // The ring has 400 cells; the exact value is that of an infinite road.
    expectMean(
      replicate(8, seed => statistic(traffic.run({ seed, ticks: 1200, set: { 'Top speed': 1, 'Road length': 400 } }), 'mean_flow')),
      0.16928,
      { band: 0.0006 },
    )
  })
})
