// Elements of arrays: addresses, reading and writing.
import { mayMove, valueTypes } from './frame.ts'
import { type Form, formOf, isWhole, isWithin } from './infer.ts'
import { i32, memory, op } from '../backends/binary.ts'
import type { Element, Node, Type } from './tree.ts'
import type { Values } from './values.ts'

/** The address of an element, without the offset that is given back. */
export function address(values: Values, path: string, of: Element, at: Node): number {
  const { code, frame } = values
  const { shift } = memory[of]
  if (at.is === 'number') {
    frame.global(path)
    return at.value * 2 ** shift
  }
  if (mayMove(at)) {
    const index = frame.take(i32)
    values.word(at, true)
    code.at(op.localSet, index)
    addressOf(values, path, of, index)
    frame.give(i32, index)
    return 0
  }
  let index: Node = at
  let offset = 0
  frame.global(path)
  // An offset is added without wrapping round, so what it is added to may not lie before the array.
  const isSum = at.is === 'binary' && at.op === '+' && isWhole(at.left.type) && at.left.type!.low >= 0
  if (isSum && at.right.is === 'number' && isSmall(at.right.value)) {
    index = at.left
    offset = at.right.value * 2 ** shift
  }
  values.word(index, true)
  scaled(values, of)
  return offset
}

/** The address of an element whose index is in a local. */
export function addressOf(values: Values, path: string, of: Element, index: number): void {
  values.frame.global(path)
  values.code.at(op.localGet, index)
  scaled(values, of)
}

function scaled({ code }: Values, of: Element): void {
  const { shift } = memory[of]
  if (shift > 0) {
    code.i32(shift)
    code.op(op.i32Shl)
  }
  code.op(op.i32Add)
}

export function access(values: Values, code: number, of: Element, offset: number): void {
  values.code.op(code)
  values.code.op(memory[of].shift)
  values.code.unsigned(offset)
}

/** Where calculating the value may move the array, the address comes last. */
export function store(values: Values, node: Node & { is: 'store' }, isWanted: boolean): void {
  const code = values.code
  const { path, of, at, value } = node
  const isFloat = of === 'f64'
  const form = isWanted ? formOf(value.type) : isFloat ? 'f64' : 'i32'
  const type = valueTypes[form]
  const kept = isWanted || mayMove(value) ? values.frame.take(type) : -1
  if (mayMove(value)) {
    const index = at.is === 'number' ? -1 : values.frame.take(i32)
    if (index >= 0) {
      values.word(at, true)
      code.at(op.localSet, index)
    }
    values.as(value, form)
    code.at(op.localSet, kept)
    let offset = 0
    if (index < 0) offset = address(values, path, of, at)
    else {
      addressOf(values, path, of, index)
      values.frame.give(i32, index)
    }
    code.at(op.localGet, kept)
    narrow(values, form, isFloat, value)
    access(values, memory[of].store, of, offset)
  } else {
    const offset = address(values, path, of, at)
    values.as(value, form)
    if (isWanted) code.at(op.localTee, kept)
    narrow(values, form, isFloat, value)
    access(values, memory[of].store, of, offset)
  }
  if (isWanted) code.at(op.localGet, kept)
  if (kept >= 0) values.frame.give(type, kept)
}

/** From the form of a value to what is stored. */
function narrow(values: Values, form: Form, isFloat: boolean, value: Node): void {
  if (isFloat) values.frame.convert(form, 'f64')
  else if (form === 'i64') values.code.op(op.i32WrapI64)
  else if (form === 'f64') values.floatToWord(isWithin(value.type, 1.5 * 2 ** 62))
}

/** Whether a value is stored as it is. */
export function fitsElement(of: Element, type: Type | null): boolean {
  if (of === 'f64') return true
  if (of === 'i32') return isWhole(type) && formOf(type) === 'i32'
  return isWhole(type) && type!.low >= 0 && type!.high < (of === 'u8' ? 256 : 65536)
}

function isSmall(value: number): boolean {
  return value >= 0 && value <= 65536 && Number.isInteger(value)
}
