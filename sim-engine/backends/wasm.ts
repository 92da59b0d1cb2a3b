// The WebAssembly back end: functions of a program, one after another, straight from the tree. A module imports its memory as
// `host.memory` and host functions by name, and exports the functions that are exported.
import { isTruth, visit } from '../ir.ts'
import type { Expr, Fn, Import, Program, Stmt, Type } from '../ir.ts'
import { Bytes, moduleOf, type Made } from './binary.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

const valueType = { i32: 0x7f, f64: 0x7c, v128: 0x7b, void: 0x40 } as const
/** Opcodes for i32 and for f64; null where there is none. */
const binaries: Readonly<Record<string, readonly [number | null, number | null]>> = {
  add: [0x6a, 0xa0],
  sub: [0x6b, 0xa1],
  mul: [0x6c, 0xa2],
  div: [0x6d, 0xa3],
  rem: [0x6f, null],
  and: [0x71, null],
  or: [0x72, null],
  xor: [0x73, null],
  shl: [0x74, null],
  shr: [0x75, null],
  shru: [0x76, null],
  eq: [0x46, 0x61],
  ne: [0x47, 0x62],
  lt: [0x48, 0x63],
  gt: [0x4a, 0x64],
  le: [0x4c, 0x65],
  ge: [0x4e, 0x66],
  min: [null, 0xa4],
  max: [null, 0xa5],
}
const unaries: Readonly<Record<string, readonly number[]>> = {
  neg: [0x9a],
  abs: [0x99],
  sqrt: [0x9f],
  floor: [0x9c],
  ceil: [0x9b],
  eqz: [0x45],
  popcnt: [0x69],
  toF: [0xb7],
  toFu: [0xb8],
  toI: [0xfc, 2],
  // Reinterpreted as i64: shifted right by 32, wrapped · wrapped.
  high: [0xbd, 0x42, 32, 0x88, 0xa7],
  low: [0xbd, 0xa7],
}
const loads = { u8: [0x2d, 0], u16: [0x2f, 1], i16: [0x2e, 1], i32: [0x28, 2], f64: [0x2b, 3], v128: [0xfd, 0] } as const
const stores = { u8: [0x3a, 0], u16: [0x3b, 1], i16: [0x3b, 1], i32: [0x36, 2], f64: [0x39, 3], v128: [0xfd, 11] } as const
/** Numbers of SIMD instructions, and how many immediate bytes follow. */
const vectors: Readonly<Record<string, number>> = {
  'i8x16.splat': 15,
  'i16x8.splat': 16,
  'i32x4.splat': 17,
  'f64x2.splat': 20,
  'i8x16.extract_lane_u': 22,
  'i16x8.extract_lane_u': 25,
  'i32x4.extract_lane': 27,
  'f64x2.extract_lane': 33,
  'i8x16.eq': 35,
  'i8x16.ne': 36,
  'i8x16.lt_s': 37,
  'i8x16.lt_u': 38,
  'i8x16.gt_s': 39,
  'i8x16.gt_u': 40,
  'i8x16.le_u': 42,
  'i8x16.ge_u': 44,
  'i16x8.eq': 45,
  'i16x8.ne': 46,
  'i16x8.lt_s': 47,
  'i16x8.lt_u': 48,
  'i16x8.gt_s': 49,
  'i16x8.gt_u': 50,
  'i16x8.le_u': 52,
  'i16x8.ge_u': 54,
  'i32x4.eq': 55,
  'i32x4.ne': 56,
  'i32x4.lt_s': 57,
  'i32x4.gt_s': 59,
  'i32x4.le_s': 61,
  'i32x4.ge_s': 63,
  'f64x2.eq': 71,
  'f64x2.ne': 72,
  'f64x2.lt': 73,
  'f64x2.gt': 74,
  'f64x2.le': 75,
  'f64x2.ge': 76,
  'v128.not': 77,
  'v128.and': 78,
  'v128.andnot': 79,
  'v128.or': 80,
  'v128.xor': 81,
  'v128.bitselect': 82,
  'v128.any_true': 83,
  'i8x16.bitmask': 100,
  'i8x16.add': 110,
  'i8x16.sub': 113,
  'i8x16.min_u': 119,
  'i8x16.max_u': 121,
  'i16x8.extend_low_i8x16_u': 137,
  'i16x8.extend_high_i8x16_u': 138,
  'i16x8.extend_low_i8x16_s': 135,
  'i16x8.extend_high_i8x16_s': 136,
  'i16x8.add': 142,
  'i16x8.sub': 145,
  'i16x8.mul': 149,
  'i32x4.add': 174,
  'i32x4.sub': 177,
  'i32x4.mul': 181,
  'f64x2.abs': 236,
  'f64x2.neg': 237,
  'f64x2.sqrt': 239,
  'f64x2.add': 240,
  'f64x2.sub': 241,
  'f64x2.mul': 242,
  'f64x2.div': 243,
}

