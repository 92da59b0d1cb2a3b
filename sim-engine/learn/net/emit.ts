// The kernels as one WebAssembly module: fixed-width vectors of four single-precision numbers (Core Specification 2.0, 5.4.9), never the relaxed
// operations, which give other results on other machines.
import { Bytes, f32, i32, i32Compare, i64, moduleOf, nothing, op, v128, type Made } from '../../backends/binary.ts'
import { eachKernels, type Each, type Ops } from './ops.ts'

const simd = {
  load: 0x00,
  splat: 0x09,
  store: 0x0b,
  constant: 0x0c,
  fill: 0x13,
  notEqual: 0x42,
  lessThan: 0x43,
  select: 0x52,
  bits: 0xa4,
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
  /** Comes before the code: numbers that loops would make again each time. */
  readonly #constants = new Bytes()
  readonly #known = new Map<number, number>()
  readonly locals: number[] = []
  readonly parameters: readonly number[]

  constructor(parameters: readonly number[]) {
    this.parameters = parameters
  }

  local(type: number): number {
    return this.parameters.length + this.locals.push(type) - 1
  }

  /** A local of four times this number. */
  constant(x: number): number {
    const known = this.#known.get(x)
    if (known !== undefined) return known
    const local = this.local(v128)
    this.#known.set(x, local)
    single[0] = x
    this.#constants.op(0xfd)
    this.#constants.unsigned(simd.constant)
    for (let k = 0; k < 4; k++) this.#constants.put(...octets)
    this.#constants.at(op.localSet, local)
    return local
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
    const code = new Bytes()
    code.append(this.#constants)
    code.append(this.code)
    return { parameters: this.parameters, results: [], locals: this.locals, code }
  }
}

const greaterOrEqual = i32Compare['>=']!
const i32Less = i32Compare['<']!
const i32Greater = i32Compare['>']!
const i64Ctz = 0x7a

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
  return {
    value: x => body.constant(x),
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
        .get(body.constant(12582912 + 127))
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

/** How rows of the first matrix of a product lie: one after the other, or turned, so that its columns do. */
type Lying = 'rows' | 'columns'

/** Parameters of a product, in their order; A and the row of A that comes next are `next` apart. */
const [A, NEXT, B, BK, INIT, IM, C, CM, ROWS, INNER, VECTORS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** Where row i of a tile of the first matrix is: at a pointer of its own, or behind that of the first row. */
const placeOf = (pointers: readonly number[], lying: Lying, i: number): readonly [pointer: number, offset: number] =>
  lying === 'rows' ? [pointers[i]!, 0] : [pointers[0]!, 4 * i]

/** Tiles of four rows and two vectors stay in registers; what is left over goes by one row. */
function emitProduct(lying: Lying): Made {
  const body = new Body(Array.from({ length: 11 }, () => i32))
  const ints = Array.from({ length: 16 }, () => body.local(i32))
  const [left, count, b, offset] = ints as [number, number, number, number]
  const rowsOfA = ints.slice(4, 8)
  const rowsOfInit = ints.slice(8, 12)
  const rowsOfC = ints.slice(12, 16)
  const sums = Array.from({ length: 8 }, () => body.local(v128))
  const columns = Array.from({ length: 4 }, () => body.local(v128))
  const one = body.local(v128)

  const pointAtRows = (rows: number): void => {
    body.get(A).set(rowsOfA[0]!).get(INIT).get(offset).do(op.i32Add).set(rowsOfInit[0]!).get(C).get(offset).do(op.i32Add).set(rowsOfC[0]!)
    for (let i = 1; i < rows; i++) {
      const follow = (pointers: readonly number[], stride: number): unknown =>
        body
          .get(pointers[i - 1]!)
          .get(stride)
          .do(op.i32Add)
          .set(pointers[i]!)
      follow(rowsOfInit, IM)
      follow(rowsOfC, CM)
      if (lying === 'rows') follow(rowsOfA, NEXT)
    }
  }
  /** Adds to the sums what so many numbers of each row of A, one after the other, give. */
  const add = (rows: number, width: number, many: number): void => {
    for (let k = 0; k < many; k++) {
      for (let j = 0; j < width; j++)
        body
          .get(b)
          .at(simd.load, 16 * j)
          .set(columns[j]!)
      for (let i = 0; i < rows; i++) {
        const [pointer, at] = placeOf(rowsOfA, lying, i)
        body
          .get(pointer)
          .at(simd.splat, at + 4 * k)
          .set(one)
        for (let j = 0; j < width; j++) {
          const sum = sums[i * width + j]!
          body.get(sum).get(one).get(columns[j]!).vector(simd.mul).vector(simd.add).set(sum)
        }
      }
      body.plus(b, BK)
    }
    if (lying === 'columns') body.plus(rowsOfA[0]!, NEXT)
    else for (let i = 0; i < rows; i++) body.plusNumber(rowsOfA[i]!, 4 * many)
  }
  const tile = (rows: number, width: number): void => {
    pointAtRows(rows)
    const each = (act: (sum: number, row: number, at: number) => void): void => {
      for (let i = 0; i < rows; i++) for (let j = 0; j < width; j++) act(sums[i * width + j]!, i, 16 * j)
    }
    each((sum, i, at) => body.get(rowsOfInit[i]!).at(simd.load, at).set(sum))
    body.get(B).get(offset).do(op.i32Add).set(b)
    body.get(INNER).set(count)
    for (const many of lying === 'rows' ? [4, 1] : [1]) body.whileAtLeast(count, many, () => add(rows, width, many))
    each((sum, i, at) => body.get(rowsOfC[i]!).get(sum).at(simd.store, at))
    body.plusNumber(offset, 16 * width)
  }
  const stripe = (rows: number, widths: readonly number[]): void =>
    body.whileAtLeast(ROWS, rows, () => {
      body.number(0).set(offset).get(VECTORS).set(left)
      for (const width of widths) body.whileAtLeast(left, width, () => tile(rows, width))
      if (lying === 'columns') body.plusNumber(A, 4 * rows)
      for (let i = 0; i < rows; i++) {
        if (lying === 'rows') body.plus(A, NEXT)
        body.plus(INIT, IM)
        body.plus(C, CM)
      }
    })
  stripe(4, [2, 1])
  stripe(1, [4, 1])
  return body.made()
}

/** Parameters of a product with few numbers other than 0, in their order; it has one row of first sums. */
const [SA, SNEXT, SB, SBK, SINIT, SC, SCM, SROWS, SINNER, SVECTORS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const

/** How many numbers of a row are looked at before those that aren't 0 are gone through: bits of a whole number. */
const looked = 64

/** Each row alone: of sixty-four of its numbers, bits say which aren't 0, and only these are multiplied. */
function emitSparse(): Made {
  const body = new Body(Array.from({ length: 10 }, () => i32))
  const [left, offset, a, count, part, shift, b, at] = Array.from({ length: 8 }, () => body.local(i32)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const bits = body.local(i64)
  const sums = Array.from({ length: 8 }, () => body.local(v128))
  const [one, zero] = [body.local(v128), body.local(v128)]

  /** The bits of the next numbers, at most sixty-four; those behind the last number of a row are cleared. */
  const look = (): void => {
    body.get(count).number(looked).get(count).number(looked).do(i32Less).do(op.select).set(part)
    body.do(op.i64Const).do(0).set(bits).number(0).set(shift).get(a).set(at)
    body.while(
      () => body.get(shift).get(part).do(i32Less),
      () => {
        body.get(bits).get(at).at(simd.load, 0).get(zero).vector(simd.notEqual).vector(simd.bits)
        body.do(op.i64ExtendI32U).get(shift).do(op.i64ExtendI32U).do(op.i64Shl).do(op.i64Or).set(bits)
        body.plusNumber(at, 16)
        body.plusNumber(shift, 4)
      },
    )
    // All bits, moved up by as many as there are numbers less than sixty-four, and back.
    body.get(bits).number(looked).get(part).do(op.i32Sub).set(shift)
    body.get(shift).do(op.i64ExtendI32U).do(op.i64Shl).get(shift).do(op.i64ExtendI32U).do(op.i64ShrU).set(bits)
  }
  const tile = (width: number): void => {
    for (let j = 0; j < width; j++)
      body
        .get(SINIT)
        .get(offset)
        .do(op.i32Add)
        .at(simd.load, 16 * j)
        .set(sums[j]!)
    body.get(SA).set(a).get(SB).get(offset).do(op.i32Add).set(b).get(SINNER).set(count)
    body.while(
      () => body.get(count).number(0).do(i32Greater),
      () => {
        look()
        body.while(
          () => body.get(bits).do(op.i64Eqz).do(op.i32Eqz),
          () => {
            body.get(bits).do(i64Ctz).do(op.i32WrapI64).set(at)
            body.get(bits).get(bits).do(op.i64Const).do(1).do(op.i64Sub).do(op.i64And).set(bits)
            body.get(a).get(at).number(2).do(op.i32Shl).do(op.i32Add).at(simd.splat, 0).set(one)
            body.get(b).get(at).get(SBK).do(op.i32Mul).do(op.i32Add).set(at)
            for (let j = 0; j < width; j++)
              body
                .get(sums[j]!)
                .get(one)
                .get(at)
                .at(simd.load, 16 * j)
                .vector(simd.mul)
                .vector(simd.add)
                .set(sums[j]!)
          },
        )
        body.plusNumber(a, 4 * looked)
        body.get(b).get(SBK).number(looked).do(op.i32Mul).do(op.i32Add).set(b)
        body.plusNumber(count, -looked)
      },
    )
    for (let j = 0; j < width; j++)
      body
        .get(SC)
        .get(offset)
        .do(op.i32Add)
        .get(sums[j]!)
        .at(simd.store, 16 * j)
    body.plusNumber(offset, 16 * width)
  }
  body.whileAtLeast(SROWS, 1, () => {
    body.number(0).set(offset).get(SVECTORS).set(left)
    for (const width of [8, 4, 1]) body.whileAtLeast(left, width, () => tile(width))
    body.plus(SA, SNEXT)
    body.plus(SC, SCM)
  })
  return body.made()
}

/** Imports the memory `m.memory`; exports the three products of `Kernels` and all of `eachKernels`. */
export function emitKernels(): Uint8Array<ArrayBuffer> {
  const names = ['product', 'turnedProduct', 'sparseProduct', ...eachKernels.map(({ name }) => name)]
  return moduleOf(
    [],
    [emitProduct('rows'), emitProduct('columns'), emitSparse(), ...eachKernels.map(emitEach)],
    names.map((name, index) => ({ name, index })),
    [],
  )
}
