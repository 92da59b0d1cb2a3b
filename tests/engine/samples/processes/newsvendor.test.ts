// Newsvendor (Arrow, Harris and Marschak 1951): demand U(50, 150), 5 earned per paper sold, 2 lost per paper left over: the
// best order is 50 + 100 x 5/7 = 121.43 with an expected profit of 428.57.
import { describe, expect, it } from 'vitest'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

const newsvendor = sample('newsvendor')
const profit = (order: number, runs: number) =>
  replicate(runs, seed => statistic(newsvendor.run({ seed, ticks: 4000, set: { 'Order quantity': order } }), 'mean_profit'))

describe('newsvendor', () => {
  it('earns 428.57 at the best order', () => {
    expectMean(profit(121.43, 12), 428.57)
  })
  it('earns less to either side', () => {
    // Common random numbers: the same demands for each order.
    const [low, best, high] = [100, 121.43, 140].map(order => profit(order, 4).mean)
    expect(best).toBeGreaterThan(low ?? Infinity)
    expect(best).toBeGreaterThan(high ?? Infinity)
  })
})
