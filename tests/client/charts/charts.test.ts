// What charts make of the engine's data, and how numbers are written.
import { barsTold, told } from '../../../client/charts/told.ts'
import { describe, expect, it } from 'vitest'
import { orderedColor } from '../../../client/charts/colors.ts'
import { palettes } from '../../../client/ui/theme.ts'
import { barsOf, binsOf, boxOf, csvOf, latestOf, numbersOf, rowsOf, tableOf } from '../../../client/charts/figures.ts'
import { formatNumber, formatTick, formatValue } from '../../../client/charts/format.ts'
import { parseLiteral, printLiteral } from '../../../client/run/literal.ts'
import { SeriesBuffer } from '../../../client/run/series.ts'
import type { Plain } from '../../../sim-engine/messages.ts'
import { below, stream, uniform } from '../../../sim-engine/kernel/random.ts'

const filled = (rows: number) => {
  const buffer = new SeriesBuffer(2)
  const x = Float64Array.from({ length: rows }, (_, i) => i)
  buffer.append(x, [x.map(value => value * 2), x.map(value => -value)])
  return buffer
}

describe('rows of a chart', () => {
  it('shows the last window of x', () => {
    const [x, double] = rowsOf(filled(100), 10)
    expect([...(x ?? [])]).toEqual([89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99])
    expect(double?.[0]).toBe(178)
    expect(rowsOf(filled(100), null)[0]).toHaveLength(100)
    expect(rowsOf(filled(0), 10)[0]).toHaveLength(0)
  })

  it('takes the newest row where there is history, else what came last', () => {
    expect(latestOf(filled(5))).toEqual([8, -4])
    const buffer = new SeriesBuffer(1)
    buffer.take({ chart: 'c', latest: [{ a: 1 }] })
    expect(latestOf(buffer)).toEqual([{ a: 1 }])
  })
})

describe('bars', () => {
  it('names plain numbers by their series', () => {
    expect(barsOf([3, 5, null], ['a', 'b', 'c'])).toEqual({ categories: ['a', 'b', 'c'], columns: [[3, 5, null]] })
  })
  it('lines up keys of several dicts', () => {
    expect(
      barsOf(
        [
          { x: 1, y: 2 },
          { y: 3, z: 4 },
        ],
        ['a', 'b'],
      ),
    ).toEqual({
      categories: ['x', 'y', 'z'],
      columns: [
        [1, 2, null],
        [null, 3, 4],
      ],
    })
  })
  it('counts places of a list', () => {
    expect(barsOf([[7, true]], ['a'])).toEqual({ categories: ['0', '1'], columns: [[7, 1]] })
  })
})

describe('bins', () => {
  it('count every sample once, the greatest in the last bin', () => {
    const random = stream(5, 0, 'test')
    for (let round = 0; round < 100; round++) {
      const samples = [0, 1].map(() => Array.from({ length: 1 + below(random, 300) }, () => Math.floor(uniform(random) * 20) - 10))
      const bins = 1 + below(random, 40)
      const { edges, counts } = binsOf(samples, bins)
      expect(edges).toHaveLength(bins + 1)
      expect(counts.map(column => column.reduce((sum, count) => sum + count, 0))).toEqual(samples.map(sample => sample.length))
      expect(edges[0]).toBe(Math.min(...samples.flat()))
      if (new Set(samples.flat()).size > 1) expect(edges.at(-1)).toBe(Math.max(...samples.flat()))
    }
  })
  it('take ready counts, and nothing from nothing', () => {
    expect(binsOf([{ edges: [0, 1, 2], counts: [3, 4] }], 20)).toEqual({ edges: [0, 1, 2], counts: [[3, 4]] })
    expect(binsOf([[]], 20)).toEqual({ edges: [], counts: [] })
    expect(binsOf([[5]], 2).counts).toEqual([[0, 1]])
  })
})

describe('boxes', () => {
  it('are Tukey’s', () => {
    expect(boxOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 100])).toMatchObject({
      low: 1,
      q1: 3.25,
      median: 5.5,
      q3: 7.75,
      high: 9,
      mean: 14.5,
      count: 10,
    })
    expect(boxOf([])).toBeNull()
    expect(boxOf(4)).toMatchObject({ low: 4, high: 4, median: 4 })
  })
  it('read numbers at any depth', () => {
    expect(numbersOf([1, [2, [true, 'x', null]], { a: 4 }])).toEqual([1, 2, 1])
  })
})

