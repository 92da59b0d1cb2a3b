// Remainders and functions of numbers as instructions.
import { type Form, formOf, isWhole } from './infer.ts'
import { f64, f64Compare, i32, i32Compare, i64, i64Compare, op } from '../backends/binary.ts'
import type { Node, Type } from './tree.ts'
import type { Values } from './values.ts'

const roundings: Record<string, number> = { floor: op.f64Floor, ceil: op.f64Ceil, trunc: op.f64Trunc }

export function fitsUnsigned(type: Type | null): boolean {
  return type !== null && type.is !== 'real' && type.low >= 0 && type.high < 2 ** 32
}

export function remainder(values: Values, left: Node, right: Node, form: Form): void {
  const code = values.code
  if (form !== 'f64') {
    if (fitsUnsigned(left.type) && fitsUnsigned(right.type)) {
      values.word(left, false)
      values.word(right, false)
      code.op(op.i32RemU)
      values.frame.convert('u32', form)
    } else {
      values.wide(left)
      values.wide(right)
      code.op(op.i64RemS)
      if (form !== 'i64') code.op(op.i32WrapI64)
    }
    return
  }
  // By 0 it is NaN; the sign is that of what is divided, of -0 as well.
  const divided = values.frame.take(i64)
  const by = values.frame.take(i64)
  values.wide(left)
  code.at(op.localSet, divided)
  values.wide(right)
  code.at(op.localTee, by)
  code.op(op.i64Eqz)
  values.frame.begin(op.if, f64)
  code.f64(NaN)
  code.op(op.else)
  code.at(op.localGet, divided)
  code.at(op.localGet, by)
  code.op(op.i64RemS)
  code.op(op.f64ConvertI64S)
  code.at(op.localGet, divided)
  code.op(op.f64ConvertI64S)
  code.op(op.f64Copysign)
  values.frame.end()
  values.frame.give(i64, by)
  values.frame.give(i64, divided)
}

export function math(values: Values, node: Node & { is: 'math' }, form: Form): void {
  const code = values.code
  const first = node.args[0]!
  switch (node.name) {
    case 'floor':
    case 'ceil':
    case 'trunc':
      values.as(first, form)
      if (form === 'f64') code.op(roundings[node.name]!)
      return
    case 'abs':
      abs(values, first, form)
      return
    case 'sqrt':
      values.float(first)
      code.op(op.f64Sqrt)
      return
    case 'fround':
      values.float(first)
      code.op(op.f32DemoteF64)
      code.op(op.f64PromoteF32)
      return
    case 'clz32':
      values.word(first, false)
      code.op(op.i32Clz)
      return
    case 'small':
      values.word(first, true)
      return
    case 'imul':
      values.word(first, false)
      values.word(node.args[1]!, false)
      code.op(op.i32Mul)
      return
    case 'min':
    case 'max':
      extreme(values, node.name, first, node.args[1]!, form)
      return
    default:
      isOfKind(values, node.name, first)
  }
}

function abs(values: Values, of: Node, form: Form): void {
  const code = values.code
  if (form === 'f64') {
    values.float(of)
    code.op(op.f64Abs)
    return
  }
  const kept = values.frame.take(i64)
  values.wide(of)
  code.at(op.localSet, kept)
  code.i64(0)
  code.at(op.localGet, kept)
  code.op(op.i64Sub)
  code.at(op.localGet, kept)
  code.at(op.localGet, kept)
  code.i64(0)
  code.op(i64Compare['<']!)
  code.op(op.select)
  if (form !== 'i64') code.op(op.i32WrapI64)
  values.frame.give(i64, kept)
}

function extreme(values: Values, name: 'min' | 'max', left: Node, right: Node, form: Form): void {
  const code = values.code
  if (form === 'f64') {
    const limit = values.numberOf(left) ?? values.numberOf(right)
    if (limit !== undefined && !Number.isNaN(limit) && !Object.is(limit, -0)) {
      limited(values, name, values.numberOf(left) === undefined ? left : right, limit)
      return
    }
    values.float(left)
    values.float(right)
    code.op(name === 'min' ? op.f64Min : op.f64Max)
    return
  }
  const isNarrow = formOf(left.type) === 'i32' && formOf(right.type) === 'i32'
  const type = isNarrow ? i32 : i64
  const a = values.frame.take(type)
  const b = values.frame.take(type)
  values.as(left, isNarrow ? 'i32' : 'i64')
  code.at(op.localSet, a)
  values.as(right, isNarrow ? 'i32' : 'i64')
  code.at(op.localSet, b)
  code.at(op.localGet, a)
  code.at(op.localGet, b)
  code.at(op.localGet, a)
  code.at(op.localGet, b)
  code.op((isNarrow ? i32Compare : i64Compare)[name === 'min' ? '<' : '>']!)
  code.op(op.select)
  if (!isNarrow && form !== 'i64') code.op(op.i32WrapI64)
  if (isNarrow) values.frame.convert('i32', form)
  values.frame.give(type, b)
  values.frame.give(type, a)
}

/** Of a value and a number, which takes a comparison where the instruction takes four: NaN stays; -0 and 0, which are equal, become 0. */
function limited(values: Values, name: 'min' | 'max', of: Node, limit: number): void {
  const code = values.code
  const kept = values.frame.take(f64)
  values.float(of)
  code.at(op.localSet, kept)
  code.f64(limit)
  code.at(op.localGet, kept)
  code.f64(limit)
  code.at(op.localGet, kept)
  code.op(f64Compare[name === 'min' ? '<' : '>']!)
  code.op(op.select)
  if (limit === 0 && name === 'max') {
    code.f64(0)
    code.op(op.f64Add)
  }
  values.frame.give(f64, kept)
}

/** `Number.isInteger`, `isFinite`, `isNaN`; of an infinity x - x is NaN. */
function isOfKind(values: Values, name: string, of: Node): void {
  const code = values.code
  if (isWhole(of.type)) {
    values.effect(of)
    code.i32(name === 'isNaN' || of.type?.is === 'truth' ? 0 : 1)
    return
  }
  const kept = values.frame.take(f64)
  values.float(of)
  code.at(op.localTee, kept)
  code.at(op.localGet, kept)
  if (name === 'isNaN') code.op(f64Compare['!==']!)
  else {
    if (name === 'isInteger') code.op(op.f64Floor)
    code.op(op.f64Sub)
    code.f64(0)
    code.op(f64Compare['===']!)
  }
  values.frame.give(f64, kept)
}
