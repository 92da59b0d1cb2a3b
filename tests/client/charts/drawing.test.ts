// What charts of fields draw: a fixed set as SVG, compared with pictures kept with the tests - the same shapes and words in the same order,
// every number within half a pixel. After a change that is meant, look at the new pictures and keep them: DRAW=1 vitest run
// tests/client/charts/drawing.test.ts
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { boundsOf, extentOf, ticksOf, type Figure } from '../../../client/charts/figure/figure.ts'
import { figureOption } from '../../../client/charts/figure/option.ts'
import { parallelOption, passesIntervals, type AxisIntervals } from '../../../client/charts/figure/parallel.ts'
import { boxPicture, heatPicture, piePicture, type LivePicture } from '../../../client/charts/live-picture.ts'
import { svgOf, type OptionOf } from '../../../client/charts/render/EChart.tsx'
import { tableBehind } from '../../../client/charts/shelf/behind.ts'
import { names, numbers, type Data } from '../../../client/charts/shelf/columns.ts'
import { rectangles } from '../../../client/charts/shelf/layout.ts'
import type { Ink } from '../../../client/charts/ink.ts'
import { legendOf, optionOf, type Drawn } from '../../../client/charts/shelf/option.ts'
import { pictureOf } from '../../../client/charts/shelf/picture.ts'
import { writtenAs } from '../../../client/charts/shelf/written.ts'
import { seriesColor } from '../../../client/charts/colors.ts'
import { palettes } from '../../../client/ui/theme.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import { elementOf } from '../../../model-schema/overlay.ts'
import { plotOf } from '../../../model-schema/plot.ts'
import { chance } from '../../help/random.ts'

const ink: Ink = { ...palettes.light, font: 'sans-serif', dark: false, series: (place, own) => seriesColor(place, own, false) }

const random = chance(2024)
const rows = 60
const trees: Data = {
  rows,
  columns: [
    numbers(
      'year',
      'Year',
      Array.from({ length: rows }, (_, k) => 2015 + (k % 6)),
    ),
    names(
      'kind',
      'Kind',
      Array.from({ length: rows }, (_, k) => ['ash', 'birch', 'cedar'][Math.floor(k / 6) % 3]!),
    ),
    names(
      'side',
      'Side',
      Array.from({ length: rows }, (_, k) => (k < 30 ? 'north' : 'south')),
    ),
    numbers(
      'height',
      'Height',
      Array.from({ length: rows }, (_, k) => Math.round(100 * ((k % 6) + 4 * random.next() + (k < 30 ? 2 : 0))) / 100),
    ),
    numbers(
      'girth',
      'Girth',
      Array.from({ length: rows }, () => Math.round(1000 * random.next()) / 1000),
    ),
  ],
}

const height = { field: 'height', aggregate: 'auto' }
const girth = { field: 'girth', aggregate: 'auto' }

const drawings: Readonly<Record<string, Record<string, Json>>> = {
  line: { dimension: 'year', metrics: [height], colorBy: 'kind' },
  area: { dimension: 'year', metrics: [height, girth] },
  bar: { dimension: 'kind', metrics: [height], colorBy: 'side', sort: 'valueDown', unit: 'm' },
  stacked: { dimension: 'year', metrics: [{ field: 'height', aggregate: 'sum' }], colorBy: 'kind' },
  pie: { dimension: 'kind', metrics: [{ field: 'height', aggregate: 'sum' }] },
  scatter: { dimension: 'girth', metrics: [height], colorBy: 'kind' },
  histogram: { metrics: [height], bins: 8 },
  box: { dimension: 'kind', metrics: [height], colorBy: 'side' },
  violin: { dimension: 'kind', metrics: [height] },
  heat: { dimension: 'year', colorBy: 'kind', metrics: [height] },
  bands: { dimension: 'year', metrics: [height], band: 'std' },
  pareto: { metrics: [girth, { ...height, goal: 'max' }] },
  parallel: { dimension: 'kind', metrics: [height, girth], colorBy: 'side' },
  gauge: { metrics: [height], yMin: 0, yMax: 12, format: 'fixed', decimals: 2 },
  facets: { type: 'line', dimension: 'year', metrics: [height], facetBy: 'kind', yScale: 'log' },
}

function drawnAs(fields: Record<string, Json>, hidden: readonly string[] = []): Omit<Drawn, 'width' | 'height' | 'density' | 'titled'> {
  const plot = plotOf(elementOf('plot', 'card', 'run', { source: 'table', ...fields }))
  const picture = pictureOf(plot, trees, { live: false, words: { count: 'Count' } })
  return { picture, plot, ink, written: writtenAs(plot, 'en-US'), hidden: new Set(hidden) }
}

