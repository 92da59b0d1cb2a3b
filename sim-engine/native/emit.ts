// From trees whose types are known to instructions.
import { type Form, formOf, isWhole, isWithin } from './infer.ts'
import { Bytes, f64, f64Compare, i32, i32Compare, i64, i64Compare, type Made, memory, nothing, op, u32Compare } from './module.ts'
import type { Act, Element, Instance, Label, Local, Node, Type } from './tree.ts'

/** Where functions and globals lie in the module. */
export type Places = {
  /** The first of the functions made. */
  readonly base: number
  /** ToInt32 of numbers from 2^63 on. */
  readonly bigWord: number
  imported(path: string): number
  global(path: string): number
}

const valueTypes: Record<Form, number> = { i32, u32: i32, i64, f64 }

export function valueType(type: Type | null): number {
  return valueTypes[formOf(type)]
}

/** Code of one function. */
export function codeOf(instance: Instance, places: Places): Made {
  return new Writer(instance, places).made()
}

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
const roundings: Record<string, number> = { floor: op.f64Floor, ceil: op.f64Ceil, trunc: op.f64Trunc }

class Writer {
  readonly #instance: Instance
  readonly #places: Places
  readonly #code = new Bytes()
  readonly #locals: number[] = []
  /** Locals in use for a moment that are free again, by type. */
  readonly #free = new Map<number, number[]>()
  #parameters = 0
  #depth = 0

  constructor(instance: Instance, places: Places) {
    this.#instance = instance
    this.#places = places
  }

  made(): Made {
    const { parameters, body, result } = this.#instance
    for (const parameter of parameters) parameter.index = this.#parameters++
    this.#acts(body)
    if (result !== null) this.#code.op(op.unreachable)
    return {
      parameters: parameters.map(parameter => valueType(parameter.type)),
      results: result === null ? [] : [valueType(result.type)],
      locals: this.#locals,
      code: this.#code.all,
    }
  }

  // Locals

