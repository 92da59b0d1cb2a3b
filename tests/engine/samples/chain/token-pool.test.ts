// Constant-product market maker (Adams, Zinsmeister and Robinson, Uniswap v2 Core, 2020): selling x into X / Y gives
// Y x (1 - f) / (X + x (1 - f)); the product X Y never falls, and nothing is created or lost.
import { describe, expect, it } from 'vitest'
import { sample, statistic } from '../../../help/samples.ts'

const pool = sample('token-pool')

describe('token pool', () => {
  it.each([
    [0, 90.90909],
    [0.3, 90.66109],
  ])('the first trade at a fee of %f %% gets %f', (fee, got) => {
    const run = pool.start({ set: { Fee: fee }, ticks: 1 })
    while (run.advance()) continue
    expect(1000 - Number(run.summary().containers['Cash']?.['level'])).toBeCloseTo(got, 5)
  })
  it('never lets the product fall, and loses nothing', () => {
    for (const seed of [1, 2, 3]) {
      const run = pool.start({ seed })
      let before = 1_000_000
      while (run.advance({ ticks: 1 })) {
        const summary = run.summary()
        if (summary.ticks === 0) continue
        const k = statistic(summary, 'k')
        expect(k).toBeGreaterThanOrEqual(before * (1 - 1e-12))
        before = k
        expect(statistic(summary, 'total')).toBeCloseTo(2000 + 49 * 100 + 150, 6)
      }
      expect(run.summary().ticks).toBe(500)
    }
  })
})
