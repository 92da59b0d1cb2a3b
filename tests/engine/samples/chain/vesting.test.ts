// Linear vesting with a cliff in whole units: after month m a member has been paid grant x m // 24, nothing before the cliff; tokens are neither
// lost nor made: what was minted is held, locked, in the shop, in the bank, or burnt.
import { describe, expect, it } from 'vitest'
import { loadChain } from '../../../../sim-engine/chain.ts'
import { sample, statistic } from '../../../help/samples.ts'

await loadChain()
const model = sample('vesting')

describe('vesting', () => {
  it('pays each member to the unit, each month', () => {
    const run = model.start()
    const chains = run.inner.built.clockwork.chains!
    const members = run.program.checked.parts.entities.find(({ name }) => name === 'Member')!
    const population = run.world.population(members.index)
    const [month, cliff, months] = [2_592_000n, 6, 24]
    const start = BigInt(chains.ledgers[0]!.plan.startsAt)
    for (let m = 1; m <= 30; m++) {
      run.advance({ until: m })
      for (let k = 0; k < population.livingCount; k += 7) {
        const id = population.ids[population.living[k]!]!
        const grant = BigInt(1000 + 100 * id) * 10n ** 18n + BigInt(id)
        const address = chains.accountOf(0, members.index, population.handles[population.living[k]!]!)
        const { items } = chains.view(1, 'grants(address)', [address]) as { items: readonly bigint[] }
        // What is due at month m - 1 is asked for then, and paid in the block of month m.
        const paid = m - 1 < cliff ? 0n : m >= months ? grant : (grant * BigInt(m)) / BigInt(months)
        expect({ m, id, granted: items[0], paid: items[1] }).toEqual({ m, id, granted: grant, paid })
        const at = start + BigInt(m) * month
        expect(chains.view(1, 'vested(address,uint64)', [address, at])).toBe(
          m < cliff ? 0n : m >= months ? grant : (grant * BigInt(m)) / BigInt(months),
        )
      }
      expect(statistic(run.summary(), 'drift')).toBe(0)
    }
  })

  it('burns half of what the shop has each month', () => {
    const summary = model.run()
    expect(statistic(summary, 'released')).toBeCloseTo(41_000, 9)
    expect(statistic(summary, 'held') + statistic(summary, 'shop') + statistic(summary, 'burnt')).toBeCloseTo(41_000, 6)
    expect(statistic(summary, 'burnt')).toBeGreaterThan(13_000)
  })
})
