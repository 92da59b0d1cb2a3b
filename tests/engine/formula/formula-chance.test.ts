// The distributions: mean and variance within four standard errors, and a Kolmogorov-Smirnov or chi-square test
// against the exact law, on fixed seeds. Critical values are those of one in ten thousand.
import { describe, expect, it } from 'vitest'
import { atan, exp, log } from '../../../sim-engine/kernel/math.ts'
import { logGamma } from '../../../sim-engine/kernel/gamma.ts'
import { bare, check, generate, run } from '../../help/formulas.ts'
import { createRuntime } from '../../../sim-engine/formula.ts'
import { SmallWorld } from '../../help/formulas.ts'
import { stream } from '../../../sim-engine/kernel/random.ts'

function draws(source: string, n: number, seed = 1): number[] {
  const f = check(source, 'expression', bare)
  expect(f.problems).toEqual([])
  expect(f.draws).toBe(true)
  const js = generate(f).replace(/return main\(self\);$/, 'return () => Number(main(self));')
  const draw: () => number = new Function('F', 'W', 'G', 'P', 'S', 'self', js)(
    createRuntime(new SmallWorld()),
    null,
    {},
    {},
    stream(seed, 0, source),
    0,
  )
  return Array.from({ length: n }, draw)
}

/** Simpson's rule. */
function integral(f: (x: number) => number, a: number, b: number, steps = 400): number {
  const h = (b - a) / steps
  let sum = f(a) + f(b)
  for (let i = 1; i < steps; i++) sum += f(a + i * h) * (i % 2 === 1 ? 4 : 2)
  return (sum * h) / 3
}

const density =
  (f: (x: number) => number, from: number): ((x: number) => number) =>
  x =>
    integral(f, from, x)
const normalCdf = (x: number): number =>
  x < -8 ? 0 : x > 8 ? 1 : 0.5 + (Math.sign(x) * integral(t => exp((-t * t) / 2), 0, Math.abs(x))) / Math.sqrt(2 * Math.PI)
const gammaPdf =
  (k: number, scale: number) =>
  (x: number): number =>
    x <= 0 ? 0 : exp((k - 1) * log(x / scale) - x / scale - logGamma(k)) / scale

type Law = [source: string, mean: number, variance: number, cdf: (x: number) => number]
const continuous: readonly Law[] = [
  ['random()', 0.5, 1 / 12, x => x],
  ['uniform(2, 5)', 3.5, 9 / 12, x => (x - 2) / 3],
  ['normal(3, 2)', 3, 4, x => normalCdf((x - 3) / 2)],
  ['lognormal(0.5, 0.4)', exp(0.58), exp(1.16) * (exp(0.16) - 1), x => normalCdf((log(x) - 0.5) / 0.4)],
  ['exponential(4)', 4, 16, x => 1 - exp(-x / 4)],
  ['triangular(1, 2, 5)', 8 / 3, (1 + 4 + 25 - 2 - 5 - 10) / 18, x => (x < 2 ? (x - 1) ** 2 / 4 : 1 - (5 - x) ** 2 / 12)],
  ['gamma(2.5, 2)', 5, 10, density(gammaPdf(2.5, 2), 0)],
  ['gamma(0.5, 1)', 0.5, 0.5, x => 2 * normalCdf(Math.sqrt(2 * x)) - 1],
  ['erlang(3, 6)', 6, 12, density(gammaPdf(3, 2), 0)],
  ['beta(2, 3)', 0.4, 0.04, x => 6 * x ** 2 - 8 * x ** 3 + 3 * x ** 4],
  ['beta(0.5, 0.5)', 0.5, 0.125, x => (2 / Math.PI) * atan(Math.sqrt(x / (1 - x)))],
  ['weibull(2, 3)', (3 * Math.sqrt(Math.PI)) / 2, 9 * (1 - Math.PI / 4), x => 1 - exp(-((x / 3) ** 2))],
  ['pareto(5, 2)', 2.5, 5 / 12, x => 1 - (2 / x) ** 5],
]

describe('continuous distributions', () => {
  it.each(continuous)('%s', (source, mean, variance, cdf) => {
    const n = 20_000
    const values = draws(source, n).sort((a, b) => a - b)
    const average = values.reduce((a, b) => a + b, 0) / n
    expect(Math.abs(average - mean)).toBeLessThan(4 * Math.sqrt(variance / n))
    let distance = 0
    for (let i = 0; i < n; i += 7) distance = Math.max(distance, Math.abs(cdf(values[i]!) - (i + 0.5) / n))
    expect(distance).toBeLessThan(2.23 / Math.sqrt(n))
    // The spread: its own error is taken from the fourth moment of the sample.
    const squares = values.map(value => (value - mean) ** 2)
    const spread = squares.reduce((a, b) => a + b, 0) / n
    const fourth = squares.reduce((a, b) => a + b * b, 0) / n
    expect(Math.abs(spread - variance)).toBeLessThan(5 * Math.sqrt((fourth - spread ** 2) / n))
  })
})

