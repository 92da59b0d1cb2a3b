// The graph of a rule -> WebAssembly. For each variable that is written one loop, over vectors of as many cells as fit. `inner` takes the
// neighbours at their distances from the cell in memory; `edges` takes cells at borders from lists of who their neighbours are.
// `dense` does all cells, `sparse` listed blocks of them and says which changed. Opcodes: WebAssembly Core Specification 2.0, 5.4.
import { Bytes, i32, moduleOf, signed, unsigned, v128, type Made } from '../backends/binary.ts'
import { decided, Ranges } from './graph.ts'
import type { CellNode, CellRule, Range } from './graph.ts'
import { bytesOf, isNearRemainder } from './lanes.ts'
import type { Lane, Layout } from './lanes.ts'

/** Cells in a block, and cells done in one loop after the other. */
export const blockSize = 64
const chunkSize = 2048
/** Most cells in a vector. */
export const mostLanes = 16

/** Where the module finds what it works on: 32-bit words, from its base in memory on. */
export const header = {
  bad: 0,
  cells: 4,
  edgeCells: 8,
  /** First edge of each block, and behind the last. */
  edgeOf: 12,
  columns: 64,
} as const

/** What cells at borders look at: `inside` of a place, or a column of the cell itself or of a neighbour. */
type Operand = { readonly is: 'inside' | 'column'; readonly column: number; readonly x: number; readonly y: number }

export type CellModule = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly operands: readonly Operand[]
  /** From `base` on, words that hold addresses: of operands (their lists of cells, their values), of edges' results, and shared values (floats). */
  readonly at: { readonly base: number; readonly operands: number; readonly results: number; readonly shared: number; readonly end: number }
}

const prefix: Readonly<Record<Lane, 0 | 1 | 2 | 3>> = { u8: 0, i16: 1, i32: 2, f64: 3 }
/** By lane: u8, i16, i32, f64; 0 = there is none. */
const codes: Readonly<Record<string, readonly [number, number, number, number]>> = {
  splat: [15, 16, 17, 20],
  eq: [35, 45, 55, 71],
  ne: [36, 46, 56, 72],
  lt: [38, 47, 57, 73],
  le: [42, 51, 61, 75],
  add: [110, 142, 174, 240],
  sub: [113, 145, 177, 241],
  mul: [0, 149, 181, 242],
  div: [0, 0, 0, 243],
  min: [119, 150, 182, 244],
  max: [121, 152, 184, 245],
  neg: [0, 129, 161, 237],
  abs: [0, 128, 160, 236],
  sqrt: [0, 0, 0, 239],
  floor: [0, 0, 0, 117],
  ceil: [0, 0, 0, 116],
  trunc: [0, 0, 0, 122],
  round: [0, 0, 0, 148],
}
/** How far an index is shifted, by the bytes of an element. */
const shiftOf: Readonly<Record<number, number>> = { 1: 0, 2: 1, 4: 2, 8: 3 }
const vector = { not: 77, and: 78, andnot: 79, or: 80, xor: 81, bitselect: 82, anyTrue: 83 } as const
/** Loads of a narrower column into wider lanes: the load, then what widens it. */
const widening: Readonly<Record<string, { readonly load: number; readonly widen: readonly number[] }>> = {
  'u8 i16': { load: 2, widen: [] },
  'u8 i32': { load: 9, widen: [137, 169] },
  'u8 f64': { load: 8, widen: [137, 169, 254] },
  'i16 i32': { load: 3, widen: [] },
  'i16 f64': { load: 9, widen: [167, 254] },
  'i32 f64': { load: 10, widen: [254] },
}
const scalar: Readonly<Record<Lane, { readonly load: number; readonly store: number }>> = {
  u8: { load: 0x2d, store: 0x3a },
  i16: { load: 0x2f, store: 0x3b },
  i32: { load: 0x28, store: 0x36 },
  f64: { load: 0x2b, store: 0x39 },
}

