// Opcodes 0x01 to 0x20: arithmetic, comparison, bits and the hash.
import { price, wordsOf } from './gas.ts'
import { binary, instruction } from './instruction.ts'
import type { Instruction } from './instruction.ts'
import * as word from './word.ts'

const truth = (condition: boolean): bigint => (condition ? 1n : 0n)

const addMod = (a: bigint, b: bigint, n: bigint): bigint => (n === 0n ? 0n : (a + b) % n)
const mulMod = (a: bigint, b: bigint, n: bigint): bigint => (n === 0n ? 0n : (a * b) % n)
const ternary = (name: string, gas: number, calculate: (a: bigint, b: bigint, c: bigint) => bigint): Instruction =>
  instruction(name, gas, 3, 1, (_, frame) => {
    const a = frame.pop()
    const b = frame.pop()
    frame.push(calculate(a, b, frame.pop()))
  })

const exp = instruction('EXP', 10, 2, 1, (_, frame) => {
  const base = frame.pop()
  const exponent = frame.pop()
  frame.useGas(price.expByte * word.byteLength(exponent))
  frame.push(word.exp(base, exponent))
})

const keccak = instruction('KECCAK256', 30, 2, 1, (vm, frame) => {
  const at = frame.pop()
  const length = frame.pop()
  const from = frame.reserve(at, length)
  const bytes = Number(length)
  frame.useGas(price.keccakWord * wordsOf(bytes))
  frame.push(
    bytes === 64
      ? vm.hashes.ofPair(frame.memory.read(from), frame.memory.read(from + 32))
      : vm.hashes.of(frame.memory.bytes.subarray(from, from + bytes)),
  )
})

export const arithmetic: Record<number, Instruction> = {
  0x01: binary('ADD', 3, word.add),
  0x02: binary('MUL', 5, word.mul),
  0x03: binary('SUB', 3, word.sub),
  0x04: binary('DIV', 5, (a, b) => (b === 0n ? 0n : a / b)),
  0x05: binary('SDIV', 5, word.sdiv),
  0x06: binary('MOD', 5, (a, b) => (b === 0n ? 0n : a % b)),
  0x07: binary('SMOD', 5, word.smod),
  0x08: ternary('ADDMOD', 8, addMod),
  0x09: ternary('MULMOD', 8, mulMod),
  0x0a: exp,
  0x0b: binary('SIGNEXTEND', 5, word.signExtend),
  0x10: binary('LT', 3, (a, b) => truth(a < b)),
  0x11: binary('GT', 3, (a, b) => truth(a > b)),
  0x12: binary('SLT', 3, (a, b) => truth(word.toSigned(a) < word.toSigned(b))),
  0x13: binary('SGT', 3, (a, b) => truth(word.toSigned(a) > word.toSigned(b))),
  0x14: binary('EQ', 3, (a, b) => truth(a === b)),
  0x15: instruction('ISZERO', 3, 1, 1, (_, frame) => frame.push(truth(frame.pop() === 0n))),
  0x16: binary('AND', 3, (a, b) => a & b),
  0x17: binary('OR', 3, (a, b) => a | b),
  0x18: binary('XOR', 3, (a, b) => a ^ b),
  0x19: instruction('NOT', 3, 1, 1, (_, frame) => frame.push(word.MAX_WORD - frame.pop())),
  0x1a: binary('BYTE', 3, word.byteAt),
  0x1b: binary('SHL', 3, word.shl),
  0x1c: binary('SHR', 3, word.shr),
  0x1d: binary('SAR', 3, word.sar),
  0x20: keccak,
}

export const countLeadingZeros = instruction('CLZ', 5, 1, 1, (_, frame) => frame.push(word.leadingZeros(frame.pop())))
