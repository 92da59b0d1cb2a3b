// Bass, Management Science 15 (1969): F(t) = (1 - e^-(p+q)t) / (1 + (q/p) e^-(p+q)t); p = .03, q = .38: F(10) = .8128, and
// sales peak at t = ln(q / p) / (p + q) = 6.193, where F = 1/2 - p / (2 q) = .4605.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../help/samples.ts'

const bass = sample('bass-diffusion')

describe('bass diffusion', () => {
  it('has 81.28 % adopters at t = 10', () => {
    expectMean(
      replicate(12, seed => statistic(bass.run({ seed, ticks: 10 }), 'share')),
      0.8128,
      { band: 0.004 },
    )
  })
  it('is at its steepest at t = 6.193', () => {
    const found = replicate(12, seed => {
      const run = bass.start({ seed })
      run.advance({ until: 6.193 })
      return Number(run.summary().publics['adopters'] ?? run.summary().statistics['share'])
    })
    expectMean(found, 0.4605, { precision: 0.02, band: 0.03 })
  })
})
