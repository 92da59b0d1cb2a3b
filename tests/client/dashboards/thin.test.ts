// Long series in the pixels there are: against a plain reference that looks at every row of every pixel column.
import { describe, expect, it } from 'vitest'
import { perPixel, thinned } from '../../../client/charts/thin.ts'
import { seeds } from '../../help/random.ts'

type Column = { first: number; last: number; low: number; high: number }

/** What each pixel column shows of a series; NaN is a gap. */
function shown(x: Float64Array, values: Float64Array, pixels: number, from: number, to: number): Map<number, Column> {
  const columns = new Map<number, Column>()
  for (const [row, at] of x.entries()) {
    const pixel = Math.min(pixels - 1, Math.floor(((at - from) / (to - from)) * pixels))
    const value = values[row]!
    const column = columns.get(pixel) ?? { first: value, last: value, low: NaN, high: NaN }
    column.last = value
    if (!Number.isNaN(value)) {
      column.low = Number.isNaN(column.low) ? value : Math.min(column.low, value)
      column.high = Number.isNaN(column.high) ? value : Math.max(column.high, value)
    }
    columns.set(pixel, column)
  }
  return columns
}

describe('thinned series', () => {
  it('show in every pixel column the same first, last, least and greatest value, with gaps, and uneven x', () => {
    seeds(60, random => {
      const rows = 500 + random.below(20_000)
      const pixels = 20 + random.below(300)
      let at = 0
      const x = Float64Array.from({ length: rows }, () => (at += random.chance(0.02) ? random.below(400) : random.next()))
      const series = Array.from({ length: 1 + random.below(4) }, () =>
        x.map(() => (random.chance(0.1) ? NaN : random.chance(0.01) ? 1e9 * (random.next() - 0.5) : random.next())),
      )
      const [thinX, ...thin] = thinned([x, ...series], pixels)
      expect(thinX!.length).toBeLessThanOrEqual(pixels * perPixel)
      expect(thinX!.every((value, i) => i === 0 || value >= thinX![i - 1]!)).toBe(true)
      for (const [i, values] of series.entries())
        expect(shown(thinX!, thin[i]!, pixels, x[0]!, x[rows - 1]!)).toEqual(shown(x, values, pixels, x[0]!, x[rows - 1]!))
    })
  })

  it('of what is short, or has no width, are the series themselves', () => {
    const short = [Float64Array.from([0, 1, 2]), Float64Array.from([5, NaN, 7])]
    expect(thinned(short, 100)).toBe(short)
    const still = [new Float64Array(5000), new Float64Array(5000)]
    expect(thinned(still, 100)).toBe(still)
    expect(thinned([], 100)).toEqual([])
    // A path that turns back is no course over x.
    const circle = Float64Array.from({ length: 5000 }, (_, i) => Math.cos(i / 500) - i / 1e6)
    const path = [circle, circle.map(Math.abs)]
    expect(thinned(path, 100)).toBe(path)
  })

  it('never take more than the screen shows, however long the run', () => {
    const rows = 1_000_000
    const x = Float64Array.from({ length: rows }, (_, i) => i)
    const wave = x.map(value => Math.sin(value / 1000))
    wave[654_321] = 50
    const [thinX, values] = thinned([x, wave], 800)
    expect(thinX!.length).toBeLessThanOrEqual(3200)
    expect(Math.max(...values!)).toBe(50)
  })
})
