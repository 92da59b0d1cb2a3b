// One case of the official state tests, run on our machine.
import { Code } from '../../../sim-engine/chain/evm/code.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import type { Fork } from '../../../sim-engine/chain/evm/rules.ts'
import { State } from '../../../sim-engine/chain/evm/state.ts'
import { execute } from '../../../sim-engine/chain/evm/transaction.ts'
import type { Authorization, Transaction } from '../../../sim-engine/chain/evm/transaction.ts'
import { Vm } from '../../../sim-engine/chain/evm/vm.ts'
import type { Block } from '../../../sim-engine/chain/evm/vm.ts'
import { fromBytes, fromHex, toHex } from '../../../sim-engine/chain/evm/word.ts'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { logsHash, stateRoot } from './trie.ts'

export type Expected = { hash: string; logs: string; indexes: { data: number; gas: number; value: number }; expectException?: string }
type AccountJson = { balance: string; code: string; nonce: string; storage: Record<string, string> }
type AccessJson = { address: string; storageKeys: string[] }[]
export type StateTest = {
  env: Record<string, string>
  pre: Record<string, AccountJson>
  post: Record<string, Expected[]>
  transaction: {
    data: string[]
    gasLimit: string[]
    value: string[]
    gasPrice?: string
    maxFeePerGas?: string
    maxPriorityFeePerGas?: string
    maxFeePerBlobGas?: string
    blobVersionedHashes?: string[]
    accessLists?: (AccessJson | null)[]
    authorizationList?: Record<string, string>[]
    nonce: string
    sender: string
    to: string
  }
}

const bytesOf = (text: string): Uint8Array => fromHex(text.length % 2 === 0 ? text : `0x0${text.slice(2)}`)!
const numberOf = (text: string | undefined, otherwise = 0n): bigint => (text === undefined || text === '' ? otherwise : BigInt(text))

function stateOf(pre: StateTest['pre']): State {
  const state = new State()
  state.begin()
  for (const [address, json] of Object.entries(pre)) {
    const account = state.account(BigInt(address))
    account.exists = true
    account.balance = BigInt(json.balance)
    account.nonce = BigInt(json.nonce)
    account.code = new Code(bytesOf(json.code))
    for (const [key, value] of Object.entries(json.storage)) state.slot(account, BigInt(key)).value = BigInt(value)
  }
  state.end()
  return state
}

function blockOf(env: StateTest['env']): Block {
  return {
    number: numberOf(env.currentNumber),
    timestamp: numberOf(env.currentTimestamp),
    gasLimit: numberOf(env.currentGasLimit),
    coinbase: numberOf(env.currentCoinbase),
    baseFee: numberOf(env.currentBaseFee),
    difficulty: numberOf(env.currentDifficulty),
    random: numberOf(env.currentRandom),
    chainId: 1n,
    excessBlobGas: numberOf(env.currentExcessBlobGas),
    hashOf: number => fromBytes(keccak_256(new TextEncoder().encode(String(number)))),
  }
}

function transactionOf(test: StateTest, { indexes }: Expected): Transaction {
  const json = test.transaction
  const gasPrice = numberOf(json.gasPrice)
  return {
    from: BigInt(json.sender),
    to: json.to === '' ? undefined : BigInt(json.to),
    nonce: BigInt(json.nonce),
    value: numberOf(json.value[indexes.value]),
    data: bytesOf(json.data[indexes.data]!),
    gasLimit: numberOf(json.gasLimit[indexes.gas]),
    maxFee: numberOf(json.maxFeePerGas, gasPrice),
    tip: numberOf(json.maxPriorityFeePerGas, gasPrice),
    accessList: (json.accessLists?.[indexes.data] ?? []).map(entry => ({
      address: BigInt(entry.address),
      slots: entry.storageKeys.map(BigInt),
    })),
    ...(json.maxFeePerBlobGas === undefined
      ? {}
      : { blobs: { hashes: (json.blobVersionedHashes ?? []).map(BigInt), maxFee: BigInt(json.maxFeePerBlobGas) } }),
    ...(json.authorizationList === undefined ? {} : { authorizations: json.authorizationList.map(authorizationOf) }),
  }
}

const authorizationOf = (one: NonNullable<StateTest['transaction']['authorizationList']>[number]): Authorization => ({
  chainId: numberOf(one.chainId),
  address: numberOf(one.address),
  nonce: numberOf(one.nonce),
  parity: Number(numberOf(one.v ?? one.yParity)),
  r: numberOf(one.r),
  s: numberOf(one.s),
})

/** What differs from the expected outcome; `undefined` if nothing does. */
export function runStateCase(test: StateTest, fork: Fork, expected: Expected): string | undefined {
  const state = stateOf(test.pre)
  const vm = new Vm(state, rulesOf[fork], blockOf(test.env))
  const receipt = execute(vm, transactionOf(test, expected))
  const detail = receipt.status === 'invalid' ? receipt.reason : `${receipt.end}, ${receipt.gasUsed} gas`
  if ((expected.expectException !== undefined) !== (receipt.status === 'invalid'))
    return `expected ${expected.expectException ?? 'no exception'}, got ${detail}`
  const root = toHex(stateRoot(state))
  if (root !== expected.hash) return `state root ${root} instead of ${expected.hash} (${detail})`
  const logs = toHex(logsHash(receipt.status === 'invalid' ? [] : receipt.logs))
  return logs === expected.logs ? undefined : `logs ${logs} instead of ${expected.logs} (${detail})`
}
