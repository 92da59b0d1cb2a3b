// What comes of transactions on anvil and on our machine, in one form, and what is different.
import { gunzipSync } from 'node:zlib'
import type { State } from '../../sim-engine/chain/evm/state.ts'
import type { Receipt } from '../../sim-engine/chain/evm/transaction.ts'
import type { Block } from '../../sim-engine/chain/evm/vm.ts'
import { addressBytes, fromHex, toHex, wordBytes } from '../../sim-engine/chain/evm/word.ts'
import { Refused } from './anvil-node.ts'
import type { Anvil, Call } from './anvil-node.ts'
import { chainId } from './transactions.ts'
import type { Placed, Sent } from './transactions.ts'

export const hex = (value: bigint): string => `0x${value.toString(16)}`
export const addressHex = (address: bigint): string => toHex(addressBytes(address))
type Plain = Readonly<Record<string, string>>

const toRequest = ({ from, to, nonce, value, data, gasLimit, maxFee, tip, accessList, authorizations }: Sent): Call => ({
  method: 'eth_sendTransaction',
  params: [
    {
      from: addressHex(from),
      ...(to === undefined ? {} : { to: addressHex(to) }),
      nonce: hex(nonce),
      value: hex(value),
      data: toHex(data),
      gas: hex(gasLimit),
      maxFeePerGas: hex(maxFee),
      maxPriorityFeePerGas: hex(tip),
      accessList: accessList.map(({ address, slots }) => ({
        address: addressHex(address),
        storageKeys: slots.map(key => toHex(wordBytes(key))),
      })),
      ...(authorizations === undefined
        ? {}
        : {
            authorizationList: authorizations.map(one => ({
              chainId: hex(one.chainId),
              address: addressHex(one.address),
              nonce: hex(one.nonce),
              yParity: hex(BigInt(one.parity)),
              r: hex(one.r),
              s: hex(one.s),
            })),
          }),
    },
  ],
})

export const toPlace = ({ address, balance, code, slots }: Placed): Call[] => [
  { method: 'anvil_setBalance', params: [addressHex(address), hex(balance)] },
  ...(code.length > 0 ? [{ method: 'anvil_setCode', params: [addressHex(address), toHex(code)] }] : []),
  ...slots.map(([key, value]) => ({
    method: 'anvil_setStorageAt',
    params: [addressHex(address), toHex(wordBytes(key)), toHex(wordBytes(value))],
  })),
]

type TheirLog = { readonly address: string; readonly topics: readonly string[]; readonly data: string }
type TheirReceipt = Plain & { readonly logs: readonly TheirLog[] }
/** A block that anvil made, with what came of its transactions. */
export type Mined = { readonly block: Omit<Block, 'hashOf'> & { hash: bigint }; readonly sent: Sent[]; readonly receipts: Outcome[] }

/** What came of a transaction, as text that is compared. */
export type Outcome = Readonly<Record<'status' | 'gas' | 'price' | 'created' | 'logs' | 'output', string>>

const sameLogs = (logs: readonly TheirLog[]): string => JSON.stringify(logs.map(({ address, topics, data }) => [address, topics, data]))

const theirOutcome = (receipt: TheirReceipt, { output }: Plain): Outcome => ({
  status: receipt['status'] === '0x1' ? 'success' : 'failed',
  gas: String(BigInt(receipt['gasUsed']!)),
  price: String(BigInt(receipt['effectiveGasPrice']!)),
  created: receipt['status'] === '0x1' ? (receipt['contractAddress'] ?? 'none') : 'none',
  logs: sameLogs(receipt.logs),
  output: output ?? '0x',
})

export function ourOutcome(receipt: Receipt): Outcome {
  if (receipt.status === 'invalid') return { status: receipt.reason, gas: '', price: '', created: '', logs: '', output: '' }
  const { status, gasUsed, gasPrice, created, logs, output } = receipt
  return {
    status,
    gas: String(gasUsed),
    price: String(gasPrice),
    created: created === undefined ? 'none' : addressHex(created),
    logs: sameLogs(
      logs.map(({ address, topics, data }) => ({
        address: addressHex(address),
        topics: topics.map(topic => toHex(wordBytes(topic))),
        data: toHex(data),
      })),
    ),
    output: toHex(output),
  }
}

export async function blockAt(anvil: Anvil, tag: string): Promise<Mined['block'] & { hashes: readonly string[] }> {
  const given = (await anvil.ask('eth_getBlockByNumber', tag, false)) as Plain & { transactions: string[] }
  const number = (field: string) => BigInt(given[field] ?? '0x0')
  return {
    number: number('number'),
    timestamp: number('timestamp'),
    gasLimit: number('gasLimit'),
    coinbase: number('miner'),
    baseFee: number('baseFeePerGas'),
    difficulty: number('difficulty'),
    random: number('mixHash'),
    chainId,
    excessBlobGas: number('excessBlobGas'),
    hash: number('hash'),
    hashes: given.transactions,
  }
}

