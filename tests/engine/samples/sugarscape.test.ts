// Epstein and Axtell, Growing Artificial Societies (1996): all start with 5 to 25 units of sugar (Gini .22); in the long run,
// with replacement of the old, the coefficient swings around .475 (+-.015 for its mean over ticks 300 to 1000).
import { describe, expect, it } from 'vitest'
import { sample, statistic } from '../../help/samples.ts'

const sugarscape = sample('sugarscape')

describe('sugarscape', () => {
  it('starts nearly equal and ends unequal', () => {
    const run = sugarscape.start({ seed: 1 })
    run.advance({ ticks: 1 })
    expect(statistic(run.summary(), 'inequality')).toBeCloseTo(0.222, 1)
    run.advance({ ticks: 299 })
    let sum = 0
    let count = 0
    while (run.advance({ ticks: 20 })) {
      sum += statistic(run.summary(), 'inequality')
      count++
    }
    expect(Math.abs(sum / count - 0.475)).toBeLessThan(0.015)
  })
})
