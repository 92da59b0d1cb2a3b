// Growing chart columns: nothing lost below the capacity, extremes kept above it.
import { describe, expect, it } from 'vitest'
import { SeriesBuffer } from '../../../client/run/series.ts'
import { below, stream, uniform } from '../../../sim-engine/kernel/random.ts'

const rows = (from: number, count: number, value: (x: number) => number) => {
  const x = Float64Array.from({ length: count }, (_, i) => from + i)
  return { x, columns: [x.map(value)] }
}

describe('series buffer', () => {
  it('keeps every row below its capacity, whatever the portions', () => {
    const buffer = new SeriesBuffer(1)
    for (let from = 0, size = 1; from < 5000; from += size, size = (size * 7) % 301 || 1) {
      const { x, columns } = rows(from, Math.min(size, 5000 - from), x => x * x)
      buffer.append(x, columns)
    }
    expect(buffer.length).toBe(5000)
    expect(buffer.x[4999]).toBe(4999)
    expect(buffer.column(0).every((value, i) => value === i * i)).toBe(true)
  })

  it('bounds memory and keeps peaks, the first and the newest row', () => {
    const buffer = new SeriesBuffer(1, 1000)
    const spikes = new Map([
      [12_345, 1e6],
      [77_777, -1e6],
      [150_001, 2e6],
    ])
    for (let from = 0; from < 200_000; from += 997) {
      const { x, columns } = rows(from, 997, x => spikes.get(x) ?? Math.sin(x))
      buffer.append(x, columns)
    }
    const last = buffer.received - 1
    expect(buffer.length).toBeLessThanOrEqual(1000)
    const values = buffer.column(0)
    for (const spike of spikes.values()) expect(values).toContain(spike)
    expect(buffer.x[0]).toBe(0)
    expect(buffer.x[buffer.length - 1]).toBe(last)
    expect(values[buffer.length - 1]).toBe(Math.sin(last))
    const early = buffer.x.findIndex(x => x >= 100_000)
    expect(early / buffer.length, 'equally fine everywhere').toBeCloseTo(0.5, 1)
    for (let i = 1; i < buffer.length; i++) expect(buffer.x[i]).toBeGreaterThanOrEqual(buffer.x[i - 1] ?? NaN)
  })

  it('keeps the range of any random series, gaps included', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = stream(seed, 0, 'test')
      const buffer = new SeriesBuffer(2, 64)
      let low = Infinity
      let high = -Infinity
      const count = 1 + below(random, 700)
      for (let i = 0; i < count; i++) {
        const value = uniform(random) < 0.2 ? NaN : uniform(random) * 2 - 1
        if (value < low) low = value
        if (value > high) high = value
        buffer.append(Float64Array.of(i), [Float64Array.of(value), Float64Array.of(-i)])
      }
      expect(buffer.length).toBeLessThanOrEqual(64)
      if (count <= 60) expect(buffer.length).toBe(count)
      const kept = [...buffer.column(0)].filter(value => !Number.isNaN(value))
      expect([Math.min(...kept), Math.max(...kept)], `seed ${seed}`).toEqual([low, high])
    }
  })

  it('starts anew when rows start at 0 again, and takes whole values', () => {
    const buffer = new SeriesBuffer(1)
    buffer.take({ chart: 'c', from: 0, ...rows(0, 10, x => x) })
    const { version } = buffer
    buffer.take({ chart: 'c', from: 0, ...rows(0, 3, x => -x) })
    expect(buffer.length).toBe(3)
    expect(buffer.version).toBeGreaterThan(version)
    buffer.take({ chart: 'c', latest: [[1, 2], 3] })
    expect(buffer.latest).toEqual([[1, 2], 3])
  })
})
