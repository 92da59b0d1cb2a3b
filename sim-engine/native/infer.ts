// What each value can be: truths, whole numbers within bounds, or any number. Found for all functions together, again and again
// until nothing grows. Whole numbers are calculated as such where that gives the very number that JavaScript gives: their bounds
// say that nothing is rounded, and there is no -0 among them.
import { refuse } from './parse.ts'
import type { Act, Element, Instance, Local, Node, Scalar, Type } from './tree.ts'

const safe = 2 ** 53
const low32 = -(2 ** 31)
const high32 = 2 ** 31 - 1
/** A counter that begins with no more has room in 32 bits for as many rounds again. */
const fewRounds = 2 ** 30 - 1
/** More rounds than anybody counts. */
const manyRounds = 2 ** 51

const truth: Type = { is: 'truth', low: 0, high: 1, isNaN: false }
const anything: Type = { is: 'real', low: -Infinity, high: Infinity, isNaN: true }
const word = int(low32, high32)
const elements: Record<Element | Scalar, Type> = {
  u8: int(0, 255),
  u16: int(0, 65535),
  i32: word,
  f64: anything,
}

/** How a value lies in WebAssembly: whole numbers of 32 bits with or without a sign, of 64 bits, floating point. */
export type Form = 'i32' | 'u32' | 'i64' | 'f64'

export function formOf(type: Type | null): Form {
  if (type === null) return 'i32'
  if (type.is === 'real') return 'f64'
  if (type.low >= low32 && type.high <= high32) return 'i32'
  return type.low >= 0 && type.high < 2 ** 32 ? 'u32' : 'i64'
}

export function isWhole(type: Type | null): boolean {
  return type !== null && type.is !== 'real'
}

/** Whether a value surely lies within `bound` of 0. */
export function isWithin(type: Type | null, bound: number): boolean {
  return type !== null && type.low >= -bound && type.high <= bound
}

function int(low: number, high: number): Type {
  return { is: 'int', low, high, isNaN: false }
}

function whole(low: number, high: number): Type {
  return low >= -safe && high <= safe ? int(low, high) : real(low, high, false)
}

function real(low: number, high: number, isNaN: boolean): Type {
  return Number.isNaN(low) || Number.isNaN(high) ? anything : { is: 'real', low, high, isNaN }
}

function join(a: Type | null, b: Type | null): Type | null {
  if (a === null) return b
  if (b === null) return a
  if (a.low <= b.low && a.high >= b.high && a.is === b.is && (a.isNaN || !b.isNaN)) return a
  if ((a.is === 'truth') !== (b.is === 'truth')) refuse('what is now a truth, now a number')
  const low = Math.min(a.low, b.low)
  const high = Math.max(a.high, b.high)
  return a.is === 'int' && b.is === 'int' ? whole(low, high) : real(low, high, a.isNaN || b.isNaN)
}

const floors = [0, -1, low32, -(2 ** 32), -(2 ** 50), -safe]
const ceilings = [1, 255, high32, 2 ** 32 - 1, 2 ** 33, 2 ** 50, safe]

/** A type that grows again and again leaps to the next of few bounds. */
function widen(type: Type): Type {
  if (type.is === 'truth') return type
  if (type.is === 'real') return anything
  const low = floors.find(bound => bound <= type.low)
  const high = ceilings.find(bound => bound >= type.high)
  return low === undefined || high === undefined ? anything : int(low, high)
}

/** Finds the types of all variables, results and nodes. */
export function infer(instances: readonly Instance[], roots: readonly Instance[]): void {
  const inference = new Inference()
  for (const root of roots) for (const parameter of root.parameters) inference.grow(parameter, anything)
  for (;;) {
    for (const instance of instances)
      if (instance.isOpen) {
        instance.isOpen = false
        inference.acts(instance.body, instance)
      }
    if (instances.some(instance => instance.isOpen)) continue
    // Outside there are no whole numbers of more than 32 bits.
    const wide = roots.filter(({ result }) => result !== null && formOf(result.type) !== 'i32' && formOf(result.type) !== 'f64')
    if (wide.length === 0) return
    for (const { result } of wide) inference.grow(result!, anything)
  }
}

