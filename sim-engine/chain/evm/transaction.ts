// One transaction from validation to receipt (Yellow Paper, section 6, with EIP-1559, 2930, 3529, 3607, 4844, 7623 and 7702).
import { keccak256 } from './keccak.ts'
import { Code, delegateOf, delegationTo, noCode } from './code.ts'
import { curves } from './protocol/curves.ts'
import { codeToRun } from './environment.ts'
import { noBytes } from './frame.ts'
import type { FrameEnd } from './frame.ts'
import { blobGasPrice, price, refundQuotient, wordsOf } from './gas.ts'
import { maxInitCodeBytes, maxTransactionGasOsaka } from './rules.ts'
import type { Log } from './state.ts'
import { addressBytes, toBytes, wordBytes } from './word.ts'
import type { Outcome, Vm } from './vm.ts'

/** A signed grant by which an account takes over the code of another (EIP-7702). */
export type Authorization = { chainId: bigint; address: bigint; nonce: bigint; parity: number; r: bigint; s: bigint }

export type Transaction = {
  from: bigint
  /** `undefined` creates a contract. */
  to: bigint | undefined
  nonce: bigint
  value: bigint
  data: Uint8Array
  gasLimit: bigint
  /** Most wei for a unit of gas, and the part offered to the block's beneficiary. Equal for transactions with a plain gas price. */
  maxFee: bigint
  tip: bigint
  accessList: { address: bigint; slots: bigint[] }[]
  blobs?: { hashes: bigint[]; maxFee: bigint }
  authorizations?: Authorization[]
}

type InvalidReason =
  | 'nonce too low'
  | 'nonce too high'
  | 'nonce at its maximum'
  | 'sender has code'
  | 'not enough funds'
  | 'gas limit below the intrinsic gas'
  | 'gas limit above the block’s'
  | 'gas limit above the transaction’s maximum'
  | 'fee below the base fee'
  | 'tip above the fee'
  | 'creation code too large'
  | 'blobs not allowed'
  | 'no blobs'
  | 'too many blobs'
  | 'unknown blob version'
  | 'blob fee too low'
  | 'authorizations not allowed'

export type Receipt =
  | { status: 'invalid'; reason: InvalidReason }
  | {
      status: 'success' | 'failed'
      end: FrameEnd
      output: Uint8Array
      gasUsed: number
      /** Wei paid for a unit of gas. */
      gasPrice: bigint
      created: bigint | undefined
      logs: Log[]
    }

/** Gas that is paid before the first instruction, and the least gas that calldata costs in all. */
function intrinsicGas(vm: Vm, transaction: Transaction): { gas: number; floor: number } {
  const { data, to, accessList, authorizations } = transaction
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros++
  const nonZeros = data.length - zeros
  let gas = price.transaction + price.dataZero * zeros + price.dataNonZero * nonZeros
  if (to === undefined) gas += price.transactionCreate + (vm.rules.meteredInitCode ? price.initCodeWord * wordsOf(data.length) : 0)
  for (const entry of accessList) gas += price.accessListAddress + price.accessListSlot * entry.slots.length
  gas += price.authorization * (authorizations?.length ?? 0)
  const floor = vm.rules.prague ? price.transaction + price.dataFloorToken * (zeros + 4 * nonZeros) : 0
  return { gas, floor }
}

function invalidBlobs(vm: Vm, transaction: Transaction): InvalidReason | undefined {
  const { blobs } = transaction
  if (blobs === undefined) return undefined
  if (!vm.rules.cancun || transaction.to === undefined) return 'blobs not allowed'
  if (blobs.hashes.length === 0) return 'no blobs'
  if (blobs.hashes.length > vm.rules.maxBlobs) return 'too many blobs'
  if (blobs.hashes.some(hash => hash >> 248n !== 1n)) return 'unknown blob version'
  if (blobs.maxFee < vm.blobGasPrice) return 'blob fee too low'
  return undefined
}