class FunctionEmitter {
  readonly #out = new Bytes()
  readonly #fn: Fn
  /** Numbers of functions, by name. */
  readonly #indexes: ReadonlyMap<string, number>
  readonly #slots = new Map<string, number>()
  /** Types of temporaries, and those free for use again. */
  readonly #temporaries: Type[] = []
  readonly #free: number[] = []
  readonly #labels: string[] = []

  constructor(fn: Fn, indexes: ReadonlyMap<string, number>) {
    this.#fn = fn
    this.#indexes = indexes
    for (const [name] of [...fn.params, ...fn.locals]) this.#slots.set(name, this.#slots.size)
  }

  made(): Made {
    this.#all(this.#fn.body)
    // A function with a result returns before the end.
    if (this.#fn.result !== 'void') this.#out.put(0x00)
    const types = [...this.#fn.locals.values(), ...this.#temporaries]
    return {
      parameters: this.#fn.params.map(([, type]) => valueType[type]),
      results: resultsOf(this.#fn.result),
      locals: types.map(type => valueType[type]),
      code: this.#out,
    }
  }

  #all(body: readonly Stmt[]): void {
    for (const s of body) this.#stmt(s)
  }

  #slot(name: string): number {
    const slot = this.#slots.get(name)
    if (slot === undefined) throw new RangeError(`wasm: no local ${name} in ${this.#fn.name}`)
    return slot
  }

  #inside(label: string, body: () => void): void {
    this.#labels.push(label)
    body()
    this.#labels.pop()
  }

  #leave(label: string): void {
    const at = this.#labels.lastIndexOf(label)
    if (at < 0) throw new RangeError(`wasm: no label ${label} in ${this.#fn.name}`)
    this.#out.put(0x0c)
    this.#out.unsigned(this.#labels.length - 1 - at)
  }

  #callNamed(name: string): void {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new RangeError(`wasm: no function ${name}`)
    this.#out.put(0x10)
    this.#out.unsigned(index)
  }

  #stmt(s: Stmt): void {
    const out = this.#out
    switch (s.kind) {
      case 'set':
        this.#expr(s.value)
        out.put(0x21)
        out.unsigned(this.#slot(s.name))
        break
      case 'store':
        this.#expr(s.address)
        this.#expr(s.value)
        out.put(...stores[s.mem])
        if (s.mem === 'v128') out.put(0)
        out.unsigned(s.offset)
        break
      case 'do':
        this.#expr(s.value)
        if (s.value.type !== 'void') out.put(0x1a)
        break
      case 'if':
        this.#expr(s.test)
        out.put(0x04, 0x40)
        this.#inside('', () => {
          this.#all(s.yes)
          if (s.no.length > 0) {
            out.put(0x05)
            this.#all(s.no)
          }
        })
        out.put(0x0b)
        break
      case 'loop':
        out.put(0x02, 0x40, 0x03, 0x40)
        this.#inside(`break ${s.label}`, () =>
          this.#inside(`continue ${s.label}`, () => {
            this.#all(s.body)
            out.put(0x0c, 0)
          }),
        )
        out.put(0x0b, 0x0b)
        break
      case 'block':
        out.put(0x02, 0x40)
        this.#inside(`break ${s.label}`, () => this.#all(s.body))
        out.put(0x0b)
        break
      case 'break':
      case 'continue':
        this.#leave(`${s.kind} ${s.label}`)
        break
      case 'switch':
        this.#switch(s)
        break
      case 'return':
        if (s.value) this.#expr(s.value)
        out.put(0x0f)
        break
      case 'fail':
      case 'hook':
        out.put(0x41)
        out.signed(s.place)
        this.#callNamed(s.kind)
        if (s.kind === 'fail') out.put(0x00)
        break
      default:
        return unreachable(s)
    }
  }

  #switch(s: Stmt & { kind: 'switch' }): void {
    const out = this.#out
    const count = s.cases.length
    out.put(0x02, 0x40)
    this.#labels.push('switch')
    for (let k = 0; k < count; k++) {
      out.put(0x02, 0x40)
      this.#labels.push('')
    }
    this.#expr(s.of)
    out.put(0x0e)
    out.unsigned(s.table.length)
    // The innermost block ends before case 0; the outermost is the way past all.
    for (const one of s.table) out.unsigned(one < 0 ? count : one)
    out.unsigned(count)
    for (const one of s.cases) {
      this.#labels.pop()
      out.put(0x0b)
      this.#all(one)
      this.#leave('switch')
    }
    this.#labels.pop()
    out.put(0x0b)
  }

  #expr(e: Expr): void {
    const out = this.#out
    switch (e.kind) {
      case 'const':
        if (e.type === 'f64') {
          out.f64(e.value)
        } else {
          out.put(0x41)
          out.signed(e.value)
        }
        break
      case 'get':
        out.put(0x20)
        out.unsigned(this.#slot(e.name))
        break
      case 'unary':
        this.#expr(e.of)
        if (e.op === 'pow2') {
          // (n + 1023) << 52, reinterpreted.
          out.put(0x41)
          out.signed(1023)
          out.put(0x6a, 0xac, 0x42, 52, 0x86, 0xbf)
        } else out.put(...unaries[e.op]!)
        break
      case 'binary':
        this.#binary(e)
        break
      case 'load':
        this.#expr(e.address)
        out.put(...loads[e.mem])
        if (e.mem === 'v128') out.put(0)
        out.unsigned(e.offset)
        break
      case 'select':
        this.#expr(e.yes)
        this.#expr(e.no)
        this.#expr(e.test)
        if (e.type === 'v128') out.put(0x1c, 1, valueType.v128)
        else out.put(0x1b)
        break
      case 'cond':
        this.#expr(e.test)
        this.#either(
          e.type,
          () => this.#expr(e.yes),
          () => this.#expr(e.no),
        )
        break
      case 'call':
        for (const arg of e.args) this.#expr(arg)
        this.#callNamed(e.fn)
        break
      case 'check':
        this.#check(e)
        break
      case 'seq':
        this.#all(e.body)
        this.#expr(e.value)
        break
      case 'vector':
        {
          for (const arg of e.args) this.#expr(arg)
          const op = vectors[e.op]
          if (op === undefined) throw new RangeError(`wasm: no instruction ${e.op}`)
          out.put(0xfd)
          out.unsigned(op)
          if (e.lane !== undefined) out.put(e.lane)
        }
        break
      default:
        return unreachable(e)
    }
  }

  #either(type: Type, yes: () => void, no: () => void): void {
    this.#out.put(0x04, valueType[type])
    this.#inside('', () => {
      yes()
      this.#out.put(0x05)
      no()
    })
    this.#out.put(0x0b)
  }

  #binary(e: Expr & { kind: 'binary' }): void {
    const out = this.#out
    this.#expr(e.left)
    if (e.op === 'land')
      this.#either(
        'i32',
        () => this.#truth(e.right),
        () => out.put(0x41, 0),
      )
    else if (e.op === 'lor')
      this.#either(
        'i32',
        () => out.put(0x41, 1),
        () => this.#truth(e.right),
      )
    else {
      this.#expr(e.right)
      const op = binaries[e.op]![e.left.type === 'f64' ? 1 : 0]
      if (op === null) throw new RangeError(`wasm: no ${e.op} of ${e.left.type}`)
      out.put(op)
    }
  }

  /** 0 or 1. */
  #truth(e: Expr): void {
    this.#expr(e)
    if (!isTruth(e)) this.#out.put(0x41, 0, 0x47)
  }

  #check(e: Expr & { kind: 'check' }): void {
    const out = this.#out
    this.#expr(e.of)
    const slot = this.#free.pop() ?? this.#slots.size + this.#temporaries.push('f64') - 1
    // x - x is 0 where x is finite, else not a number.
    out.put(0x22)
    out.unsigned(slot)
    out.put(0x20)
    out.unsigned(slot)
    out.put(0x20)
    out.unsigned(slot)
    out.put(0xa1)
    out.f64(0)
    out.put(0x62, 0x04, 0x40, 0x41)
    out.signed(e.place)
    this.#callNamed('fail')
    out.put(0x00, 0x0b)
    this.#free.push(slot)
  }
}

