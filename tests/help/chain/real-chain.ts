// A small chain as a real one would be, for nodes that serve it: a token of which a whale holds a million, and accounts that make its trie deep.
import { readFileSync } from 'node:fs'
import { readInterface } from '../../../sim-engine/chain/abi.ts'
import type { Interface } from '../../../sim-engine/chain/abi.ts'
import { addressText } from '../../../sim-engine/chain/accounts.ts'
import { Codec } from '../../../sim-engine/chain/codec.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import { State } from '../../../sim-engine/chain/evm/state.ts'
import { execute } from '../../../sim-engine/chain/evm/transaction.ts'
import { Vm } from '../../../sim-engine/chain/evm/vm.ts'
import { chance } from '../random.ts'

const artifact = readFileSync(new URL('../../../model-schema/samples/contracts/Token.json', import.meta.url), 'utf8')
const face = readInterface({ artifact, abi: '', code: '' }) as Interface
export const whale = 0xbe0eb53f46cd790cd13851d5eff43d12404d33e8n
export const blockNumber = 20_000_000n
export const timestamp = 1_717_281_407n

/** A block of that chain without fees. */
export const blockAt = (number: bigint) => ({
  number,
  timestamp,
  gasLimit: 30_000_000n,
  coinbase: 0n,
  baseFee: 0n,
  difficulty: 0n,
  random: 0n,
  chainId: 1n,
  excessBlobGas: 0n,
  hashOf: () => 0n,
})

export function realChain(): { state: State; token: bigint } {
  const state = new State()
  state.begin()
  const random = chance(5)
  for (let k = 0; k < 60; k++) state.setBalance(state.account(BigInt(1 + random.below(2 ** 30)) << 60n), BigInt(1 + random.below(1e9)))
  state.setBalance(state.account(whale), 10n ** 21n)
  state.end()
  const vm = new Vm(state, rulesOf.cancun, blockAt(blockNumber))
  const data = new Codec(face).creation([addressText(whale), 10n ** 24n], () => undefined)
  const made = execute(vm, {
    from: whale,
    to: undefined,
    nonce: 0n,
    value: 0n,
    data,
    gasLimit: 5_000_000n,
    maxFee: 0n,
    tip: 0n,
    accessList: [],
  })
  if (made.status !== 'success') throw new Error('the token was not created')
  return { state, token: made.created! }
}
