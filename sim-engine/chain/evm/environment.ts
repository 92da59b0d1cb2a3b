// Opcodes 0x30 to 0x4a: what a contract sees of its call, its transaction, other accounts and the block.
import { delegateOf } from './code.ts'
import { halt } from './frame.ts'
import type { Frame } from './frame.ts'
import { price, wordsOf } from './gas.ts'
import { instruction, reading } from './instruction.ts'
import type { Instruction } from './instruction.ts'
import { ADDRESS_MASK, fromBytes } from './word.ts'
import type { Account } from './state.ts'
import type { Vm } from './vm.ts'

/** The account at the address on the stack, its access paid for. */
function paidAccount(vm: Vm, frame: Frame): Account {
  const account = vm.state.account(frame.pop() & ADDRESS_MASK)
  frame.useGas(vm.state.warm(account) ? price.coldAccount : price.warmAccess)
  return account
}

const account = (name: string, read: (account: Account) => bigint): Instruction =>
  instruction(name, 0, 1, 1, (vm, frame) => frame.push(read(paidAccount(vm, frame))))

/** Copies from `source` to memory; beyond its end there are zeros. */
function copy(frame: Frame, source: Uint8Array): void {
  const to = frame.pop()
  const from = frame.pop()
  const length = frame.pop()
  const at = frame.reserve(to, length)
  frame.useGas(price.copyWord * wordsOf(Number(length)))
  if (length > 0n) frame.memory.copyFrom(source, from > source.length ? source.length : Number(from), at, Number(length))
}
const copying = (name: string, sourceOf: (frame: Frame) => Uint8Array): Instruction =>
  instruction(name, 3, 3, 0, (_, frame) => copy(frame, sourceOf(frame)))

/** The word of the call's data at an offset; zeros beyond its end. */
function inputWord(input: Uint8Array, at: bigint): bigint {
  if (at >= input.length) return 0n
  const data = input.subarray(Number(at), Number(at) + 32)
  return data.length === 32 ? fromBytes(data) : fromBytes(data) << BigInt(8 * (32 - data.length))
}

const returnDataCopy = instruction('RETURNDATACOPY', 3, 3, 0, (_, frame) => {
  const to = frame.pop()
  const from = frame.pop()
  const length = frame.pop()
  if (from + length > frame.returned.length) halt('return data out of bounds')
  const at = frame.reserve(to, length)
  frame.useGas(price.copyWord * wordsOf(Number(length)))
  frame.memory.copyFrom(frame.returned, Number(from), at, Number(length))
})

const codeHash = (account: Account): bigint => (account.exists && !account.empty ? account.code.hash : 0n)

const blockHash = instruction('BLOCKHASH', 20, 1, 1, (vm, frame) => {
  const number = frame.pop()
  const { block } = vm
  frame.push(number < block.number && number + 256n >= block.number ? block.hashOf(number) : 0n)
})

export const environment: Record<number, Instruction> = {
  0x30: reading('ADDRESS', 2, (_, frame) => frame.address),
  0x31: account('BALANCE', one => one.balance),
  0x32: reading('ORIGIN', 2, vm => vm.origin),
  0x33: reading('CALLER', 2, (_, frame) => frame.caller),
  0x34: reading('CALLVALUE', 2, (_, frame) => frame.value),
  0x35: instruction('CALLDATALOAD', 3, 1, 1, (_, frame) => frame.push(inputWord(frame.input, frame.pop()))),
  0x36: reading('CALLDATASIZE', 2, (_, frame) => BigInt(frame.input.length)),
  0x37: copying('CALLDATACOPY', frame => frame.input),
  0x38: reading('CODESIZE', 2, (_, frame) => BigInt(frame.code.bytes.length)),
  0x39: copying('CODECOPY', frame => frame.code.bytes),
  0x3a: reading('GASPRICE', 2, vm => vm.gasPrice),
  0x3b: account('EXTCODESIZE', one => BigInt(one.code.bytes.length)),
  0x3c: instruction('EXTCODECOPY', 0, 4, 0, (vm, frame) => copy(frame, paidAccount(vm, frame).code.bytes)),
  0x3d: reading('RETURNDATASIZE', 2, (_, frame) => BigInt(frame.returned.length)),
  0x3e: returnDataCopy,
  0x3f: account('EXTCODEHASH', codeHash),
  0x40: blockHash,
  0x41: reading('COINBASE', 2, vm => vm.block.coinbase),
  0x42: reading('TIMESTAMP', 2, vm => vm.block.timestamp),
  0x43: reading('NUMBER', 2, vm => vm.block.number),
  0x44: reading('PREVRANDAO', 2, vm => (vm.rules.randomness ? vm.block.random : vm.block.difficulty)),
  0x45: reading('GASLIMIT', 2, vm => vm.block.gasLimit),
  0x46: reading('CHAINID', 2, vm => vm.block.chainId),
  0x47: reading('SELFBALANCE', 5, (vm, frame) => vm.state.account(frame.address).balance),
  0x48: reading('BASEFEE', 2, vm => vm.block.baseFee),
}

export const blobHash = instruction('BLOBHASH', 3, 1, 1, (vm, frame) => {
  const index = frame.pop()
  frame.push(index < vm.blobHashes.length ? vm.blobHashes[Number(index)]! : 0n)
})
export const blobBaseFee = reading('BLOBBASEFEE', 2, vm => vm.blobGasPrice)

/** The code that runs when an account is called, and the account it is delegated to (EIP-7702), if any. */
export function codeToRun(vm: Vm, called: Account): { code: Account['code']; delegate: Account | undefined } {
  const to = vm.rules.prague ? delegateOf(called.code) : undefined
  if (to === undefined) return { code: called.code, delegate: undefined }
  const delegate = vm.state.account(to)
  return { code: delegate.code, delegate }
}