const logChoose = (n: number, k: number): number => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
const poisson =
  (mean: number) =>
  (k: number): number =>
    exp(-mean + k * log(mean) - logGamma(k + 1))
const binomial =
  (n: number, p: number) =>
  (k: number): number =>
    k > n ? 0 : exp(logChoose(n, k) + k * log(p) + (n - k) * log(1 - p))

const discrete: readonly [source: string, mean: number, variance: number, mass: (k: number) => number][] = [
  ['poisson(3.5)', 3.5, 3.5, poisson(3.5)],
  ['poisson(40)', 40, 40, poisson(40)],
  ['poisson(10)', 10, 10, poisson(10)],
  ['binomial(12, 0.3)', 3.6, 2.52, binomial(12, 0.3)],
  ['binomial(100, 0.4)', 40, 24, binomial(100, 0.4)],
  ['binomial(100, 0.85)', 85, 12.75, binomial(100, 0.85)],
  ['geometric(0.3)', 1 / 0.3, 0.7 / 0.09, k => (k < 1 ? 0 : 0.3 * 0.7 ** (k - 1))],
  ['bernoulli(0.3)', 0.3, 0.21, k => (k === 1 ? 0.3 : k === 0 ? 0.7 : 0)],
  ['randint(3, 9)', 5.5, 35 / 12, k => (k >= 3 && k < 9 ? 1 / 6 : 0)],
  ['randint(4)', 1.5, 15 / 12, k => (k < 4 ? 1 / 4 : 0)],
  ['choice([1, 2, 4])', 7 / 3, 14 / 9, k => ([1, 2, 4].includes(k) ? 1 / 3 : 0)],
  ['empirical([1, 2, 4], [1, 2, 1])', 2.25, 1.1875, k => ({ 1: 0.25, 2: 0.5, 4: 0.25 })[k] ?? 0],
  ['sample([0, 1, 2, 3, 4], 2)[1]', 2, 2, k => (k < 5 ? 1 / 5 : 0)],
  ['shuffled([0, 1, 2])[2]', 1, 2 / 3, k => (k < 3 ? 1 / 3 : 0)],
]

describe('discrete distributions', () => {
  it.each(discrete)('%s', (source, mean, variance, mass) => {
    const n = 40_000
    const values = draws(source, n)
    const average = values.reduce((a, b) => a + b, 0) / n
    expect(Math.abs(average - mean)).toBeLessThan(4 * Math.sqrt(variance / n))
    const counts = new Map<number, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    let [statistic, degrees, rest, restExpected] = [0, -1, 0, 0]
    for (let k = 0; k <= 200; k++) {
      const expected = mass(k) * n
      const count = counts.get(k) ?? 0
      if (mass(k) === 0) expect(count, `${k}`).toBe(0)
      if (expected < 10) {
        rest += count
        restExpected += expected
      } else {
        statistic += (count - expected) ** 2 / expected
        degrees++
      }
    }
    if (restExpected >= 5) {
      statistic += (rest - restExpected) ** 2 / restExpected
      degrees++
    }
    // Wilson and Hilferty's approximation of the chi-square quantile.
    const bound = degrees * (1 - 2 / (9 * degrees) + 3.72 * Math.sqrt(2 / (9 * degrees))) ** 3
    expect(statistic).toBeLessThan(bound)
  })
})

describe('chance', () => {
  it('one stream, one sequence: the numbers of seed 1 stay what they are', () => {
    const first = [
      'random()',
      'uniform(0, 10)',
      'normal()',
      'exponential(2)',
      'gamma(2)',
      'beta(2, 2)',
      'poisson(5)',
      'poisson(50)',
      'binomial(100, 0.5)',
      'geometric(0.1)',
      'weibull(2)',
      'randint(100)',
    ]
    expect(Object.fromEntries(first.map(source => [source, run(source, 'expression', { scope: bare }).value]))).toMatchInlineSnapshot(`
      {
        "beta(2, 2)": 0.37043278386424183,
        "binomial(100, 0.5)": 51,
        "exponential(2)": 1.186709336810785,
        "gamma(2)": 1.93772942223196,
        "geometric(0.1)": 6,
        "normal()": 0.19951038230349072,
        "poisson(5)": 6,
        "poisson(50)": 51,
        "randint(100)": 55,
        "random()": 0.5524708046577871,
        "uniform(0, 10)": 5.524708046577871,
        "weibull(2)": 0.7702951826445448,
      }
    `)
  })
  it('degenerate parameters', () => {
    expect(
      run(
        '[normal(2, 0), exponential(0), triangular(1, 1, 1), gamma(0), poisson(0), binomial(0, 0.5), binomial(7, 1), binomial(7, 0), geometric(1), bernoulli(0), bernoulli(1)]',
      ).value,
    ).toEqual([2, 0, 1, 0, 0, 0, 7, 0, 1, false, true])
  })
})
