// Storage in snapshots: pages that follow from the keys alone, shared between the snapshots of a run.
import { describe, expect, it } from 'vitest'
import { noPages } from '../../../sim-engine/chain/evm/pages.ts'
import { State } from '../../../sim-engine/chain/evm/state.ts'
import { loadState, saveState } from '../../../sim-engine/chain/save.ts'
import { hashOf } from '../../../sim-engine/kernel/snapshot.ts'
import { chance } from '../../help/random.ts'

const bytesIn = (value: unknown, known: Set<unknown>): number => {
  if (value instanceof Uint8Array) return known.has(value) ? 0 : (known.add(value), value.length)
  return value !== null && typeof value === 'object' ? Object.values(value).reduce((sum: number, one) => sum + bytesIn(one, known), 0) : 0
}

function write(state: State, address: bigint, slots: Iterable<readonly [bigint, bigint]>): void {
  state.begin()
  const account = state.account(address)
  state.setNonce(account, account.nonce + 1n)
  for (const [key, value] of slots) state.write(state.slot(account, key), value)
  state.end()
}

describe('pages of storage', () => {
  it('are those of a map, however they came about (300 changes, 20 seeds)', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = chance(seed)
      const known = new Map<bigint, bigint>()
      let pages = noPages
      for (let at = 0; at < 300; at++) {
        const changes = new Map<bigint, bigint | undefined>()
        for (let k = random.below(6); k >= 0; k--) {
          const key = BigInt(random.below(400)) ** BigInt(1 + random.below(20))
          const value = random.below(4) === 0 ? undefined : BigInt(random.below(1000))
          changes.set(key, value)
          if (value === undefined) known.delete(key)
          else known.set(key, value)
        }
        pages = pages.with(changes)
      }
      expect(new Map(pages.rows())).toEqual(known)
      for (const [key, value] of known) expect(pages.get(key)).toBe(value)
      expect(pages.get(401n ** 3n)).toBe(undefined)
      const atOnce = noPages.with(new Map([...known].toReversed()))
      expect(atOnce.pages).toEqual(pages.pages)
    }
  })
})

describe('snapshots of a state', () => {
  it('copy what changed: one slot of 20,000 costs one page', () => {
    const state = new State()
    const slots = Array.from({ length: 20_000 }, (_, k) => [BigInt(k) * 0x9e3779b97f4a7c15f39cc0605cedc834n, BigInt(k + 1)] as const)
    write(state, 0xaan, slots)
    const known = new Set<unknown>()
    const first = saveState(state)
    expect(bytesIn(first, known)).toBe(20_000 * 64)
    write(state, 0xaan, [[slots[7]![0], 5n]])
    expect(bytesIn(saveState(state), known)).toBeLessThan(64 * 100)
    // The first snapshot is what it was; one that is loaded has the same hash, and reads and writes go on from it.
    const back = loadState(first, state)
    expect(hashOf(saveState(back))).toBe(hashOf(first))
    const account = back.account(0xaan)
    expect([back.slot(account, slots[7]![0]).value, back.slot(account, 3n).value]).toEqual([8n, 0n])
    write(back, 0xaan, [[slots[7]![0], 5n]])
    expect(hashOf(saveState(back))).toBe(hashOf(saveState(state)))
  })

  it('leave out slots that are 0 again, and what a failed transaction wrote', () => {
    const state = new State()
    write(state, 1n, [[5n, 6n]])
    const before = hashOf(saveState(state))
    state.begin()
    const mark = state.mark()
    const account = state.account(1n)
    state.write(state.slot(account, 5n), 9n)
    state.write(state.slot(account, 6n), 9n)
    state.revert(mark)
    state.end()
    expect(hashOf(saveState(state))).toBe(before)
    expect([...state.slotsOf(account)]).toEqual([[5n, 6n]])
  })
})
