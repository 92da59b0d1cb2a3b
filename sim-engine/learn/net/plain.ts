// The kernels in plain JavaScript: what runs where a machine has no vectors, and what tests hold the WebAssembly to, bit by bit.
import { eachKernels, type Ops } from './ops.ts'
import type { Kernels } from './kernels.ts'

const round = Math.fround

/** 2^-126 .. 2^127. */
const powers = new Float32Array(254)
powers[126] = 1
for (let n = 127; n < 254; n++) powers[n] = powers[n - 1]! * 2
for (let n = 125; n >= 0; n--) powers[n] = powers[n + 1]! / 2

export const plainOps: Ops<number> = {
  value: round,
  add: (a, b) => round(a + b),
  sub: (a, b) => round(a - b),
  mul: (a, b) => round(a * b),
  div: (a, b) => round(a / b),
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  sqrt: a => round(Math.sqrt(a)),
  less: (a, b, yes, no) => (a < b ? yes : no),
  power2: n => powers[n + 126] ?? Number.NaN,
}

export function createPlain(): Kernels {
  let floats = new Float32Array(1024)
  let used = 16
  const kernels: Kernels = {
    form: 'plain',
    get floats() {
      return floats
    },
    allocate(count) {
      const at = used
      used += Math.ceil(count / 4) * 16
      if (used > floats.byteLength) {
        const more = new Float32Array(Math.max(used, floats.byteLength * 2) / 4)
        more.set(floats)
        floats = more
      }
      return at
    },
    product: (a, am, b, bk, init, im, c, cm, rows, inner, vectors) =>
      multiply({ floats, a, am, ak: 4, b, bk, init, im, c, cm, rows, inner, vectors }),
    turnedProduct: (a, am, b, bk, init, im, c, cm, rows, inner, vectors) =>
      multiply({ floats, a, am: 4, ak: am, b, bk, init, im, c, cm, rows, inner, vectors }),
    sparseProduct: (a, am, b, bk, init, c, cm, rows, inner, vectors) =>
      multiply({ floats, a, am, ak: 4, b, bk, init, im: 0, c, cm, rows, inner, vectors, sparse: true }),
    each: {},
  }
  for (const kernel of eachKernels) {
    kernels.each[kernel.name] = (...given) => {
      const f = floats
      const starts = given.slice(0, kernel.arrays).map(at => at / 4)
      const count = given[kernel.arrays]! * 4
      const numbers = given.slice(kernel.arrays + 1).map(round)
      for (let k = 0; k < count; k++) {
        const read = starts.map(at => f[at + k]!)
        for (const [array, value] of kernel.make(plainOps, read, numbers)) f[starts[array]! + k] = value
      }
    }
  }
  return kernels
}

type Factors = {
  readonly floats: Float32Array
  readonly a: number
  readonly am: number
  readonly ak: number
  readonly b: number
  readonly bk: number
  readonly init: number
  readonly im: number
  readonly c: number
  readonly cm: number
  readonly rows: number
  readonly inner: number
  readonly vectors: number
  readonly sparse?: boolean
}

function multiply({ floats: f, a, am, ak, b, bk, init, im, c, cm, rows, inner, vectors, sparse = false }: Factors): void {
  for (let m = 0; m < rows; m++)
    for (let n = 0; n < vectors * 4; n++) {
      let sum = f[(init + m * im) / 4 + n]!
      for (let k = 0; k < inner; k++) {
        const factor = f[(a + m * am + k * ak) / 4]!
        if (!sparse || factor !== 0) sum = round(sum + round(factor * f[(b + k * bk) / 4 + n]!))
      }
      f[(c + m * cm) / 4 + n] = sum
    }
}
