// Bayesian optimisation with a Gaussian process (Matern 5/2, one length a coordinate) and the logarithm of expected improvement (Jones, Schonlau,
// Welch 1998; Ament et al. 2023). Several objectives: a random Tchebycheff sum of them each time (ParEGO, Knowles 2006). For at most a few hundred
// runs of an expensive model.
import { exp, log } from '../../kernel/math.ts'
import { uniform53, uniformOpen, type Stream } from '../../kernel/random.ts'
import { logNormalCdf, normalCdf, normalDensity, normalQuantile } from '../distributions.ts'
import { nondominated } from './ranking.ts'
import {
  evaluationsIn,
  fit,
  highOf,
  lowOf,
  randomPoint,
  solutionsOf,
  spreadPoints,
  type Algorithm,
  type Point,
  type Solution,
  type Space,
} from './search.ts'

const startup = 10
/** Points the process is fitted to: the best and the latest of more. */
const maxPointsFitted = 300

export const gp: Algorithm = function* (space, settings, random) {
  const start = spreadPoints(space, Math.min(startup, evaluationsIn(settings)), random)
  const known = solutionsOf(start, yield start)
  let lengths: number[] = []
  while (known.length < evaluationsIn(settings)) {
    const targets = targetsOf(known, space.objectives, random)
    const used = chosen(targets)
    const fitted = fitProcess(
      used.map(i => featuresOf(space, known[i]!.point)),
      used.map(i => targets[i]!),
      lengths,
      random,
    )
    lengths = fitted.logs
    const points = [improve(space, known, targets, fitted.process, random)]
    known.push(...solutionsOf(points, yield points))
  }
  return nondominated(known)
}

/** One number a solution, small is good: the objective, or a random sum of several; what is infeasible or failed is as bad as the worst and worse. */
function targetsOf(known: readonly Solution[], objectives: number, random: Stream): number[] {
  const weights = Array.from({ length: objectives }, () => -log(uniformOpen(random)))
  const total = weights.reduce((a, b) => a + b, 0)
  const feasible = known.filter(({ violation, objectives: values }) => violation === 0 && values.every(Number.isFinite))
  const low = weights.map((_, k) => Math.min(...feasible.map(({ objectives: values }) => values[k]!)))
  const extent = weights.map((_, k) => Math.max(...feasible.map(({ objectives: values }) => values[k]!)) - low[k]!)
  const plain = ({ objectives: values }: Solution): number => {
    if (objectives === 1) return values[0]!
    const parts = values.map((value, k) => ((weights[k]! / total) * (value - low[k]!)) / (extent[k]! > 0 ? extent[k]! : 1))
    return Math.max(...parts) + 0.05 * parts.reduce((a, b) => a + b, 0)
  }
  const good = feasible.map(plain)
  const worst = good.length === 0 ? 0 : Math.max(...good)
  const span = good.length === 0 ? 1 : worst - Math.min(...good) || 1
  return known.map(one =>
    one.violation === 0 && one.objectives.every(Number.isFinite) ? plain(one) : worst + span * (0.5 + Math.min(one.violation, 1)),
  )
}

function chosen(targets: readonly number[]): number[] {
  const order = targets.map((_, i) => i)
  if (order.length <= maxPointsFitted) return order
  const best = order.toSorted((a, b) => targets[a]! - targets[b]!).slice(0, maxPointsFitted / 2)
  return [...new Set([...best, ...order.slice(-maxPointsFitted / 2)])]
}

/** Coordinates in [0, 1]; a choice is one coordinate for each of its values, so that all are equally far apart. */
function featuresOf({ domains }: Space, point: Point): Float64Array {
  const features: number[] = []
  domains.forEach((domain, k) => {
    if (domain.as !== 'choice')
      features.push(highOf(domain) > lowOf(domain) ? (point[k]! - lowOf(domain)) / (highOf(domain) - lowOf(domain)) : 0)
    else for (let i = 0; i < domain.count; i++) features.push(point[k] === i ? Math.SQRT1_2 : 0)
  })
  return Float64Array.from(features)
}

