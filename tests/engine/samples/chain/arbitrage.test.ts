// Milionis, Moallemi and Roughgarden (2024, Automated Market Making and Arbitrage Profits in the Presence of Fees): blocks at Poisson times,
// price a geometric Brownian motion. Share of blocks with a trade 1 / (1 + sqrt(2 l) g / s); profit a day, as a share of the pool,
// s^2 / 8 x that share x (e^(g/2) + e^(-g/2)) / (2 (1 - s^2 / (8 l))), with g = -log(1 - fee), s volatility a day, l blocks a day.
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { loadChain } from '../../../../sim-engine/chain.ts'
import { expectMean, replicate, sample, statistic } from '../../../help/samples.ts'

await loadChain()
const market = sample('arbitrage')

function expected(volatility: number, fee: number, blocks: number): { share: number; rate: number } {
  const g = -Math.log(1 - fee)
  const share = 1 / (1 + (Math.sqrt(2 * blocks) * g) / volatility)
  const cosine = (Math.exp(g / 2) + Math.exp(-g / 2)) / 2
  return { share, rate: ((1e4 * volatility ** 2) / 8) * share * (cosine / (1 - volatility ** 2 / (8 * blocks))) }
}

describe('arbitrage at a pool', () => {
  it.each([
    { volatility: 5, fee: 30 },
    { volatility: 10, fee: 5 },
  ])('volatility $volatility % a day, fee $fee bp: how often a trade pays, and how much', ({ volatility, fee }) => {
    const { share, rate } = expected(volatility / 100, fee / 1e4, 1440)
    const shares: number[] = []
    const rates = replicate(8, seed => {
      const summary = market.run({ seed, ticks: 800, set: { volatility, fee } })
      shares.push(statistic(summary, 'traded_share'))
      return statistic(summary, 'profit_rate')
    })
    const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length
    const error = Math.sqrt(shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (shares.length - 1) / shares.length)
    expectMean({ mean, error }, share, { precision: 0.06, band: 0.01 * share })
    expectMean(rates, rate, { precision: 0.1, band: 0.02 * rate })
  })

  it('reverts by name what the pool does not allow, and never lets the product of its reserves fall', () => {
    const run = market.start({ seed: 3, ticks: 300 })
    const chains = run.inner.built.clockwork.chains!
    let before = 0n
    while (run.advance({ ticks: 1 })) {
      const { items } = chains.view(2, 'getReserves()', []) as { items: readonly bigint[] }
      const product = items[0]! * items[1]!
      expect(product).toBeGreaterThanOrEqual(before)
      before = product
    }
    expect(before).toBeGreaterThan(10n ** 48n)
  })

  it('carries the artifacts that lie beside their sources', () => {
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(new URL(`../../../../model-schema/samples/contracts/${name}.json`, import.meta.url), 'utf8'))
    const contracts = [...market.model.elements.values()].filter(({ kind }) => kind === 'contract')
    const artifacts = Object.fromEntries(
      contracts.map(({ fields }) => [String(fields['name']), JSON.parse(String(fields['artifact'])) as unknown]),
    )
    expect(artifacts).toEqual({ base: read('Token'), quote: read('Token'), pool: read('Pool') })
  })
})
