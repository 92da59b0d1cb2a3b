// Schelling, Journal of Mathematical Sociology 1 (1971), in the common setting of 51 x 51 cells, 95 % full: similar neighbours
// at rest for 30, 40, 50 and 60 % wanted are 74.9, 83.5, 86.2 and 99 % (long-run means of the reference model).
// There the unhappy walk to a free place nearby (up to 10 cells at a time, at random); here they move to any empty lot. At 50 % that matters a
// little: 60 runs of plain programs gave 86.4 for the walk and 86.9 for any empty lot, standard error .1 each.
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
