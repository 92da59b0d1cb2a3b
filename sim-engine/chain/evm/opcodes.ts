// The table of opcodes under each fork's rules.
import { arithmetic, countLeadingZeros } from './arithmetic.ts'
import { calls } from './calls.ts'
import { blobBaseFee, blobHash, environment } from './environment.ts'
import { copyMemory, flow, push0 } from './flow.ts'
import { instruction } from './instruction.ts'
import type { Instruction } from './instruction.ts'
import { halt } from './frame.ts'
import type { Fork, Rules } from './rules.ts'
import { storage, transientLoad, transientStore } from './storage.ts'

const invalid = instruction('INVALID', 0, 0, 0, () => halt('invalid opcode'))

function make(rules: Rules): Instruction[] {
  const known: Record<number, Instruction> = { ...arithmetic, ...environment, ...flow, ...storage, ...calls }
  if (rules.push0) known[0x5f] = push0
  if (rules.cancun) Object.assign(known, { 0x49: blobHash, 0x4a: blobBaseFee, 0x5c: transientLoad, 0x5d: transientStore, 0x5e: copyMemory })
  if (rules.osaka) known[0x1e] = countLeadingZeros
  return Array.from({ length: 256 }, (_, opcode) => known[opcode] ?? invalid)
}

const tables = new Map<Fork, Instruction[]>()
export function opcodesOf(rules: Rules): Instruction[] {
  let table = tables.get(rules.fork)
  if (table === undefined) tables.set(rules.fork, (table = make(rules)))
  return table
}
