// Arithmetic on single-precision numbers, written once for both builds of the kernels: of WebAssembly, four numbers at a time, and of plain JavaScript,
// one at a time. Both round after each operation to the nearest, ties to even, so that their results are the same bits.
import { unreachable } from '../../../model-schema/unreachable.ts'

export type Ops<T> = {
  value(x: number): T
  add(a: T, b: T): T
  sub(a: T, b: T): T
  mul(a: T, b: T): T
  div(a: T, b: T): T
  min(a: T, b: T): T
  max(a: T, b: T): T
  sqrt(a: T): T
  /** `yes` where a < b, else `no`. */
  less(a: T, b: T, yes: T, no: T): T
  /** 2 to the power of a whole number from -126 to 127. */
  power2(n: T): T
}

/** Adding and subtracting it rounds a number below 2^22 to a whole one. */
const shift = 12582912

/** e to the x, within 2 units in the last place from -87 to 88, held at its ends (Cephes `expf`, S. Moshier). */
export function exp<T>(o: Ops<T>, x: T): T {
  const c = o.max(o.min(x, o.value(88)), o.value(-87))
  const n = o.sub(o.add(o.mul(c, o.value(Math.LOG2E)), o.value(shift)), o.value(shift))
  const r = o.sub(o.sub(c, o.mul(n, o.value(0.693359375))), o.mul(n, o.value(-2.1219444e-4)))
  let z = o.value(1.98756915e-4)
  for (const next of [1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1])
    z = o.add(o.mul(z, r), o.value(next))
  return o.mul(o.add(o.add(o.mul(o.mul(z, r), r), r), o.value(1)), o.power2(n))
}

/**
 * Hyperbolic tangent; error at most 3.1e-7. For |x| <= 8.7 it is x * p(x * x) / q(x * x), with polynomials p and q of degree 4 that minimise the largest
 * relative error; beyond, single precision gives -1 or 1. It has no branch, and half the operations of one by `exp`.
 */
export function tanh<T>(o: Ops<T>, x: T): T {
  const end = 8.7
  const c = o.max(o.min(x, o.value(end)), o.value(-end))
  const z = o.mul(c, c)
  const polynomial = (first: number, ...rest: readonly number[]): T =>
    rest.reduce((sum, next) => o.add(o.mul(sum, z), o.value(next)), o.value(first))
  const above = polynomial(2.3204243859709095e-8, 3.581117925932631e-5, 0.006074274890124798, 0.23252494633197784, 1.737728238105774)
  const below = polynomial(1.3512515124602942e-6, 0.0005709362449124455, 0.04496675357222557, 0.8117673993110657, 1.737728238105774)
  return o.max(o.min(o.div(o.mul(c, above), below), o.value(1)), o.value(-1))
}

export type Activation = 'linear' | 'relu' | 'leaky_relu' | 'elu' | 'tanh' | 'sigmoid'

export const activations: readonly Activation[] = ['linear', 'relu', 'leaky_relu', 'elu', 'tanh', 'sigmoid']

function activate<T>(o: Ops<T>, kind: Activation, x: T): T {
  switch (kind) {
    case 'linear':
      return x
    case 'relu':
      return o.max(x, o.value(0))
    case 'leaky_relu':
      return o.less(x, o.value(0), o.mul(x, o.value(0.01)), x)
    case 'elu':
      return o.less(x, o.value(0), o.sub(exp(o, x), o.value(1)), x)
    case 'tanh':
      return tanh(o, x)
    case 'sigmoid':
      return o.div(o.value(1), o.add(o.value(1), exp(o, o.sub(o.value(0), x))))
    default:
      return unreachable(kind)
  }
}

/** The gradient by what goes in, from the one by what came out and what that was. */
function slope<T>(o: Ops<T>, kind: Activation, y: T, by: T): T {
  const [zero, one] = [o.value(0), o.value(1)]
  switch (kind) {
    case 'linear':
      return by
    case 'relu':
      return o.less(zero, y, by, zero)
    case 'leaky_relu':
      return o.less(y, zero, o.mul(by, o.value(0.01)), by)
    case 'elu':
      return o.less(y, zero, o.mul(by, o.add(y, one)), by)
    case 'tanh':
      return o.mul(by, o.sub(one, o.mul(y, y)))
    case 'sigmoid':
      return o.mul(by, o.mul(y, o.sub(one, y)))
    default:
      return unreachable(kind)
  }
}

/** A kernel that does the same with each number of some arrays: what is read, the numbers it is given, what is written where. */
export type Each = {
  readonly name: string
  /** Arrays; written ones are read as well. */
  readonly arrays: number
  readonly numbers: number
  /** The new values, by the number of their array. */
  make<T>(o: Ops<T>, arrays: readonly T[], numbers: readonly T[]): readonly (readonly [array: number, value: T])[]
}

/** All kernels of this form. Numbers of `adam`: rate with its corrections, beta 1, 1 - beta 1, beta 2, 1 - beta 2, epsilon with its correction. */
export const eachKernels: readonly Each[] = [
  ...activations.flatMap((kind): Each[] => [
    { name: `act_${kind}`, arrays: 1, numbers: 0, make: (o, [x]) => [[0, activate(o, kind, x!)]] },
    { name: `slope_${kind}`, arrays: 2, numbers: 0, make: (o, [y, by]) => [[1, slope(o, kind, y!, by!)]] },
  ]),
  {
    name: 'adam',
    arrays: 4,
    numbers: 6,
    make(o, [weight, gradient, mean, square], [rate, beta1, rest1, beta2, rest2, epsilon]) {
      const m = o.add(o.mul(mean!, beta1!), o.mul(gradient!, rest1!))
      const v = o.add(o.mul(square!, beta2!), o.mul(o.mul(gradient!, gradient!), rest2!))
      return [
        [2, m],
        [3, v],
        [0, o.sub(weight!, o.div(o.mul(m, rate!), o.add(o.sqrt(v), epsilon!)))],
      ]
    },
  },
  { name: 'sgd', arrays: 2, numbers: 1, make: (o, [weight, gradient], [rate]) => [[0, o.sub(weight!, o.mul(gradient!, rate!))]] },
  /** array 0 * number 0. */
  { name: 'scale', arrays: 1, numbers: 1, make: (o, [x], [by]) => [[0, o.mul(x!, by!)]] },
  /** Moves array 0 a part of the way to array 1: target networks. */
  { name: 'toward', arrays: 2, numbers: 1, make: (o, [x, y], [part]) => [[0, o.add(x!, o.mul(o.sub(y!, x!), part!))]] },
]
