// The kernels as one WebAssembly module: fixed-width vectors of four single-precision numbers (Core Specification 2.0, 5.4.9), never the relaxed
// operations, whose results differ from machine to machine.
import { Bytes, f32, i32, moduleOf, nothing, op, v128, type Made } from '../../backends/binary.ts'
import { eachKernels, type Each, type Ops } from './ops.ts'

const simd = {
  load: 0x00,
  splat: 0x09,
  store: 0x0b,
  constant: 0x0c,
  fill: 0x13,
  lessThan: 0x43,
  select: 0x52,
  shiftLeft: 0xab,
  sqrt: 0xe3,
  add: 0xe4,
  sub: 0xe5,
  mul: 0xe6,
  div: 0xe7,
  min: 0xe8,
  max: 0xe9,
} as const

const single = new Float32Array(1)
const octets = new Uint8Array(single.buffer)

/** One function being written: parameters first, then its other locals as they are asked for. */
class Body {
  readonly code = new Bytes()
  readonly locals: number[] = []
  readonly parameters: readonly number[]

  constructor(parameters: readonly number[]) {
    this.parameters = parameters
  }

  local(type: number): number {
    return this.parameters.length + this.locals.push(type) - 1
  }

  get(local: number): this {
    this.code.at(op.localGet, local)
    return this
  }

  set(local: number): this {
    this.code.at(op.localSet, local)
    return this
  }

  do(code: number): this {
    this.code.op(code)
    return this
  }

  vector(code: number): this {
    this.code.op(0xfd)
    this.code.unsigned(code)
    return this
  }

  /** A load or store at an offset, at no special boundary. */
  at(code: number, offset: number): this {
    this.vector(code)
    this.code.op(0)
    this.code.unsigned(offset)
    return this
  }

  number(value: number): this {
    this.code.i32(value)
    return this
  }

  /** local += another one. */
  plus(local: number, other: number): void {
    this.get(local).get(other).do(op.i32Add).set(local)
  }

  plusNumber(local: number, value: number): void {
    this.get(local).number(value).do(op.i32Add).set(local)
  }

  /** While a and b compare like this. */
  while(condition: () => void, body: () => void): void {
    this.do(op.block).do(nothing).do(op.loop).do(nothing)
    condition()
    this.do(op.i32Eqz)
    this.code.at(op.brIf, 1)
    body()
    this.code.at(op.br, 0)
    this.do(op.end).do(op.end)
  }

  /** While at least so many are left, which each turn takes off. */
  whileAtLeast(left: number, many: number, body: () => void): void {
    this.while(
      () => this.get(left).number(many).do(greaterOrEqual),
      () => {
        body()
        this.plusNumber(left, -many)
      },
    )
  }

  made(): Made {
    return { parameters: this.parameters, results: [], locals: this.locals, code: this.code }
  }
}

const greaterOrEqual = 0x4e

/** Each value has a local of its own: the machine's compiler finds which of them share a register. */
function vectorOps(body: Body): Ops<number> {
  const keep = (): number => {
    const local = body.local(v128)
    body.set(local)
    return local
  }
  const two =
    (code: number) =>
    (a: number, b: number): number => {
      body.get(a).get(b).vector(code)
      return keep()
    }
  const value = (x: number): number => {
    single[0] = x
    body.vector(simd.constant)
    for (let k = 0; k < 4; k++) for (const byte of octets) body.do(byte)
    return keep()
  }
  return {
    value,
    add: two(simd.add),
    sub: two(simd.sub),
    mul: two(simd.mul),
    div: two(simd.div),
    min: two(simd.min),
    max: two(simd.max),
    sqrt(a) {
      body.get(a).vector(simd.sqrt)
      return keep()
    },
    less(a, b, yes, no) {
      body.get(yes).get(no).get(a).get(b).vector(simd.lessThan).vector(simd.select)
      return keep()
    },
    // The low bits of 1.5 * 2^23 + n are those of n: they become the exponent.
    power2(n) {
      body
        .get(n)
        .get(value(12582912 + 127))
        .vector(simd.add)
        .number(23)
        .vector(simd.shiftLeft)
      return keep()
    },
  }
}

