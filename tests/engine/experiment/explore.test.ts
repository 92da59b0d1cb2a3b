import { describe, expect, it } from 'vitest'
import { intervalOf } from '../../../sim-engine/experiment/aggregate.ts'
import { logNormalCdf, normalCdf, normalQuantile, studentCdf, studentQuantile } from '../../../sim-engine/experiment/distributions.ts'
import { logGamma } from '../../../sim-engine/kernel/gamma.ts'
import {
  factorial,
  factorialCount,
  fractionalFactorial,
  latinHypercube,
  lowDiscrepancy,
  morrisPaths,
} from '../../../sim-engine/experiment/explore/designs.ts'
import { elementaryEffects, saltelliPoints, sobolIndices } from '../../../sim-engine/experiment/explore/sensitivity.ts'
import { sobol, sobolDimensions } from '../../../sim-engine/experiment/explore/sobol.ts'
import type { Space } from '../../../sim-engine/experiment/optimise/search.ts'
import { stream, uniformOpen } from '../../../sim-engine/kernel/random.ts'

const unit = (dimensions: number): Space => ({
  domains: Array.from({ length: dimensions }, () => ({ as: 'real', low: 0, high: 1 })),
  objectives: 1,
})
const ishigami = (share: Float64Array): number => {
  const [a = 0, b = 0, c = 0] = [...share].map(x => (2 * x - 1) * Math.PI)
  return Math.sin(a) + 7 * Math.sin(b) ** 2 + 0.1 * c ** 4 * Math.sin(a)
}

describe('distributions', () => {
  // Reference values of SciPy 1.17.
  it('of the normal and of Student', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 13)
    expect(normalCdf(-10) / 7.61985302416047e-24).toBeCloseTo(1, 12)
    expect(normalCdf(-2.999)).toBeCloseTo(0.0013543365337271057, 16)
    expect(normalCdf(-3.001)).toBeCloseTo(0.0013454728250849653, 16)
    expect(logNormalCdf(-40)).toBeCloseTo(-804.608442013754, 8)
    expect(studentQuantile(0.975, 5)).toBeCloseTo(2.5705818356363146, 10)
    expect(studentQuantile(0.975, 1)).toBeCloseTo(12.706204736174694, 9)
    expect(studentCdf(1, 3)).toBeCloseTo(0.8044988905221148, 13)
    expect(logGamma(10)).toBeCloseTo(Math.log(362_880), 12)
  })

  it('intervals cover the mean as often as they say', () => {
    const random = stream(1, 0, 'cover')
    let covered = 0
    for (let i = 0; i < 2000; i++) {
      const sample = Array.from({ length: 6 }, () => normalQuantile(uniformOpen(random)))
      const { low, high } = intervalOf(sample, 0.9)
      if (low <= 0 && high >= 0) covered++
    }
    expect(covered / 2000).toBeGreaterThan(0.88)
    expect(covered / 2000).toBeLessThan(0.92)
  })
})

