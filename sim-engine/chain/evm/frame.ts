// One call under way: its code, stack, memory and gas.
import { noCode } from './code.ts'
import type { Code } from './code.ts'
import { Memory } from './memory.ts'
import type { CallRecord } from '../machine.ts'

type HaltReason =
  | 'out of gas'
  | 'stack underflow'
  | 'stack overflow'
  | 'invalid opcode'
  | 'invalid jump'
  | 'write in a static call'
  | 'return data out of bounds'
  | 'precompile failed'
  | 'precompile not provided'
  | 'code too large'
  | 'code begins with 0xEF'
  | 'address in use'

/** Ends a frame with the loss of all its gas. One value for each reason, as a stack trace is never read. */
export class Halt {
  readonly reason: HaltReason
  constructor(reason: HaltReason) {
    this.reason = reason
  }
}
const halts = new Map<HaltReason, Halt>()
export function halt(reason: HaltReason): never {
  let known = halts.get(reason)
  if (known === undefined) halts.set(reason, (known = new Halt(reason)))
  // oxlint-disable-next-line no-throw-literal -- an Error would collect a stack trace at every failed call
  throw known
}

export type FrameEnd = 'returned' | 'reverted' | HaltReason

export const noBytes = new Uint8Array(0)
/** Above any memory that gas can pay for. */
const beyondMemory = 2 ** 32

export class Frame {
  code: Code = noCode
  pc = 0
  sp = 0
  readonly stack: bigint[] = []
  readonly memory = new Memory()
  gas = 0
  address = 0n
  caller = 0n
  value = 0n
  input: Uint8Array = noBytes
  isStatic = false
  depth = 0
  /** Whether the frame runs creation code, whose output becomes the code of `address`. */
  isCreation = false
  /** Undo mark of the state at the frame's start. */
  mark = 0
  running = false
  /** Whether the frame has come to its end; a frame that waits for a call is neither running nor ended. */
  ended = false
  end: FrameEnd = 'returned'
  output: Uint8Array = noBytes
  /** What the last call of this frame returned. */
  returned: Uint8Array = noBytes
  /** What is kept of it to be looked at. */
  record: CallRecord | null = null
  /** Where the caller wants the output. */
  outputAt = 0
  outputLength = 0

  pop(): bigint {
    return this.stack[--this.sp]!
  }

  push(word: bigint): void {
    this.stack[this.sp++] = word
  }

  useGas(amount: number): void {
    if (amount > this.gas) halt('out of gas')
    this.gas -= amount
  }

  /** Pays for and reserves memory from `at` for `length` bytes; gives `at` as a number (0 where `length` is 0). */
  reserve(at: bigint, length: bigint): number {
    if (length === 0n) return 0
    if (at > beyondMemory || length > beyondMemory) halt('out of gas')
    const end = Number(at) + Number(length)
    this.useGas(this.memory.costOf(end))
    this.memory.grow(end)
    return Number(at)
  }

  /** Ends the frame. */
  finish(end: FrameEnd, output: Uint8Array = noBytes): void {
    this.running = false
    this.ended = true
    this.end = end
    this.output = output
    if (end !== 'returned' && end !== 'reverted') this.gas = 0
  }
}