/** The point of greatest expected improvement: many random ones and mutants of the best, the best of these climbed from. */
function improve(space: Space, known: readonly Solution[], targets: readonly number[], process: Process, random: Stream): Point {
  const best = Math.min(...targets)
  const seen = new Set(known.map(({ point }) => point.join()))
  // A point is not asked for twice: whole numbers and choices come back to the best one again and again.
  const worth = (point: Point): number => (seen.has(point.join()) ? -Infinity : process.logImprovement(featuresOf(space, point), best))
  const leaders = targets.map((_, i) => i).sort((a, b) => targets[a]! - targets[b]! || a - b)
  const pool = Array.from({ length: 256 }, (_, i) =>
    i < 192 ? randomPoint(space, random) : step(space, known[leaders[i % Math.min(8, leaders.length)]!]!.point, 0.1, random),
  )
  const scored = pool.map(point => ({ point, value: worth(point) })).sort((a, b) => b.value - a.value)
  let winner = scored[0]!
  for (const from of scored.slice(0, 4)) {
    let now = from
    for (let i = 0, width = 0.1; i < 120 && width > 1e-7; i++) {
      const point = step(space, now.point, width, random)
      const value = worth(point)
      if (value > now.value) {
        now = { point, value }
        width *= 1.3
      } else width *= 0.88
    }
    if (now.value > winner.value) winner = now
  }
  return winner.point
}

/** A neighbour: each coordinate moves by a normal step of `width` of its range with probability 1/2, at least one does. */
function step({ domains }: Space, point: Point, width: number, random: Stream): Point {
  const next = point.slice()
  const sure = Math.floor(uniform53(random) * domains.length)
  domains.forEach((domain, k) => {
    if (k !== sure && uniform53(random) < 0.5) return
    if (domain.as === 'choice') {
      if (uniform53(random) < 0.3) next[k] = Math.floor(uniform53(random) * domain.count)
      return
    }
    const moved =
      point[k]! +
      normalQuantile(uniformOpen(random)) * Math.max(width * (highOf(domain) - lowOf(domain)), domain.as === 'integer' ? 0.6 : 0)
    next[k] = fit(domain, moved)
  })
  return next
}

/** A fitted process: predicts mean and spread of the target anywhere. */
class Process {
  /** Log marginal likelihood with weak priors; -Infinity where the matrix has no root. */
  readonly evidence: number
  readonly #x: readonly Float64Array[]
  readonly #scale: Float64Array
  readonly #signal: number
  readonly #root: Float64Array[]
  readonly #alpha: Float64Array
  readonly #mean: number
  readonly #std: number

