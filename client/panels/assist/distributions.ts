// The distributions a formula may draw from, as the inspector shows them: parameters, density, mean and standard deviation.
// Parameters mean what the formula language says they mean. Formulas: Johnson, Kotz & Balakrishnan, Continuous / Univariate
// Discrete Distributions. Pure.
import { say, sayIn, verbatim, type Words } from '../../../model-schema/words.ts'
import { logGamma } from '../../../sim-engine/descriptive.ts'

type Parameter = {
  readonly id: string
  readonly label: Words
  readonly initial: number
  readonly fits?: (value: number) => boolean
  readonly whole?: boolean
}

/** A density over a stretch worth seeing, or probabilities of whole numbers. */
export type DensityShape = {
  readonly discrete: boolean
  readonly from: number
  readonly to: number
  readonly at: (x: number) => number
  /** Infinite or unknown: null. */
  readonly mean: number | null
  readonly sd: number | null
}

export type Distribution = {
  readonly name: string
  readonly label: Words
  readonly parameters: readonly Parameter[]
  /** Null when these parameters are impossible together. */
  readonly shape: (...values: number[]) => DensityShape | null
}

const positive = (value: number): boolean => value > 0
const share = (value: number): boolean => value >= 0 && value <= 1
const parameter = (id: string, words: Words, initial: number, more: Pick<Parameter, 'fits' | 'whole'> = {}): Parameter => ({
  id,
  label: words,
  initial,
  ...more,
})

/** Where `spread` standard deviations around the mean lie, within what is possible. */
const around = (mean: number, sd: number, lowest: number, highest: number, spread = 4): { from: number; to: number } => ({
  from: Math.max(lowest, mean - spread * sd),
  to: Math.min(highest, mean + spread * sd),
})

function gammaShape(shape: number, scale: number): DensityShape | null {
  if (!(shape > 0 && scale > 0)) return null
  const mean = shape * scale
  const sd = Math.sqrt(shape) * scale
  const norm = logGamma(shape) + shape * Math.log(scale)
  return {
    discrete: false,
    ...around(mean, sd, 0, Infinity),
    at: x => (x <= 0 ? (shape === 1 ? 1 / scale : 0) : Math.exp((shape - 1) * Math.log(x) - x / scale - norm)),
    mean,
    sd,
  }
}

