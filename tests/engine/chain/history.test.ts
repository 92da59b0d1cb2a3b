// Hashes of earlier blocks in the contract of EIP-2935: on local chains and forks from Prague on, equal to the reference machine.
import { createBlock } from '@ethereumjs/block'
import { Common, Mainnet } from '@ethereumjs/common'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromBigInt } from '@ethereumjs/util'
import { createVM, runBlock } from '@ethereumjs/vm'
import { describe, expect, test } from 'vitest'
import { historyAddress, historyCode } from '../../../sim-engine/chain/evm/history.ts'
import { EvmMachine } from '../../../sim-engine/chain/evm/machine.ts'
import type { Fork } from '../../../sim-engine/chain/evm/rules.ts'
import { toHex, wordBytes } from '../../../sim-engine/chain/evm/word.ts'
import { keccakWord } from '../../../sim-engine/chain/evm/keccak.ts'
import { digestOf, RecordedBase } from '../../../sim-engine/chain/fork/recorded-state.ts'
import { Ledger } from '../../../sim-engine/chain/ledger.ts'
import { Verification } from '../../../sim-engine/chain/reference/verify.ts'

const sender = 5n

function ledgerOf(rules: Fork, base: RecordedBase | null = null): { ledger: Ledger; machine: EvmMachine } {
  const start = base?.recording.block.number ?? 0n
  const plan = {
    id: 'net',
    isFork: base !== null,
    chainId: 1n,
    rules,
    start,
    first: start + 1n,
    startsAt: 1_750_000_000,
    tickSeconds: 1,
    gasPrice: 0n,
    gasLimit: 30_000_000n,
    isInstant: true,
    finality: 1,
    ordering: 'fee',
    baseFee: null,
  } as const
  let machine: EvmMachine | null = null
  const ledger = new Ledger(
    plan,
    { time: () => 0, seed: () => 7, below: () => 0 },
    made => (machine = new EvmMachine({ rules, chainId: 1n, coinbase: 1n, hashOf: number => made.hashOf(number) }, base)),
    base,
  )
  return { ledger, machine: machine! }
}

const makeBlocks = (ledger: Ledger, count: number): void => {
  for (let k = 0; k < count; k++)
    ledger.sendNow({ from: sender, to: 0x99n, value: 0n, data: new Uint8Array(0), gas: null, maxFee: 0n, tip: 0n, method: 'x' })
}

/** What the contract says of a block. */
const kept = (ledger: Ledger, number: bigint): string => {
  const { end, output } = ledger.read(sender, historyAddress, wordBytes(number))
  return end === 'returned' ? toHex(output) : end
}
const hash = (ledger: Ledger, number: bigint): string => toHex(wordBytes(ledger.hashOf(number)))