  /** `logs`: log length of each coordinate, then log of the signal's and of the noise's variance, in units of the standardised target. */
  constructor(x: readonly Float64Array[], y: readonly number[], logs: readonly number[]) {
    const n = x.length
    const d = x[0]!.length
    this.#x = x
    this.#scale = Float64Array.from({ length: d }, (_, k) => exp(-logs[k]!))
    this.#signal = exp(logs[d]!)
    const noise = exp(logs[d + 1]!)
    this.#mean = y.reduce((a, b) => a + b, 0) / n
    this.#std = Math.sqrt(y.reduce((sum, value) => sum + (value - this.#mean) ** 2, 0) / n) || 1
    const z = Float64Array.from(y, value => (value - this.#mean) / this.#std)
    this.#root = []
    let sound = true
    for (let i = 0; i < n; i++) {
      const row = new Float64Array(i + 1)
      for (let j = 0; j <= i; j++) {
        let sum = this.#kernel(x[i]!, x[j]!) + (i === j ? noise + 1e-9 : 0)
        const other = j === i ? row : this.#root[j]!
        for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!
        if (i === j) {
          sound &&= sum > 0
          row[j] = Math.sqrt(Math.max(sum, 1e-12))
        } else row[j] = sum / other[j]!
      }
      this.#root.push(row)
    }
    const half = forward(this.#root, z)
    this.#alpha = backward(this.#root, half)
    let logDet = 0
    for (let i = 0; i < n; i++) logDet += log(this.#root[i]![i]!)
    let prior = 0
    for (let k = 0; k < d; k++) prior -= 0.5 * ((logs[k]! + 0.5) / 1.2) ** 2
    prior -= 0.5 * (logs[d]! / 1.5) ** 2 + 0.5 * ((logs[d + 1]! + 10) / 4) ** 2
    this.evidence = sound ? -0.5 * half.reduce((sum, value) => sum + value * value, 0) - logDet + prior : -Infinity
  }

  logImprovement(at: Float64Array, best: number): number {
    const k = Float64Array.from(this.#x, other => this.#kernel(at, other))
    let mean = 0
    for (let i = 0; i < k.length; i++) mean += k[i]! * this.#alpha[i]!
    const half = forward(this.#root, k)
    let explained = 0
    for (const value of half) explained += value * value
    const std = Math.sqrt(Math.max(this.#signal - explained, 1e-14))
    return logExpected(((best - this.#mean) / this.#std - mean) / std) + log(std)
  }

  #kernel(a: Float64Array, b: Float64Array): number {
    let sum = 0
    for (let k = 0; k < a.length; k++) {
      const difference = (a[k]! - b[k]!) * this.#scale[k]!
      sum += difference * difference
    }
    const r = Math.sqrt(5 * sum)
    return this.#signal * (1 + r + (r * r) / 3) * exp(-r)
  }
}

/** log(phi(z) + z Phi(z)), also far in the lower tail. */
function logExpected(z: number): number {
  if (z > -5) return log(Math.max(normalDensity(z) + z * normalCdf(z), 1e-300))
  // phi(z) + z Phi(z) = Phi(z) (phi(z) / Phi(z) + z), and phi / Phi = -z + 1 / -z - 2 / (-z)^3 ... there.
  const t = 1 / (z * z)
  return logNormalCdf(z) + log((1 / -z) * (1 - 2 * t + 10 * t * t))
}

function forward(root: readonly Float64Array[], b: Float64Array): Float64Array {
  const x = new Float64Array(b.length)
  for (let i = 0; i < b.length; i++) {
    const row = root[i]!
    let sum = b[i]!
    for (let k = 0; k < i; k++) sum -= row[k]! * x[k]!
    x[i] = sum / row[i]!
  }
  return x
}

function backward(root: readonly Float64Array[], b: Float64Array): Float64Array {
  const x = b.slice()
  for (let i = b.length - 1; i >= 0; i--) {
    const row = root[i]!
    x[i]! /= row[i]!
    for (let k = 0; k < i; k++) x[k]! -= row[k]! * x[i]!
  }
  return x
}

/** Lengths, signal and noise of greatest evidence: from where they were, by random steps that adapt their width. */
function fitProcess(
  x: readonly Float64Array[],
  y: readonly number[],
  before: readonly number[],
  random: Stream,
): { process: Process; logs: number[] } {
  const d = x[0]!.length
  const fresh = [...Array.from({ length: d }, () => -0.5), 0, -8]
  let logs = before.length === d + 2 ? [...before] : fresh
  let process = new Process(x, y, logs)
  if (logs !== fresh) {
    const other = new Process(x, y, fresh)
    if (other.evidence > process.evidence) {
      process = other
      logs = fresh
    }
  }
  const steps = x.length < 40 ? 60 : x.length < 120 ? 30 : 10
  for (let i = 0, width = 0.7; i < steps; i++) {
    const next = logs.map((value, k) => {
      const moved = value + width * normalQuantile(uniformOpen(random))
      return k < d ? Math.max(-5, Math.min(4, moved)) : k === d ? Math.max(-4, Math.min(6, moved)) : Math.max(-16, Math.min(1, moved))
    })
    const trial = new Process(x, y, next)
    if (trial.evidence > process.evidence) {
      process = trial
      logs = next
      width *= 1.3
    } else width = Math.max(0.05, width * 0.92)
  }
  return { process, logs }
}
