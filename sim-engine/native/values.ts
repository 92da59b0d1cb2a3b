// Expressions as instructions. A value is written in the form of its type, or in the one that is wanted.
import { access, address, store } from './elements.ts'
import type { Frame } from './frame.ts'
import { valueTypes } from './frame.ts'
import { type Form, formOf, isWhole, isWithin } from './infer.ts'
import { type Bytes, f64, f64Compare, i32, i32Compare, i64Compare, memory, op, u32Compare } from '../backends/binary.ts'
import { fitsUnsigned, math, remainder } from './numeric.ts'
import type { Node, Type } from './tree.ts'

const wordOps: Record<string, number> = {
  '+': op.i32Add,
  '-': op.i32Sub,
  '*': op.i32Mul,
  '&': op.i32And,
  '|': op.i32Or,
  '^': op.i32Xor,
  '<<': op.i32Shl,
  '>>': op.i32ShrS,
  '>>>': op.i32ShrU,
}
const wideOps: Record<string, number> = { '+': op.i64Add, '-': op.i64Sub, '*': op.i64Mul }
const floatOps: Record<string, number> = { '+': op.f64Add, '-': op.f64Sub, '*': op.f64Mul, '/': op.f64Div }

/** i64.trunc_sat_f64_s, of which the lower half is taken; NaN gives 0. */
const truncate64 = [0xfc, 6, op.i32WrapI64]

/** A call of a function of the text. */
export type Call = Node & { is: 'call' }

export class Values {
  readonly frame: Frame
  readonly code: Bytes
  /** Elements that are in locals, by the path of their array. */
  #held: ReadonlyMap<string, number> | null = null
  readonly #onCall: (call: Call, isIndex: boolean) => void

  /** `onCall` writes calls of functions of the text, which leave what they return; of an index, as a word. */
  constructor(frame: Frame, onCall: (call: Call, isIndex: boolean) => void) {
    this.frame = frame
    this.code = frame.code
    this.#onCall = onCall
  }

  /** What is written while elements of these arrays are in locals: there is one index alone. */
  holding(held: ReadonlyMap<string, number>, write: () => void): void {
    this.#held = held
    write()
    this.#held = null
  }

  /** What an expression does, without its value. */
  effect(node: Node): void {
    switch (node.is) {
      case 'number':
      case 'truth':
      case 'local':
      case 'global':
        return
      case 'sequence':
        for (const part of node.first) this.effect(part)
        this.effect(node.last)
        return
      case 'set':
        this.as(node.value, formOf(node.local.type))
        this.frame.local(op.localSet, node.local)
        return
      case 'setGlobal':
        this.as(node.value, node.of)
        this.code.at(op.globalSet, this.frame.places.global(node.path))
        return
      case 'store':
        store(this, node, false)
        return
      case 'call':
        this.#onCall(node, false)
        if (node.of.result !== null) this.code.op(op.drop)
        return
      case 'import':
        this.#import(node)
        if (node.result !== null) this.code.op(op.drop)
        return
      default:
        this.value(node)
        this.code.op(op.drop)
    }
  }

  as(node: Node, form: Form): void {
    if (form === 'f64') this.float(node)
    else if (form === 'i64') this.wide(node)
    else this.word(node, false)
  }

  /** 1 or 0. */
  truth(node: Node): void {
    if (node.is === 'not') {
      this.truth(node.of)
      this.code.op(op.i32Eqz)
      return
    }
    if (node.type?.is === 'truth') {
      this.value(node)
      return
    }
    this.#isNotZero(node)
  }

  /** The number that an expression surely is. */
  numberOf(node: Node): number | undefined {
    if (node.is === 'number') return node.value
    return node.is === 'local' ? (node.local.constant ?? undefined) : undefined
  }

  /** What a comparison of such numbers gives. */
  known(node: Node): boolean | null {
    if (node.is === 'test') return this.known(node.of)
    if (node.is !== 'compare') return null
    const left = this.numberOf(node.left)
    const right = this.numberOf(node.right)
    if (left === undefined || right === undefined) return null
    switch (node.op) {
      case '<':
        return left < right
      case '>':
        return left > right
      case '<=':
        return left <= right
      case '>=':
        return left >= right
      default:
        return (left === right) === (node.op === '===')
    }
  }