/** Makes anvil mine a block of the transactions, in their order; `settings` are of this block. */
export async function mine(anvil: Anvil, sent: Sent[], settings: readonly Call[]): Promise<Mined> {
  await anvil.all(settings)
  const hashes = (await anvil.all(sent.map(toRequest))) as string[]
  await anvil.ask('evm_mine')
  const { hashes: taken, ...block } = await blockAt(anvil, 'latest')
  if (taken.join() !== hashes.join()) throw new Error(`anvil has left out or moved transactions of block ${block.number}`)
  const receipts = (await anvil.all(hashes.map(hash => ({ method: 'eth_getTransactionReceipt', params: [hash] })))) as TheirReceipt[]
  const trace = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  const traces = (await anvil.all(hashes.map(hash => ({ method: 'debug_traceTransaction', params: [hash, trace] })))) as Plain[]
  return { block, sent, receipts: receipts.map((one, at) => theirOutcome(one, traces[at]!)) }
}

/**
 * From Prague on each block writes the hash of the one before it into this contract (EIP-2935). Blocks of a model write nothing by themselves.
 * Hashes of blocks are read with BLOCKHASH, which is compared.
 */
const historyContract = 0x0000f90827f1c53a10cb7a02335b175320002935n

export type TheirAccount = { nonce: bigint; balance: bigint; code: string; slots: Map<bigint, bigint> }

/** All accounts of anvil's chain. */
export async function accountsOf(anvil: Anvil): Promise<Map<bigint, TheirAccount>> {
  const packed = fromHex(String(await anvil.ask('anvil_dumpState')))!
  const { accounts } = JSON.parse(gunzipSync(packed).toString()) as {
    accounts: Record<string, { nonce: number | string; balance: string; code: string; storage: Record<string, string> }>
  }
  const slotsOf = (storage: Record<string, string>) =>
    Object.entries(storage)
      .map(([key, value]) => [BigInt(key), BigInt(value)] as const)
      .filter(([, value]) => value !== 0n)
  return new Map(
    Object.entries(accounts).map(([address, { nonce, balance, code, storage }]) => [
      BigInt(address),
      { nonce: BigInt(nonce), balance: BigInt(balance), code, slots: new Map(slotsOf(storage)) },
    ]),
  )
}

/** What is different between two texts by name. */
export const differences = (where: string, ours: Readonly<Record<string, string>>, theirs: Readonly<Record<string, string>>): string[] =>
  Object.keys(theirs)
    .filter(what => ours[what] !== theirs[what])
    .map(what => `${where}: ${what} is ${ours[what]?.slice(0, 400)}, of anvil ${theirs[what]!.slice(0, 400)}`)

const absent: TheirAccount = { nonce: 0n, balance: 0n, code: '0x', slots: new Map() }

const textsOf = ({ nonce, balance, code, slots }: TheirAccount): Record<string, string> => ({
  nonce: String(nonce),
  balance: String(balance),
  code,
  ...Object.fromEntries([...slots].map(([key, value]) => [`slot ${hex(key)}`, hex(value)])),
})

/** An account as our machine has it: what it has not reached is as it was. */
function accountOf(state: State, address: bigint, before: TheirAccount): TheirAccount {
  const account = state.accounts.get(address)
  if (account === undefined) return state.gone.has(address) ? absent : before
  if (!account.exists) return absent
  const slots = new Map(account.isForked ? before.slots : [])
  for (const [key, value] of state.slotsOf(account)) {
    if (value === 0n) slots.delete(key)
    else slots.set(key, value)
  }
  return { nonce: account.nonce, balance: account.balance, code: toHex(account.code.bytes), slots }
}

/** Compares all accounts: those that our machine has not reached are as they were before. */
export function stateDifferences(state: State, before: Map<bigint, TheirAccount>, after: Map<bigint, TheirAccount>): string[] {
  const found: string[] = []
  for (const address of new Set([...before.keys(), ...after.keys(), ...state.accounts.keys()])) {
    if (address === historyContract) continue
    const ours = textsOf(accountOf(state, address, before.get(address) ?? absent))
    const theirs = textsOf(after.get(address) ?? absent)
    const empty = Object.fromEntries([...Object.keys(ours), ...Object.keys(theirs)].map(name => [name, '0x0']))
    found.push(...differences(addressHex(address), { ...empty, ...ours }, { ...empty, ...theirs }))
  }
  return found
}

/** Whether anvil takes a transaction neither into its pool nor from there into a block. */
export async function refuses(anvil: Anvil, sent: Sent): Promise<boolean> {
  try {
    await anvil.all([toRequest(sent)])
  } catch (error) {
    if (error instanceof Refused) return true
    throw error
  }
  await anvil.ask('evm_mine')
  const { hashes } = await blockAt(anvil, 'latest')
  await anvil.ask('anvil_dropAllTransactions')
  return hashes.length === 0
}
