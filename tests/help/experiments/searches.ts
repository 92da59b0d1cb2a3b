// Test problems of the optimisation literature, and what it takes to run a search on one.
import type { AlgorithmSettings } from '../../../model-schema/experiment.ts'
import type { Algorithm, Domain, Point, Score, Settings, Solution, Space } from '../../../sim-engine/experiment/optimise/search.ts'
import { stream } from '../../../sim-engine/kernel/random.ts'

export type Problem = {
  name: string
  space: Space
  evaluate(point: Point): number[]
  violation?(point: Point): number
  /** Least and greatest value of each objective on the true front, which indicators are normalised by. */
  ideal: number[]
  nadir: number[]
}

const reals = (n: number, low = 0, high = 1): Domain[] => Array.from({ length: n }, () => ({ as: 'real', low, high }))
const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0)

const zdt = (
  name: string,
  n: number,
  g: (rest: Point) => number,
  h: (f: number, g: number) => number,
  first?: (x: number) => number,
): Problem => ({
  name,
  space: { domains: name === 'ZDT4' ? [...reals(1), ...reals(n - 1, -5, 5)] : reals(n), objectives: 2 },
  evaluate(x) {
    const f = first ? first(x[0]!) : x[0]!
    const weight = g(x.subarray(1))
    return [f, weight * h(f, weight)]
  },
  ideal: [0, 0],
  nadir: [1, 1],
})

const linear = (rest: Point): number => 1 + (9 * sum(rest)) / rest.length
const tripled = (rest: Point): number => 100 * (rest.length + sum(rest.map(x => (x - 0.5) ** 2 - Math.cos(20 * Math.PI * (x - 0.5)))))

export const zdt1 = zdt('ZDT1', 30, linear, (f, g) => 1 - Math.sqrt(f / g))
export const zdt2 = zdt('ZDT2', 30, linear, (f, g) => 1 - (f / g) ** 2)
export const zdt3: Problem = {
  ...zdt('ZDT3', 30, linear, (f, g) => 1 - Math.sqrt(f / g) - (f / g) * Math.sin(10 * Math.PI * f)),
  ideal: [0, -0.773369],
  nadir: [0.851833, 1],
}
export const zdt4 = zdt(
  'ZDT4',
  10,
  rest => 1 + 10 * rest.length + sum(rest.map(x => x * x - 10 * Math.cos(4 * Math.PI * x))),
  (f, g) => 1 - Math.sqrt(f / g),
)
export const zdt6: Problem = {
  ...zdt(
    'ZDT6',
    10,
    rest => 1 + 9 * (sum(rest) / 9) ** 0.25,
    (f, g) => 1 - (f / g) ** 2,
    x => 1 - Math.exp(-4 * x) * Math.sin(6 * Math.PI * x) ** 6,
  ),
  ideal: [0.280775, 0],
  nadir: [1, 0.921165],
}
export const dtlz1: Problem = {
  name: 'DTLZ1',
  space: { domains: reals(7), objectives: 3 },
  evaluate(x) {
    const g = 1 + tripled(x.subarray(2))
    return [0.5 * x[0]! * x[1]! * g, 0.5 * x[0]! * (1 - x[1]!) * g, 0.5 * (1 - x[0]!) * g]
  },
  ideal: [0, 0, 0],
  nadir: [0.5, 0.5, 0.5],
}
export const dtlz2: Problem = {
  name: 'DTLZ2',
  space: { domains: reals(12), objectives: 3 },
  evaluate(x) {
    const g = 1 + sum(x.subarray(2).map(value => (value - 0.5) ** 2))
    const [a, b] = [(x[0]! * Math.PI) / 2, (x[1]! * Math.PI) / 2]
    return [g * Math.cos(a) * Math.cos(b), g * Math.cos(a) * Math.sin(b), g * Math.sin(a)]
  },
  ideal: [0, 0, 0],
  nadir: [1, 1, 1],
}