const resultsOf = (result: Type): number[] => (result === 'void' ? [] : [valueType[result]])

/** Which of `fail` and `hook` functions call. */
function hostCalls(fns: readonly Fn[]): Set<'fail' | 'hook'> {
  const found = new Set<'fail' | 'hook'>()
  for (const fn of fns)
    visit(fn.body, {
      expr(e) {
        if (e.kind === 'check') found.add('fail')
        if (e.kind === 'call' && (e.fn === 'fail' || e.fn === 'hook')) found.add(e.fn)
      },
      stmt(s) {
        if (s.kind === 'fail' || s.kind === 'hook') found.add(s.kind)
      },
    })
  return found
}

/** The module of a program, in the binary format. Throws RangeError where the tree is not well formed. */
export function emitWasm(program: Program): Uint8Array<ArrayBuffer> {
  const fns = [...program.fns.values()]
  const imports: Import[] = [...hostCalls(fns)].map(name => ({ name, params: ['i32'], result: 'void' }))
  imports.push(...program.imports)
  const all = [...imports, ...fns]
  const indexes = new Map(all.map(({ name }, index) => [name, index]))
  const hidden = all.find(({ name }, index) => indexes.get(name) !== index)
  if (hidden) throw new RangeError(`wasm: two functions ${hidden.name}`)
  return moduleOf(
    imports.map(({ name, params, result }) => ({
      name,
      parameters: params.map(type => valueType[type]),
      results: resultsOf(result),
    })),
    fns.map(fn => new FunctionEmitter(fn, indexes).made()),
    fns.filter(fn => fn.isExported).map(({ name }) => ({ name, index: indexes.get(name)! })),
  )
}

/** A module of these bytes; null where a page allows none, or none so large. */
export function compiledModule(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | null {
  if (typeof WebAssembly === 'undefined') return null
  try {
    return new WebAssembly.Module(bytes)
  } catch (error) {
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null
    throw error
  }
}
