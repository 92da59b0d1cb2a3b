// A liquidation cascade ends at the least fixed point: the smallest amount sold after which no loan is unsafe at the price that it leaves,
// k / (reserve + sold)^2 in a constant-product pool without a fee. It does not depend on the order of the liquidations.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadChain } from '../../../../sim-engine/chain.ts'
import { sample, statistic } from '../../../help/samples.ts'

await loadChain()
const cascade = sample('liquidation')
const unit = 10n ** 18n
const reserve = 1_000_000n * unit
const threshold = 8_000n

type Loan = { collateral: bigint; debt: bigint }

/** Loans that are liquidated and the price in the end, by whole-number arithmetic outside of any contract. */
function leastFixedPoint(loans: readonly Loan[], shock: bigint): { liquidated: number; price: number } {
  let sold = shock
  for (;;) {
    const price = (reserve * reserve * unit) / (reserve + sold) ** 2n
    const unsafe = loans.filter(({ collateral, debt }) => debt > (((collateral * price) / unit) * threshold) / 10_000n)
    const next = unsafe.reduce((sum, { collateral }) => sum + collateral, shock)
    if (next === sold) return { liquidated: unsafe.length, price: Number(price) / 1e18 }
    sold = next
  }
}

describe('liquidation cascade', () => {
  it('ends at the least fixed point: the same loans, the price to 1e-12 (12 books of 100 loans)', () => {
    const counts: number[] = []
    for (let seed = 1; seed <= 12; seed++) {
      const shock = 10_000 + 10_000 * seed
      const run = cascade.start({ seed, ticks: 30, set: { shock, collateral_mean: 1500 } })
      run.advance({ until: 5 })
      const chains = run.inner.built.clockwork.chains!
      const borrowers = run.program.checked.parts.entities.find(({ name }) => name === 'Borrower')!
      const population = run.world.population(borrowers.index)
      const loans = Array.from({ length: population.livingCount }, (_, k) => {
        const address = chains.accountOf(0, borrowers.index, population.handles[population.living[k]!]!)
        const [collateral, debt] = (chains.view(3, 'loans(address)', [address]) as { items: bigint[] }).items as [bigint, bigint]
        return { collateral, debt }
      })
      expect(loans).toHaveLength(100)
      run.advance({})
      const summary = run.summary()
      const expected = leastFixedPoint(loans, BigInt(shock) * unit)
      expect({ seed, liquidated: statistic(summary, 'liquidated') }).toEqual({ seed, liquidated: expected.liquidated })
      expect(Math.abs(statistic(summary, 'price') / expected.price - 1)).toBeLessThan(1e-12)
      counts.push(expected.liquidated)
    }
    // From a few loans to nearly all.
    expect(Math.min(...counts)).toBeLessThan(30)
    expect(Math.max(...counts)).toBeGreaterThan(60)
  })

  it('the model itself expects what comes, and refuses by name what is not allowed', () => {
    const run = cascade.start({ seed: 4, ticks: 30 })
    run.advance({})
    const summary = run.summary()
    expect(statistic(summary, 'liquidated')).toBe(statistic(summary, 'expected_loans'))
    expect(Math.abs(statistic(summary, 'price') / statistic(summary, 'expected_price') - 1)).toBeLessThan(1e-12)
    const chains = run.inner.built.clockwork.chains!
    expect(() => chains.view(3, 'mostDebt(uint256)', [2n ** 255n])).toThrow(/Panic\(17\)/)
  })

  it('carries the artifacts that lie beside their sources', () => {
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(new URL(`../../../../model-schema/samples/contracts/${name}.json`, import.meta.url), 'utf8'))
    const contracts = ['liquidation', 'block-auction'].flatMap(id =>
      [...sample(id).model.elements.values()].filter(({ kind }) => kind === 'contract'),
    )
    const artifacts = Object.fromEntries(
      contracts.map(({ fields }) => [String(fields['name']), JSON.parse(String(fields['artifact'])) as unknown]),
    )
    expect(artifacts).toEqual({
      base: read('Token'),
      quote: read('Token'),
      pool: read('Pool'),
      lending: read('Lending'),
      auction: read('BlockAuction'),
    })
  })
})
