// The Ethereum virtual machine: runs frames without recursion, so that 1,024 nested calls need no deep JavaScript stack.
import { say } from '../../../model-schema/words.ts'
import { failed } from '../failure.ts'
import { Code, noCode } from './code.ts'
import { Frame, Halt, halt, noBytes } from './frame.ts'
import type { FrameEnd } from './frame.ts'
import { recordLimits } from '../machine.ts'
import type { CallRecord } from '../machine.ts'
import { price } from './gas.ts'
import { Hashes } from './hashes.ts'
import type { Instruction } from './instruction.ts'
import { opcodesOf } from './opcodes.ts'
import { mostSlowGas, precompileAddresses, precompileAt, type Precompile } from './protocol/precompiles.ts'
import { maxCodeBytes } from './rules.ts'
import type { Rules } from './rules.ts'
import type { CallKind } from './calls.ts'
import type { Account, State } from './state.ts'

export type Block = {
  number: bigint
  /** Seconds since 1970. */
  timestamp: bigint
  gasLimit: bigint
  coinbase: bigint
  baseFee: bigint
  difficulty: bigint
  random: bigint
  chainId: bigint
  /** Blob gas that earlier blocks used above the target. */
  excessBlobGas: bigint
  /** Hash of an earlier block. */
  hashOf: (number: bigint) => bigint
}

type Call = {
  kind: CallKind
  code: Code
  /** The account that was called: the address is another one where its code runs for the caller. */
  target: bigint
  /** The address to look for a precompile at; `undefined` where delegated code runs. */
  precompile: bigint | undefined
  address: bigint
  caller: bigint
  value: bigint
  /** Whether the value, perhaps 0, moves from caller to address, which counts as touched. */
  transfers: boolean
  input: Uint8Array
  gas: number
  isStatic: boolean
  isCreation: boolean
  outputAt: number
  outputLength: number
}
type Creation = { address: bigint; caller: bigint; value: bigint; initCode: Code; gas: number }

export type Outcome = { end: FrameEnd; output: Uint8Array; gasLeft: number }

const maxStack = 1024

function hasStorage(state: State, account: Account): boolean {
  for (const [, value] of state.slotsOf(account)) if (value !== 0n) return true
  return false
}

export class Vm {
  readonly state: State
  readonly rules: Rules
  readonly hashes = new Hashes()
  block: Block
  origin = 0n
  gasPrice = 0n
  blobHashes: bigint[] = []
  blobGasPrice = 0n
  readonly #opcodes: Instruction[]
  /** The calls of the current transaction, in the order of their beginnings; null when they are not traced. */
  calls: CallRecord[] | null = null
  /** Frames by depth, used again and again. */
  readonly #frames: Frame[] = []
  #depth = -1
  /** What slow precompiles have cost in the current transaction or view. */
  #slowGas = 0

  constructor(state: State, rules: Rules, block: Block) {
    this.state = state
    this.rules = rules
    this.block = block
    this.#opcodes = opcodesOf(rules)
    state.precompiles = new Set(precompileAddresses(rules))
  }

