// Opcodes 0x50 to 0xa4 that only touch the frame: stack, memory, jumps, and 0xf3, 0xfd, 0xfe.
import { halt } from './frame.ts'
import type { Frame } from './frame.ts'
import { price, wordsOf } from './gas.ts'
import { instruction, reading } from './instruction.ts'
import type { Instruction } from './instruction.ts'

function jump(frame: Frame, to: bigint): void {
  if (to >= frame.code.bytes.length || frame.code.destinations[Number(to)] !== 1) halt('invalid jump')
  frame.pc = Number(to)
}

const push = (size: number): Instruction =>
  instruction(`PUSH${size}`, 3, 0, 1, (_, frame) => {
    frame.stack[frame.sp++] = frame.code.pushed[frame.pc - 1]!
    frame.pc += size
  })

const dup = (depth: number): Instruction =>
  instruction(`DUP${depth}`, 3, depth, depth + 1, (_, frame) => {
    const { stack, sp } = frame
    stack[sp] = stack[sp - depth]!
    frame.sp = sp + 1
  })

const swap = (depth: number): Instruction =>
  instruction(`SWAP${depth}`, 3, depth + 1, depth + 1, (_, frame) => {
    const { stack } = frame
    const top = frame.sp - 1
    const lower = stack[top - depth]!
    stack[top - depth] = stack[top]!
    stack[top] = lower
  })

const ending = (name: string, end: 'returned' | 'reverted'): Instruction =>
  instruction(name, 0, 2, 0, (_, frame) => {
    const at = frame.pop()
    const length = frame.pop()
    const from = frame.reserve(at, length)
    frame.finish(end, frame.memory.slice(from, Number(length)))
  })

const numbered = (from: number, count: number, make: (number: number) => Instruction): Record<number, Instruction> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [from + at, make(at + 1)]))

export const flow: Record<number, Instruction> = {
  0x00: instruction('STOP', 0, 0, 0, (_, frame) => frame.finish('returned')),
  0x50: instruction('POP', 2, 1, 0, (_, frame) => {
    frame.sp--
  }),
  0x51: instruction('MLOAD', 3, 1, 1, (_, frame) => frame.push(frame.memory.read(frame.reserve(frame.pop(), 32n)))),
  0x52: instruction('MSTORE', 3, 2, 0, (_, frame) => {
    const at = frame.reserve(frame.pop(), 32n)
    frame.memory.write(at, frame.pop())
  }),
  0x53: instruction('MSTORE8', 3, 2, 0, (_, frame) => {
    const at = frame.reserve(frame.pop(), 1n)
    frame.memory.bytes[at] = Number(frame.pop() & 0xffn)
  }),
  0x56: instruction('JUMP', 8, 1, 0, (_, frame) => jump(frame, frame.pop())),
  0x57: instruction('JUMPI', 10, 2, 0, (_, frame) => {
    const to = frame.pop()
    if (frame.pop() !== 0n) jump(frame, to)
  }),
  0x58: reading('PC', 2, (_, frame) => BigInt(frame.pc - 1)),
  0x59: reading('MSIZE', 2, (_, frame) => BigInt(frame.memory.size)),
  0x5a: reading('GAS', 2, (_, frame) => BigInt(frame.gas)),
  0x5b: instruction('JUMPDEST', 1, 0, 0, () => undefined),
  ...numbered(0x60, 32, push),
  ...numbered(0x80, 16, dup),
  ...numbered(0x90, 16, swap),
  0xf3: ending('RETURN', 'returned'),
  0xfd: ending('REVERT', 'reverted'),
}

export const push0 = reading('PUSH0', 2, () => 0n)

export const copyMemory = instruction('MCOPY', 3, 3, 0, (_, frame) => {
  const to = frame.pop()
  const from = frame.pop()
  const length = frame.pop()
  if (length > BigInt(Number.MAX_SAFE_INTEGER)) halt('out of gas')
  frame.useGas(price.copyWord * wordsOf(Number(length)))
  frame.reserve(to > from ? to : from, length)
  if (length > 0n) frame.memory.bytes.copyWithin(Number(to), Number(from), Number(from) + Number(length))
})
