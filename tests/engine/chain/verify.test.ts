// Verify with the reference machine: equal where the machines agree, and the first difference where something is not as it should be.
import { namedAddress } from '../../../sim-engine/chain/accounts.ts'
import { EvmMachine } from '../../../sim-engine/chain/evm/machine.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { curveParts, loadCurves } from '../../../sim-engine/chain/evm/protocol/curves.ts'
import { Ledger } from '../../../sim-engine/chain/ledger.ts'
import type { LedgerPlan } from '../../../sim-engine/chain/ledger.ts'
import { Verification } from '../../../sim-engine/chain/reference/verify.ts'
import { fromHex } from '../../../sim-engine/chain/evm/word.ts'

beforeAll(() => loadCurves(curveParts))

const plan: LedgerPlan = {
  id: 'net',
  isFork: false,
  chainId: 31_337n,
  rules: 'cancun',
  start: 0n,
  first: 1n,
  startsAt: 1_700_000_000,
  tickSeconds: 1,
  gasPrice: 3n,
  gasLimit: 30_000_000n,
  isInstant: true,
  finality: 1,
  ordering: 'fee',
  baseFee: null,
}
const hex = (digits: string): Uint8Array => fromHex(digits)!
/** Creates a contract with the given code. */
const creation = (code: string): Uint8Array =>
  hex(`60${(code.length / 2).toString(16).padStart(2, '0')}600c60003960${(code.length / 2).toString(16).padStart(2, '0')}6000f3${code}`)
/** Stores the number of the block, its time, randomness, an earlier hash and the chain id, each where the number says; then emits them. */
const environment = '4360015542600255446003556001430340600455466005554360005260206000a0'

const ledgerOf = (made: LedgerPlan): Ledger =>
  new Ledger(
    made,
    { time: () => 0, seed: () => 4, below: () => 0 },
    ledger =>
      new EvmMachine(
        { rules: made.rules, chainId: made.chainId, coinbase: namedAddress(made, 'coinbase'), hashOf: number => ledger.hashOf(number) },
        null,
      ),
  )

function runOf(rules: LedgerPlan['rules'], between: (ledger: Ledger) => void = () => undefined): Verification {
  const verification = new Verification(100)
  const ledger = ledgerOf({ ...plan, rules })
  verification.options.made!(ledger, 'net')
  ledger.credit(5n, 10n ** 18n)
  const contract = ledger.deploy(9n, creation(environment), 0n).created!
  const send = (to: bigint | undefined, data: Uint8Array, value = 0n) =>
    ledger.sendNow({ from: 5n, to, value, data, gas: 500_000n, maxFee: 3n, tip: 3n, method: 'x' })
  expect(send(contract, hex('')).status).toBe('success')
  between(ledger)
  send(0x77n, hex(''), 12n)
  send(undefined, creation('fe'))
  // More than it has: refused on both.
  expect(send(0x77n, hex(''), 10n ** 30n).status).toBe('refused')
  return verification
}

describe('verification with the reference machine', () => {
  it.each(['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const)(
    '%s: blocks, creations and refusals are the same',
    async rules => {
      const [verdict] = await runOf(rules).finish()
      expect(verdict).toMatchObject({ chain: 'net', transactions: 5, difference: null })
      expect(verdict!.slots).toBeGreaterThan(3)
    },
  )

  it('names the first transaction that differs, and state that nothing explains', async () => {
    const tampered = await runOf('cancun', ({ machine }) => {
      const { state } = machine as EvmMachine
      const account = state.account(5n)
      account.nonce += 1n
    }).finish()
    expect(tampered[0]!.difference).toMatchObject({ block: 2, what: 'status', ours: 'success', theirs: expect.stringContaining('invalid') })
    const richer = await runOf('cancun', ({ machine }) => {
      const { state } = machine as EvmMachine
      state.begin()
      state.setBalance(state.account(0x99n), 1n)
      state.end()
    }).finish()
    expect(richer[0]!.difference).toMatchObject({ block: null, what: expect.stringContaining('balance of 0x'), ours: '1', theirs: '0' })
  })

  it('says how far it is, and stops when it is told to', async () => {
    const verification = new Verification(3)
    const ledger = ledgerOf(plan)
    verification.options.made!(ledger, 'net')
    for (let k = 0; k < 40; k++)
      ledger.sendNow({ from: 5n, to: 6n, value: 0n, data: hex(''), gas: 30_000n, maxFee: 0n, tip: 0n, method: 'x' })
    expect(verification.isFull).toBe(true)
    const told: number[][] = []
    const stopped = verification.finish((done, of) => {
      told.push([done, of])
      if (done === 32) throw new RangeError('enough')
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(told).toEqual([
      [16, 40],
      [32, 40],
    ])
  })
})