export const distributions: readonly Distribution[] = [
  {
    name: 'normal',
    label: sayIn('distribution', 'Normal'),
    parameters: [parameter('mean', say('Mean'), 0), parameter('std', say('Standard deviation'), 1, { fits: value => value >= 0 })],
    shape: (mean, sd) =>
      sd > 0
        ? {
            discrete: false,
            ...around(mean, sd, -Infinity, Infinity),
            at: x => Math.exp(-(((x - mean) / sd) ** 2) / 2) / (sd * Math.sqrt(2 * Math.PI)),
            mean,
            sd,
          }
        : null,
  },
  {
    name: 'uniform',
    label: say('Uniform'),
    parameters: [parameter('low', sayIn('of a distribution', 'Lowest'), 0), parameter('high', sayIn('of a distribution', 'Highest'), 1)],
    shape: (low, high) =>
      high > low
        ? { discrete: false, from: low, to: high, at: () => 1 / (high - low), mean: (low + high) / 2, sd: (high - low) / Math.sqrt(12) }
        : null,
  },
  {
    name: 'exponential',
    label: say('Exponential'),
    parameters: [parameter('mean', say('Mean'), 1, { fits: positive })],
    shape: mean => gammaShape(1, mean),
  },
  {
    name: 'triangular',
    label: say('Triangular'),
    parameters: [
      parameter('left', sayIn('of a distribution', 'Lowest'), 0),
      parameter('mode', say('Most likely'), 1),
      parameter('right', sayIn('of a distribution', 'Highest'), 3),
    ],
    shape: (left, mode, right) =>
      left <= mode && mode <= right && left < right
        ? {
            discrete: false,
            from: left,
            to: right,
            at: x => {
              const height = 2 / (right - left)
              if (x < mode) return (height * (x - left)) / (mode - left)
              return mode === right ? height : (height * (right - x)) / (right - mode)
            },
            mean: (left + mode + right) / 3,
            sd: Math.sqrt((left ** 2 + mode ** 2 + right ** 2 - left * mode - left * right - mode * right) / 18),
          }
        : null,
  },
  {
    name: 'lognormal',
    label: say('Lognormal'),
    parameters: [
      parameter('mean', say('Mean of the logarithm'), 0),
      parameter('sigma', say('Standard deviation of the logarithm'), 0.5, { fits: positive }),
    ],
    shape: (mu, sigma) => {
      if (!(sigma > 0)) return null
      const mean = Math.exp(mu + sigma ** 2 / 2)
      const sd = mean * Math.sqrt(Math.exp(sigma ** 2) - 1)
      return {
        discrete: false,
        from: 0,
        to: Math.exp(mu + 3 * sigma),
        at: x => (x <= 0 ? 0 : Math.exp(-(((Math.log(x) - mu) / sigma) ** 2) / 2) / (x * sigma * Math.sqrt(2 * Math.PI))),
        mean,
        sd,
      }
    },
  },
  {
    name: 'gamma',
    label: say('Gamma'),
    parameters: [parameter('shape', say('Shape'), 2, { fits: positive }), parameter('scale', say('Scale'), 1, { fits: positive })],
    shape: gammaShape,
  },
  {
    name: 'erlang',
    label: say('Erlang'),
    parameters: [
      parameter('k', say('Phases'), 3, { fits: value => value >= 1, whole: true }),
      parameter('mean', say('Mean'), 3, { fits: positive }),
    ],
    shape: (k, mean) => (Number.isInteger(k) && k >= 1 ? gammaShape(k, mean / k) : null),
  },
  {
    name: 'beta',
    label: say('Beta'),
    parameters: [parameter('a', verbatim('a'), 2, { fits: positive }), parameter('b', verbatim('b'), 3, { fits: positive })],
    shape: (a, b) => {
      if (!(a > 0 && b > 0)) return null
      const norm = logGamma(a) + logGamma(b) - logGamma(a + b)
      return {
        discrete: false,
        from: 0,
        to: 1,
        at: x => (x <= 0 || x >= 1 ? 0 : Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log(1 - x) - norm)),
        mean: a / (a + b),
        sd: Math.sqrt((a * b) / ((a + b) ** 2 * (a + b + 1))),
      }
    },
  },
  {
    name: 'weibull',
    label: say('Weibull'),
    parameters: [parameter('a', say('Shape'), 2, { fits: positive }), parameter('scale', say('Scale'), 1, { fits: positive })],
    shape: (a, scale) => {
      if (!(a > 0 && scale > 0)) return null
      const mean = scale * Math.exp(logGamma(1 + 1 / a))
      const sd = Math.sqrt(Math.max(0, scale ** 2 * Math.exp(logGamma(1 + 2 / a)) - mean ** 2))
      return {
        discrete: false,
        ...around(mean, sd, 0, Infinity),
        at: x => (x < 0 ? 0 : (a / scale) * (x / scale) ** (a - 1) * Math.exp(-((x / scale) ** a))),
        mean,
        sd,
      }
    },
  },
  {
    name: 'pareto',
    label: say('Pareto'),
    parameters: [
      parameter('a', say('Shape'), 3, { fits: positive }),
      parameter('scale', sayIn('of a distribution', 'Lowest'), 1, { fits: positive }),
    ],
    shape: (a, scale) =>
      a > 0 && scale > 0
        ? {
            discrete: false,
            from: scale,
            // Nine of ten values and some of the tail.
            to: scale * Math.max(2, 20 ** (1 / a)),
            at: x => (x < scale ? 0 : (a * scale ** a) / x ** (a + 1)),
            mean: a > 1 ? (a * scale) / (a - 1) : null,
            sd: a > 2 ? scale * Math.sqrt(a / ((a - 1) ** 2 * (a - 2))) : null,
          }
        : null,
  },
  {
    name: 'poisson',
    label: say('Poisson'),
    parameters: [parameter('mean', say('Mean'), 4, { fits: value => value >= 0 })],
    shape: mean => {
      if (!(mean > 0)) return null
      return whole({
        ...around(mean, Math.sqrt(mean), 0, Infinity),
        at: n => Math.exp(n * Math.log(mean) - mean - logGamma(n + 1)),
        mean,
        sd: Math.sqrt(mean),
      })
    },
  },
  {
    name: 'binomial',
    label: say('Binomial'),
    parameters: [
      parameter('n', say('Trials'), 10, { fits: value => value >= 0, whole: true }),
      parameter('p', say('Probability'), 0.5, { fits: share }),
    ],
    shape: (n, p) => {
      if (!(Number.isInteger(n) && n > 0 && p > 0 && p < 1)) return null
      const choose = logGamma(n + 1)
      return whole({
        ...around(n * p, Math.sqrt(n * p * (1 - p)), 0, n),
        at: k => Math.exp(choose - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log(1 - p)),
        mean: n * p,
        sd: Math.sqrt(n * p * (1 - p)),
      })
    },
  },
  {
    name: 'geometric',
    label: say('Geometric'),
    parameters: [parameter('p', say('Probability'), 0.25, { fits: value => value > 0 && value <= 1 })],
    shape: p =>
      p > 0 && p < 1
        ? whole({
            ...around(1 / p, Math.sqrt(1 - p) / p, 1, Infinity),
            at: n => p * (1 - p) ** (n - 1),
            mean: 1 / p,
            sd: Math.sqrt(1 - p) / p,
          })
        : null,
  },
  {
    name: 'randint',
    label: say('Whole number'),
    parameters: [
      parameter('low', sayIn('of a distribution', 'Lowest'), 1, { whole: true }),
      parameter('high', say('Below'), 7, { whole: true }),
    ],
    shape: (low, high) => {
      const count = high - low
      if (!(Number.isInteger(count) && count > 0)) return null
      return whole({ from: low, to: high - 1, at: () => 1 / count, mean: (low + high - 1) / 2, sd: Math.sqrt((count ** 2 - 1) / 12) })
    },
  },
]

