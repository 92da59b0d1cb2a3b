// Streams: reproducible, independent by key, uniform.
import { describe, expect, it } from 'vitest'
import { below, bits, shuffle, stream, uniform, uniform53, uniformOpen } from '../../sim-engine/kernel/random.ts'

/** Chi-square statistic of counts against equal shares. */
const chi2 = (counts: readonly number[]): number => {
  const expected = counts.reduce((a, b) => a + b, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

describe('streams', () => {
  it('follow xoshiro128** from a known state', () => {
    // Calculated from the authors' C text with Python's whole numbers.
    const s = new Int32Array([1, 2, 3, 4])
    expect(Array.from({ length: 6 }, () => bits(s))).toEqual([11520, 0, 5927040, 70819200, 2031721883, 1637235492])
  })
  it('depend on seed, run and key, and on nothing else', () => {
    const first = (seed: number, run: number, key: string): number[] =>
      Array.from(
        { length: 4 },
        (
          s => () =>
            bits(s)
        )(stream(seed, run, key)),
      )
    expect(first(7, 1, 'wolf')).toEqual(first(7, 1, 'wolf'))
    const all = [
      first(7, 1, 'wolf'),
      first(8, 1, 'wolf'),
      first(7, 2, 'wolf'),
      first(7, 1, 'sheep'),
      first(7 + 2 ** 32, 1, 'wolf'),
      first(7, 1, ''),
      first(0, 0, ''),
    ]
    expect(new Set(all.map(String)).size).toBe(all.length)
  })
  it('first draws of neighbouring keys and seeds are spread evenly', () => {
    const counts = Array.from({ length: 100 }, () => 0)
    for (let i = 0; i < 20_000; i++) counts[Math.floor(uniform(stream(i % 200, 0, `element-${Math.floor(i / 200)}`)) * 100)]!++
    // 99 degrees of freedom: 160 is passed by chance once in ten thousand.
    expect(chi2(counts)).toBeLessThan(160)
  })
  it('a copy of the state goes on identically', () => {
    const s = stream(1, 0, 'a')
    bits(s)
    const copy = s.slice()
    expect(Array.from({ length: 5 }, () => bits(copy))).toEqual(Array.from({ length: 5 }, () => bits(s)))
  })
})

describe('draws', () => {
  it.each([
    ['uniform', uniform],
    ['uniform53', uniform53],
    ['uniformOpen', uniformOpen],
  ] as const)('%s is uniform in [0, 1)', (_, draw) => {
    const s = stream(3, 0, 'u')
    const counts = Array.from({ length: 50 }, () => 0)
    let sum = 0
    for (let i = 0; i < 100_000; i++) {
      const u = draw(s)
      expect(u >= 0 && u < 1).toBe(true)
      counts[Math.floor(u * 50)]!++
      sum += u
    }
    expect(chi2(counts)).toBeLessThan(95)
    expect(Math.abs(sum / 100_000 - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / 100_000))
  })
  it.each([1, 2, 3, 7, 10, 1000, 1048576, 1048577, 2 ** 40])('below(%d)', n => {
    const s = stream(5, 0, 'b')
    const bins = Math.min(n, 20)
    const counts = Array.from({ length: bins }, () => 0)
    for (let i = 0; i < 20_000; i++) {
      const k = below(s, n)
      expect(Number.isInteger(k) && k >= 0 && k < n).toBe(true)
      counts[Math.floor((k / n) * bins)]!++
    }
    if (n >= 20 || n === bins) expect(chi2(counts)).toBeLessThan(60)
  })
  it('shuffle gives every order equally often', () => {
    const s = stream(9, 0, 's')
    const seen = new Map<string, number>()
    for (let i = 0; i < 24_000; i++) {
      const items = [1, 2, 3, 4]
      shuffle(s, items)
      seen.set(String(items), (seen.get(String(items)) ?? 0) + 1)
    }
    expect(seen.size).toBe(24)
    expect(chi2([...seen.values()])).toBeLessThan(58)
  })
})
