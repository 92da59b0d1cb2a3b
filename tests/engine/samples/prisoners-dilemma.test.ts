// Nowak and May, Nature 359 (1992): for 1.8 < b < 2, nine cells with oneself, cooperators settle at 12 ln 2 - 8 = .318 (+-.01).
import { describe, expect, it } from 'vitest'
import { replicate, sample, statistic } from '../../help/samples.ts'

const dilemma = sample('prisoners-dilemma')

describe('spatial prisoner’s dilemma', () => {
  it('keeps .318 cooperators', () => {
    const { mean } = replicate(3, seed => statistic(dilemma.run({ seed, ticks: 400, set: { Side: 60 } }), 'mean_share'))
    expect(Math.abs(mean - (12 * Math.log(2) - 8))).toBeLessThan(0.01)
  })
})