const whole = (shape: Omit<DensityShape, 'discrete'>): DensityShape => ({
  ...shape,
  discrete: true,
  from: Math.floor(shape.from),
  to: Math.ceil(shape.to),
})

export const distributionNamed = (name: string): Distribution | undefined => distributions.find(one => one.name === name)

/** Most bars of a plot; finer ones are drawn as a curve. */
const mostBars = 60

/** Points of the plot, x in the distribution's own unit and y between 0 and 1 of the height; a density that grows without bound is cut off. */
export function plotOf(shape: DensityShape): { readonly bars: boolean; readonly points: readonly (readonly [x: number, y: number])[] } {
  const { from, to, at } = shape
  const bars = shape.discrete && to - from < mostBars
  const steps = bars ? to - from : 96
  // Just after the beginning, where some densities have no value.
  const stepAt = (i: number): number => (i === 0 && !shape.discrete ? 0.05 : i) / steps
  const xs = Array.from({ length: steps + 1 }, (_, i) => (bars ? from + i : Math.min(to, from + (to - from) * stepAt(i))))
  const ys = xs.map(x => at(shape.discrete ? Math.round(x) : x)).map(y => (Number.isFinite(y) ? y : 0))
  const middle = ys.toSorted((a, b) => a - b)[Math.floor(ys.length * 0.75)] ?? 0
  const top = Math.max(...ys)
  const most = middle > 0 && top > 8 * middle ? 8 * middle : top
  return { bars, points: xs.map((x, i) => [x, most === 0 ? 0 : Math.min(1, (ys[i] ?? 0) / most)]) }
}
