// Schelling, Journal of Mathematical Sociology 1 (1971), in the common setting of 51 x 51 cells, 95 % full: similar neighbours
// at rest for 30, 40, 50 and 60 % wanted are 74.9, 83.5, 86.2 and 99 % (long-run means of the reference model).
import { describe, expect, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../help/samples.ts'

const segregation = sample('segregation')

describe('segregation', () => {
  it.each([
    [30, 74.9, 12, 0.3],
    [40, 83.5, 12, 0.4],
    [50, 86.2, 12, 0.4],
    [60, 99, 2, 0.7],
  ])('at %i %% wanted comes to rest with %f %% alike', (wanted, similar, runs, band) => {
    const found = replicate(runs, seed => {
      const summary = segregation.run({ seed, set: { 'Similar wanted': wanted } })
      expect(summary.result).toEqual({ end: 'success', reason: 'stop-condition' })
      return statistic(summary, 'similar')
    })
    expectMean(found, similar, { band })
  })
})