function emitEach({ arrays, numbers, make }: Each): Made {
  const body = new Body([...Array.from({ length: arrays + 1 }, () => i32), ...Array.from({ length: numbers }, () => f32)])
  const ops = vectorOps(body)
  const given = Array.from({ length: numbers }, (_, k) => {
    const local = body.local(v128)
    body
      .get(arrays + 1 + k)
      .vector(simd.fill)
      .set(local)
    return local
  })
  body.whileAtLeast(arrays, 1, () => {
    const read = Array.from({ length: arrays }, (_, k) => {
      const local = body.local(v128)
      body.get(k).at(simd.load, 0).set(local)
      return local
    })
    for (const [array, value] of make(ops, read, given)) body.get(array).get(value).at(simd.store, 0)
    for (let k = 0; k < arrays; k++) body.plusNumber(k, 16)
  })
  return body.made()
}

/** Parameters of a product, in their order. */
const [A, AM, AK, B, BK, INIT, IM, C, CM, ROWS, INNER, VECTORS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const

/** Tiles of four rows and two vectors stay in registers; what is left over goes by one row. */
function emitProduct(): Made {
  const body = new Body(Array.from({ length: 12 }, () => i32))
  const ints = Array.from({ length: 16 }, () => body.local(i32))
  const [left, count, b, offset] = ints as [number, number, number, number]
  const rowsOfA = ints.slice(4, 8)
  const rowsOfInit = ints.slice(8, 12)
  const rowsOfC = ints.slice(12, 16)
  const sums = Array.from({ length: 8 }, () => body.local(v128))
  const columns = Array.from({ length: 4 }, () => body.local(v128))
  const one = body.local(v128)

  const tile = (rows: number, width: number): void => {
    for (let i = 0; i < rows; i++) {
      const [from, to] = [rowsOfInit[i]!, rowsOfC[i]!]
      if (i === 0) body.get(INIT).get(offset).do(op.i32Add).set(from).get(C).get(offset).do(op.i32Add).set(to).get(A).set(rowsOfA[0]!)
      else {
        body
          .get(rowsOfInit[i - 1]!)
          .get(IM)
          .do(op.i32Add)
          .set(from)
        body
          .get(rowsOfC[i - 1]!)
          .get(CM)
          .do(op.i32Add)
          .set(to)
        body
          .get(rowsOfA[i - 1]!)
          .get(AM)
          .do(op.i32Add)
          .set(rowsOfA[i]!)
      }
      for (let j = 0; j < width; j++)
        body
          .get(from)
          .at(simd.load, 16 * j)
          .set(sums[i * width + j]!)
    }
    body.get(B).get(offset).do(op.i32Add).set(b)
    body.get(INNER).set(count)
    body.whileAtLeast(count, 1, () => {
      for (let j = 0; j < width; j++)
        body
          .get(b)
          .at(simd.load, 16 * j)
          .set(columns[j]!)
      for (let i = 0; i < rows; i++) {
        body.get(rowsOfA[i]!).at(simd.splat, 0).set(one)
        for (let j = 0; j < width; j++) {
          const sum = sums[i * width + j]!
          body.get(sum).get(one).get(columns[j]!).vector(simd.mul).vector(simd.add).set(sum)
        }
        body.plus(rowsOfA[i]!, AK)
      }
      body.plus(b, BK)
    })
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < width; j++)
        body
          .get(rowsOfC[i]!)
          .get(sums[i * width + j]!)
          .at(simd.store, 16 * j)
    body.plusNumber(offset, 16 * width)
  }
  const stripe = (rows: number, widths: readonly number[]): void =>
    body.whileAtLeast(ROWS, rows, () => {
      body.number(0).set(offset).get(VECTORS).set(left)
      for (const width of widths) body.whileAtLeast(left, width, () => tile(rows, width))
      for (let i = 0; i < rows; i++) {
        body.plus(A, AM)
        body.plus(INIT, IM)
        body.plus(C, CM)
      }
    })
  stripe(4, [2, 1])
  stripe(1, [4, 1])
  return body.made()
}

/** Imports the memory `m.memory`; exports `matmul` and all kernels of `eachKernels`. */
export function emitKernels(): Uint8Array<ArrayBuffer> {
  const names = ['matmul', ...eachKernels.map(({ name }) => name)]
  return moduleOf(
    [],
    [emitProduct(), ...eachKernels.map(emitEach)],
    names.map((name, index) => ({ name, index })),
    [],
  )
}
