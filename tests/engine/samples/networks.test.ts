// Erdos and Renyi 1960: the giant component S of a random network solves S = 1 - exp(-c S): .5828 for c = 1.5, .7968 for c = 2.
// Watts and Strogatz 1998: clustering C(0) (1 - p)^3 with C(0) = 3 (K - 2) / (4 (K - 1)), .648 for K = 10, p = .01.
// Barabasi and Albert 1999: degrees P(k) = 2 m (m + 1) / (k (k + 1) (k + 2)); for m = 2: .5, .2, .1 of degree 2, 3, 4.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../help/samples.ts'

const networks = sample('networks')
const at = (name: string, set: Record<string, number>, runs: number) =>
  replicate(runs, seed => statistic(networks.run({ seed, ticks: 0, set: { Nodes: 2000, ...set } }), name))

describe('networks', () => {
  it.each([
    [1.5, 0.5828],
    [2, 0.7968],
  ])('a random network of mean degree %f has a giant component of %f', (degree, share) => {
    expectMean(at('giant', { 'Mean degree': degree }, 8), share, { precision: 0.02 })
  })
  it('a small world stays clustered', () => {
    expectMean(at('clustered', { Rewiring: 0.01 }, 4), 0.648, { band: 0.002 })
  })
  it('hubs follow the power law', () => {
    expectMean(at('degree_two', {}, 6), 0.5, { precision: 0.02 })
    expectMean(at('degree_three', {}, 6), 0.2, { precision: 0.03 })
    expectMean(at('degree_four', {}, 6), 0.1, { precision: 0.05 })
  })
})
