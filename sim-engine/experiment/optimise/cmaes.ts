// CMA-ES (Hansen 2016, arXiv:1604.00772) in the unit cube, with restarts that double the population (IPOP, Auger and Hansen 2005). What leaves
// the cube is reflected. Whole numbers and choices are parts of the unit interval.
import { exp, log } from '../../kernel/math.ts'
import { uniform53, type Stream } from '../../kernel/random.ts'
import { normalQuantile } from '../distributions.ts'
import {
  bestOf,
  compareSingle,
  evaluationsIn,
  solutionsOf,
  valueAt,
  type Algorithm,
  type Point,
  type Score,
  type Solution,
  type Space,
} from './search.ts'

export const cmaes: Algorithm = function* (space, settings, random) {
  let made = 0
  const left = (): number => evaluationsIn(settings) - made
  let best: Solution[] = []
  for (let lambda = 4 + Math.floor(3 * log(space.domains.length)); left() > 0; lambda *= 2) {
    const strategy = new Strategy(space.domains.length, lambda, random)
    while (left() > 0 && !strategy.over) {
      const shares = strategy.sample(Math.min(lambda, left()))
      const points = shares.map(share => pointAt(space, share))
      const found = solutionsOf(points, yield points)
      made += points.length
      best = bestOf([...best, ...found])
      if (points.length === lambda) strategy.learn(found)
    }
  }
  return best
}

function pointAt({ domains }: Space, share: Float64Array): Point {
  return Float64Array.from(domains, (domain, k) => {
    // Reflected at both ends of [0, 1], as often as it takes.
    const folded = Math.abs(((((share[k]! + 1) % 2) + 2) % 2) - 1)
    return valueAt(domain, folded)
  })
}

class Strategy {
  over = false
  readonly #n: number
  readonly #random: Stream
  readonly #weights: number[]
  readonly #muEff: number
  readonly #cc: number
  readonly #cs: number
  readonly #c1: number
  readonly #cmu: number
  readonly #damping: number
  readonly #chi: number
  readonly #mean: Float64Array
  #sigma = 0.2
  readonly #pc: Float64Array
  readonly #ps: Float64Array
  /** Covariance and its square root's parts, row by row: C = B diag(D)^2 B^T. */
  readonly #c: Float64Array[]
  #b: Float64Array[]
  #d: Float64Array
  #steps: Float64Array[] = []
  #generation = 0
  #decomposed = 0
  #flat = 0
  #history: number[] = []

