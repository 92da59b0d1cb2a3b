// What every node of the intermediate representation means: slow and obvious. The oracle both back ends are tested against.
import type { Expr, Program, Stmt } from '../../sim-engine/ir.ts'

type Left = { label: string; kind: 'break' | 'continue' } | { kind: 'return'; value: number } | null
export type Host = Readonly<Record<string, (...args: number[]) => number | void>>

/** Thrown by `fail` of `testHost`. */
export class Failed extends Error {
  readonly place: number
  constructor(place: number) {
    super(`failed at ${place}`)
    this.place = place
  }
}

const words = new DataView(new ArrayBuffer(8))
const ints: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => (a + b) | 0,
  sub: (a, b) => (a - b) | 0,
  mul: Math.imul,
  div: (a, b) => (a / b) | 0,
  rem: (a, b) => (a % b) | 0,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => a << b,
  shr: (a, b) => a >> b,
  shru: (a, b) => (a >>> b) | 0,
}
const floats: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: Math.min,
  max: Math.max,
}
const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
}
const unaries: Readonly<Record<string, (a: number) => number>> = {
  neg: a => -a,
  abs: Math.abs,
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  eqz: a => Number(a === 0),
  toF: a => a,
  toFu: a => a >>> 0,
  popcnt: a => Array.from({ length: 32 }, (_, bit) => (a >>> bit) & 1).reduce((sum, bit) => sum + bit),
  toI: a => (a >= 2147483647 ? 2147483647 : a <= -2147483648 ? -2147483648 : a | 0),
  high(a) {
    words.setFloat64(0, a)
    return words.getInt32(0)
  },
  low(a) {
    words.setFloat64(0, a)
    return words.getInt32(4)
  },
  pow2: a => 2 ** a,
}

/** The exported functions of a program. */
export function interpret(program: Program, memory: WebAssembly.Memory, host: Host): Record<string, (...args: number[]) => number> {
  const call = (name: string, args: readonly number[]): number => {
    const fn = program.fns.get(name)
    if (!fn) return Number(host[name]!(...args) ?? 0)
    const locals = new Map<string, number>()
    for (const [local] of fn.locals) locals.set(local, 0)
    fn.params.forEach(([param], k) => locals.set(param, args[k]!))
    const left = new Frame(locals, memory, host, call).all(fn.body)
    return left?.kind === 'return' ? left.value : 0
  }
  return Object.fromEntries(
    [...program.fns.values()].filter(fn => fn.isExported).map(fn => [fn.name, (...args: number[]) => call(fn.name, args)]),
  )
}

class Frame {
  readonly #locals: Map<string, number>
  readonly #memory: WebAssembly.Memory
  readonly #host: Host
  readonly #call: (name: string, args: readonly number[]) => number

  constructor(
    locals: Map<string, number>,
    memory: WebAssembly.Memory,
    host: Host,
    call: (name: string, args: readonly number[]) => number,
  ) {
    this.#locals = locals
    this.#memory = memory
    this.#host = host
    this.#call = call
  }

  all(body: readonly Stmt[]): Left {
    for (const s of body) {
      const left = this.#stmt(s)
      if (left) return left
    }
    return null
  }

  #stmt(s: Stmt): Left {
    switch (s.kind) {
      case 'set':
        this.#locals.set(s.name, this.#expr(s.value))
        return null
      case 'store':
        this.#store(s)
        return null
      case 'do':
        this.#expr(s.value)
        return null
      case 'if':
        return this.all(this.#expr(s.test) === 0 ? s.no : s.yes)
      case 'loop':
        for (;;) {
          const left = this.all(s.body)
          if (!left) continue
          if (left.kind === 'return' || left.label !== s.label) return left
          if (left.kind === 'break') return null
        }
      case 'block': {
        const left = this.all(s.body)
        return left && left.kind === 'break' && left.label === s.label ? null : left
      }
      case 'break':
      case 'continue':
        return { kind: s.kind, label: s.label }
      case 'switch': {
        const k = s.table[this.#expr(s.of)] ?? -1
        return k < 0 ? null : this.all(s.cases[k]!)
      }
      case 'return':
        return { kind: 'return', value: s.value ? this.#expr(s.value) : 0 }
      case 'fail':
      case 'hook':
        this.#host[s.kind]!(s.place)
        return null
    }
  }

  #store(s: Stmt & { kind: 'store' }): void {
    const at = this.#expr(s.address) + s.offset
    const value = this.#expr(s.value)
    const view = new DataView(this.#memory.buffer)
    if (s.mem === 'f64') view.setFloat64(at, value, true)
    else if (s.mem === 'i32') view.setInt32(at, value, true)
    else if (s.mem === 'u8') view.setUint8(at, value)
    else view.setInt16(at, value, true)
  }

  #load(e: Expr & { kind: 'load' }): number {
    const at = this.#expr(e.address) + e.offset
    const view = new DataView(this.#memory.buffer)
    if (e.mem === 'f64') return view.getFloat64(at, true)
    if (e.mem === 'i32') return view.getInt32(at, true)
    if (e.mem === 'u8') return view.getUint8(at)
    return e.mem === 'u16' ? view.getUint16(at, true) : view.getInt16(at, true)
  }

  #expr(e: Expr): number {
    switch (e.kind) {
      case 'const':
        return e.value
      case 'get':
        return this.#locals.get(e.name)!
      case 'unary':
        return unaries[e.op]!(this.#expr(e.of))
      case 'binary': {
        if (e.op === 'land') return this.#expr(e.left) === 0 ? 0 : Number(this.#expr(e.right) !== 0)
        if (e.op === 'lor') return this.#expr(e.left) === 0 ? Number(this.#expr(e.right) !== 0) : 1
        const [a, b] = [this.#expr(e.left), this.#expr(e.right)]
        const compare = comparisons[e.op]
        return compare ? Number(compare(a, b)) : (e.type === 'f64' ? floats : ints)[e.op]!(a, b)
      }
      case 'load':
        return this.#load(e)
      case 'select': {
        const [a, b] = [this.#expr(e.yes), this.#expr(e.no)]
        return this.#expr(e.test) === 0 ? b : a
      }
      case 'cond':
        return this.#expr(this.#expr(e.test) === 0 ? e.no : e.yes)
      case 'call':
        return this.#call(
          e.fn,
          e.args.map(arg => this.#expr(arg)),
        )
      case 'check': {
        const value = this.#expr(e.of)
        if (value - value !== 0) this.#host['fail']!(e.place)
        return value
      }
      case 'seq':
        this.all(e.body)
        return this.#expr(e.value)
      case 'vector':
        throw new RangeError(`no ${e.op} here`)
    }
  }
}
