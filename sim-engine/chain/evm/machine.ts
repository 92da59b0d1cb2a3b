// The Ethereum virtual machine under a ledger: its state, its block, and what a fork does not know.
import type { State as Saved } from '../../kernel/snapshot.ts'
import type { RecordedBase } from '../fork/recorded-state.ts'
import type { AccountState, Block, Executed, Machine, Noted, Simulated, Slot, Transaction, Viewed } from '../machine.ts'
import { loadState, saveState } from '../save.ts'
import { historyAddress, historyCode, historySlot } from './history.ts'
import { maxTransactionGasOsaka, rulesOf } from './rules.ts'
import type { Fork } from './rules.ts'
import { State } from './state.ts'
import type { Account } from './state.ts'
import { execute, simulate, view } from './transaction.ts'
import type { Receipt } from './transaction.ts'
import { Vm } from './vm.ts'
import type { Block as EvmBlock } from './vm.ts'

/** What changed the accounts of a chain, in its order: enough for another machine to do the same. */
export type Deed =
  | { readonly is: 'credit'; readonly address: bigint; readonly amount: bigint }
  | { readonly is: 'code'; readonly address: bigint; readonly code: Uint8Array }
  | { readonly is: 'slot'; readonly address: bigint; readonly key: bigint; readonly value: bigint }
  | {
      readonly is: 'transaction'
      readonly transaction: Transaction
      readonly method: string
      readonly block: EvmBlock
      readonly receipt: Receipt
    }

/** Most gas of a transaction that asks for no other amount: as much as blocks of Ethereum have; from Osaka on 2^24. */
const mostGas = { before: 60_000_000n, osaka: BigInt(maxTransactionGasOsaka) } as const

type EvmPlan = {
  readonly rules: Fork
  readonly chainId: bigint
  readonly coinbase: bigint
  readonly hashOf: (number: bigint) => bigint
}

const hex = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

export class EvmMachine implements Machine {
  readonly family = 'ethereum'
  readonly unit = 'wei'
  state: State
  readonly #plan: EvmPlan
  readonly base: RecordedBase | null
  /** Receives everything that changes accounts; null without an observer. */
  witness: ((deed: Deed) => void) | null = null
  #vm: Vm

  constructor(plan: EvmPlan, base: RecordedBase | null) {
    this.#plan = plan
    this.base = base
    this.state = new State(base)
    this.#vm = this.#made()
  }

  #made(): Vm {
    const { rules, chainId, coinbase, hashOf } = this.#plan
    const block = { number: 0n, timestamp: 0n, gasLimit: 0n, baseFee: 0n, difficulty: 0n, random: 0n, excessBlobGas: 0n }
    return new Vm(this.state, rulesOf[rules], { ...block, coinbase, chainId, hashOf })
  }

  get mostGas(): bigint {
    return this.#vm.rules.osaka ? mostGas.osaka : mostGas.before
  }

  enter({ number, timestamp, baseFee, gasLimit, random }: Block): void {
    const { block } = this.#vm
    block.number = number
    block.timestamp = BigInt(timestamp)
    block.baseFee = baseFee
    block.gasLimit = gasLimit
    Object.defineProperty(block, 'random', { configurable: true, enumerable: true, get: random })
  }

  /** The account at an address; of a fork also one that has not been read yet. */
  #accountAt(address: bigint): Account | undefined {
    const known = this.state.accounts.get(address)
    if (known !== undefined || this.base === null) return known
    return this.#guarded(() => {
      this.state.begin()
      const account = this.state.account(address)
      this.state.end()
      return account
    })
  }

  /** State that a fork does not have, or code that is not loaded, aborts the transaction: it is undone, and the run gets the error. */
  #guarded<T>(run: () => T): T {
    let outcome: T
    try {
      outcome = run()
    } catch (error) {
      this.#vm.calls = null
      this.state.abandon()
      throw error
    }
    this.base?.settle()
    return outcome
  }

  balanceOf(address: bigint): bigint {
    return this.#accountAt(address)?.balance ?? 0n
  }

  nonceOf(address: bigint): bigint {
    return this.#accountAt(address)?.nonce ?? 0n
  }

  isContract(address: bigint): boolean {
    return (this.#accountAt(address)?.code.bytes.length ?? 0) > 0
  }

  credit(address: bigint, amount: bigint): void {
    this.#guarded(() => {
      this.state.begin()
      const account = this.state.account(address)
      if (amount > 0n) this.state.setBalance(account, account.balance + amount)
      this.state.end()
    })
    this.witness?.({ is: 'credit', address, amount })
  }

  begin(): void {
    // Of a fork, what was recorded says whether it is there.
    if (!this.#vm.rules.prague || this.base !== null) return
    this.state.begin()
    const account = this.state.account(historyAddress)
    this.state.setCode(account, historyCode)
    this.state.setNonce(account, 1n)
    this.state.end()
    this.witness?.({ is: 'code', address: historyAddress, code: historyCode.bytes })
  }

  keepHash(number: bigint, hash: bigint): void {
    if (!this.#vm.rules.prague || this.base?.hasCode(historyAddress) === false) return
    const [account, key] = [this.#accountAt(historyAddress), historySlot(number)]
    if (account === undefined) return
    this.state.put(account, key, hash)
    this.witness?.({ is: 'slot', address: historyAddress, key, value: hash })
  }

  execute(transaction: Transaction, { method, calls }: Noted): Executed {
    this.#vm.calls = calls
    const receipt = this.#guarded(() => execute(this.#vm, { ...transaction, accessList: [] }))
    this.#vm.calls = null
    this.witness?.({ is: 'transaction', transaction, method, block: { ...this.#vm.block }, receipt })
    return receipt
  }

  simulate(transaction: Transaction): Simulated | { readonly end: 'not enough funds' } {
    return this.#guarded(() => simulate(this.#vm, { ...transaction, accessList: [] }))
  }

  view(from: bigint, to: bigint, data: Uint8Array, gas: number): Viewed {
    return this.#guarded(() => view(this.#vm, from, to, data, gas))
  }

  *accounts(): Iterable<AccountState> {
    for (const { exists, address, balance, nonce, code } of this.state.accounts.values())
      if (exists) yield { address, balance, nonce, isContract: code.bytes.length > 0 }
  }

  storageOf(address: bigint): readonly Slot[] | null {
    const account = this.state.accounts.get(address)
    if (!account) return null
    const slots = [...this.state.slotsOf(account)].filter(([, value]) => value !== 0n).sort(([a], [b]) => ascending(a, b))
    return slots.map(([key, value]) => ({ key: hex(key), value: hex(value) }))
  }

  save(): Saved {
    return saveState(this.state)
  }

  load(saved: Saved): void {
    this.state = loadState(saved, this.state)
    this.#vm = this.#made()
  }
}