class Inference {
  acts(acts: readonly Act[], instance: Instance): void {
    for (const act of acts) {
      switch (act.is) {
        case 'do':
          this.#of(act.value)
          break
        case 'if':
          this.#of(act.test)
          this.acts(act.yes, instance)
          this.acts(act.no, instance)
          break
        case 'loop':
          if (act.test !== null) this.#of(act.test)
          this.acts(act.body, instance)
          if (act.next !== null) this.#of(act.next)
          break
        case 'block':
          this.acts(act.body, instance)
          break
        case 'return':
          if (act.value !== null) this.grow(instance.result!, this.#of(act.value))
          break
        case 'leave':
      }
    }
  }

  grow(local: Local, by: Type | null): void {
    const grown = join(local.origin, by)
    if (grown === null || isSame(grown, local.origin)) return
    local.growths++
    local.origin = local.growths > 3 ? widen(grown) : grown
    this.#count(local)
  }

  /** The type of a local that may be a counter: as far as anybody can count. */
  #count(local: Local): void {
    const { origin } = local
    let type = origin
    if (origin !== null && origin.is === 'int' && (local.isCountedUp || local.isCountedDown)) {
      const room = isWithin(origin, fewRounds) ? fewRounds : manyRounds
      type = whole(origin.low - (local.isCountedDown ? room : 0), origin.high + (local.isCountedUp ? room : 0))
    }
    if (isSame(type, local.type)) return
    local.type = type
    for (const user of local.users) user.isOpen = true
  }

