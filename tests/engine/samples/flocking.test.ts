// Vicsek et al., Phys. Rev. Lett. 75 (1995): 400 birds on a 10 x 10 torus, speed .03: the order parameter is .986, .943, .789,
// .533, .224, .103 and .062 for noise .5, 1, 2, 3, 4, 4.5 and 5 (+-.03).
import { describe, expect, it } from 'vitest'
import { sample, statistic } from '../../help/samples.ts'

const flocking = sample('flocking')

describe('flocking', () => {
  it.each([
    [0.5, 0.986],
    [2, 0.789],
    [5, 0.062],
  ])('with noise %f has an order of %f', (noise, order) => {
    const run = flocking.start({ seed: 3, ticks: 1000, set: { Noise: noise } })
    while (run.advance()) continue
    expect(Math.abs(statistic(run.summary(), 'mean_order') - order)).toBeLessThan(0.03)
  })
})