const folder = new URL('../../cases/charts/', import.meta.url)
const number = /-?\d+(?:\.\d+)?(?:e-?\d+)?/g
/** Names of gradients and clips count up with every chart of a process: here they count from one. */
function plain(svg: string): string {
  const seen = new Map<string, string>()
  return svg
    .replaceAll(/zr\d+-[a-z][\w-]*/g, name => {
      if (!seen.has(name)) seen.set(name, `part${seen.size + 1}`)
      return seen.get(name) ?? name
    })
    .replaceAll('><', '>\n<')
}

/** Compares a drawing with the one kept under its name. */
function expectKept(name: string, option: OptionOf): void {
  const svg = plain(svgOf(option))
  const kept = new URL(`${name}.svg`, folder)
  if (process.env['DRAW'] === '1' || !existsSync(kept)) {
    expect(process.env['DRAW'], `${name}.svg is not there`).toBe('1')
    mkdirSync(folder, { recursive: true })
    writeFileSync(kept, svg)
  }
  const before = readFileSync(kept, 'utf8')
  expect(svg.replaceAll(number, '#').split('\n')).toEqual(before.replaceAll(number, '#').split('\n'))
  const [now, then] = [svg.match(number) ?? [], before.match(number) ?? []]
  const moved = now.findIndex((value, k) => Math.abs(Number(value) - Number(then[k])) > 0.5)
  expect(moved, `${now[moved]} was ${then[moved]}`).toBe(-1)
}

describe('the drawing of', () => {
  for (const [name, fields] of Object.entries(drawings)) {
    it(`${name} is as it was`, () =>
      expectKept(name, size => optionOf({ ...drawnAs({ type: name, ...fields }), ...size, titled: `A chart: ${name}` })))
  }
})

const figures: Readonly<Record<string, Figure>> = {
  marks: {
    x: { label: 'Dose', low: 0, high: 10 },
    y: { label: 'Response', low: -1, high: 1 },
    marks: [
      { is: 'band', points: [0, 4, 10].map(at => ({ at, low: at / 20 - 0.4, high: at / 20 + 0.2 })), color: '#0a6fb8', opacity: 0.18 },
      {
        is: 'line',
        points: [
          [0, -0.1],
          [NaN, 0],
          [4, 0.1],
          [10, 0.4],
        ],
        color: '#0a6fb8',
      },
      {
        is: 'dots',
        points: [
          [0, -0.1],
          [4, 0.1],
          [5, NaN],
          [10, 0.4],
        ],
        color: '#d55e00',
        size: 8,
        ring: '#ffffff',
        titles: ['a', 'b', 'c', 'd'],
      },
      {
        is: 'areas',
        areas: [
          { x: [1, 3], y: [0, -0.5], color: '#00875f' },
          { x: [3, Infinity], y: [0, 1], color: '#00875f' },
        ],
        opacity: 0.5,
        gap: 1,
      },
      { is: 'segments', segments: [{ x: [0, 10], y: [0, 0], color: '#6b7280' }], width: 1, isDashed: true },
    ],
  },
  rows: {
    x: { label: 'Effect', low: 0, high: 4.2 },
    rows: ['Rain', 'A variable with a name that is much longer than its place', 'Wind'],
    marks: [
      { is: 'areas', areas: [3, 2, 1].map((value, row) => ({ x: [0, value], y: [row - 0.2, row + 0.2], color: '#0a6fb8' })), opacity: 0.8 },
      {
        is: 'segments',
        segments: [3, 2, 1].map((value, row) => ({ x: [value - 0.5, value + 0.5], y: [row, row], color: '#222222' })),
        width: 1.2,
        ends: true,
      },
    ],
  },
}