  #of(node: Node): Type | null {
    if (node.is === 'local') return (node.type = node.local.type)
    if (node.type !== null && (node.is === 'number' || node.is === 'global')) return node.type
    node.type = this.#find(node)
    return node.type
  }

  #find(node: Node): Type | null {
    switch (node.is) {
      case 'number':
        return ofNumber(node.value)
      case 'truth':
        return truth
      case 'local':
        return node.local.type
      case 'global':
        return elements[node.of]
      case 'load':
        this.#of(node.at)
        return elements[node.of]
      case 'unary':
        return unary(node.op, this.#of(node.of))
      case 'not':
      case 'test':
        this.#of(node.of)
        return truth
      case 'binary':
        return binary(node.op, this.#of(node.left), this.#of(node.right))
      case 'compare': {
        const left = this.#of(node.left)
        const right = this.#of(node.right)
        const isMixed = left !== null && right !== null && (left.is === 'truth') !== (right.is === 'truth')
        if (isMixed && (node.op === '===' || node.op === '!==')) refuse('a truth compared with a number')
        return truth
      }
      case 'logical': {
        const left = this.#of(node.left)
        const right = this.#of(node.right)
        if (left?.is === 'int' || left?.is === 'real' || right?.is === 'int' || right?.is === 'real') refuse(`${node.op} of numbers`)
        return truth
      }
      case 'choice': {
        this.#of(node.test)
        return join(this.#of(node.yes), this.#of(node.no))
      }
      case 'sequence':
        for (const part of node.first) this.#of(part)
        return this.#of(node.last)
      case 'set':
        return this.#set(node)
      case 'setGlobal': {
        const type = this.#of(node.value)
        if (node.of === 'i32' && type !== null && type.is === 'real') refuse(`${node.path} gets what may be no whole number`)
        return type
      }
      case 'store':
        this.#of(node.at)
        return this.#of(node.value)
      case 'call':
        node.args.forEach((arg, k) => this.grow(node.of.parameters[k]!, this.#of(arg)))
        for (const arg of node.extra) this.#of(arg)
        return node.of.result === null ? null : node.of.result.type
      case 'import':
        node.args.forEach((arg, k) => {
          const type = this.#of(arg)
          if (type?.is === 'truth') refuse(`a truth for ${node.path}`)
          if (node.parameters[k] === 'i32' && type !== null && formOf(type) !== 'i32') refuse(`${node.path} with what may exceed 32 bits`)
        })
        return node.result === null ? null : elements[node.result]
      case 'math':
        return math(
          node.name,
          node.args.map(arg => this.#of(arg)),
        )
    }
  }

  #set(node: Node & { is: 'set' }): Type | null {
    const { local, by } = node
    const type = this.#of(node.value)
    const step = by === null ? null : this.#of(by)
    const isCounted = step !== null && step.is !== 'real' && step.low >= -1 && step.high <= 1
    if (!isCounted || local.origin === null || local.origin.is !== 'int') {
      this.grow(local, type)
      return type
    }
    local.isCountedUp ||= step.high > 0
    local.isCountedDown ||= step.low < 0
    this.#count(local)
    return local.type
  }
}

function isSame(a: Type | null, b: Type | null): boolean {
  return a === b || (a !== null && b !== null && a.is === b.is && a.low === b.low && a.high === b.high && a.isNaN === b.isNaN)
}

function ofNumber(value: number): Type {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return int(value, value)
  return real(value, value, false)
}

function unary(op: string, of: Type | null): Type | null {
  if (of === null) return null
  if (op === '+') return of.is === 'truth' ? int(0, 1) : of
  if (op === '-') return of.is !== 'real' && (of.low > 0 || of.high < 0) ? whole(-of.high, -of.low) : real(-of.high, -of.low, of.isNaN)
  const given = toWord(of)
  return int(~given.high, ~given.low)
}

/** Of what ToInt32 makes of a number: 0 of NaN. */
function toWord(of: Type): Type {
  if (of.low < low32 || of.high > high32) return word
  if (of.is === 'int') return of
  const low = Math.trunc(of.low) + 0
  const high = Math.trunc(of.high) + 0
  return of.isNaN ? int(Math.min(low, 0), Math.max(high, 0)) : int(low, high)
}

function binary(op: string, left: Type | null, right: Type | null): Type | null {
  if (left === null || right === null) return null
  const areWhole = left.is !== 'real' && right.is !== 'real'
  const isNaN = left.isNaN || right.isNaN
  switch (op) {
    case '+':
      return areWhole ? whole(left.low + right.low, left.high + right.high) : sum(left, right.low, right.high, isNaN)
    case '-':
      return areWhole ? whole(left.low - right.high, left.high - right.low) : sum(left, -right.high, -right.low, isNaN)
    case '*': {
      // 0 times what is below 0 is -0.
      const hasNoZero = (left.low >= 0 && right.low >= 0) || left.low > 0 || right.low > 0 || (left.high < 0 && right.high < 0)
      const a = left.low * right.low
      const b = left.low * right.high
      const c = left.high * right.low
      const d = left.high * right.high
      const low = Math.min(a, b, c, d)
      const high = Math.max(a, b, c, d)
      if (areWhole && hasNoZero) return whole(low + 0, high + 0)
      // 0 times an infinity is NaN.
      return real(low, high, isNaN || isEndless(left) || isEndless(right))
    }
    case '/': {
      if (!(right.low > 0 || right.high < 0)) return anything
      const corners = [left.low / right.low, left.low / right.high, left.high / right.low, left.high / right.high]
      return real(Math.min(...corners), Math.max(...corners), isNaN || isEndless(left) || isEndless(right))
    }
    case '%':
      return remainder(left, right)
    default:
      return bitwise(op, toWord(left), toWord(right))
  }
}

/** One infinity plus the other is NaN. */
function sum(left: Type, low: number, high: number, isNaN: boolean): Type {
  const isOpposed = (left.low === -Infinity && high === Infinity) || (left.high === Infinity && low === -Infinity)
  return real(left.low + low, left.high + high, isNaN || isOpposed)
}

function isEndless(type: Type): boolean {
  return type.low === -Infinity || type.high === Infinity
}

function remainder(left: Type, right: Type): Type {
  if (left.is === 'real' || right.is === 'real') return refuse('a remainder of what may be no whole number')
  const most = Math.max(Math.abs(right.low), Math.abs(right.high)) - 1
  if (left.low >= 0 && (right.low > 0 || right.high < 0)) return whole(0, Math.min(left.high, most))
  return anything
}

function bitwise(op: string, left: Type, right: Type): Type {
  const isFixed = right.low === right.high
  const by = right.low & 31
  switch (op) {
    case '&':
      if (left.low >= 0 && right.low >= 0) return int(0, Math.min(left.high, right.high))
      if (left.low >= 0) return int(0, left.high)
      if (right.low >= 0) return int(0, right.high)
      return word
    case '|':
      if (isFixed && right.low === 0) return int(left.low, left.high)
      return left.low >= 0 && right.low >= 0 ? int(0, high32) : word
    case '^':
      return left.low >= 0 && right.low >= 0 ? int(0, high32) : word
    case '>>':
      return isFixed ? int(left.low >> by, left.high >> by) : word
    case '>>>':
      if (!isFixed) return int(0, 2 ** 32 - 1)
      return left.low >= 0 ? int(left.low >>> by, left.high >>> by) : int(0, 0xffffffff >>> by)
    case '<<':
      return word
    default:
      return refuse(op)
  }
}

function math(name: string, args: readonly (Type | null)[]): Type | null {
  const first = args[0]
  if (first === undefined || first === null) return null
  const second = args[1] ?? null
  switch (name) {
    case 'floor':
    case 'ceil':
    case 'trunc': {
      if (first.is !== 'real') return unary('+', first)
      const to = name === 'floor' ? Math.floor : name === 'ceil' ? Math.ceil : Math.trunc
      return real(to(first.low), to(first.high), first.isNaN)
    }
    case 'abs': {
      const most = Math.max(Math.abs(first.low), Math.abs(first.high))
      return first.is === 'real' ? real(0, most, first.isNaN) : whole(first.low >= 0 ? first.low : 0, most)
    }
    case 'sqrt':
    case 'fround':
      return anything
    case 'clz32':
      return int(0, 32)
    case 'imul':
      return second === null ? null : word
    case 'min':
    case 'max': {
      if (second === null) return null
      const pick = name === 'min' ? Math.min : Math.max
      const low = pick(first.low, second.low)
      const high = pick(first.high, second.high)
      return first.is !== 'real' && second.is !== 'real' ? whole(low, high) : real(low, high, first.isNaN || second.isNaN)
    }
    case 'small':
      return first.is === 'int' && isWithin(first, high32) ? first : word
    case 'isInteger':
    case 'isFinite':
    case 'isNaN':
      return truth
    default:
      return refuse(`Math.${name}`)
  }
}
