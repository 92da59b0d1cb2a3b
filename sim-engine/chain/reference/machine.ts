// The kept reference machine, @ethereumjs/vm: runs the transactions that our machine ran. Senders are impersonated. Loaded on demand only.
import { createBlock } from '@ethereumjs/block'
import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import type { Common, Hardfork } from '@ethereumjs/common'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { createFeeMarket1559Tx } from '@ethereumjs/tx'
import { Account, createAddressFromBigInt } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import type { VM } from '@ethereumjs/vm'
import type { Fork } from '../evm/rules.ts'
import type { Log } from '../evm/state.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { Block } from '../evm/vm.ts'
import { fromBytes, toHex, wordBytes } from '../evm/word.ts'

export type ReferenceReceipt =
  | { readonly status: 'invalid'; readonly reason: string }
  | {
      readonly status: 'success' | 'failed'
      readonly gasUsed: number
      readonly output: Uint8Array
      readonly logs: readonly Log[]
      readonly created: bigint | undefined
    }

export class ReferenceMachine {
  readonly #vm: VM
  readonly #common: Common
  readonly #state: SimpleStateManager
  #hashOf: (number: bigint) => bigint = () => 0n

  private constructor(common: Common, state: SimpleStateManager, vm: (machine: ReferenceMachine) => VM) {
    this.#common = common
    this.#state = state
    this.#vm = vm(this)
  }

  static async make(fork: Fork, chainId = 1n): Promise<ReferenceMachine> {
    const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, { hardfork: fork satisfies `${Hardfork}` as Hardfork })
    const state = new SimpleStateManager({ common })
    let made: ReferenceMachine | null = null
    const blockOf = (number: bigint): { hash(): Uint8Array } => ({ hash: () => wordBytes(made!.#hashOf(number)) })
    const blockchain = {
      getBlock: async (id: number | bigint | Uint8Array) => blockOf(id instanceof Uint8Array ? fromBytes(id) : BigInt(id)),
      putBlock: async () => undefined,
      shallowCopy: () => blockchain,
    }
    const vm = await createVM({ common, stateManager: state, blockchain })
    return (made = new ReferenceMachine(common, state, () => vm))
  }

  async put(address: bigint, balance: bigint, code: Uint8Array, nonce = 0n): Promise<void> {
    const at = createAddressFromBigInt(address)
    await this.#state.putAccount(at, new Account(nonce, balance))
    if (code.length > 0) await this.#state.putCode(at, code)
  }

  async credit(address: bigint, amount: bigint): Promise<void> {
    const at = createAddressFromBigInt(address)
    const account = (await this.#state.getAccount(at)) ?? new Account()
    account.balance += amount
    await this.#state.putAccount(at, account)
  }

  async store(address: bigint, key: bigint, value: bigint): Promise<void> {
    await this.#state.putStorage(createAddressFromBigInt(address), wordBytes(key), wordBytes(value))
  }

  async execute(transaction: Transaction, block: Block): Promise<ReferenceReceipt> {
    const { from, to, nonce, value, data, gasLimit, maxFee, tip } = transaction
    const { number, timestamp, gasLimit: blockGas, baseFee, coinbase, random, hashOf } = block
    this.#hashOf = hashOf
    const receiver = to === undefined ? {} : { to: createAddressFromBigInt(to) }
    try {
      const tx = createFeeMarket1559Tx(
        { ...receiver, chainId: block.chainId, nonce, value, data, gasLimit, maxFeePerGas: maxFee, maxPriorityFeePerGas: tip },
        { common: this.#common, freeze: false },
      )
      tx.getSenderAddress = () => createAddressFromBigInt(from)
      tx.isSigned = () => true
      const header = {
        number,
        timestamp,
        gasLimit: blockGas,
        baseFeePerGas: baseFee,
        coinbase: createAddressFromBigInt(coinbase),
        mixHash: wordBytes(random),
      }
      const made = createBlock({ header }, { common: this.#common, skipConsensusFormatValidation: true })
      const done = await runTx(this.#vm, { tx, block: made, skipHardForkValidation: true })
      const { execResult, createdAddress } = done
      const failed = execResult.exceptionError !== undefined
      return {
        status: failed ? 'failed' : 'success',
        gasUsed: Number(done.totalGasSpent),
        output: execResult.returnValue,
        // A failed transaction keeps no logs; the reference hands out those of before the failure.
        logs: failed
          ? []
          : (execResult.logs ?? []).map(([address, topics, bytes]) => ({
              address: fromBytes(address),
              topics: topics.map(fromBytes),
              data: bytes,
            })),
        created: to === undefined && !failed && createdAddress !== undefined ? fromBytes(createdAddress.bytes) : undefined,
      }
    } catch (error) {
      return { status: 'invalid', reason: error instanceof Error ? error.message.slice(0, 300) : String(error) }
    }
  }

  async account(address: bigint): Promise<{ nonce: bigint; balance: bigint; code: string } | undefined> {
    const at = createAddressFromBigInt(address)
    const account = await this.#state.getAccount(at)
    if (account === undefined) return undefined
    return { nonce: account.nonce, balance: account.balance, code: toHex(await this.#state.getCode(at)) }
  }

  async balance(address: bigint): Promise<bigint> {
    return (await this.account(address))?.balance ?? 0n
  }

  async slot(address: bigint, key: bigint): Promise<bigint> {
    return fromBytes(await this.#state.getStorage(createAddressFromBigInt(address), wordBytes(key)))
  }

  /** How many slots other than 0 an account has. */
  slotCount(address: bigint): number {
    const prefix = createAddressFromBigInt(address).toString()
    let count = 0
    for (const [key, value] of this.#state.storageStack[0]!) if (key.startsWith(prefix) && value.some(byte => byte !== 0)) count++
    return count
  }
}