describe('the figure of', () => {
  for (const [name, figure] of Object.entries(figures)) {
    it(`${name} is as it was`, () => expectKept(`figure-${name}`, size => figureOption(figure, ink, 'en-US', size)))
  }

  it('parallel coordinates is as it was', () => {
    const axes = ['Speed', 'Cost', 'Place'].map((label, k) => ({ id: label, label, low: 0, high: 10 * (k + 1), isNames: k === 2 }))
    const lines = [
      { values: [1, 20, 3], color: '#0a6fb8' },
      { values: [9, 2, 30], color: '#d55e00' },
    ]
    expectKept('figure-parallel', () => parallelOption(axes, lines, ink, String))
    const values = lines.map(line => line.values)
    const passing = (kept: AxisIntervals) => values.filter(line => passesIntervals(line, axes, kept))
    expect(passing({})).toEqual(values)
    expect(passing({ Speed: [] })).toEqual(values)
    expect(
      passing({
        Speed: [[0, 1]],
        Cost: [
          [0, 5],
          [20, 20],
        ],
      }),
    ).toEqual([values[0]])
    expect(passing({ Speed: [[0, 1]], Cost: [[0, 5]] })).toEqual([])
  })

  it('the latest values of a run is as it was', () => {
    const marks = ['Fast', 'Slow', 'Late'].map((label, s) => ({ label, color: seriesColor(s, '', false) }))
    const seeded = chance(5)
    const samples = marks.map((_, s) => Array.from({ length: 30 }, (__, k) => seeded.next() * 10 + s + (k === 0 ? 40 : 0)))
    const live: Readonly<Record<string, LivePicture>> = {
      pie: piePicture(marks, [3, -1, 1], share => `${Math.round(100 * share)} %`),
      box: boxPicture(marks, samples, value => value.toFixed(1)),
      heat: heatPicture(marks, [
        [1, 2, 3],
        [4, 5],
        [6, 7, 8],
      ]),
    }
    expect(live['pie']?.summary).toBe('Fast 75 %, Slow 0 %, Late 25 %')
    expect(live['box']?.summary).toMatch(/^Fast: \d+\.\d, Slow: \d+\.\d, Late: \d+\.\d$/)
    expect(live['heat']?.summary).toBe('3 × 3')
    const cells = live['heat']?.picture.panels[0]?.marks
    // The first row is on top: the last of those that count from the bottom.
    expect(cells?.is === 'cells' && [cells.rows, [...cells.values]]).toEqual([
      ['2', '1', '0'],
      [6, 7, 8, 4, 5, NaN, 1, 2, 3],
    ])
    for (const [name, { picture, plot }] of Object.entries(live))
      expectKept(`live-${name}`, size =>
        optionOf({ picture, plot, ink, written: writtenAs(plot, 'en-US'), hidden: new Set(), ...size, titled: null }),
      )
    expect(heatPicture(marks, null).summary).toBe('0 × 0')
    expect(piePicture(marks, [], String).summary).toBe('Fast –, Slow –, Late –')
  })

  it('any axis has round ticks inside its bounds, and bounds that differ', () => {
    const seeded = chance(77)
    for (let round = 0; round < 500; round++) {
      const low = (seeded.next() - 0.5) * 10 ** Math.round(seeded.next() * 12 - 6)
      const { min, max } = boundsOf({ low, high: round % 5 === 0 ? low : low + 10 ** Math.round(seeded.next() * 12 - 6) })
      expect(max).toBeGreaterThan(min)
      const { values, step } = ticksOf(min, max, 2 + Math.floor(seeded.next() * 10))
      expect(values.length).toBeGreaterThan(0)
      for (const [k, value] of values.entries()) {
        expect(value).toBeGreaterThanOrEqual(min - step * 1e-6)
        expect(value).toBeLessThanOrEqual(max + step * 1e-6)
        // Numbers that are large compared with their distance are rounded.
        if (k > 0) expect(Math.abs(value - (values[k - 1] ?? 0) - step)).toBeLessThanOrEqual(step * 1e-9 + Math.abs(value) * 2 ** -51)
      }
    }
    expect(boundsOf({ low: NaN, high: NaN })).toEqual({ min: 0, max: 1 })
    expect(extentOf([NaN, Infinity])).toEqual([0, 1])
    expect(extentOf([2, NaN, 4], 0.5)).toEqual([1, 5])
  })

  it('one with names from files says them as they are, never as markup', () => {
    const svg = svgOf(size =>
      figureOption({ rows: ['<img src=x onerror=alert(1)>'], x: { label: '<script>', low: 0, high: 1 }, marks: [] }, ink, 'en-US', size),
    )
    expect(svg).not.toMatch(/<img|<script/)
    expect(svg).toContain('&lt;script&gt;')
  })
})

