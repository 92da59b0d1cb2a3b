// Dragulescu and Yakovenko, Eur. Phys. J. B 17 (2000): purses become geometric with q = m / (1 + m) and Gini coefficient 1 / (1 + q): 2/3 for a
// mean of one coin, .5238 for ten.
import { describe, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../help/samples.ts'

const money = sample('money-exchange')

describe('random money exchange', () => {
  it.each([
    [1, 2 / 3, 40, 400],
    [10, 0.5238, 300, 200],
  ])('with %i coins each has a Gini coefficient of %f', (coins, gini, ticks, people) => {
    expectMean(
      replicate(6, seed =>
        statistic(money.run({ seed, ticks, set: { People: people, 'Coins each': coins, 'Trades per tick': people } }), 'inequality'),
      ),
      gini,
      { precision: 0.02, band: 0.01 },
    )
  })
})