  /** Goes to a block's end, or a loop's beginning, where a test is as wanted. */
  jump(test: Node, isWanted: boolean, depth: number): void {
    const { frame } = this
    if (test.is === 'not') this.jump(test.of, !isWanted, depth)
    else if (test.is === 'logical' && (test.op === '||') === isWanted) {
      this.jump(test.left, isWanted, depth)
      this.jump(test.right, isWanted, depth)
    } else if (test.is === 'logical') {
      frame.begin(op.block)
      this.jump(test.left, !isWanted, frame.depth)
      this.jump(test.right, isWanted, depth)
      frame.end()
    } else {
      this.condition(test)
      if (!isWanted) this.code.op(op.i32Eqz)
      frame.jump(op.brIf, depth)
    }
  }

  /** The same, or any other number but 0 for what is true. */
  condition(node: Node): void {
    if (node.is === 'test' && node.of.type?.is !== 'truth' && (formOf(node.of.type) === 'i32' || formOf(node.of.type) === 'u32'))
      this.value(node.of)
    else this.truth(node)
  }

  #isNotZero(node: Node): void {
    const form = formOf(node.type)
    if (form === 'f64') {
      this.code.f64(0)
      this.value(node)
      this.code.op(op.f64Abs)
      this.code.op(f64Compare['<']!)
    } else if (form === 'i64') {
      this.value(node)
      this.code.op(op.i64Eqz)
      this.code.op(op.i32Eqz)
    } else {
      this.value(node)
      this.code.op(op.i32Eqz)
      this.code.op(op.i32Eqz)
    }
  }

  float(node: Node): void {
    const number = this.numberOf(node)
    if (number !== undefined) {
      this.code.f64(number)
      return
    }
    this.value(node)
    this.frame.convert(formOf(node.type), 'f64')
  }

  wide(node: Node): void {
    const number = this.numberOf(node)
    if (number !== undefined && isWhole(node.type)) {
      this.code.i64(number)
      return
    }
    if (node.is === 'load' && node.of !== 'f64' && !this.#held?.has(node.path)) {
      const offset = address(this, node.path, node.of, node.at)
      access(this, memory[node.of].loadWide, node.of, offset)
      return
    }
    this.value(node)
    this.frame.convert(formOf(node.type), 'i64')
  }

  /**
   * What ToInt32 makes of a value. As an index it is known to be a small whole number, so sums and one product may be calculated
   * in 32 bits whatever else they could be.
   */
  word(node: Node, isIndex: boolean): void {
    const number = this.numberOf(node)
    if (number !== undefined) {
      this.code.i32(number | 0)
      return
    }
    const code = node.is === 'binary' ? wordOps[node.op] : undefined
    if (node.is === 'binary' && code !== undefined && node.op.length === 1 && '+-*'.includes(node.op)) {
      const isExact = isWithin(node.type, 2 ** 53) && isWhole(node.left.type) && isWhole(node.right.type)
      if (isExact || (isIndex && isSum(node) && bigProducts(node) <= 1)) {
        this.word(node.left, isIndex && !isExact)
        this.word(node.right, isIndex && !isExact)
        this.code.op(code)
        return
      }
    }
    if (node.is === 'choice' && !this.#isFlag(node)) {
      this.condition(node.test)
      this.frame.begin(op.if, i32)
      this.word(node.yes, isIndex)
      this.code.op(op.else)
      this.word(node.no, isIndex)
      this.frame.end()
      return
    }
    if (node.is === 'unary' && node.op === '-' && isWhole(node.of.type)) {
      this.code.i32(0)
      this.word(node.of, false)
      this.code.op(op.i32Sub)
      return
    }
    if (node.is === 'call' && isIndex) {
      this.#onCall(node, true)
      return
    }
    this.value(node)
    this.toWord(node.type, isIndex)
  }

  /** From a value of a type to its word. */
  toWord(type: Type | null, isIndex: boolean): void {
    const form = formOf(type)
    if (form === 'i64') this.code.op(op.i32WrapI64)
    else if (form === 'f64' && isIndex) this.#wholeToWord()
    else if (form === 'f64') this.floatToWord(isWithin(type, 1.5 * 2 ** 62))
  }

  /** Of a whole number of few bits: added to 1.5 * 2^52, it is the lowest of the sum. */
  #wholeToWord(): void {
    this.code.f64(1.5 * 2 ** 52)
    this.code.op(op.f64Add)
    this.code.op(op.i64ReinterpretF64)
    this.code.op(op.i32WrapI64)
  }

  /** `isSmall`: it fits 64 bits. */
  floatToWord(isSmall: boolean): void {
    const truncate = (): void => {
      for (const byte of truncate64) this.code.op(byte)
    }
    if (isSmall) {
      truncate()
      return
    }
    const kept = this.frame.take(f64)
    this.code.at(op.localTee, kept)
    this.code.op(op.f64Abs)
    this.code.f64(2 ** 63)
    this.code.op(f64Compare['<']!)
    this.frame.begin(op.if, i32)
    this.code.at(op.localGet, kept)
    truncate()
    this.code.op(op.else)
    this.code.at(op.localGet, kept)
    this.code.at(op.call, this.frame.places.bigWord)
    this.frame.end()
    this.frame.give(f64, kept)
  }

  /** A value in the form of its type. */
  value(node: Node): void {
    const code = this.code
    const form = formOf(node.type)
    switch (node.is) {
      case 'number':
        this.#number(node.value, form)
        return
      case 'truth':
        code.i32(node.value ? 1 : 0)
        return
      case 'local':
        if (node.local.constant === null) this.frame.local(op.localGet, node.local)
        else this.#number(node.local.constant, form)
        return
      case 'global':
        this.frame.global(node.path)
        return
      case 'load': {
        const held = this.#held?.get(node.path)
        if (held !== undefined) {
          code.at(op.localGet, held)
          return
        }
        const offset = address(this, node.path, node.of, node.at)
        access(this, memory[node.of].load, node.of, offset)
        return
      }
      case 'unary':
        this.#unary(node, form)
        return
      case 'not':
        this.truth(node)
        return
      case 'test':
        this.truth(node.of)
        return
      case 'binary':
        this.#binary(node, form)
        return
      case 'compare':
        this.#compare(node)
        return
      case 'logical':
        this.condition(node.left)
        this.frame.begin(op.if, i32)
        if (node.op === '&&') this.truth(node.right)
        else code.i32(1)
        code.op(op.else)
        if (node.op === '&&') code.i32(0)
        else this.truth(node.right)
        this.frame.end()
        return
      case 'choice':
        if (form === 'i32' && this.#isFlag(node)) {
          this.truth(node.test)
          return
        }
        this.condition(node.test)
        this.frame.begin(op.if, valueTypes[form])
        this.as(node.yes, form)
        code.op(op.else)
        this.as(node.no, form)
        this.frame.end()
        return
      case 'sequence':
        for (const part of node.first) this.effect(part)
        this.value(node.last)
        return
      case 'set':
        this.#set(node, form)
        return
      case 'setGlobal': {
        const kept = this.frame.take(valueTypes[form])
        this.as(node.value, form)
        code.at(op.localTee, kept)
        if (node.of === 'f64') this.frame.convert(form, 'f64')
        else if (form === 'i64') code.op(op.i32WrapI64)
        code.at(op.globalSet, this.frame.places.global(node.path))
        code.at(op.localGet, kept)
        this.frame.give(valueTypes[form], kept)
        return
      }
      case 'store':
        store(this, node, true)
        return
      case 'call':
        this.#onCall(node, false)
        return
      case 'import':
        this.#import(node)
        return
      case 'math':
        math(this, node, form)
    }
  }

  /** `test ? 1 : 0`, which needs no branch. */
  #isFlag({ yes, no }: Node & { is: 'choice' }): boolean {
    return this.numberOf(yes) === 1 && this.numberOf(no) === 0
  }

  #number(value: number, form: Form): void {
    if (form === 'f64') this.code.f64(value)
    else if (form === 'i64') this.code.i64(value)
    else this.code.i32(value | 0)
  }

  #set(node: Node & { is: 'set' }, form: Form): void {
    const own = formOf(node.local.type)
    if (own === form) {
      this.as(node.value, form)
      this.frame.local(op.localTee, node.local)
      return
    }
    const type = valueTypes[form]
    const kept = this.frame.take(type)
    this.as(node.value, form)
    this.code.at(op.localTee, kept)
    this.frame.convert(form, own)
    this.frame.local(op.localSet, node.local)
    this.code.at(op.localGet, kept)
    this.frame.give(type, kept)
  }

  #unary(node: Node & { is: 'unary' }, form: Form): void {
    if (node.op === '+') {
      this.as(node.of, form)
    } else if (node.op === '~') {
      this.word(node.of, false)
      this.code.i32(-1)
      this.code.op(op.i32Xor)
    } else if (form === 'f64') {
      this.float(node.of)
      this.code.op(op.f64Neg)
    } else if (form === 'i64') {
      this.code.i64(0)
      this.wide(node.of)
      this.code.op(op.i64Sub)
    } else this.word(node, false)
  }

  #binary(node: Node & { is: 'binary' }, form: Form): void {
    const { left, right } = node
    if (node.op === '%') {
      remainder(this, left, right, form)
    } else if (form === 'f64') {
      this.float(left)
      this.float(right)
      this.code.op(floatOps[node.op]!)
    } else if (form === 'i64') {
      this.wide(left)
      this.wide(right)
      this.code.op(wideOps[node.op]!)
    } else {
      const isCut = node.op === '|' && right.is === 'number' && right.value === 0
      if (isCut && this.#quotient(left)) return
      this.word(left, false)
      if (isCut) return
      this.word(right, false)
      this.code.op(wordOps[node.op]!)
    }
  }

  /** Of a whole number times 2^-k what is before the point, without a float. */
  #quotient(node: Node): boolean {
    if (node.is !== 'binary' || node.op !== '*' || node.right.is !== 'number' || !isWhole(node.left.type)) return false
    const { value } = node.right
    let bits = 1
    while (bits < 63 && value * 2 ** bits !== 1) bits++
    if (bits === 63 || node.left.type!.low < 0) return false
    this.wide(node.left)
    this.code.i64(bits)
    this.code.op(op.i64ShrU)
    this.code.op(op.i32WrapI64)
    return true
  }

  #compare(node: Node & { is: 'compare' }): void {
    const { left, right, op: sign } = node
    const code = this.code
    if (!isWhole(left.type) || !isWhole(right.type)) {
      this.float(left)
      this.float(right)
      code.op(f64Compare[sign]!)
      return
    }
    const isSigned = formOf(left.type) === 'i32' && formOf(right.type) === 'i32'
    if (isSigned && sign === '===' && right.is === 'number' && right.value === 0) {
      this.word(left, false)
      code.op(op.i32Eqz)
    } else if (isSigned || (fitsUnsigned(left.type) && fitsUnsigned(right.type))) {
      this.word(left, false)
      this.word(right, false)
      code.op((isSigned ? i32Compare : u32Compare)[sign]!)
    } else {
      this.wide(left)
      this.wide(right)
      code.op(i64Compare[sign]!)
    }
  }

  #import(node: Node & { is: 'import' }): void {
    node.args.forEach((arg, k) => this.as(arg, node.parameters[k]!))
    this.code.at(op.call, this.frame.places.imported(node.path))
    if (node.moves) this.frame.moved()
  }
}

/** A sum of whole numbers, with products. */
function isSum(node: Node): boolean {
  if (isWhole(node.type)) return true
  return node.is === 'binary' && (node.op === '+' || node.op === '-' || node.op === '*') && isSum(node.left) && isSum(node.right)
}

/** How many products of a sum may be rounded. */
function bigProducts(node: Node): number {
  if (node.is !== 'binary') return 0
  const own = node.op === '*' && !isWithin(node.type, 2 ** 53) ? 1 : 0
  return own + bigProducts(node.left) + bigProducts(node.right)
}