function invalid(vm: Vm, transaction: Transaction, least: number): InvalidReason | undefined {
  const { block, rules, state } = vm
  const sender = state.account(transaction.from)
  const { gasLimit, maxFee, tip, nonce } = transaction
  if (gasLimit > block.gasLimit) return 'gas limit above the block’s'
  if (rules.osaka && gasLimit > BigInt(maxTransactionGasOsaka)) return 'gas limit above the transaction’s maximum'
  if (tip > maxFee) return 'tip above the fee'
  if (maxFee < block.baseFee) return 'fee below the base fee'
  if (nonce < sender.nonce) return 'nonce too low'
  if (nonce > sender.nonce) return 'nonce too high'
  if (nonce >= 2n ** 64n - 1n) return 'nonce at its maximum'
  if (sender.code.bytes.length > 0 && !(rules.prague && delegateOf(sender.code) !== undefined)) return 'sender has code'
  if (gasLimit < BigInt(least)) return 'gas limit below the intrinsic gas'
  if (rules.meteredInitCode && transaction.to === undefined && transaction.data.length > maxInitCodeBytes) return 'creation code too large'
  if (transaction.authorizations !== undefined) {
    if (!rules.prague || transaction.to === undefined || transaction.authorizations.length === 0) return 'authorizations not allowed'
  }
  const badBlobs = invalidBlobs(vm, transaction)
  if (badBlobs !== undefined) return badBlobs
  const blobCost = transaction.blobs === undefined ? 0n : BigInt(transaction.blobs.hashes.length * price.blob) * transaction.blobs.maxFee
  if (sender.balance < gasLimit * maxFee + transaction.value + blobCost) return 'not enough funds'
  return undefined
}

/** Makes warm what a transaction may reach at the price of warm access, in addition to precompiles (EIP-2929, 2930, 3651). */
function warmUp(vm: Vm, transaction: Transaction): void {
  const { state, rules } = vm
  state.warm(state.account(transaction.from))
  if (transaction.to !== undefined) state.warm(state.account(transaction.to))
  if (rules.warmCoinbase) state.warm(state.account(vm.block.coinbase))
  for (const { address, slots } of transaction.accessList) {
    const account = state.account(address)
    state.warm(account)
    for (const key of slots) state.warmSlot(state.slot(account, key))
  }
}

const rlpString = (bytes: Uint8Array): number[] => (bytes.length === 1 && bytes[0]! < 0x80 ? [...bytes] : [0x80 + bytes.length, ...bytes])
const rlpNumber = (value: bigint): number[] => {
  const bytes = wordBytes(value)
  const first = bytes.findIndex(byte => byte !== 0)
  return rlpString(first < 0 ? noBytes : bytes.subarray(first))
}

/** The account that signed an authorization; `undefined` for an invalid signature. */
function authorityOf(authorization: Authorization): bigint | undefined {
  const { chainId, address, nonce, parity, r, s } = authorization
  const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
  if (s > half) return undefined
  const fields = [...rlpNumber(chainId), ...rlpString(addressBytes(address)), ...rlpNumber(nonce)]
  const hash = keccak256(Uint8Array.from([0x05, 0xc0 + fields.length, ...fields]))
  const signed = curves('secp256k1', 1).signer(hash, parity, toBytes(r, 32), toBytes(s, 32))
  return signed === undefined ? undefined : BigInt(`0x${Array.from(signed, byte => byte.toString(16).padStart(2, '0')).join('')}`)
}

/** Sets the delegations that accounts have signed; those that do not fit are passed over (EIP-7702). */
function delegate(vm: Vm, authorizations: Authorization[]): void {
  const { state } = vm
  for (const authorization of authorizations) {
    const { chainId, nonce, address } = authorization
    if ((chainId !== 0n && chainId !== vm.block.chainId) || nonce >= 2n ** 64n - 1n) continue
    const signed = authorityOf(authorization)
    if (signed === undefined) continue
    const account = state.account(signed)
    state.warm(account)
    if (account.code.bytes.length > 0 && delegateOf(account.code) === undefined) continue
    if (account.nonce !== nonce) continue
    if (account.exists && !account.empty) state.addRefund(price.authorizationRefund)
    state.setCode(account, address === 0n ? noCode : delegationTo(addressBytes(address)))
    state.setNonce(account, nonce + 1n)
  }
}

function begin(vm: Vm, transaction: Transaction, gas: number): Outcome {
  const { state } = vm
  const { from, to, value, data } = transaction
  if (to === undefined) {
    const address = vm.hashes.createdAddress(from, transaction.nonce)
    return vm.run({ create: { address, caller: from, value, initCode: new Code(data), gas } })
  }
  const { code, delegate } = codeToRun(vm, state.account(to))
  if (delegate !== undefined) state.warm(delegate)
  const precompile = delegate === undefined ? to : undefined
  const call = { kind: 'CALL' as const, code, target: to, precompile, address: to, caller: from, value, transfers: true, input: data, gas }
  return vm.run({ call: { ...call, isStatic: false, isCreation: false, outputAt: 0, outputLength: 0 } })
}

/** Gas is counted in doubles: a limit above 2^53 - 1, which no block can use up, is counted from there. */
const countable = (gasLimit: bigint): number => Number(gasLimit < MAX_COUNTABLE ? gasLimit : MAX_COUNTABLE)
const MAX_COUNTABLE = BigInt(Number.MAX_SAFE_INTEGER)