  /** Runs a call or a creation from outside to its end. */
  run(begin: { call: Call } | { create: Creation }): Outcome {
    this.#slowGas = 0
    const outer = this.#frameAt(0)
    this.#prepare(outer, {
      code: noCode,
      address: 0n,
      caller: 0n,
      value: 0n,
      input: noBytes,
      gas: 0,
      isStatic: false,
      isCreation: false,
      outputAt: 0,
      outputLength: 0,
    })
    outer.depth = -1
    this.#depth = 0
    if ('call' in begin) this.enter(outer, begin.call)
    else this.create(outer, begin.create)
    while (this.#depth > 0) {
      const frame = this.#frames[this.#depth]!
      this.#step(frame)
      if (frame.ended) this.#leave(frame)
    }
    this.#depth = -1
    return { end: outer.end, output: outer.returned, gasLeft: outer.gas }
  }

  /** Ends the run, not the transaction: a real chain would carry it out. */
  #limitSlow({ slow = 0 }: Precompile, gas: number, address: bigint): void {
    this.#slowGas += slow * gas
    if (this.#slowGas <= mostSlowGas) return
    failed(
      say(
        'the contract of the protocol at address {address} would calculate too long: calls of such contracts may cost {most} gas at once',
        {
          address: String(address),
          most: Math.floor(mostSlowGas / slow),
        },
      ),
    )
  }

  /** Begins a call from `parent`; a precompile or an account without code is answered at once. */
  enter(parent: Frame, call: Call): void {
    const { state } = this
    const mark = state.mark()
    const target = state.account(call.address)
    if (call.transfers) state.transfer(state.account(call.caller), target, call.value)
    const precompile = call.precompile === undefined ? undefined : precompileAt(this.rules, call.precompile, this.block.chainId)
    const frame = this.#frameAt(++this.#depth)
    this.#prepare(frame, call)
    frame.depth = parent.depth + 1
    frame.mark = mark
    if (this.calls !== null) this.#record(frame, call.kind, call.target, call.input)
    parent.running = false
    if (precompile !== undefined) {
      try {
        const gas = precompile.gas(call.input, this.rules)
        frame.useGas(gas)
        this.#limitSlow(precompile, gas, call.address)
        frame.finish('returned', precompile.run(call.input))
      } catch (stopped) {
        if (!(stopped instanceof Halt)) throw stopped
        frame.finish(stopped.reason)
      }
    } else if (call.code.bytes.length === 0) {
      frame.finish('returned')
    }
    if (frame.ended) this.#leave(frame)
  }

  /** Begins a creation from `parent`, the nonce of which has been raised. */
  create(parent: Frame, creation: Creation): void {
    const { state } = this
    const { address, caller, value, initCode, gas } = creation
    // What a new account of the model creates is new as well: no fork has anything at that address.
    const account = state.base !== null && !state.account(caller).isForked ? state.ownAccount(address) : state.account(address)
    state.warm(account)
    const mark = state.mark()
    const frame = this.#frameAt(++this.#depth)
    const shape = {
      code: initCode,
      address,
      caller,
      value,
      input: noBytes,
      gas,
      isStatic: false,
      isCreation: true,
      outputAt: 0,
      outputLength: 0,
    }
    this.#prepare(frame, shape)
    frame.depth = parent.depth + 1
    frame.mark = mark
    if (this.calls !== null) this.#record(frame, 'CREATE', address, initCode.bytes)
    parent.running = false
    const used = account.nonce !== 0n || account.code.bytes.length > 0 || hasStorage(state, account)
    if (used) {
      frame.finish('address in use')
    } else {
      state.markCreated(account)
      state.setNonce(account, 1n)
      state.transfer(state.account(caller), account, value)
      if (initCode.bytes.length === 0) frame.finish('returned')
    }
    if (frame.ended) this.#leave(frame)
  }

  #record(frame: Frame, kind: CallRecord['kind'], to: bigint, given: Uint8Array): void {
    const { depth, caller, value, gas } = frame
    const input = given.slice(0, recordLimits.bytes)
    frame.record = { depth, kind, from: caller, to, value, input, gas, gasUsed: 0, end: 'returned', output: noBytes }
    if (this.calls!.length < recordLimits.calls) this.calls!.push(frame.record)
  }

  /** Runs a frame until it ends or calls. */
  #step(frame: Frame): void {
    const { bytes } = frame.code
    const opcodes = this.#opcodes
    frame.running = true
    try {
      while (frame.running) {
        const at = frame.pc++
        const opcode = opcodes[at < bytes.length ? bytes[at]! : 0]!
        const { sp } = frame
        if (sp < opcode.pops) halt('stack underflow')
        if (sp - opcode.pops + opcode.pushes > maxStack) halt('stack overflow')
        if (opcode.gas > frame.gas) halt('out of gas')
        frame.gas -= opcode.gas
        opcode.run(this, frame)
      }
    } catch (stopped) {
      if (!(stopped instanceof Halt)) throw stopped
      frame.finish(stopped.reason)
    }
  }

  /** Ends a frame and hands its outcome to the caller. */
  #leave(frame: Frame): void {
    const { state } = this
    if (frame.isCreation && frame.end === 'returned') this.#keepCode(frame)
    if (frame.end !== 'returned') state.revert(frame.mark)
    const parent = this.#frames[--this.#depth]!
    const { end, output } = frame
    const succeeded = end === 'returned'
    if (frame.record !== null) {
      const { record } = frame
      record.gasUsed = record.gas - frame.gas
      record.end = end
      record.output = output.slice(0, recordLimits.bytes)
      frame.record = null
    }
    parent.gas += frame.gas
    parent.returned = end === 'reverted' || (succeeded && !frame.isCreation) || parent.depth < 0 ? output : noBytes
    if (parent.depth < 0) {
      parent.end = end
      return
    }
    parent.running = true
    if (frame.isCreation) parent.push(succeeded ? frame.address : 0n)
    else {
      parent.push(succeeded ? 1n : 0n)
      const length = Math.min(frame.outputLength, output.length)
      if (length > 0) parent.memory.bytes.set(output.subarray(0, length), frame.outputAt)
    }
    frame.memory.clear()
    frame.output = noBytes
    frame.returned = noBytes
  }

  /** Makes a creation's output the account's code, or fails. */
  #keepCode(frame: Frame): void {
    const code = frame.output
    try {
      if (code.length > maxCodeBytes) halt('code too large')
      if (code[0] === 0xef) halt('code begins with 0xEF')
      frame.useGas(price.codeByte * code.length)
    } catch (stopped) {
      if (!(stopped instanceof Halt)) throw stopped
      frame.finish(stopped.reason)
      return
    }
    this.state.setCode(this.state.account(frame.address), code.length === 0 ? noCode : new Code(code))
  }

  #frameAt(depth: number): Frame {
    return (this.#frames[depth] ??= new Frame())
  }

  #prepare(frame: Frame, call: Omit<Call, 'kind' | 'target' | 'precompile' | 'transfers'>): void {
    call.code.analyse()
    frame.code = call.code
    frame.pc = 0
    frame.sp = 0
    frame.memory.clear()
    frame.gas = call.gas
    frame.address = call.address
    frame.caller = call.caller
    frame.value = call.value
    frame.input = call.input
    frame.isStatic = call.isStatic
    frame.isCreation = call.isCreation
    frame.outputAt = call.outputAt
    frame.outputLength = call.outputLength
    frame.running = true
    frame.ended = false
    frame.end = 'returned'
    frame.record = null
    frame.output = noBytes
    frame.returned = noBytes
  }
}
