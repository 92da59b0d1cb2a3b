// A chain of one sender for tests and benches: accounts, transactions and the contracts of tests/cases/chain.
import { readFileSync } from 'node:fs'
import { Code } from '../../../sim-engine/chain/evm/code.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import type { Fork } from '../../../sim-engine/chain/evm/rules.ts'
import { State } from '../../../sim-engine/chain/evm/state.ts'
import { execute } from '../../../sim-engine/chain/evm/transaction.ts'
import type { Receipt, Transaction } from '../../../sim-engine/chain/evm/transaction.ts'
import { Vm } from '../../../sim-engine/chain/evm/vm.ts'
import { fromHex, wordBytes } from '../../../sim-engine/chain/evm/word.ts'

type Artifact = { code: string; methods: Record<string, string> }
const artifacts = JSON.parse(readFileSync(new URL('../../cases/chain/contracts.json', import.meta.url), 'utf8')) as Record<string, Artifact>

export type Executed = Exclude<Receipt, { status: 'invalid' }>

const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap(part => [...part]))

export const sender = 0x5e4de4n

export class TestChain {
  readonly state = new State()
  readonly vm: Vm
  #nonce = 0n

  constructor(fork: Fork = 'cancun') {
    this.vm = new Vm(this.state, rulesOf[fork], {
      number: 1000n,
      timestamp: 1_800_000_000n,
      gasLimit: 30_000_000n,
      coinbase: 0xc0ffeen,
      baseFee: 0n,
      difficulty: 0n,
      random: 5n,
      chainId: 1n,
      excessBlobGas: 0n,
      hashOf: number => number + 1n,
    })
    this.put(sender, 10n ** 24n)
  }

  put(address: bigint, balance: bigint, code: Uint8Array = new Uint8Array(0)): void {
    this.state.begin()
    const account = this.state.account(address)
    account.exists = true
    account.balance = balance
    account.code = new Code(code)
    this.state.end()
  }

  /** Sends a transaction whatever comes of it. */
  attempt(transaction: Partial<Transaction>): Receipt {
    const defaults = {
      from: sender,
      to: undefined,
      nonce: this.#nonce,
      value: 0n,
      data: new Uint8Array(0),
      gasLimit: 10_000_000n,
      maxFee: 0n,
      tip: 0n,
      accessList: [],
    }
    const receipt = execute(this.vm, { ...defaults, ...transaction })
    if (receipt.status !== 'invalid') this.#nonce++
    return receipt
  }

  /** Sends a transaction that is valid. */
  send(transaction: Partial<Transaction>): Executed {
    const receipt = this.attempt(transaction)
    if (receipt.status === 'invalid') throw new Error(receipt.reason)
    return receipt
  }

  /** Runs code in an account of its own. */
  runCode(hex: string, data = new Uint8Array(0), gasLimit = 10_000_000n): Executed {
    this.put(0xc0den, 0n, fromHex(hex)!)
    return this.send({ to: 0xc0den, data, gasLimit })
  }

  deploy(name: string, ...args: bigint[]): bigint {
    const receipt = this.send({ data: concat(fromHex(artifacts[name]!.code)!, ...args.map(wordBytes)) })
    if (receipt.created === undefined) throw new Error(`${name}: ${receipt.end}`)
    return receipt.created
  }

  call(name: string, to: bigint, method: string, ...args: bigint[]): Executed {
    return this.send({ to, data: callData(name, method, ...args) })
  }
}

export function callData(name: string, method: string, ...args: bigint[]): Uint8Array {
  return concat(fromHex(artifacts[name]!.methods[method]!)!, ...args.map(wordBytes))
}