describe('a drawing', () => {
  it('leaves out what is switched off in the legend, and nothing else', () => {
    const fields = { type: 'line', ...drawings['line'] }
    const seriesOf = (hidden: readonly string[]): unknown[] => {
      const { series } = optionOf({ ...drawnAs(fields, hidden), width: 600, height: 400, density: 1, titled: null })
      return (Array.isArray(series) ? series : [series]).map(one => one?.name)
    }
    expect(legendOf(drawnAs(fields))).toEqual(['ash', 'birch', 'cedar'])
    expect(seriesOf([])).toEqual(['ash', 'birch', 'cedar'])
    expect(seriesOf(['birch'])).toEqual(['ash', 'cedar'])
  })

  it('of a long course is no more rows than four for each pixel, with its extremes', () => {
    const length = 200_000
    const x = Float64Array.from({ length }, (_, k) => k)
    const y = x.map(k => (k === 77_777 ? 1000 : Math.sin(k / 900)))
    const plot = plotOf(
      elementOf('plot', 'card', 'run', { type: 'line', dimension: '@time', metrics: [{ field: 'y', aggregate: 'auto' }] }),
    )
    const picture = pictureOf(
      plot,
      { rows: length, columns: [numbers('@time', 'Time', x), numbers('y', 'y', y)] },
      { live: true, words: { count: '' } },
    )
    const { series } = optionOf({
      picture,
      plot,
      ink,
      written: writtenAs(plot, 'en-US'),
      hidden: new Set(),
      width: 800,
      height: 400,
      density: 1,
      titled: null,
    })
    const [line] = Array.isArray(series) ? series : [series]
    const data: unknown = line?.data
    if (!(data instanceof Float64Array)) throw new Error('no data')
    expect(data.length / 2).toBeLessThanOrEqual(4 * 800)
    expect(Math.max(...data.filter((_, k) => k % 2 === 1))).toBe(1000)
  })

  it('says names as they are, never as markup', () => {
    const data: Data = { rows: 2, columns: [names('k', 'k', ['<img src=x onerror=alert(1)>', 'b']), numbers('v', 'v', [1, 2])] }
    const plot = plotOf(elementOf('plot', 'card', 'run', { type: 'bar', dimension: 'k', metrics: [{ field: 'v', aggregate: 'sum' }] }))
    const picture = pictureOf(plot, data, { live: false, words: { count: '' } })
    const svg = svgOf(size =>
      optionOf({ picture, plot, ink, written: writtenAs(plot, 'en-US'), hidden: new Set(), ...size, titled: '<script>' }),
    )
    expect(svg).not.toMatch(/<img|<script/)
    expect(svg).toContain('&lt;script&gt;')
  })
})

describe('the table behind a drawing', () => {
  const words = {
    facet: 'Facet',
    name: 'Name',
    value: 'Value',
    from: 'From',
    to: 'To',
    low: 'Low',
    high: 'High',
    median: 'Median',
    mean: 'Mean',
    count: 'Count',
    series: 'Series',
  }

  it('has a cell under every heading, and all that is drawn', () => {
    for (const [name, fields] of Object.entries(drawings)) {
      const { head, rows: body } = tableBehind(drawnAs({ type: name, ...fields }).picture, words)
      expect(body.length, name).toBeGreaterThan(0)
      for (const row of body) expect(row.length, name).toBe(head.length)
    }
    const line = tableBehind(drawnAs({ type: 'line', ...drawings['line'] }).picture, words)
    expect(line.head).toEqual(['Year', 'ash', 'birch', 'cedar'])
    expect(line.rows.map(([year]) => year)).toEqual([2015, 2016, 2017, 2018, 2019, 2020])
    const facets = tableBehind(drawnAs(drawings['facets']!).picture, words)
    expect(new Set(facets.rows.map(([facet]) => facet))).toEqual(new Set(['ash', 'birch', 'cedar']))
    const histogram = tableBehind(drawnAs({ type: 'histogram', ...drawings['histogram'] }).picture, words)
    expect(histogram.rows.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(rows)
  })
})

describe('small charts', () => {
  it('fill their room without overlapping, whatever their number', () => {
    for (let count = 1; count <= 16; count++) {
      const rects = rectangles(count, { left: 10, top: 20, width: 700, height: 500 })
      for (const [i, a] of rects.entries()) {
        expect(a.left >= 10 && a.top >= 20 && a.left + a.width <= 710.001 && a.top + a.height <= 520.001).toBe(true)
        for (const b of rects.slice(i + 1))
          expect(a.left + a.width <= b.left || b.left + b.width <= a.left || a.top + a.height <= b.top || b.top + b.height <= a.top).toBe(
            true,
          )
      }
    }
  })
})

describe('numbers', () => {
  it('are written as asked', () => {
    const of = (fields: Record<string, Json>, value: number): string =>
      writtenAs(plotOf(elementOf('plot', 'c', 'r', fields)), 'en-US').value(value)
    expect(of({}, 12.5)).toBe('12.5')
    expect(of({ format: 'fixed', decimals: 2, unit: 'kg' }, 3)).toBe('3.00\u00a0kg')
    expect(of({ format: 'percent', decimals: 0 }, 0.256)).toBe('26%')
    expect(of({ format: 'compact', decimals: 1 }, 12_345)).toBe('12.3K')
    expect(of({ unit: '%' }, 5)).toBe('5%')
    expect(of({}, NaN)).toBe('–')
  })
})
