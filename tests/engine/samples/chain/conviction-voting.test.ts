// y <- a y + x: after n ticks y = x (1 - a^n) / (1 - a); for a = .9 the limit is ten times the stake, half of it is reached in
// ln .5 / ln .9 = 6.579 ticks. The pool conserves tokens exactly.
import { describe, expect, it } from 'vitest'
import { sample, statistic } from '../../../help/samples.ts'

const voting = sample('conviction-voting')

describe('conviction voting', () => {
  it.each([1, 6, 7, 50])('follows the recurrence for %i ticks', ticks => {
    const conviction = statistic(voting.run({ ticks, set: { Threshold: 1000 } }), 'conviction')
    expect(conviction).toBeCloseTo((10 * (1 - 0.9 ** ticks)) / 0.1, 9)
    expect(conviction / 100 >= 0.5).toBe(ticks > 6.579)
  })
  it('conserves the pool with no drift', () => {
    for (const faucet of [10, 37, 0.1]) {
      const summary = voting.run({ set: { Faucet: faucet } })
      expect(Math.abs(statistic(summary, 'drift'))).toBeLessThan(1e-9)
    }
    expect(Number(voting.run().containers['Grants']?.['level'])).toBeGreaterThan(0)
  })
})