/** A function being written. */
class Func {
  readonly code = new Bytes()
  readonly #parameters: number
  #ints = 0
  #vectors = 0
  /** Integers come before vectors: as many as there may be. */
  readonly #room: number

  constructor(parameters: number, room: number) {
    this.#parameters = parameters
    this.#room = room
  }

  int(): number {
    if (this.#ints >= this.#room) throw new TypeError('stencil: too few integers')
    return this.#parameters + this.#ints++
  }

  vector(): number {
    return this.#parameters + this.#room + this.#vectors++
  }

  op(...bytes: readonly number[]): void {
    this.code.put(...bytes)
  }

  get(local: number): void {
    this.op(0x20, ...unsigned(local))
  }

  set(local: number): void {
    this.op(0x21, ...unsigned(local))
  }

  tee(local: number): void {
    this.op(0x22, ...unsigned(local))
  }

  constant(value: number): void {
    this.op(0x41, ...signed(value))
  }

  simd(code: number): void {
    this.op(0xfd, ...unsigned(code))
  }

  /** A vector of zeros. */
  zeros(): void {
    this.simd(12)
    this.op(...Array.from({ length: 16 }, () => 0))
  }

  /** A 32-bit word at a fixed address. */
  word(address: number): void {
    this.constant(0)
    this.op(0x28, 2, ...unsigned(address))
  }

  /** `index << shift`. */
  scaled(local: number, bytes: number): void {
    this.get(local)
    if (bytes === 1) return
    this.constant(shiftOf[bytes]!)
    this.op(0x74)
  }

  /** Runs the body while `more` leaves something else than 0. */
  loop(more: () => void, body: () => void): void {
    this.op(0x02, 0x40, 0x03, 0x40)
    more()
    this.op(0x45, 0x0d, 1)
    body()
    this.op(0x0c, 0, 0x0b, 0x0b)
  }

  less(a: number, b: number): () => void {
    return () => {
      this.get(a)
      this.get(b)
      this.op(0x48)
    }
  }

  /** Adds a constant to a local. */
  step(local: number, by: number): void {
    this.get(local)
    this.constant(by)
    this.op(0x6a)
    this.set(local)
  }

  /** Puts code in before what was written from `at` on. */
  insert(at: number, code: readonly number[]): void {
    this.code.insert(at, code)
  }

  made(result?: number): Made {
    return {
      parameters: Array.from({ length: this.#parameters }, () => i32),
      results: result === undefined ? [] : [result],
      locals: [...Array.from({ length: this.#room }, () => i32), ...Array.from({ length: this.#vectors }, () => v128)],
      code: this.code,
    }
  }
}

/** Vectors that are the same in all rounds of a loop: kept in locals that are filled before it. */
class Constants {
  readonly #f: Func
  readonly #known = new Map<string, { local: number; bytes: readonly number[] }>()

  constructor(f: Func) {
    this.#f = f
  }

  /** `bytes` leaves the vector on the stack. */
  get(bytes: readonly number[]): void {
    const key = bytes.join()
    let known = this.#known.get(key)
    if (!known) this.#known.set(key, (known = { local: this.#f.vector(), bytes }))
    this.#f.get(known.local)
  }

  /** Fills the locals, at a place before the loop. */
  fill(at: number): void {
    const code = [...this.#known.values()].flatMap(({ local, bytes }) => [...bytes, 0x21, ...unsigned(local)])
    this.#f.insert(at, code)
  }
}

/** Rounds of short loops written one behind the other, and nodes above which they are not. */
const unrolled = 4
const mostUnrolled = 60

/** A loop's values: each is calculated once a round. */
class Values {
  readonly #f: Func
  readonly #lane: Lane
  readonly #ranges: Ranges
  readonly #read: (node: CellNode, lane: Lane) => void
  readonly #sharedAt: number
  readonly #constants: Constants
  readonly #uses = new Map<CellNode, number>()
  readonly #locals = new Map<CellNode, number>()

  constructor(
    f: Func,
    constants: Constants,
    lane: Lane,
    ranges: Ranges,
    sharedAt: number,
    roots: readonly CellNode[],
    read: (node: CellNode, lane: Lane) => void,
  ) {
    this.#f = f
    this.#lane = lane
    this.#ranges = ranges
    this.#read = read
    this.#sharedAt = sharedAt
    this.#constants = constants
    const count = (node: CellNode): void => {
      const uses = (this.#uses.get(node) ?? 0) + 1
      this.#uses.set(node, uses)
      if (uses === 1) node.of.forEach(count)
    }
    roots.forEach(count)
  }

  /** The same for a guard: something else than 0 where it holds. */
  guard(node: CellNode): void {
    if (node.op !== 'unfit') return this.value(node)
    // Infinity less itself is no number, and a number less itself is 0.
    const kept = this.#f.vector()
    this.value(node.of[0]!)
    this.#f.tee(kept)
    this.#f.get(kept)
    this.#op('sub')
  }

  /** Leaves a node's vector on the stack. */
  value(node: CellNode): void {
    const known = this.#locals.get(node)
    if (known !== undefined) return this.#f.get(known)
    this.#make(node)
    if ((this.#uses.get(node) ?? 0) < 2 || node.op === 'const') return
    const local = this.#f.vector()
    this.#f.tee(local)
    this.#locals.set(node, local)
  }

  #op(name: string): void {
    const code = codes[name]![prefix[this.#lane]]!
    if (code === 0) throw new TypeError(`stencil: no ${name} of ${this.#lane}`)
    this.#f.simd(code)
  }

  #all(nodes: readonly CellNode[]): void {
    for (const node of nodes) this.value(node)
  }

  #same(value: number): void {
    this.#constants.get([0xfd, 12, ...literal(this.#lane, value).bytes])
  }

  #make(node: CellNode): void {
    const f = this.#f
    const { op, of } = node
    const [a, b, c] = of
    switch (op) {
      case 'const':
        if (node.is === 'truth') {
          return this.#constants.get([0xfd, 12, ...Array.from({ length: 16 }, () => (node.at !== 0 ? 255 : 0))])
        }
        return this.#same(node.at)
      case 'own':
      case 'near':
        return this.#read(node, this.#lane)
      case 'inside':
        this.#read(node, this.#lane)
        this.#same(0)
        return this.#op('ne')
      case 'shared': {
        const isFloat = this.#lane === 'f64'
        const load = [isFloat ? 0x2b : 0x28, isFloat ? 3 : 2, ...unsigned(this.#sharedAt + 16 * node.at + (isFloat ? 0 : 8))]
        return this.#constants.get([0x41, 0, ...load, 0xfd, ...unsigned(codes['splat']![prefix[this.#lane]]!)])
      }
      case 'and':
        if (a!.op === 'not' || b!.op === 'not') {
          const [plain, negated] = a!.op === 'not' ? [b!, a!] : [a!, b!]
          this.value(plain)
          this.value(negated.of[0]!)
          return f.simd(vector.andnot)
        }
        this.#all(of)
        return f.simd(vector.and)
      case 'or':
        this.#all(of)
        return f.simd(vector.or)
      case 'not':
        this.#all(of)
        return f.simd(vector.not)
      case 'number':
        this.#all(of)
        this.#same(1)
        return f.simd(vector.and)
      case 'select':
        if (isZero(c!) || isZero(b!)) {
          this.value(isZero(c!) ? b! : c!)
          this.value(a!)
          return f.simd(isZero(c!) ? vector.and : vector.andnot)
        }
        this.value(b!)
        this.value(c!)
        this.value(a!)
        return f.simd(vector.bitselect)
      case 'unfit': {
        // Infinity less itself is no number, and what is no number is not itself.
        const kept = f.vector()
        this.value(a!)
        f.tee(kept)
        f.get(kept)
        this.#op('sub')
        this.#same(0)
        return this.#op('ne')
      }
      case 'add':
        // A truth is -1 in all whole lanes.
        if (this.#lane !== 'f64' && b!.op === 'number' && (this.#uses.get(b!) ?? 0) < 2) {
          this.value(a!)
          this.value(b!.of[0]!)
          return this.#op('sub')
        }
        this.#all(of)
        return this.#op('add')
      case 'mod':
      case 'floordiv':
        return this.#divided(node, a!, b!)
      case 'floor':
      case 'ceil':
      case 'trunc':
      case 'round':
        this.value(a!)
        if (!this.#ranges.of(a!).whole) this.#op(op)
        return
      case 'abs':
        this.value(a!)
        if (this.#lane !== 'u8') this.#op(op)
        return
      default:
        this.#all(of)
        return this.#op(op)
    }
  }

  /** Of whole numbers from 0 on. */
  #divided(node: CellNode, a: CellNode, b: CellNode): void {
    const f = this.#f
    if (isNearRemainder(node, this.#ranges)) {
      // Less than twice as much: it goes in once or not at all.
      this.value(b)
      this.value(a)
      this.#op('le')
      if (node.op === 'floordiv') {
        this.#same(1)
        return f.simd(vector.and)
      }
      const once = f.vector()
      f.set(once)
      this.value(a)
      this.value(b)
      f.get(once)
      f.simd(vector.and)
      return this.#op('sub')
    }
    if (node.op === 'mod') {
      this.value(a)
      this.value(b)
    }
    this.value(a)
    this.value(b)
    this.#op('div')
    this.#op('floor')
    if (node.op === 'floordiv') return
    this.#op('mul')
    this.#op('sub')
  }
}

const isZero = (node: CellNode): boolean => node.op === 'const' && node.is === 'number' && Object.is(node.at, 0)

function literal(lane: Lane, value: number): { bytes: readonly number[] } {
  const array =
    lane === 'u8'
      ? new Uint8Array(16).fill(value)
      : lane === 'i16'
        ? new Int16Array(8).fill(value)
        : lane === 'i32'
          ? new Int32Array(4).fill(value)
          : new Float64Array(2).fill(value)
  return { bytes: [...new Uint8Array(array.buffer)] }
}

/** `width`: cells in a row of the space. `base`: where in its memory the module's words begin. */
export function emitCells(
  inner: CellRule,
  border: CellRule,
  layout: Layout,
  columns: readonly Range[],
  shared: readonly Range[],
  width: number,
  base: number,
): CellModule {
  const operands: Operand[] = []
  const operandOf = (node: CellNode): number => {
    const { op, at: column, x, y } = node
    const one: Operand = op === 'inside' ? { is: op, column: -1, x, y } : { is: 'column', column, x, y }
    const known = operands.findIndex(other => other.is === one.is && other.column === one.column && other.x === one.x && other.y === one.y)
    return known >= 0 ? known : operands.push(one) - 1
  }
  for (const node of nodesOf([...border.outputs.map(one => one.value), ...layout.guards.flat()]))
    if (node.op === 'own' || node.op === 'near' || node.op === 'inside') operandOf(node)
  const operandsAt = header.columns + 8 * columns.length
  const resultsAt = operandsAt + 8 * operands.length
  const sharedAt = Math.ceil((resultsAt + 4 * inner.outputs.length) / 16) * 16
  const at = { base, operands: operandsAt, results: resultsAt, shared: sharedAt, end: sharedAt + 16 * inner.shared.length }
  const emitter = new ModuleEmitter(layout, new Ranges(columns, shared), at, width, operands, operandOf)
  return { bytes: emitter.module(inner, border), operands, at }
}

export function nodesOf(roots: readonly CellNode[]): Set<CellNode> {
  const seen = new Set<CellNode>()
  const visit = (node: CellNode): void => {
    if (seen.has(node)) return
    seen.add(node)
    node.of.forEach(visit)
  }
  roots.forEach(visit)
  return seen
}

class ModuleEmitter {
  readonly #layout: Layout
  readonly #ranges: Ranges
  readonly #at: CellModule['at']
  readonly #width: number
  readonly #operands: readonly Operand[]
  readonly #operandOf: (node: CellNode) => number

  constructor(
    layout: Layout,
    ranges: Ranges,
    at: CellModule['at'],
    width: number,
    operands: readonly Operand[],
    operandOf: (node: CellNode) => number,
  ) {
    this.#layout = layout
    this.#ranges = ranges
    this.#at = at
    this.#width = width
    this.#operands = operands
    this.#operandOf = operandOf
  }

  module(inner: CellRule, border: CellRule): Uint8Array<ArrayBuffer> {
    const made = [this.#inner(inner), this.#edges(border), this.#dense(), this.#sparse(inner)]
    return moduleOf([], made, [
      { name: 'dense', index: 2 },
      { name: 'sparse', index: 3 },
    ])
  }

  /** The distance of the pointers before a cell, so that all offsets are positive. */
  #before(rule: CellRule): number {
    return rule.reach * (this.#width + 1)
  }

  /** Loads a column into lanes, from the address on the stack. */
  #load(f: Func, storage: Lane, lane: Lane, offset: number): void {
    if (storage === lane) {
      f.simd(0)
      return f.op(0, ...unsigned(offset))
    }
    const how = widening[`${storage} ${lane}`]
    if (!how) throw new TypeError(`stencil: ${storage} as ${lane}`)
    f.simd(how.load)
    f.op(0, ...unsigned(offset))
    for (const code of how.widen) f.simd(code)
  }

  /** One output of `size` cells: guards are gathered in a vector, and said at the end. */
  #round(f: Func, values: Values, root: CellNode, guards: readonly CellNode[], bad: number, store: (value: () => void) => void): void {
    for (const guard of guards) {
      if (decided(guard, this.#ranges) === false) continue
      values.guard(guard)
      f.get(bad)
      f.simd(vector.or)
      f.set(bad)
    }
    store(() => values.value(root))
  }

  #say(f: Func, bad: number): void {
    f.get(bad)
    f.simd(vector.anyTrue)
    f.op(0x04, 0x40)
    f.op(...[0, 1].flatMap(value => [0x41, value]), 0x36, 2, ...unsigned(this.#at.base + header.bad))
    f.op(0x0b)
    f.zeros()
    f.set(bad)
  }

  /** `inner(from, to)`. */
  #inner(rule: CellRule): Made {
    const { storage } = this.#layout
    const f = new Func(2, rule.outputs.length * (rule.columns.length + 2))
    const bad = f.vector()
    rule.outputs.forEach(({ column, value }, k) => {
      const lane = storage[column]!
      const guards = rule.guards.filter(guard => this.#layout.guards[k]!.includes(guard))
      const nodes = nodesOf([value, ...guards])
      const pointers = new Map<number, number>()
      for (const node of nodes) {
        if ((node.op !== 'own' && node.op !== 'near') || pointers.has(node.at)) continue
        const pointer = f.int()
        pointers.set(node.at, pointer)
        f.word(this.#at.base + header.columns + 8 * node.at)
        f.scaled(0, bytesOf[storage[node.at]!])
        f.op(0x6a)
        f.constant(this.#before(rule) * bytesOf[storage[node.at]!])
        f.op(0x6b)
        f.set(pointer)
      }
      const [target, end] = [f.int(), f.int()]
      for (const [local, cell] of [
        [target, 0],
        [end, 1],
      ] as const) {
        f.word(this.#at.base + header.columns + 8 * column + 4)
        f.scaled(cell, bytesOf[lane])
        f.op(0x6a)
        f.set(local)
      }
      const count = 16 / bytesOf[lane]
      const rounds = nodes.size <= mostUnrolled ? unrolled : 1
      const constants = new Constants(f)
      const before = f.code.length
      f.loop(f.less(target, end), () => {
        for (let round = 0; round < rounds; round++) {
          const read = (node: CellNode, into: Lane): void => {
            const kept = storage[node.at]!
            f.get(pointers.get(node.at)!)
            this.#load(f, kept, into, (this.#before(rule) + node.y * this.#width + node.x + round * count) * bytesOf[kept])
          }
          const values = new Values(f, constants, lane, this.#ranges, this.#at.base + this.#at.shared, [value, ...guards], read)
          this.#round(f, values, value, guards, bad, put => {
            f.get(target)
            put()
            f.op(0xfd, 11, 0, ...unsigned(16 * round))
          })
        }
        f.step(target, 16 * rounds)
        for (const [of, pointer] of pointers) f.step(pointer, rounds * count * bytesOf[storage[of]!])
      })
      constants.fill(before)
      if (guards.length > 0) this.#say(f, bad)
    })
    return f.made()
  }

  /** `edges(from, to)`: numbers of edges. */
  #edges(rule: CellRule): Made {
    const { storage } = this.#layout
    const f = new Func(2, 8 + this.#operands.length)
    const bad = f.vector()
    const [e, source, list, target, last] = [f.int(), f.int(), f.int(), f.int(), f.int()]
    // As far as the last vector reaches.
    f.get(1)
    f.constant(Math.max(...rule.outputs.map(({ column }) => 16 / bytesOf[storage[column]!])) - 1)
    f.op(0x6a)
    f.set(last)
    this.#operands.forEach(({ is, column }, k) => {
      if (is === 'inside') return
      const lane = storage[column]!
      f.word(this.#at.base + header.columns + 8 * column)
      f.set(source)
      f.word(this.#at.base + this.#at.operands + 8 * k)
      f.set(list)
      f.word(this.#at.base + this.#at.operands + 8 * k + 4)
      f.set(target)
      f.get(0)
      f.set(e)
      f.loop(f.less(e, last), () => {
        this.#address(f, target, e, lane)
        f.get(source)
        this.#address(f, list, e, 'i32')
        f.op(0x28, 2, 0)
        if (bytesOf[lane] > 1) {
          f.constant(shiftOf[bytesOf[lane]]!)
          f.op(0x74)
        }
        f.op(0x6a)
        f.op(scalar[lane].load, 0, 0)
        f.op(scalar[lane].store, 0, 0)
        f.step(e, 1)
      })
    })
    rule.outputs.forEach(({ column, value }, k) => {
      const lane = storage[column]!
      const guards = rule.guards.filter(guard => this.#layout.guards[k]!.includes(guard))
      const read = (node: CellNode, into: Lane): void => {
        const operand = this.#operandOf(node)
        const kept = node.op === 'inside' ? 'u8' : storage[node.at]!
        f.word(this.#at.base + this.#at.operands + 8 * operand + 4)
        f.scaled(e, bytesOf[kept])
        f.op(0x6a)
        this.#load(f, kept, into, 0)
      }
      const constants = new Constants(f)
      const before = f.code.length
      const values = new Values(f, constants, lane, this.#ranges, this.#at.base + this.#at.shared, [value, ...guards], read)
      f.word(this.#at.base + this.#at.results + 4 * k)
      f.set(target)
      f.get(0)
      f.set(e)
      f.loop(f.less(e, 1), () => {
        this.#round(f, values, value, guards, bad, put => {
          this.#address(f, target, e, lane)
          put()
          f.op(0xfd, 11, 0, 0)
        })
        f.step(e, 16 / bytesOf[lane])
      })
      constants.fill(before)
      if (guards.length > 0) this.#say(f, bad)
    })
    // Where they belong.
    f.word(this.#at.base + header.edgeCells)
    f.set(list)
    rule.outputs.forEach(({ column }, k) => {
      const lane = storage[column]!
      f.word(this.#at.base + header.columns + 8 * column + 4)
      f.set(target)
      f.word(this.#at.base + this.#at.results + 4 * k)
      f.set(source)
      f.get(0)
      f.set(e)
      f.loop(f.less(e, 1), () => {
        f.get(target)
        this.#address(f, list, e, 'i32')
        f.op(0x28, 2, 0)
        if (bytesOf[lane] > 1) {
          f.constant(shiftOf[bytesOf[lane]]!)
          f.op(0x74)
        }
        f.op(0x6a)
        this.#address(f, source, e, lane)
        f.op(scalar[lane].load, 0, 0)
        f.op(scalar[lane].store, 0, 0)
        f.step(e, 1)
      })
    })
    return f.made()
  }

  #address(f: Func, base: number, index: number, lane: Lane): void {
    f.get(base)
    f.scaled(index, bytesOf[lane])
    f.op(0x6a)
  }

  /** `dense(cells, edges)`: all of them. */
  #dense(): Made {
    const f = new Func(2, 2)
    const [from, to] = [f.int(), f.int()]
    f.loop(f.less(from, 0), () => {
      f.get(from)
      f.constant(chunkSize)
      f.op(0x6a)
      f.tee(to)
      f.get(0)
      f.get(to)
      f.get(0)
      f.op(0x48, 0x1b)
      f.set(to)
      f.get(from)
      f.get(to)
      f.op(0x10, 0)
      f.get(to)
      f.set(from)
    })
    f.constant(0)
    f.get(1)
    f.op(0x10, 1)
    return f.made()
  }

  /** `sparse(list, count, changed)`: blocks at `list`; writes those that changed to `changed` and returns how many. */
  #sparse(rule: CellRule): Made {
    const { storage } = this.#layout
    const f = new Func(3, 8)
    const [k, block, from, to, edge, m, p, q] = [f.int(), f.int(), f.int(), f.int(), f.int(), f.int(), f.int(), f.int()]
    const differs = f.vector()
    f.loop(f.less(k, 1), () => {
      f.get(0)
      f.scaled(k, 4)
      f.op(0x6a, 0x28, 2, 0)
      f.tee(block)
      f.constant(blockSize)
      f.op(0x6c)
      f.tee(from)
      f.constant(blockSize)
      f.op(0x6a)
      f.tee(to)
      f.word(this.#at.base + header.cells)
      f.get(to)
      f.word(this.#at.base + header.cells)
      f.op(0x48, 0x1b)
      f.set(to)
      f.get(from)
      f.get(to)
      f.op(0x10, 0)
      f.word(this.#at.base + header.edgeOf)
      f.scaled(block, 4)
      f.op(0x6a)
      f.tee(edge)
      f.op(0x28, 2, 0)
      f.get(edge)
      f.op(0x28, 2, 4)
      f.op(0x48, 0x04, 0x40)
      f.get(edge)
      f.op(0x28, 2, 0)
      f.get(edge)
      f.op(0x28, 2, 4)
      f.op(0x10, 1)
      f.op(0x0b)
      f.zeros()
      f.set(differs)
      for (const { column } of rule.outputs) {
        const bytes = bytesOf[storage[column]!]
        f.word(this.#at.base + header.columns + 8 * column)
        f.scaled(from, bytes)
        f.op(0x6a)
        f.set(p)
        f.word(this.#at.base + header.columns + 8 * column + 4)
        f.scaled(from, bytes)
        f.op(0x6a)
        f.set(q)
        f.word(this.#at.base + header.columns + 8 * column)
        f.scaled(to, bytes)
        f.op(0x6a)
        f.set(edge)
        f.loop(f.less(p, edge), () => {
          f.get(p)
          f.op(0xfd, 0, 0, 0)
          f.get(q)
          f.op(0xfd, 0, 0, 0)
          f.simd(vector.xor)
          f.get(differs)
          f.simd(vector.or)
          f.set(differs)
          f.step(p, 16)
          f.step(q, 16)
        })
      }
      f.get(2)
      f.scaled(m, 4)
      f.op(0x6a)
      f.get(block)
      f.op(0x36, 2, 0)
      f.get(m)
      f.get(differs)
      f.simd(vector.anyTrue)
      f.op(0x6a)
      f.set(m)
      f.step(k, 1)
    })
    f.get(m)
    return f.made(i32)
  }
}
