// The kept reference machine, @ethereumjs/vm: runs the transactions that our machine ran, for comparison. Senders are impersonated.
import { createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { createFeeMarket1559Tx } from '@ethereumjs/tx'
import { Account, Address } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import type { VM } from '@ethereumjs/vm'
import { addressBytes, fromBytes, wordBytes } from '../../sim-engine/chain/evm/word.ts'

export type ReferenceReceipt = {
  failed: boolean
  gasUsed: number
  output: Uint8Array
  logs: { address: bigint; topics: bigint[]; data: Uint8Array }[]
}

const hardforks = { shanghai: Hardfork.Shanghai, cancun: Hardfork.Cancun } as const

export class ReferenceMachine {
  readonly #vm: VM
  readonly #common: Common

  private constructor(vm: VM, common: Common) {
    this.#vm = vm
    this.#common = common
  }

  static async make(fork: keyof typeof hardforks): Promise<ReferenceMachine> {
    const common = new Common({ chain: Mainnet, hardfork: hardforks[fork] })
    return new ReferenceMachine(await createVM({ common, stateManager: new SimpleStateManager({ common }) }), common)
  }

  async put(address: bigint, balance: bigint, code: Uint8Array): Promise<void> {
    const at = new Address(addressBytes(address))
    await this.#vm.stateManager.putAccount(at, new Account(0n, balance))
    if (code.length > 0) await this.#vm.stateManager.putCode(at, code)
  }

  async store(address: bigint, key: bigint, value: bigint): Promise<void> {
    await this.#vm.stateManager.putStorage(new Address(addressBytes(address)), wordBytes(key), wordBytes(value))
  }

  async send(from: bigint, nonce: bigint, to: bigint, value: bigint, data: Uint8Array, gasLimit: bigint): Promise<ReferenceReceipt> {
    const options = { common: this.#common, freeze: false }
    const tx = createFeeMarket1559Tx(
      { nonce, to: new Address(addressBytes(to)), value, data, gasLimit, maxFeePerGas: 10n, maxPriorityFeePerGas: 0n },
      options,
    )
    tx.getSenderAddress = () => new Address(addressBytes(from))
    tx.isSigned = () => true
    const block = createBlock(
      {
        header: {
          number: 20_000_000n,
          timestamp: 1_800_000_000n,
          gasLimit: 30_000_000n,
          baseFeePerGas: 7n,
          coinbase: new Address(addressBytes(0xc0ffeen)),
        },
      },
      { common: this.#common, skipConsensusFormatValidation: true },
    )
    const done = await runTx(this.#vm, { tx, block, skipHardForkValidation: true })
    const { execResult } = done
    return {
      failed: execResult.exceptionError !== undefined,
      gasUsed: Number(done.totalGasSpent),
      output: execResult.returnValue,
      logs: (execResult.logs ?? []).map(([address, topics, bytes]) => ({
        address: fromBytes(address),
        topics: topics.map(fromBytes),
        data: bytes,
      })),
    }
  }

  async balance(address: bigint): Promise<bigint> {
    return (await this.#vm.stateManager.getAccount(new Address(addressBytes(address))))?.balance ?? 0n
  }

  async slot(address: bigint, key: bigint): Promise<bigint> {
    return fromBytes(await this.#vm.stateManager.getStorage(new Address(addressBytes(address)), wordBytes(key)))
  }
}