  constructor(n: number, lambda: number, random: Stream) {
    this.#n = n
    this.#random = random
    const raw = Array.from({ length: lambda }, (_, i) => log((lambda + 1) / 2) - log(i + 1))
    const massOf = (weights: readonly number[]): number => weights.reduce((a, b) => a + b, 0) ** 2 / weights.reduce((a, b) => a + b * b, 0)
    const good = raw.filter(weight => weight > 0)
    const bad = raw.filter(weight => weight < 0)
    const m = massOf(good)
    this.#muEff = m
    this.#cc = (4 + m / n) / (n + 4 + (2 * m) / n)
    this.#cs = (m + 2) / (n + m + 5)
    this.#c1 = 2 / ((n + 1.3) ** 2 + m)
    this.#cmu = Math.min(1 - this.#c1, (2 * (m - 2 + 1 / m)) / ((n + 2) ** 2 + m))
    // Bad steps shrink the covariance along themselves (active CMA), by no more than keeps it positive.
    const most = Math.min(1 + this.#c1 / this.#cmu, 1 + (2 * massOf(bad)) / (m + 2), (1 - this.#c1 - this.#cmu) / (n * this.#cmu))
    const [up, down] = [good.reduce((a, b) => a + b, 0), -bad.reduce((a, b) => a + b, 0)]
    this.#weights = raw.map(weight => (weight > 0 ? weight / up : (most * weight) / down))
    this.#damping = 1 + 2 * Math.max(0, Math.sqrt((m - 1) / (n + 1)) - 1) + this.#cs
    this.#chi = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    this.#mean = Float64Array.from({ length: n }, () => uniform53(random))
    this.#pc = new Float64Array(n)
    this.#ps = new Float64Array(n)
    this.#c = identity(n)
    this.#b = identity(n)
    this.#d = new Float64Array(n).fill(1)
  }

  sample(count: number): Float64Array[] {
    const n = this.#n
    this.#steps = Array.from({ length: count }, () => {
      const z = Float64Array.from(
        { length: n },
        (_, k) => this.#d[k]! * normalQuantile((uniform53(this.#random) + 2 ** -54) / (1 + 2 ** -53)),
      )
      return Float64Array.from({ length: n }, (_, i) => dot(this.#b[i]!, z))
    })
    return this.#steps.map(step => step.map((value, i) => this.#mean[i]! + this.#sigma * value))
  }

  learn(scores: readonly Score[]): void {
    const n = this.#n
    const order = scores.map((_, i) => i).sort((a, b) => compareSingle(scores[a]!, scores[b]!) || a - b)
    const y = new Float64Array(n)
    this.#weights.forEach((weight, r) => {
      const step = this.#steps[order[r]!]!
      if (weight > 0) for (let i = 0; i < n; i++) y[i]! += weight * step[i]!
    })
    for (let i = 0; i < n; i++) this.#mean[i]! += this.#sigma * y[i]!
    const inner = this.#whiten(y)
    const rate = Math.sqrt(this.#cs * (2 - this.#cs) * this.#muEff)
    for (let i = 0; i < n; i++) this.#ps[i] = (1 - this.#cs) * this.#ps[i]! + rate * dot(this.#b[i]!, inner)
    const length = Math.sqrt(dot(this.#ps, this.#ps))
    this.#generation++
    const bias = 1 - exp(2 * this.#generation * log(1 - this.#cs))
    const rising = length / Math.sqrt(bias) / this.#chi < 1.4 + 2 / (n + 1)
    const along = rising ? Math.sqrt(this.#cc * (2 - this.#cc) * this.#muEff) : 0
    for (let i = 0; i < n; i++) this.#pc[i] = (1 - this.#cc) * this.#pc[i]! + along * y[i]!
    const shares = this.#weights.map((weight, r) => {
      if (weight >= 0) return weight
      const white = this.#whiten(this.#steps[order[r]!]!)
      return (weight * n) / Math.max(dot(white, white), 1e-300)
    })
    const total = this.#weights.reduce((a, b) => a + b, 0)
    const kept = 1 - this.#c1 - this.#cmu * total + (rising ? 0 : this.#c1 * this.#cc * (2 - this.#cc))
    for (let i = 0; i < n; i++) {
      const row = this.#c[i]!
      for (let j = 0; j <= i; j++) {
        let sum = 0
        shares.forEach((weight, r) => {
          const step = this.#steps[order[r]!]!
          sum += weight * step[i]! * step[j]!
        })
        row[j] = kept * row[j]! + this.#c1 * this.#pc[i]! * this.#pc[j]! + this.#cmu * sum
        this.#c[j]![i] = row[j]!
      }
    }
    this.#sigma *= exp(Math.min(1, (this.#cs / this.#damping) * (length / this.#chi - 1)))
    if (this.#generation - this.#decomposed > 1 / (this.#c1 + this.#cmu) / n / 10) this.#decompose()
    this.#judge(scores[order[0]!]!, scores[order.at(-1)!]!)
  }

  /** In the coordinates where the covariance is the identity. */
  #whiten(y: Float64Array): Float64Array {
    return Float64Array.from({ length: this.#n }, (_, k) => {
      let sum = 0
      for (let i = 0; i < this.#n; i++) sum += this.#b[i]![k]! * y[i]!
      return sum / this.#d[k]!
    })
  }

  #decompose(): void {
    this.#decomposed = this.#generation
    const { values, vectors } = eigen(this.#c)
    this.#b = vectors
    this.#d = values.map(value => Math.sqrt(Math.max(value, 1e-30)))
    const longest = Math.max(...this.#d)
    if (!(longest < 1e14 * Math.min(...this.#d))) this.over = true
  }

  /** Ends a strategy that no longer gets anywhere. */
  #judge(best: Score, worst: Score): void {
    const [value] = best.objectives
    this.#flat = compareSingle(best, worst) === 0 ? this.#flat + 1 : 0
    this.#history.push(best.violation > 0 ? best.violation : value!)
    const span = 10 + Math.ceil((30 * this.#n) / this.#weights.length)
    const recent = this.#history.slice(-span)
    const still = recent.length === span && Math.max(...recent) - Math.min(...recent) < 1e-12
    const narrow = this.#sigma * Math.max(...this.#d) < 1e-12
    if (this.#flat > 10 || still || narrow || !(this.#sigma < 1e8)) this.over = true
  }
}

const identity = (n: number): Float64Array[] =>
  Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)))

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** Eigenvalues, and eigenvectors as columns, of a symmetric matrix (cyclic Jacobi). */
function eigen(matrix: readonly Float64Array[]): { values: Float64Array; vectors: Float64Array[] } {
  const n = matrix.length
  const a = matrix.map(row => row.slice())
  const v = identity(n)
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0
    let on = 0
    for (let i = 0; i < n; i++) {
      on += a[i]![i]! ** 2
      for (let j = 0; j < i; j++) off += a[i]![j]! ** 2
    }
    if (off <= 1e-30 * on) break
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (a[p]![q] === 0) continue
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!)
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < n; k++) {
          const x = a[k]![p]!
          const y = a[k]![q]!
          a[k]![p] = c * x - s * y
          a[k]![q] = s * x + c * y
        }
        const rowP = a[p]!
        const rowQ = a[q]!
        for (let k = 0; k < n; k++) {
          const x = rowP[k]!
          const y = rowQ[k]!
          rowP[k] = c * x - s * y
          rowQ[k] = s * x + c * y
          const vp = v[k]![p]!
          const vq = v[k]![q]!
          v[k]![p] = c * vp - s * vq
          v[k]![q] = s * vp + c * vq
        }
      }
    }
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i]![i]!), vectors: v }
}
