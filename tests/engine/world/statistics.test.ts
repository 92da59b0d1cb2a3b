import { describe, expect, it } from 'vitest'
import { below, stream, uniform } from '../../../sim-engine/kernel/random.ts'
import { extentOf, giniOf, histogramOf, quantileOf, sampleVarianceOf, varianceOf } from '../../../sim-engine/kernel/descriptive.ts'
import { Samples, Tally, TimeWeighted } from '../../../sim-engine/world/statistics.ts'

describe('statistics', () => {
  it('tally: mean, variance, extremes as the two-pass formulas give them', () => {
    const random = stream(1, 0, 'tally')
    for (let round = 0; round < 50; round++) {
      const values = Array.from({ length: 2 + below(random, 200) }, () => 1e6 + uniform(random) * 10)
      const tally = new Tally()
      for (const value of values) tally.add(value)
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      expect(tally.mean).toBeCloseTo(mean, 6)
      expect(tally.variance).toBeCloseTo(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1), 6)
      expect([tally.min, tally.max, tally.count]).toEqual([Math.min(...values), Math.max(...values), values.length])
      const copy = new Tally()
      copy.load(tally.save())
      copy.add(5)
      tally.add(5)
      expect(copy).toEqual(tally)
    }
    const empty = new Tally()
    expect([empty.variance, empty.sum]).toEqual([NaN, 0])
  })

  it('time-weighted: integrates steps exactly, forgets the past on reset', () => {
    const clock = { time: 0 }
    const at = (time: number): TimeWeighted => {
      clock.time = time
      return queue
    }
    const queue = new TimeWeighted(clock, 2)
    at(3).set(5)
    at(3).set(4)
    at(5).set(0)
    expect(queue.integral(10)).toBe(2 * 3 + 4 * 2)
    expect(queue.mean(10)).toBe(1.4)
    expect(queue.variance(10)).toBeCloseTo((4 * 3 + 16 * 2) / 10 - 1.96, 12)
    expect([queue.min, queue.max]).toEqual([0, 5])
    const copy = new TimeWeighted(clock, 0)
    copy.load(queue.save())
    expect(copy.mean(12)).toBe(queue.mean(12))
    queue.reset(10)
    expect([queue.mean(10), queue.mean(20), queue.max, queue.value]).toEqual([0, 0, 0, 0])
    expect(() => at(9).set(1)).toThrow(RangeError)
  })

  it('samples: exact quantiles below the bound, near ones above it', () => {
    const samples = new Samples()
    for (const value of [4, 1, 3, 2]) samples.add(value)
    expect([0, 0.25, 0.5, 1].map(q => samples.quantile(q))).toEqual([1, 1.75, 2.5, 4])
    expect(new Samples().quantile(0.5)).toBe(NaN)
    const bounded = new Samples(1000)
    const random = stream(2, 0, 'samples')
    for (let i = 0; i < 50_000; i++) bounded.add(uniform(random))
    expect(bounded.isExact).toBe(false)
    expect(bounded.values().length).toBeLessThanOrEqual(1000)
    expect(bounded.values().length).toBeGreaterThan(400)
    // Standard error of a median of 500: .5 / sqrt(500) = .022.
    expect(Math.abs(bounded.quantile(0.5) - 0.5)).toBeLessThan(0.09)
    const copy = new Samples(1000)
    copy.load(bounded.save())
    for (let i = 0; i < 100; i++) {
      copy.add(i)
      bounded.add(i)
    }
    expect(copy.values()).toEqual(bounded.values())
  })

  it('quantile, Gini, histogram', () => {
    expect(quantileOf([], 0.5)).toBe(NaN)
    expect(quantileOf([7], 0.9)).toBe(7)
    expect(giniOf([1, 1, 1])).toBe(0)
    expect(giniOf([0, 0, 0, 1])).toBe(0.75)
    expect(giniOf([0, 0])).toBe(0)
    const random = stream(3, 0, 'gini')
    const values = Array.from({ length: 60 }, () => uniform(random))
    let differences = 0
    for (const a of values) for (const b of values) differences += Math.abs(a - b)
    expect(giniOf(values)).toBeCloseTo(differences / (2 * 60 * values.reduce((sum, value) => sum + value, 0)), 12)
    expect(histogramOf([0, 1, 2, 3, 4], 2)).toEqual({ edges: [0, 2, 4], counts: [2, 3] })
    expect(histogramOf([0, 1, 2, 3, 4], 2, 1, 3).counts).toEqual([1, 2])
    expect(histogramOf([], 2).counts).toEqual([0, 0])
    expect(histogramOf([5, 5], 1)).toEqual({ edges: [4.5, 5.5], counts: [2] })
    expect(giniOf([-1, 2])).toBe(NaN)
    expect(giniOf([])).toBe(NaN)
    expect(varianceOf([4], 1)).toBe(NaN)
    expect(varianceOf([4], 0)).toBe(0)
    expect(sampleVarianceOf([4])).toBe(0)
    expect(sampleVarianceOf([1, 3])).toBe(2)
    const one = new Tally()
    one.add(4)
    expect(one.variance).toBe(sampleVarianceOf([4]))
    expect(extentOf(Array.from({ length: 300_000 }, (_, k) => k))).toEqual({ low: 0, high: 299_999 })
  })
})
