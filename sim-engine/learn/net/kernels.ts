// Kernels of dense networks over one memory of single-precision numbers: products of matrices, and the same done with each number of an array. Addresses
// and strides are in bytes, multiples of 16 but for the first matrix of a product. Sums are taken in the order of what is summed, whatever the lanes.
import { emitKernels } from './emit.ts'
import { eachKernels } from './ops.ts'
import { createPlain } from './plain.ts'

type Product = (
  a: number,
  am: number,
  b: number,
  bk: number,
  init: number,
  im: number,
  c: number,
  cm: number,
  rows: number,
  inner: number,
  vectors: number,
) => void

export type Kernels = {
  readonly form: 'vectors' | 'plain'
  /** The whole memory: another object after `allocate`. */
  readonly floats: Float32Array
  /** Address of room for so many numbers, 0 at first. */
  allocate(count: number): number
  /**
   * c[m][n] = init[m][n] + sum over k of a[m][k] * b[k][n]. `am`, `bk`, `im`, `cm`: strides of rows. A row of b, init and c is `vectors` times four
   * numbers.
   */
  product: Product
  /** The same where a is transposed: a[m][k] is `m` numbers behind the start of column k, and `am` is the stride of columns. */
  turnedProduct: Product
  /** The same with one row of init for all, where numbers of a that are 0 add nothing, whatever b is there; rows of a are filled up to vectors. */
  sparseProduct(
    a: number,
    am: number,
    b: number,
    bk: number,
    init: number,
    c: number,
    cm: number,
    rows: number,
    inner: number,
    vectors: number,
  ): void
  /** Addresses of arrays, how many times four numbers, further numbers. */
  readonly each: Record<string, (...given: number[]) => void>
}

const page = 65536

let made: WebAssembly.Module | null | undefined

/** The kernels as WebAssembly where the machine has vectors, else as plain JavaScript. */
export function createKernels(form: 'best' | 'plain' = 'best'): Kernels {
  if (form === 'plain') return createPlain()
  if (made === undefined) {
    try {
      made = new WebAssembly.Module(emitKernels())
    } catch {
      made = null
    }
  }
  if (made === null) return createPlain()
  const memory = new WebAssembly.Memory({ initial: 1 })
  const { exports } = new WebAssembly.Instance(made, { host: { memory } })
  let floats = new Float32Array(memory.buffer)
  let used = 16
  return {
    form: 'vectors',
    get floats() {
      return floats
    },
    allocate(count) {
      const at = used
      used += Math.ceil(count / 4) * 16
      if (used > memory.buffer.byteLength) {
        memory.grow(Math.ceil((used - memory.buffer.byteLength) / page))
        floats = new Float32Array(memory.buffer)
      }
      return at
    },
    product: exports['product'] as Product,
    turnedProduct: exports['turnedProduct'] as Product,
    sparseProduct: exports['sparseProduct'] as Kernels['sparseProduct'],
    each: Object.fromEntries(eachKernels.map(({ name }) => [name, exports[name] as (...given: number[]) => void])),
  }
}