  #new(type: number): number {
    this.#locals.push(type)
    return this.#parameters + this.#locals.length - 1
  }

  #local(code: number, local: Local): void {
    if (local.index < 0) local.index = this.#new(valueType(local.type))
    this.#code.at(code, local.index)
  }

  #take(type: number): number {
    return this.#free.get(type)?.pop() ?? this.#new(type)
  }

  #give(type: number, index: number): void {
    const free = this.#free.get(type)
    if (free === undefined) this.#free.set(type, [index])
    else free.push(index)
  }

  // Statements

  #acts(acts: readonly Act[]): void {
    for (const act of acts) this.#act(act)
  }

  #begin(code: number, type: number = nothing): void {
    this.#code.op(code)
    this.#code.op(type)
    this.#depth++
  }

  #end(): void {
    this.#code.op(op.end)
    this.#depth--
  }

  #jump(code: number, depth: number): void {
    this.#code.at(code, this.#depth - depth)
  }

  #act(act: Act): void {
    switch (act.is) {
      case 'do':
        this.#effect(act.value)
        return
      case 'if':
        this.#truth(act.test)
        this.#begin(op.if)
        this.#acts(act.yes)
        if (act.no.length > 0) {
          this.#code.op(op.else)
          this.#acts(act.no)
        }
        this.#end()
        return
      case 'loop':
        this.#loop(act)
        return
      case 'block':
        if (!act.label.isBroken) {
          this.#acts(act.body)
          return
        }
        this.#begin(op.block)
        act.label.end = this.#depth
        this.#acts(act.body)
        this.#end()
        return
      case 'leave':
        this.#leave(act.label, act.isAgain)
        return
      case 'return':
        if (act.value !== null) this.#as(act.value, formOf(this.#instance.result!.type))
        this.#code.op(op.return)
    }
  }

  #leave(label: Label, isAgain: boolean): void {
    this.#jump(op.br, isAgain ? label.again : label.end)
  }

  /** The test stands before the loop as well, so that a round ends with one jump. */
  #loop(act: Act & { is: 'loop' }): void {
    const { test, label, next, body, isTestedLast } = act
    const isTestedFirst = test !== null && !isTestedLast
    const hasEnd = isTestedFirst || label.isBroken
    if (hasEnd) {
      this.#begin(op.block)
      label.end = this.#depth
    }
    if (isTestedFirst) {
      this.#truth(test)
      this.#code.op(op.i32Eqz)
      this.#jump(op.brIf, label.end)
    }
    this.#begin(op.loop)
    const start = this.#depth
    if (label.isContinued) {
      this.#begin(op.block)
      label.again = this.#depth
    }
    this.#acts(body)
    if (label.isContinued) this.#end()
    if (next !== null) this.#effect(next)
    if (test === null) this.#jump(op.br, start)
    else {
      this.#truth(test)
      this.#jump(op.brIf, start)
    }
    this.#end()
    if (hasEnd) this.#end()
  }

  // Expressions

  /** What an expression does, without its value. */
  #effect(node: Node): void {
    switch (node.is) {
      case 'number':
      case 'truth':
      case 'local':
      case 'global':
        return
      case 'sequence':
        for (const part of node.first) this.#effect(part)
        this.#effect(node.last)
        return
      case 'set':
        this.#as(node.value, formOf(node.local.type))
        this.#local(op.localSet, node.local)
        return
      case 'setGlobal':
        this.#as(node.value, node.of)
        this.#code.at(op.globalSet, this.#places.global(node.path))
        return
      case 'store':
        this.#store(node, false)
        return
      case 'call':
        this.#call(node)
        if (node.of.result !== null) this.#code.op(op.drop)
        return
      case 'import':
        this.#import(node)
        if (node.result !== null) this.#code.op(op.drop)
        return
      default:
        this.#value(node)
        this.#code.op(op.drop)
    }
  }

  #as(node: Node, form: Form): void {
    if (form === 'f64') this.#float(node)
    else if (form === 'i64') this.#wide(node)
    else this.#word(node, false)
  }

  /** 1 or 0. */
  #truth(node: Node): void {
    if (node.is === 'not') {
      this.#truth(node.of)
      this.#code.op(op.i32Eqz)
      return
    }
    if (node.type?.is === 'truth') {
      this.#value(node)
      return
    }
    this.#isNotZero(node)
  }

  #isNotZero(node: Node): void {
    const form = formOf(node.type)
    if (form === 'f64') {
      this.#code.f64(0)
      this.#value(node)
      this.#code.op(op.f64Abs)
      this.#code.op(f64Compare['<']!)
    } else if (form === 'i64') {
      this.#value(node)
      this.#code.op(op.i64Eqz)
      this.#code.op(op.i32Eqz)
    } else {
      this.#value(node)
      this.#code.op(op.i32Eqz)
      this.#code.op(op.i32Eqz)
    }
  }

  #float(node: Node): void {
    if (node.is === 'number') {
      this.#code.f64(node.value)
      return
    }
    this.#value(node)
    this.#convert(formOf(node.type), 'f64')
  }

  #wide(node: Node): void {
    if (node.is === 'number') {
      this.#code.i64(node.value)
      return
    }
    if (node.is === 'load' && node.of !== 'f64') {
      const offset = this.#address(node.path, node.of, node.at)
      this.#memory(memory[node.of].loadWide, node.of, offset)
      return
    }
    this.#value(node)
    this.#convert(formOf(node.type), 'i64')
  }

  /** From a form to one that is wider. */
  #convert(from: Form, to: Form): void {
    if (from === to) return
    if (to === 'f64') this.#code.op(from === 'i32' ? op.f64ConvertI32S : from === 'u32' ? op.f64ConvertI32U : op.f64ConvertI64S)
    else if (to === 'i64') this.#code.op(from === 'i32' ? op.i64ExtendI32S : op.i64ExtendI32U)
  }

  /**
   * What ToInt32 makes of a value. As an index it is known to be a small whole number, so sums and one product may be calculated
   * in 32 bits whatever else they could be.
   */
  #word(node: Node, isIndex: boolean): void {
    if (node.is === 'number') {
      this.#code.i32(node.value | 0)
      return
    }
    const code = node.is === 'binary' ? wordOps[node.op] : undefined
    if (node.is === 'binary' && code !== undefined && node.op.length === 1 && '+-*'.includes(node.op)) {
      const isExact = isWithin(node.type, 2 ** 53) && isWhole(node.left.type) && isWhole(node.right.type)
      if (isExact || (isIndex && isSum(node) && bigProducts(node) <= 1)) {
        this.#word(node.left, isIndex && !isExact)
        this.#word(node.right, isIndex && !isExact)
        this.#code.op(code)
        return
      }
    }
    if (node.is === 'choice') {
      this.#truth(node.test)
      this.#begin(op.if, i32)
      this.#word(node.yes, isIndex)
      this.#code.op(op.else)
      this.#word(node.no, isIndex)
      this.#end()
      return
    }
    if (node.is === 'unary' && node.op === '-' && isWhole(node.of.type)) {
      this.#code.i32(0)
      this.#word(node.of, false)
      this.#code.op(op.i32Sub)
      return
    }
    this.#value(node)
    const form = formOf(node.type)
    if (form === 'i64') this.#code.op(op.i32WrapI64)
    else if (form === 'f64') this.#floatToWord(isIndex || isWithin(node.type, 2 ** 62))
  }

  #floatToWord(isSmall: boolean): void {
    const truncate = (): void => {
      // i64.trunc_sat_f64_s: NaN gives 0.
      this.#code.all.push(0xfc, 6, op.i32WrapI64)
    }
    if (isSmall) {
      truncate()
      return
    }
    const kept = this.#take(f64)
    this.#code.at(op.localTee, kept)
    this.#code.op(op.f64Abs)
    this.#code.f64(2 ** 63)
    this.#code.op(f64Compare['<']!)
    this.#begin(op.if, i32)
    this.#code.at(op.localGet, kept)
    truncate()
    this.#code.op(op.else)
    this.#code.at(op.localGet, kept)
    this.#code.at(op.call, this.#places.bigWord)
    this.#end()
    this.#give(f64, kept)
  }

  /** A value in the form of its type. */
  #value(node: Node): void {
    const code = this.#code
    const form = formOf(node.type)
    switch (node.is) {
      case 'number':
        if (form === 'f64') code.f64(node.value)
        else if (form === 'i64') code.i64(node.value)
        else code.i32(node.value | 0)
        return
      case 'truth':
        code.i32(node.value ? 1 : 0)
        return
      case 'local':
        this.#local(op.localGet, node.local)
        return
      case 'global':
        code.at(op.globalGet, this.#places.global(node.path))
        return
      case 'load': {
        const offset = this.#address(node.path, node.of, node.at)
        this.#memory(memory[node.of].load, node.of, offset)
        return
      }
      case 'unary':
        this.#unary(node, form)
        return
      case 'not':
        this.#truth(node)
        return
      case 'test':
        this.#truth(node.of)
        return
      case 'binary':
        this.#binary(node, form)
        return
      case 'compare':
        this.#compare(node)
        return
      case 'logical':
        this.#truth(node.left)
        this.#begin(op.if, i32)
        if (node.op === '&&') this.#truth(node.right)
        else code.i32(1)
        code.op(op.else)
        if (node.op === '&&') code.i32(0)
        else this.#truth(node.right)
        this.#end()
        return
      case 'choice':
        this.#truth(node.test)
        this.#begin(op.if, valueTypes[form])
        this.#as(node.yes, form)
        code.op(op.else)
        this.#as(node.no, form)
        this.#end()
        return
      case 'sequence':
        for (const part of node.first) this.#effect(part)
        this.#value(node.last)
        return
      case 'set':
        this.#set(node, form)
        return
      case 'setGlobal': {
        const kept = this.#take(valueTypes[form])
        this.#as(node.value, form)
        code.at(op.localTee, kept)
        if (node.of === 'f64') this.#convert(form, 'f64')
        else if (form === 'i64') code.op(op.i32WrapI64)
        code.at(op.globalSet, this.#places.global(node.path))
        code.at(op.localGet, kept)
        this.#give(valueTypes[form], kept)
        return
      }
      case 'store':
        this.#store(node, true)
        return
      case 'call':
        this.#call(node)
        return
      case 'import':
        this.#import(node)
        return
      case 'math':
        this.#math(node, form)
    }
  }

  #set(node: Node & { is: 'set' }, form: Form): void {
    const own = formOf(node.local.type)
    if (own === form) {
      this.#as(node.value, form)
      this.#local(op.localTee, node.local)
      return
    }
    const type = valueTypes[form]
    const kept = this.#take(type)
    this.#as(node.value, form)
    this.#code.at(op.localTee, kept)
    this.#convert(form, own)
    this.#local(op.localSet, node.local)
    this.#code.at(op.localGet, kept)
    this.#give(type, kept)
  }

  #unary(node: Node & { is: 'unary' }, form: Form): void {
    if (node.op === '+') {
      this.#as(node.of, form)
    } else if (node.op === '~') {
      this.#word(node.of, false)
      this.#code.i32(-1)
      this.#code.op(op.i32Xor)
    } else if (form === 'f64') {
      this.#float(node.of)
      this.#code.op(op.f64Neg)
    } else if (form === 'i64') {
      this.#code.i64(0)
      this.#wide(node.of)
      this.#code.op(op.i64Sub)
    } else this.#word(node, false)
  }

  #binary(node: Node & { is: 'binary' }, form: Form): void {
    const { left, right } = node
    if (node.op === '%') {
      this.#remainder(left, right, form)
    } else if (form === 'f64') {
      this.#float(left)
      this.#float(right)
      this.#code.op(floatOps[node.op]!)
    } else if (form === 'i64') {
      this.#wide(left)
      this.#wide(right)
      this.#code.op(wideOps[node.op]!)
    } else {
      this.#word(left, false)
      if (node.op === '|' && right.is === 'number' && right.value === 0) return
      this.#word(right, false)
      this.#code.op(wordOps[node.op]!)
    }
  }

  #remainder(left: Node, right: Node, form: Form): void {
    const code = this.#code
    if (form !== 'f64') {
      if (fitsUnsigned(left.type) && fitsUnsigned(right.type)) {
        this.#word(left, false)
        this.#word(right, false)
        code.op(op.i32RemU)
        this.#convert('u32', form)
      } else {
        this.#wide(left)
        this.#wide(right)
        code.op(op.i64RemS)
        if (form !== 'i64') code.op(op.i32WrapI64)
      }
      return
    }
    // By 0 it is NaN; the sign is that of what is divided, of -0 as well.
    const divided = this.#take(i64)
    const by = this.#take(i64)
    this.#wide(left)
    code.at(op.localSet, divided)
    this.#wide(right)
    code.at(op.localTee, by)
    code.op(op.i64Eqz)
    this.#begin(op.if, f64)
    code.f64(NaN)
    code.op(op.else)
    code.at(op.localGet, divided)
    code.at(op.localGet, by)
    code.op(op.i64RemS)
    code.op(op.f64ConvertI64S)
    code.at(op.localGet, divided)
    code.op(op.f64ConvertI64S)
    code.op(op.f64Copysign)
    this.#end()
    this.#give(i64, by)
    this.#give(i64, divided)
  }

  #compare(node: Node & { is: 'compare' }): void {
    const { left, right, op: sign } = node
    const code = this.#code
    if (!isWhole(left.type) || !isWhole(right.type)) {
      this.#float(left)
      this.#float(right)
      code.op(f64Compare[sign]!)
      return
    }
    const isSigned = formOf(left.type) === 'i32' && formOf(right.type) === 'i32'
    if (isSigned && sign === '===' && right.is === 'number' && right.value === 0) {
      this.#word(left, false)
      code.op(op.i32Eqz)
    } else if (isSigned || (fitsUnsigned(left.type) && fitsUnsigned(right.type))) {
      this.#word(left, false)
      this.#word(right, false)
      code.op((isSigned ? i32Compare : u32Compare)[sign]!)
    } else {
      this.#wide(left)
      this.#wide(right)
      code.op(i64Compare[sign]!)
    }
  }

  #math(node: Node & { is: 'math' }, form: Form): void {
    const code = this.#code
    const first = node.args[0]!
    switch (node.name) {
      case 'floor':
      case 'ceil':
      case 'trunc':
        this.#as(first, form)
        if (form === 'f64') code.op(roundings[node.name]!)
        return
      case 'abs':
        this.#abs(first, form)
        return
      case 'sqrt':
        this.#float(first)
        code.op(op.f64Sqrt)
        return
      case 'fround':
        this.#float(first)
        code.op(op.f32DemoteF64)
        code.op(op.f64PromoteF32)
        return
      case 'clz32':
        this.#word(first, false)
        code.op(op.i32Clz)
        return
      case 'imul':
        this.#word(first, false)
        this.#word(node.args[1]!, false)
        code.op(op.i32Mul)
        return
      case 'min':
      case 'max':
        this.#extreme(node.name, first, node.args[1]!, form)
        return
      default:
        this.#isOfKind(node.name, first)
    }
  }

  #abs(of: Node, form: Form): void {
    const code = this.#code
    if (form === 'f64') {
      this.#float(of)
      code.op(op.f64Abs)
      return
    }
    const kept = this.#take(i64)
    this.#wide(of)
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
    this.#give(i64, kept)
  }

  #extreme(name: 'min' | 'max', left: Node, right: Node, form: Form): void {
    const code = this.#code
    if (form === 'f64') {
      this.#float(left)
      this.#float(right)
      code.op(name === 'min' ? op.f64Min : op.f64Max)
      return
    }
    const isNarrow = formOf(left.type) === 'i32' && formOf(right.type) === 'i32'
    const type = isNarrow ? i32 : i64
    const a = this.#take(type)
    const b = this.#take(type)
    this.#as(left, isNarrow ? 'i32' : 'i64')
    code.at(op.localSet, a)
    this.#as(right, isNarrow ? 'i32' : 'i64')
    code.at(op.localSet, b)
    code.at(op.localGet, a)
    code.at(op.localGet, b)
    code.at(op.localGet, a)
    code.at(op.localGet, b)
    code.op((isNarrow ? i32Compare : i64Compare)[name === 'min' ? '<' : '>']!)
    code.op(op.select)
    if (!isNarrow && form !== 'i64') code.op(op.i32WrapI64)
    if (isNarrow) this.#convert('i32', form)
    this.#give(type, b)
    this.#give(type, a)
  }

  /** `Number.isInteger`, `isFinite`, `isNaN`; of an infinity x - x is NaN. */
  #isOfKind(name: string, of: Node): void {
    const code = this.#code
    if (isWhole(of.type)) {
      this.#effect(of)
      code.i32(name === 'isNaN' || of.type?.is === 'truth' ? 0 : 1)
      return
    }
    const kept = this.#take(f64)
    this.#float(of)
    code.at(op.localTee, kept)
    code.at(op.localGet, kept)
    if (name === 'isNaN') code.op(f64Compare['!==']!)
    else {
      if (name === 'isInteger') code.op(op.f64Floor)
      code.op(op.f64Sub)
      code.f64(0)
      code.op(f64Compare['===']!)
    }
    this.#give(f64, kept)
  }

  // Memory

  /** The address of an element, without the offset that is given back. */
  #address(path: string, of: Element, at: Node): number {
    const { shift } = memory[of]
    this.#code.at(op.globalGet, this.#places.global(path))
    if (at.is === 'number') return at.value * 2 ** shift
    let index: Node = at
    let offset = 0
    if (at.is === 'binary' && at.op === '+' && at.right.is === 'number' && isSmall(at.right.value) && isWhole(at.left.type)) {
      // Of a sum the offset is added without wrapping round, so what it is added to may not lie before the array.
      if (at.left.type!.low >= 0) {
        index = at.left
        offset = at.right.value * 2 ** shift
      }
    }
    this.#word(index, true)
    if (shift > 0) {
      this.#code.i32(shift)
      this.#code.op(op.i32Shl)
    }
    this.#code.op(op.i32Add)
    return offset
  }

  #memory(code: number, of: Element, offset: number): void {
    this.#code.all.push(code, memory[of].shift)
    this.#code.unsigned(offset)
  }

  /** A call in the value may move the array, so then the address comes last. */
  #store(node: Node & { is: 'store' }, isWanted: boolean): void {
    const code = this.#code
    const { path, of, at, value } = node
    const isFloat = of === 'f64'
    const form = isWanted ? formOf(value.type) : isFloat ? 'f64' : 'i32'
    const type = valueTypes[form]
    const kept = isWanted || hasCall(value) ? this.#take(type) : -1
    if (hasCall(value)) {
      const index = at.is === 'number' ? -1 : this.#take(i32)
      if (index >= 0) {
        this.#word(at, true)
        code.at(op.localSet, index)
      }
      this.#as(value, form)
      code.at(op.localSet, kept)
      let offset = 0
      if (index < 0) offset = this.#address(path, of, at)
      else {
        code.at(op.globalGet, this.#places.global(path))
        code.at(op.localGet, index)
        code.i32(memory[of].shift)
        code.op(op.i32Shl)
        code.op(op.i32Add)
        this.#give(i32, index)
      }
      code.at(op.localGet, kept)
      this.#narrow(form, isFloat, value)
      this.#memory(memory[of].store, of, offset)
    } else {
      const offset = this.#address(path, of, at)
      this.#as(value, form)
      if (isWanted) code.at(op.localTee, kept)
      this.#narrow(form, isFloat, value)
      this.#memory(memory[of].store, of, offset)
    }
    if (isWanted) code.at(op.localGet, kept)
    if (kept >= 0) this.#give(type, kept)
  }

  /** From the form of a value to what is stored. */
  #narrow(form: Form, isFloat: boolean, value: Node): void {
    if (isFloat) this.#convert(form, 'f64')
    else if (form === 'i64') this.#code.op(op.i32WrapI64)
    else if (form === 'f64') this.#floatToWord(isWithin(value.type, 2 ** 62))
  }

  // Calls

  #call(node: Node & { is: 'call' }): void {
    node.args.forEach((arg, k) => this.#as(arg, formOf(node.of.parameters[k]!.type)))
    for (const arg of node.extra) this.#effect(arg)
    this.#code.at(op.call, this.#places.base + node.of.index)
  }

  #import(node: Node & { is: 'import' }): void {
    node.args.forEach((arg, k) => this.#as(arg, node.parameters[k]!))
    this.#code.at(op.call, this.#places.imported(node.path))
  }
}

function isSmall(value: number): boolean {
  return value >= 0 && value <= 65536 && Number.isInteger(value)
}

function fitsUnsigned(type: Type | null): boolean {
  return type !== null && type.is !== 'real' && type.low >= 0 && type.high < 2 ** 32
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

function hasCall(node: Node): boolean {
  switch (node.is) {
    case 'call':
    case 'import':
      return true
    case 'load':
      return hasCall(node.at)
    case 'unary':
    case 'not':
    case 'test':
      return hasCall(node.of)
    case 'binary':
    case 'compare':
    case 'logical':
      return hasCall(node.left) || hasCall(node.right)
    case 'choice':
      return hasCall(node.test) || hasCall(node.yes) || hasCall(node.no)
    case 'sequence':
      return node.first.some(hasCall) || hasCall(node.last)
    case 'set':
    case 'setGlobal':
      return hasCall(node.value)
    case 'store':
      return hasCall(node.at) || hasCall(node.value)
    case 'math':
      return node.args.some(hasCall)
    case 'number':
    case 'truth':
    case 'local':
    case 'global':
      return false
  }
}