describe('designs', () => {
  it('the Sobol sequence is that of Joe and Kuo', () => {
    const rows = sobol(8, 5).map(point => [...point])
    expect(rows.slice(1)).toEqual([
      [0.5, 0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25, 0.75],
      [0.25, 0.75, 0.75, 0.75, 0.25],
      [0.375, 0.375, 0.625, 0.875, 0.375],
      [0.875, 0.875, 0.125, 0.375, 0.875],
      [0.625, 0.125, 0.875, 0.625, 0.625],
      [0.125, 0.625, 0.375, 0.125, 0.125],
    ])
  })

  it('every coordinate of the sequence, scrambled or not, and of a hypercube meets each part of the axis once', () => {
    const strata = (points: readonly Float64Array[]): void => {
      for (let k = 0; k < points[0]!.length; k++)
        expect(new Set(points.map(point => Math.floor(point[k]! * points.length))).size).toBe(points.length)
    }
    strata(sobol(256, sobolDimensions))
    strata(sobol(256, sobolDimensions, stream(2, 0, 'scramble')))
    strata(latinHypercube(unit(7), 37, stream(3, 0, 'lhs')))
    expect(() => sobol(4, sobolDimensions + 1)).toThrow(RangeError)
    expect(lowDiscrepancy(unit(sobolDimensions + 3), 16, stream(4, 0, 'wide'))[15]).toHaveLength(sobolDimensions + 3)
  })

  it('the scrambled sequence integrates the Sobol-G function better than a hypercube', () => {
    const a = [0, 1, 4.5, 9, 99, 99, 99, 99]
    const g = (share: Float64Array): number =>
      a.reduce((product, weight, k) => (product * (Math.abs(4 * share[k]! - 2) + weight)) / (1 + weight), 1)
    const error = (make: (seed: number) => Float64Array[]): number =>
      Math.sqrt([1, 2, 3, 4, 5].reduce((sum, seed) => sum + (make(seed).reduce((s, p) => s + g(p), 0) / 1024 - 1) ** 2, 0) / 5)
    expect(error(seed => lowDiscrepancy(unit(8), 1024, stream(seed, 0, 's')))).toBeLessThan(0.001)
    expect(error(seed => latinHypercube(unit(8), 1024, stream(seed, 0, 'l')))).toBeLessThan(0.02)
  })

  it('factorials: all combinations; half as many, with main effects clear of pairs', () => {
    const space: Space = {
      domains: [
        { as: 'choice', count: 3 },
        { as: 'integer', low: 2, high: 4 },
        { as: 'real', low: 0, high: 1 },
      ],
      objectives: 1,
    }
    const all = factorial(space, 5)
    expect(all).toHaveLength(45)
    expect(factorialCount(space, 5)).toBe(45)
    expect(new Set(all.map(String)).size).toBe(45)
    for (const k of [3, 4, 6, 8]) {
      const runs = fractionalFactorial(unit(k)).map(point => [...point].map(value => (value > 0.5 ? 1 : -1)))
      expect(runs).toHaveLength({ 3: 8, 4: 8, 6: 16, 8: 16 }[k]!)
      const inner = (columns: readonly number[]): number =>
        runs.reduce((sum, run) => sum + columns.reduce((product, c) => product * run[c]!, 1), 0)
      for (let a = 0; a < k; a++)
        for (let b = 0; b < a; b++) {
          expect(inner([a, b])).toBe(0)
          for (let c = 0; c < b; c++) expect(inner([a, b, c])).toBe(0)
        }
    }
  })
})

describe('sensitivity', () => {
  it.each([
    [1024, 0.03],
    [4096, 0.02],
  ])("Sobol's indices of the Ishigami function with %i samples", (n, tolerance) => {
    const random = stream(3, 0, 'ishigami')
    const found = sobolIndices(saltelliPoints(3, n, random).map(ishigami), 3, 0.95, random)
    const first = [0.3139052, 0.4424111, 0]
    const total = [0.5575889, 0.4424111, 0.2436837]
    found.forEach((index, k) => {
      expect(Math.abs(index.first - first[k]!)).toBeLessThan(tolerance)
      expect(Math.abs(index.total - total[k]!)).toBeLessThan(tolerance)
      if (n < 4096) return
      expect(index.firstInterval[0]).toBeLessThan(first[k]!)
      expect(index.firstInterval[1]).toBeGreaterThan(first[k]!)
      expect(index.totalInterval[0]).toBeLessThan(total[k]!)
      expect(index.totalInterval[1]).toBeGreaterThan(total[k]!)
    })
  })

  it('elementary effects of the Ishigami function (Saltelli et al. 2008), and exactly of a linear one', () => {
    const paths = morrisPaths(3, 4, 10_000, stream(5, 0, 'morris'))
    const found = elementaryEffects(
      paths,
      paths.map(({ points }) => points.map(ishigami)),
      3,
    )
    expect(Math.abs(found[0]!.absolute - 7.682808)).toBeLessThan(0.1)
    expect(found[1]!.absolute).toBeCloseTo(7.875, 6)
    expect(Math.abs(found[2]!.absolute - 6.256295)).toBeLessThan(0.1)
    const linear = elementaryEffects(
      paths,
      paths.map(({ points }) => points.map(([a = 0, b = 0, c = 0]) => 3 * a - 2 * b + c)),
      3,
    )
    expect(linear.map(({ mean }) => Number(mean.toFixed(9)))).toEqual([3, -2, 1])
    expect(linear.every(({ std }) => std < 1e-9)).toBe(true)
  })

  it('blocks with a failed run are left out', () => {
    const random = stream(6, 0, 'holes')
    const outputs = saltelliPoints(3, 512, random).map(ishigami)
    outputs[7] = NaN
    expect(sobolIndices(outputs, 3, 0.95, random).every(({ first }) => Number.isFinite(first))).toBe(true)
  })
})