/** Two variables, two constraints (Binh and Korn 1997). */
export const binh: Problem = {
  name: 'Binh',
  space: {
    domains: [
      { as: 'real', low: 0, high: 5 },
      { as: 'real', low: 0, high: 3 },
    ],
    objectives: 2,
  },
  evaluate: ([x = 0, y = 0]) => [4 * x * x + 4 * y * y, (x - 5) ** 2 + (y - 5) ** 2],
  violation: ([x = 0, y = 0]) => Math.max(0, (x - 5) ** 2 + y * y - 25) / 25 + Math.max(0, 7.7 - (x - 8) ** 2 - (y + 3) ** 2) / 7.7,
  ideal: [0, 4],
  nadir: [136, 50],
}

const single = (name: string, domains: readonly Domain[], evaluate: (x: Point) => number): Problem => ({
  name,
  space: { domains, objectives: 1 },
  evaluate: x => [evaluate(x)],
  ideal: [0],
  nadir: [1],
})

export const sphere = single('sphere', reals(10, -5, 5), x => sum(x.map(value => (value - 1) ** 2)))
export const ellipsoid = single('ellipsoid', reals(10, -5, 5), x => sum(x.map((value, k) => 1e6 ** (k / 9) * (value - 1) ** 2)))
export const rosenbrock = single('Rosenbrock', reals(10, -5, 5), x =>
  sum(Array.from({ length: 9 }, (_, k) => 100 * (x[k + 1]! - x[k]! ** 2) ** 2 + (1 - x[k]!) ** 2)),
)
/** Optimum 0. */
export const branin = single(
  'Branin',
  [
    { as: 'real', low: -5, high: 10 },
    { as: 'real', low: 0, high: 15 },
  ],
  ([x = 0, y = 0]) =>
    (y - (5.1 / (4 * Math.PI ** 2)) * x * x + (5 / Math.PI) * x - 6) ** 2 +
    10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) +
    10 -
    0.397887357729738,
)
const hartmannA = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
]
const hartmannP = [
  [1312, 1696, 5569, 124, 8283, 5886],
  [2329, 4135, 8307, 3736, 1004, 9991],
  [2348, 1451, 3522, 2883, 3047, 6650],
  [4047, 8828, 8732, 5743, 1091, 381],
]
/** Optimum 0. */
export const hartmann = single(
  'Hartmann-6',
  reals(6),
  x =>
    3.322368011415515 -
    sum(
      [1, 1.2, 3, 3.2].map(
        (weight, i) => weight * Math.exp(-sum(hartmannA[i]!.map((a, k) => a * (x[k]! - hartmannP[i]![k]! / 10_000) ** 2))),
      ),
    ),
)
/** A choice of four, a whole number, a truth, three reals; optimum 0. */
export const mixed = single(
  'mixed',
  [{ as: 'choice', count: 4 }, { as: 'integer', low: 0, high: 20 }, { as: 'choice', count: 2 }, ...reals(3)],
  x => [1, 0, 2, 0.5][x[0]!]! + ((x[1]! - 7) / 10) ** 2 + (x[2] === 1 ? 0 : 0.5) + sum(x.subarray(3).map(value => (value - 0.3) ** 2)),
)

export const defaults: AlgorithmSettings = {
  populationSize: 100,
  maxIterations: 1_000_000,
  stall: null,
  crossoverProbability: 0.9,
  crossoverDistributionIndex: 20,
  mutationDistributionIndex: 20,
  differentialRatio: 0.5,
  archiveSize: 100,
  perturbationIndex: 0.5,
  biSections: 5,
}

/** Runs a search to its end; `told` receives every batch with its scores. */
export function search(
  algorithm: Algorithm,
  problem: Problem,
  settings: Partial<Settings> & { evaluations: number },
  seed: number,
  told: (points: readonly Point[], scores: readonly Score[]) => void = () => {},
): readonly Solution[] {
  const running = algorithm(problem.space, { ...defaults, ...settings }, stream(seed, 0, 'search'))
  let step = running.next()
  while (!step.done) {
    const points = step.value
    const scores = points.map(point => ({ objectives: problem.evaluate(point), violation: problem.violation?.(point) ?? 0 }))
    told(points, scores)
    step = running.next(scores)
  }
  return step.value
}

/** Objectives in units of the true front's extent. */
export const normalised = (problem: Problem, solutions: readonly Solution[]): number[][] =>
  solutions.map(({ objectives }) => objectives.map((value, k) => (value - problem.ideal[k]!) / (problem.nadir[k]! - problem.ideal[k]!)))

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!
