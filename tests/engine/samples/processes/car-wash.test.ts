// Pollaczek and Khinchine (Gross and Harris): at load .8 the mean wait is 2.0 for steady, 3.0 for Erlang-2 service; M/M/1/5
// loses .088819 of the cars and holds 1.86833 on average.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

const wash = sample('car-wash')

describe('car wash', () => {
  it.each([
    ['steady', 2],
    ['erlang', 3],
  ])('%s washes wait %f', (kind, wait) => {
    expectMean(
      replicate(24, seed => statistic(wash.run({ seed, ticks: 12_000, set: { Load: 0.8, 'Wash time': kind } }), 'mean_wait')),
      wait,
      { precision: 0.03 },
    )
  })
  it('a short yard turns cars away', () => {
    const set = { Load: 0.8, 'Wash time': 'exponential', Places: 5 }
    const runs = Array.from({ length: 20 }, (_, i) => wash.run({ seed: 1000 + i, ticks: 12_000, set }))
    expectMean(
      replicate(20, seed => statistic(runs[seed - 1000]!, 'driven_on')),
      0.088819,
      { precision: 0.015 },
    )
    expectMean(
      replicate(20, seed => statistic(runs[seed - 1000]!, 'mean_on_yard')),
      1.86833,
    )
  })
})
