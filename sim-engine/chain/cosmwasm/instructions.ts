// The instructions that contracts may use: WebAssembly 1.0 without floating point, sign extension, copying and filling of memory.
import { say } from '../../../model-schema/words.ts'
import { op } from '../../backends/binary.ts'
import type { Reader } from './reader.ts'
import { Unreadable } from './reader.ts'

export const callIndirect = 0x11
export const memorySize = 0x3f
export const memoryGrow = 0x40
const brTable = 0x0e
/** Where a stretch of instructions ends: where control may leave or arrive. */
const branches = new Set<number>([
  op.unreachable,
  op.loop,
  op.if,
  op.else,
  op.end,
  op.br,
  op.brIf,
  brTable,
  op.return,
  op.call,
  callIndirect,
])

type Instruction = { readonly isBranch: boolean; readonly isCopy: boolean }
const plain: Instruction = { isBranch: false, isCopy: false }
const branch: Instruction = { isBranch: true, isCopy: false }
const copying: Instruction = { isBranch: false, isCopy: true }

const isFloatAccess = (code: number): boolean => code === 0x2a || code === 0x2b || code === 0x38 || code === 0x39

/** Whether an instruction has no immediate and works on whole numbers alone. */
const isPlain = (code: number): boolean =>
  code === 1 ||
  code === op.unreachable ||
  code === op.else ||
  code === op.end ||
  code === op.return ||
  code === op.drop ||
  code === op.select ||
  (code >= op.i32Eqz && code <= 0x5a) ||
  (code >= op.i32Clz && code <= 0x8a) ||
  code === op.i32WrapI64 ||
  code === op.i64ExtendI32S ||
  code === op.i64ExtendI32U ||
  (code >= 0xc0 && code <= 0xc4)

/** Reads the immediates of an instruction after its opcode. Throws `Unreadable` for one that contracts may not have. */
export function readInstruction(code: number, reader: Reader): Instruction {
  if (code >= 0x28 && code <= 0x3e && !isFloatAccess(code)) {
    reader.unsigned()
    reader.unsigned()
  } else if (code >= op.localGet && code <= op.globalSet) reader.unsigned()
  else if (code === op.i32Const) reader.skipNumber(5)
  else if (code === op.i64Const) reader.skipNumber(10)
  else if (code === op.block || code === op.loop || code === op.if) reader.skipNumber(5)
  else if (code === op.br || code === op.brIf || code === op.call) reader.unsigned()
  else if (code === callIndirect) {
    reader.unsigned()
    reader.unsigned()
  } else if (code === brTable) for (let left = reader.count() + 1; left > 0; left--) reader.unsigned()
  else if (code === memorySize || code === memoryGrow) reader.byte()
  else if (code === 0xfc) return readCopy(reader)
  else if (!isPlain(code)) throw refused(`0x${code.toString(16)}`, isFloat(code))
  return branches.has(code) ? branch : plain
}

const isFloat = (code: number): boolean =>
  isFloatAccess(code) || code === 0x43 || code === 0x44 || (code >= 0x5b && code <= 0x66) || (code >= 0x8b && code <= 0xbf)

const refused = (code: string, hasFloats: boolean): Unreadable =>
  hasFloats
    ? new Unreadable(say('the instruction {code} is not allowed: floating point gives no certain results', { code }))
    : new Unreadable(say('the instruction {code} is not allowed: CosmWasm does not have it', { code }))

/** memory.copy and memory.fill. */
function readCopy(reader: Reader): Instruction {
  const code = reader.unsigned()
  if (code !== 10 && code !== 11) throw refused(`0xfc ${code}`, code < 8)
  reader.byte()
  if (code === 10) reader.byte()
  return copying
}