describe('the table behind a chart', () => {
  it('is rows of x and series, or names and amounts', () => {
    expect(tableOf(filled(2), ['a', 'b'], 'tick')).toEqual({
      head: ['tick', 'a', 'b'],
      rows: [
        [0, 0, -0],
        [1, 2, -1],
      ],
    })
    const buffer = new SeriesBuffer(1)
    buffer.take({ chart: 'c', latest: [{ red: 3, blue: 4 }] })
    expect(tableOf(buffer, ['n'], '')).toEqual({
      head: ['', 'n'],
      rows: [
        ['red', 3],
        ['blue', 4],
      ],
    })
  })
  it('becomes CSV that spreadsheets neither misread nor run', () => {
    const csv = csvOf({
      head: ['a,b', 'c'],
      rows: [
        ['say "hi"', -1.5],
        ['=SUM(A1)', null],
        ['two\nlines', true],
      ],
    })
    expect(csv).toBe('\uFEFF"a,b",c\r\n"say ""hi""",-1.5\r\n\'=SUM(A1),\r\n"two\nlines",true\r\n')
  })
})

describe('a chart in words', () => {
  it('names every series with its newest value, as the language writes it', () => {
    const parts = [
      { label: 'recovered', value: 1339.4 },
      { label: 'infected', value: undefined },
    ]
    expect(told(parts, 'en-US')).toBe('recovered 1,339.4, infected –')
    expect(told(parts, 'zh-CN')).toBe('recovered 1,339.4，infected –')
    const many = Array.from({ length: 14 }, (_, i) => ({ label: `s${i}`, value: i }))
    expect(told(many, 'en-US')).toMatch(/s11 11, …$/)
  })

  it('says what each bar comes to, with its series where there are several', () => {
    expect(barsTold(['all'], ['red', 'blue'], [[3, null]])).toEqual([{ label: 'red', value: 3 }])
    expect(barsTold(['men', 'women'], ['old'], [[1], [2]])).toEqual([
      { label: 'old, men', value: 1 },
      { label: 'old, women', value: 2 },
    ])
    // One bar a series, under its own name.
    expect(
      barsTold(
        ['a', 'b'],
        ['a', 'b'],
        [
          [1, null],
          [null, 2],
        ],
      ),
    ).toEqual([
      { label: 'a', value: 1 },
      { label: 'b', value: 2 },
    ])
  })
})

describe('numbers', () => {
  it('are grouped, rounded and written in the language', () => {
    expect(formatNumber(1234567, 'en-US')).toBe('1,234,567')
    expect(formatNumber(0.123456789, 'en-US')).toBe('0.12346')
    expect(formatNumber(123456.789, 'en-US')).toBe('123,456.8')
    expect(formatNumber(1.5e-7, 'en-US')).toBe('1.5E-7')
    expect(formatNumber(-0.5, 'de-DE')).toBe('-0,5')
    expect([NaN, Infinity, -Infinity].map(value => formatNumber(value, 'en-US'))).toEqual(['–', '∞', '-∞'])
  })
  it('along an axis have the decimals of its steps', () => {
    expect([0, 0.5, 1].map(value => formatTick(value, 0.5, 'en-US'))).toEqual(['0.0', '0.5', '1.0'])
    expect([0, 20, 40].map(value => formatTick(value, 20, 'en-US'))).toEqual(['0', '20', '40'])
    expect(formatTick(12_500, 2500, 'en-US')).toBe('12.5K')
  })
  it('of every kind of value fit one line', () => {
    expect(formatValue({ a: [1, 'x', true], b: null }, 'en-US')).toBe('{a: [1, x, True], b: –}')
    expect(
      formatValue(
        Array.from({ length: 60 }, (_, i) => i),
        'en-US',
      ),
    ).toMatch(/49, … \(60\)\]$/)
  })
})

describe('literals', () => {
  it('come back as they were', () => {
    const values: Plain[] = [1.5, -3, 'it\'s "so"', '', true, false, null, [1, [true, null]], { a: 'True', b: [2] }]
    for (const value of values) expect(parseLiteral(printLiteral(value))).toEqual(value)
    expect(parseLiteral("'single'")).toBe('single')
  })
  it('are nothing else', () => {
    for (const text of ['', 'x', '1 + 2', 'alert(1)', '[1', 'true'])
      expect([text, parseLiteral(text)]).toEqual([text, text === 'true' ? true : undefined])
  })
})

describe('colours of what is ordered', () => {
  it('go from the ground away, so that more always stands out more, and the least can still be seen', () => {
    const lightness = (color: string): number => {
      const parts = color.startsWith('#')
        ? [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
        : color.match(/\d+/g)!.map(Number)
      const [r = 0, g = 0, b = 0] = parts.map(part => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    for (const isDark of [false, true]) {
      const ground = lightness(palettes[isDark ? 'dark' : 'light'].surface)
      const steps = Array.from({ length: 21 }, (_, k) => contrast(lightness(orderedColor(k / 20, isDark)), ground))
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      expect(steps[0]).toBeGreaterThan(1.3)
      expect(steps.at(-1)).toBeGreaterThan(10)
    }
  })
})