/** Executes a transaction. One that is invalid changes nothing; one that fails pays for its gas. */
export function execute(vm: Vm, transaction: Transaction): Receipt {
  const { state, block } = vm
  state.begin()
  vm.blobGasPrice = vm.rules.cancun ? blobGasPrice(block.excessBlobGas, vm.rules.blobFeeFraction) : 0n
  const intrinsic = intrinsicGas(vm, transaction)
  const reason = invalid(vm, transaction, Math.max(intrinsic.gas, intrinsic.floor))
  if (reason !== undefined) {
    state.end()
    return { status: 'invalid', reason }
  }
  const { gasLimit, maxFee, tip } = transaction
  const gasPrice = maxFee < block.baseFee + tip ? maxFee : block.baseFee + tip
  vm.origin = transaction.from
  vm.gasPrice = gasPrice
  vm.blobHashes = transaction.blobs?.hashes ?? []
  const sender = state.account(transaction.from)
  const blobCost = BigInt(vm.blobHashes.length * price.blob) * vm.blobGasPrice
  state.setBalance(sender, sender.balance - gasLimit * gasPrice - blobCost)
  state.setNonce(sender, sender.nonce + 1n)
  warmUp(vm, transaction)
  if (transaction.authorizations !== undefined) delegate(vm, transaction.authorizations)
  const gas = countable(gasLimit)
  const outcome = begin(vm, transaction, gas - intrinsic.gas)
  const spent = gas - outcome.gasLeft
  const refunded = spent - Math.min(Math.floor(spent / refundQuotient), state.refund)
  const gasUsed = Math.max(refunded, intrinsic.floor)
  state.setBalance(sender, sender.balance + (gasLimit - BigInt(gasUsed)) * gasPrice)
  const coinbase = state.account(block.coinbase)
  state.setBalance(coinbase, coinbase.balance + BigInt(gasUsed) * (gasPrice - block.baseFee))
  const { logs } = state
  state.end()
  const status = outcome.end === 'returned' ? 'success' : 'failed'
  const created =
    transaction.to === undefined && status === 'success' ? vm.hashes.createdAddress(transaction.from, transaction.nonce) : undefined
  return { status, end: outcome.end, output: outcome.output, gasUsed, gasPrice, created, logs: status === 'success' ? logs : [] }
}

/** What a call would give, without changing anything: gas is counted as in a transaction, refunds and fees are left out. */
type Simulated = { end: FrameEnd; output: Uint8Array; gasUsed: number; logs: Log[]; created: bigint | undefined }

/** Runs a transaction and takes it back. Neither nonce nor fees are looked at; the sender has to own what it sends. */
export function simulate(vm: Vm, transaction: Transaction): Simulated | { end: 'not enough funds' } {
  const { state } = vm
  state.begin()
  const sender = state.account(transaction.from)
  if (sender.balance < transaction.value) {
    state.end()
    return { end: 'not enough funds' }
  }
  const mark = state.mark()
  vm.origin = transaction.from
  vm.gasPrice = transaction.maxFee
  vm.blobHashes = []
  const intrinsic = intrinsicGas(vm, transaction)
  const gas = countable(transaction.gasLimit) - intrinsic.gas
  warmUp(vm, transaction)
  const outcome: Outcome = gas < 0 ? { end: 'out of gas', output: noBytes, gasLeft: 0 } : begin(vm, transaction, gas)
  const logs = state.logs.slice()
  state.revert(mark)
  state.end()
  const { end, output } = outcome
  const gasUsed = Math.max(intrinsic.gas + Math.max(gas, 0) - outcome.gasLeft, intrinsic.floor)
  const created = transaction.to === undefined ? vm.hashes.createdAddress(transaction.from, transaction.nonce) : undefined
  return { end, output, gasUsed, logs: end === 'returned' ? logs : [], created }
}

/** Reads: a static call that changes nothing and has no payer. */
export function view(vm: Vm, from: bigint, to: bigint, data: Uint8Array, gas: number): Outcome {
  const { state } = vm
  state.begin()
  const mark = state.mark()
  vm.origin = from
  vm.gasPrice = 0n
  vm.blobHashes = []
  const account = state.account(to)
  const { code, delegate } = codeToRun(vm, account)
  const precompile = delegate === undefined ? to : undefined
  const call = { kind: 'STATICCALL' as const, code, target: to, precompile, address: to, caller: from, value: 0n, input: data, gas }
  const outcome = vm.run({ call: { ...call, transfers: false, isStatic: true, isCreation: false, outputAt: 0, outputLength: 0 } })
  state.revert(mark)
  state.end()
  return outcome
}
