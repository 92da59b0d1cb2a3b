// Vickrey (1961): with n bidders and values uniform between 0 and 1, a second-price auction gives the seller (n - 1) / (n + 1) on
// average, the second highest value, and each bidder 1 / (n (n + 1)).
import { describe, expect, it } from 'vitest'
import { loadChain } from '../../../../sim-engine/chain.ts'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

await loadChain()
const auction = sample('block-auction')

describe('block auction', () => {
  it.each([2, 5, 9])('%i bidders: revenue of a block and gain of a bidder', searchers => {
    const gains: number[] = []
    const prices = replicate(4, seed => {
      const summary = auction.run({ seed, ticks: 250, set: { searchers } })
      gains.push(statistic(summary, 'mean_gain'))
      return statistic(summary, 'mean_price')
    })
    const mean = gains.reduce((sum, one) => sum + one, 0) / gains.length
    const error = Math.sqrt(gains.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (gains.length - 1) / gains.length)
    expectMean(prices, (searchers - 1) / (searchers + 1), { precision: 0.05, band: 0.001 })
    // A round with winners that are counted may not be settled yet: at most one of 250.
    expectMean({ mean, error }, 1 / (searchers * (searchers + 1)), { precision: 0.15, band: 0.005 / (searchers * (searchers + 1)) })
  })

  it('the seller has the sum of the second highest bids, and no wei is lost', () => {
    const run = auction.start({ seed: 2, ticks: 60 })
    const chains = run.inner.built.clockwork.chains!
    const ledger = chains.ledgers[0]!
    const total = (): bigint => [...ledger.machine.accounts()].reduce((sum, { balance }) => sum + balance, 0n)
    run.advance({ until: 1 })
    const before = total()
    let paid = chains.view(0, 'second()', []) as bigint
    for (let block = 2; block <= 60; block++) {
      run.advance({ until: block })
      expect(chains.view(0, 'revenue()', [])).toBe(paid)
      const [highest, second] = [chains.view(0, 'highest()', []) as bigint, chains.view(0, 'second()', []) as bigint]
      expect(highest).toBeGreaterThan(second)
      expect(total()).toBe(before)
      paid += second
    }
  })
})