describe('the contract that keeps hashes of blocks', () => {
  test('has those of blocks further back than BLOCKHASH, and of no block to come', () => {
    const { ledger } = ledgerOf('prague')
    ledger.begin()
    makeBlocks(ledger, 300)
    for (const number of [0n, 1n, 20n, 299n, 300n]) expect([number, kept(ledger, number)]).toEqual([number, hash(ledger, number)])
    expect([kept(ledger, 301n), kept(ledger, 2n ** 200n)]).toEqual(['reverted', 'reverted'])
  })

  test('comes back with a snapshot', () => {
    const { ledger } = ledgerOf('osaka')
    ledger.begin()
    makeBlocks(ledger, 5)
    const saved = ledger.save()
    makeBlocks(ledger, 5)
    ledger.load(saved)
    expect([kept(ledger, 5n), kept(ledger, 6n)]).toEqual([hash(ledger, 5n), 'reverted'])
    expect(ledger.save()).toEqual(saved)
  })

  test('is not there before Prague', () => {
    const { ledger } = ledgerOf('cancun')
    ledger.begin()
    makeBlocks(ledger, 2)
    expect([ledger.isContract(historyAddress), ledgerOf('cancun').machine.storageOf(historyAddress)]).toEqual([false, null])
  })

  test('on a fork it goes on from what is recorded; where it is not recorded, nothing is asked for', () => {
    const codeHash = keccakWord(historyCode.bytes)
    const block = { number: 1000n, hash: 77n, stateRoot: 0n, timestamp: 1_749_999_990, baseFee: 0n, gasLimit: 30_000_000n }
    const recorded = (accounts: ReadonlyMap<bigint, unknown>): RecordedBase =>
      new RecordedBase({
        content: 'x',
        digest: digestOf('x'),
        recording: {
          chainId: 1n,
          block,
          accounts,
          codes: new Map([[codeHash, historyCode.bytes]]),
          slots: new Map([[historyAddress, new Map([[990n, 123n]])]]),
          hashes: new Map(),
        } as never,
      })
    const none = { nonce: 0n, balance: 0n, codeHash: keccakWord(new Uint8Array(0)) }
    const others = [sender, 0x99n, 1n].map(address => [address, none] as const)
    const fork = ledgerOf('prague', recorded(new Map<bigint, unknown>([...others, [historyAddress, { ...none, nonce: 1n, codeHash }]])))
    fork.ledger.begin()
    makeBlocks(fork.ledger, 3)
    expect(kept(fork.ledger, 990n)).toBe(toHex(wordBytes(123n)))
    for (const number of [1000n, 1001n, 1003n]) expect(kept(fork.ledger, number)).toBe(hash(fork.ledger, number))
    const saved = fork.ledger.save()
    fork.ledger.load(saved)
    expect(kept(fork.ledger, 1003n)).toBe(hash(fork.ledger, 1003n))
    const without = ledgerOf('prague', recorded(new Map(others)))
    without.ledger.begin()
    makeBlocks(without.ledger, 2)
    expect(without.ledger.number).toBe(1002n)
  })

  test('holds what blocks of the reference machine write by themselves', async () => {
    const { ledger, machine } = ledgerOf('prague')
    ledger.begin()
    makeBlocks(ledger, 5)
    const common = new Common({ chain: Mainnet, hardfork: 'prague' })
    const stateManager = new MerkleStateManager({ common })
    const vm = await createVM({ common, stateManager })
    const at = createAddressFromBigInt(historyAddress)
    await stateManager.putAccount(at, new Account(1n, 0n))
    await stateManager.putCode(at, historyCode.bytes)
    const kinds = { skipHeaderValidation: true, skipBlockValidation: true, skipHardForkValidation: true, generate: true }
    for (let number = 1n; number <= 5n; number++) {
      const header = {
        number,
        parentHash: wordBytes(ledger.hashOf(number - 1n)),
        gasLimit: 30_000_000n,
        timestamp: 1_750_000_000n + number,
      }
      await runBlock(vm, { ...kinds, block: createBlock({ header }, { common, skipConsensusFormatValidation: true }) })
    }
    for (let number = 0n; number < 5n; number++)
      expect(toHex(await stateManager.getStorage(at, wordBytes(number)))).toBe(hash(ledger, number))
    const slots = new Map(machine.storageOf(historyAddress)!.map(({ key, value }) => [key, value]))
    for (let number = 0n; number < 5n; number++) expect(slots.get(toHex(wordBytes(number)))).toBe(hash(ledger, number))
  })

  test('is compared when a run is verified by the reference machine', async () => {
    const verification = new Verification(100)
    const { ledger, machine } = ledgerOf('prague')
    verification.options.made!(ledger, 'net')
    ledger.begin()
    makeBlocks(ledger, 3)
    const ask = { from: sender, to: historyAddress, value: 0n, gas: null, maxFee: 0n, tip: 0n, method: 'get' }
    expect([2n, 9n].map(number => ledger.sendNow({ ...ask, data: wordBytes(number) }).status)).toEqual(['success', 'reverted'])
    const [verdict] = await verification.finish()
    expect(verdict).toMatchObject({ transactions: 5, slots: 6, difference: null })
    expect(machine.state.accounts.get(historyAddress)?.nonce).toBe(1n)
  })
})
