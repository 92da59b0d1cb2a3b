// Charts made of fields: the pure way from columns to marks, compared with plain references on seeded random tables.
import { describe, expect, it } from 'vitest'
import { plotOf, plotTypeIds, watchedBy, runnableCard, TABLE, type Aggregate, type Plot } from '../../../model-schema/plot.ts'
import { elementOf } from '../../../model-schema/overlay.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import { aggregated, bandsOf, student95 } from '../../../client/charts/shelf/aggregate.ts'
import { quantileOf } from '../../../sim-engine/descriptive.ts'
import { columnOf, names, numbers, type Data } from '../../../client/charts/shelf/columns.ts'
import { importTable, tableData } from '../../../client/charts/shelf/csv.ts'
import { recordsOf } from '../../../model-schema/csv.ts'
import { binOf, edgesOf, keysOf } from '../../../client/charts/shelf/keys.ts'
import { someOf } from '../../../client/charts/shelf/marks.ts'
import { pictureOf, type Marks, type Picture } from '../../../client/charts/shelf/picture.ts'
import { rowsPassing } from '../../../client/charts/shelf/rows.ts'
import { boxOfSorted, densityOf, frontOf } from '../../../client/charts/shelf/shapes.ts'
import { chance, type Chance } from '../../help/random.ts'

const plot = (fields: Record<string, Json> = {}): Plot => plotOf(elementOf('plot', 'card', 'run', { source: 'table', ...fields }))
const metric = (field: string, aggregate: Aggregate = 'auto', more: Record<string, Json> = {}): Json => ({ field, aggregate, ...more })
const draw = (fields: Record<string, Json>, data: Data, live = false): Picture =>
  pictureOf(plot(fields), data, { live, words: { count: 'Count' } })
const only = <T extends Marks['is']>({ panels }: Picture, is: T, at = 0): Extract<Marks, { is: T }> => {
  const marks = panels[at]?.marks
  if (marks?.is !== is) throw new Error(`marks are ${marks?.is}`)
  return marks as Extract<Marks, { is: T }>
}

/** A table of random rows: a name with gaps, a whole number, a number with gaps. */
function someTable(random: Chance, rows = 1 + random.below(200)): Data {
  const letters = ['ash', 'birch', 'cedar', 'elm', 'fir']
  return {
    rows,
    columns: [
      names(
        'kind',
        'Kind',
        Array.from({ length: rows }, () => (random.below(9) === 0 ? null : letters[random.below(letters.length)]!)),
      ),
      names(
        'side',
        'Side',
        Array.from({ length: rows }, () => (random.below(2) === 0 ? 'north' : 'south')),
      ),
      numbers(
        'year',
        'Year',
        Array.from({ length: rows }, () => 2000 + random.below(6)),
      ),
      numbers(
        'height',
        'Height',
        Array.from({ length: rows }, () => (random.below(7) === 0 ? NaN : random.next() * 20 - 5)),
      ),
    ],
  }
}

const cell = (data: Data, column: string, row: number): string | number | null => {
  const found = columnOf(data, column)!
  if (found.is === 'name') return found.names[found.codes[row]!] ?? null
  const value = found.values[row]!
  return Number.isNaN(value) ? null : value
}

/** What an aggregate means, said as plainly as can be. */
function plain(values: readonly number[], how: Exclude<Aggregate, 'auto'>): number {
  const sum = values.reduce((total, value) => total + value, 0)
  const sorted = values.toSorted((a, b) => a - b)
  const mean = sum / values.length
  switch (how) {
    case 'count':
      return values.length
    case 'distinct':
      return new Set(values).size
    case 'sum':
      return values.length === 0 ? NaN : sum
    case 'mean':
      return mean
    case 'median':
      return values.length === 0 ? NaN : (sorted[Math.floor((values.length - 1) / 2)]! + sorted[Math.ceil((values.length - 1) / 2)]!) / 2
    case 'min':
      return values.length === 0 ? NaN : Math.min(...values)
    case 'max':
      return values.length === 0 ? NaN : Math.max(...values)
    case 'std':
      return values.length === 0
        ? NaN
        : values.length === 1
          ? 0
          : Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / (values.length - 1))
    case 'first':
      return values[0] ?? NaN
    case 'last':
      return values.at(-1) ?? NaN
  }
}

const hows = ['sum', 'mean', 'median', 'min', 'max', 'std', 'count', 'distinct', 'first', 'last'] as const

function near(found: ArrayLike<number>, wanted: readonly number[]): void {
  expect(found.length).toBe(wanted.length)
  wanted.forEach((value, k) => (Number.isNaN(value) ? expect(found[k]).toBeNaN() : expect(found[k]).toBeCloseTo(value, 9)))
}

describe('aggregation', () => {
  it('is what a plain reference says, for every way, over random rows in random cells', () => {
    const random = chance(41)
    for (let round = 0; round < 60; round++) {
      const length = random.below(300)
      const count = 1 + random.below(12)
      const values = Float64Array.from({ length }, () => (random.below(8) === 0 ? NaN : Math.round(random.next() * 40) / 4 - 5))
      const cells = Int32Array.from({ length }, () => random.below(count + 1) - 1)
      for (const how of hows) {
        const wanted = Array.from({ length: count }, (_, at) =>
          plain(
            [...values].filter((value, k) => cells[k] === at && !Number.isNaN(value)),
            how,
          ),
        )
        near(aggregated(values, cells, count, how), wanted)
      }
    }
  })

  it('of a mean keeps what sums of squares would lose', () => {
    const values = Float64Array.from([1e9 + 1, 1e9 + 2, 1e9 + 3])
    expect(aggregated(values, new Int32Array(3), 1, 'std')[0]).toBe(1)
  })

  it('puts 95% confidence around the mean by Student’s t', () => {
    expect(student95(4)).toBe(2.776)
    expect(student95(30)).toBeCloseTo(2.0423, 2)
    const { middle, low, high } = bandsOf(Float64Array.from([4, 6, 8]), new Int32Array(3), 1, 'ci95')
    expect(middle[0]).toBe(6)
    expect(high[0]! - 6).toBeCloseTo((4.303 * 2) / Math.sqrt(3), 9)
    expect(6 - low[0]!).toBeCloseTo(high[0]! - 6, 9)
  })
})

describe('a chart of fields', () => {
  it('groups by x, colour and facet as plain loops over the rows do, after its filters', () => {
    const random = chance(7)
    for (let round = 0; round < 40; round++) {
      const data = someTable(random)
      const how = hows[random.below(hows.length)]!
      const least = 2000 + random.below(6)
      const picture = draw(
        {
          type: 'line',
          dimension: 'year',
          metrics: [metric('height', how)],
          colorBy: 'kind',
          facetBy: 'side',
          filters: [{ field: 'year', how: 'ge', value: String(least) }],
        },
        data,
      )
      const rows = Array.from({ length: data.rows }, (_, row) => row).filter(row => Number(cell(data, 'year', row)) >= least)
      for (const [p, panel] of picture.panels.entries()) {
        const marks = only(picture, 'courses', p)
        picture.series.forEach(({ label }, s) => {
          const wanted = [...(marks.x ?? [])].map(year =>
            plain(
              rows
                .filter(
                  row => cell(data, 'side', row) === panel.title && cell(data, 'kind', row) === label && cell(data, 'year', row) === year,
                )
                .flatMap(row => cell(data, 'height', row) ?? [])
                .map(Number),
              how,
            ),
          )
          near(marks.ys[s]!, wanted)
        })
      }
    }
  })

  it('shows a course over time as it came, without grouping or copying it', () => {
    const x = Float64Array.from({ length: 1000 }, (_, k) => k)
    const y = x.map(value => Math.sin(value / 50))
    const data: Data = { rows: 1000, columns: [numbers('@time', 'Time', x), numbers('y', 'y', y)] }
    const marks = only(draw({ dimension: '@time', metrics: [metric('y')] }, data, true), 'courses')
    expect(marks.x).toBe(x)
    expect(marks.ys[0]).toBe(y)
  })

  it('orders bars by name or value and keeps the first of them', () => {
    const data: Data = {
      rows: 5,
      columns: [names('k', 'k', ['b', 'a', 'c', 'a', 'b']), numbers('v', 'v', [1, 5, 2, 7, 2])],
    }
    const shown = (fields: Record<string, Json>): [string[], number[]] => {
      const picture = draw({ type: 'bar', dimension: 'k', metrics: [metric('v', 'sum')], ...fields }, data)
      return [picture.x.is === 'name' ? [...picture.x.names] : [], [...only(picture, 'courses').ys[0]!]]
    }
    expect(shown({})).toEqual([
      ['b', 'a', 'c'],
      [3, 12, 2],
    ])
    expect(shown({ sort: 'nameUp' })[0]).toEqual(['a', 'b', 'c'])
    expect(shown({ sort: 'valueDown', top: 2 })).toEqual([
      ['a', 'b'],
      [12, 3],
    ])
  })

  it('counts rows where nothing is measured, and puts numbers into classes', () => {
    const data: Data = { rows: 4, columns: [numbers('v', 'v', [0, 1, 5, 10])] }
    const picture = draw({ type: 'bar', dimension: 'v', dimensionBins: 2, metrics: [] }, data)
    expect([...only(picture, 'courses').ys[0]!]).toEqual([2, 2])
    expect([...only(draw({ type: 'histogram', metrics: [metric('v')], bins: 5 }, data), 'bins').counts[0]!]).toEqual([2, 0, 1, 0, 1])
  })

  it('gives slices, cells, boxes, lines and figures of the same rows', () => {
    const data = someTable(chance(3), 120)
    const total = Array.from({ length: data.rows }, (_, row) => cell(data, 'kind', row)).filter(Boolean).length
    expect([...only(draw({ type: 'pie', dimension: 'kind' }, data), 'slices').values].reduce((sum, one) => sum + one, 0)).toBe(total)
    const heat = only(draw({ type: 'heat', dimension: 'kind', colorBy: 'side', metrics: [metric('height', 'count')] }, data), 'cells')
    expect(heat.rows.length * heat.columns.length).toBe(heat.values.length)
    expect([...heat.values].reduce((sum, one) => sum + one, 0)).toBe(
      Array.from({ length: data.rows }, (_, row) => row).filter(
        row => cell(data, 'kind', row) !== null && cell(data, 'height', row) !== null,
      ).length,
    )
    const box = only(draw({ type: 'box', dimension: 'kind', metrics: [metric('height')] }, data), 'boxes')
    expect(box.boxes[0]!.length).toBe(5)
    expect(only(draw({ type: 'parallel', metrics: [metric('height'), metric('year')] }, data), 'lines').rows.length).toBe(120)
    const [value] = only(draw({ type: 'value', metrics: [metric('height', 'max')] }, data), 'figures').values
    expect(value).toBe(Math.max(...Array.from({ length: 120 }, (_, row) => Number(cell(data, 'height', row) ?? -Infinity))))
  })

  it('shows a value instead of its chart, and of a run the latest', () => {
    const data: Data = { rows: 3, columns: [numbers('@time', 'Time', [0, 1, 2]), numbers('n', 'n', [4, 9, 7])] }
    const picture = draw({ dimension: '@time', metrics: [metric('n')], view: 'value' }, data, true)
    expect([picture.type, [...only(picture, 'figures').values]]).toEqual(['value', [7]])
  })

  it('says what is not there, and what was too much', () => {
    const rows = 40
    const data: Data = {
      rows,
      columns: [
        names(
          'k',
          'k',
          Array.from({ length: rows }, (_, k) => `k${k}`),
        ),
        numbers('v', 'v', new Float64Array(rows)),
      ],
    }
    const picture = draw({ type: 'line', dimension: 'gone', metrics: [metric('v')], colorBy: 'k', facetBy: 'k' }, data)
    expect(picture.missing).toEqual(['gone'])
    expect(picture.left).toMatchObject({ colors: 16, facets: 24 })
  })

  it('never throws and never makes too much of any table, whatever is asked for', () => {
    const random = chance(99)
    const fields = ['', 'kind', 'side', 'year', 'height', 'gone']
    const any = <T>(all: readonly T[]): T => all[random.below(all.length)]!
    // These two need a run to look at.
    const types = plotTypeIds.filter(type => type !== 'world' && type !== 'network')
    for (let round = 0; round < 600; round++) {
      const data = random.below(10) === 0 ? { rows: 0, columns: [] } : someTable(random)
      const picture = draw(
        {
          type: any(types),
          dimension: any(fields),
          metrics: Array.from({ length: random.below(4) }, () => metric(any(fields), any(['auto', ...hows]))),
          colorBy: any(fields),
          facetBy: any(fields),
          dimensionBins: any([null, 1, 7]),
          sort: any(['none', 'nameUp', 'nameDown', 'valueUp', 'valueDown']),
          top: any([null, 1, 3]),
          filters: [{ field: any(fields), how: any(['is', 'not', 'ge', 'le', 'has', 'known']), value: any(['', '2003', 'ash|elm', 'x']) }],
        },
        data,
        random.below(2) === 0,
      )
      for (const { marks } of picture.panels) {
        if (marks.is === 'courses') expect(marks.ys.length).toBe(picture.series.length)
        if (marks.is === 'boxes') expect(marks.boxes.length).toBe(picture.series.length)
      }
    }
  })
})

describe('filters', () => {
  it('are what they say, of names and of numbers', () => {
    const data: Data = { rows: 5, columns: [names('k', 'k', ['Ash', 'elm', null, 'Elm', 'oak']), numbers('v', 'v', [1, 2, NaN, 3, 10])] }
    const passing = (how: string, field: string, value: string): number[] => [
      ...rowsPassing(data, plot({ filters: [{ field, how, value }] }).filters),
    ]
    expect(passing('is', 'k', 'Ash|oak')).toEqual([0, 4])
    expect(passing('not', 'k', 'Ash')).toEqual([1, 2, 3, 4])
    expect(passing('has', 'k', 'ELM')).toEqual([1, 3])
    expect(passing('ge', 'v', '2')).toEqual([1, 3, 4])
    expect(passing('le', 'v', '2')).toEqual([0, 1])
    expect(passing('is', 'v', '2.0')).toEqual([1])
    expect(passing('known', 'v', '')).toEqual([0, 1, 3, 4])
    // What is still being written, or is of a field that is gone, holds nothing back.
    expect(passing('ge', 'v', '')).toHaveLength(5)
    expect(passing('is', 'gone', 'x')).toHaveLength(5)
  })
})

describe('classes and keys', () => {
  it('hold every value once: each its lower bound, the last its upper one', () => {
    const random = chance(12)
    for (let round = 0; round < 50; round++) {
      const values = Float64Array.from({ length: 50 }, () => random.next() * 10 ** (random.below(6) - 3))
      const edges = edgesOf(
        [values],
        Int32Array.from(values, (_, k) => k),
        1 + random.below(30),
      )
      for (const value of values) {
        const bin = binOf(edges, value)
        expect(value >= edges[bin]! && (value < edges[bin + 1]! || bin === edges.length - 2)).toBe(true)
      }
    }
  })

  it('are those that occur, in ascending order', () => {
    const keys = keysOf(numbers('v', 'v', [3, 1, NaN, 3, 2]), Int32Array.from([0, 1, 2, 3]))
    expect([[...keys.places!], [...keys.codes]]).toEqual([
      [1, 3],
      [1, 0, -1, 1],
    ])
  })
})

describe('how values are spread', () => {
  it('has boxes whose whiskers hold all but the outliers', () => {
    const sorted = Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 60])
    const box = boxOfSorted(sorted)!
    expect([box.low, box.q1, box.median, box.q3, box.high]).toEqual([1, 3.25, 5.5, 7.75, 9])
    expect(box.outliers).toEqual([60])
    expect(quantileOf(sorted, 1)).toBe(60)
    expect(boxOfSorted(new Float64Array(0))).toBeNull()
  })

  it('has densities that sum to about one', () => {
    const random = chance(5)
    const sorted = Float64Array.from({ length: 4000 }, () => random.next() + random.next() + random.next()).sort()
    const { at, share } = densityOf(sorted)!
    const area = share.reduce((sum, one, k) => sum + one * ((at[k + 1] ?? at[k]!) - at[k]!), 0)
    expect(area).toBeGreaterThan(0.93)
    expect(area).toBeLessThan(1.05)
  })

  it('has a front of exactly the points that no other beats', () => {
    const random = chance(17)
    for (let round = 0; round < 60; round++) {
      const count = random.below(40)
      const xs = Float64Array.from({ length: count }, () => random.below(12))
      const ys = Float64Array.from({ length: count }, () => random.below(12))
      const goals = [random.below(2) === 0 ? 'min' : 'max', random.below(2) === 0 ? 'min' : 'max'] as const
      const better = (a: number, b: number, goal: 'min' | 'max'): boolean => (goal === 'min' ? a < b : a > b)
      const beaten = (k: number): boolean =>
        [...xs.keys()].some(
          other =>
            !better(xs[k]!, xs[other]!, goals[0]) &&
            !better(ys[k]!, ys[other]!, goals[1]) &&
            (better(xs[other]!, xs[k]!, goals[0]) || better(ys[other]!, ys[k]!, goals[1])),
        )
      const wanted = new Set([...xs.keys()].filter(k => !beaten(k)).map(k => `${xs[k]},${ys[k]}`))
      const front = frontOf(xs, ys, goals)
      expect(new Set(front.map(k => `${xs[k]},${ys[k]}`))).toEqual(wanted)
      expect(front.map(k => xs[k]!)).toEqual(front.map(k => xs[k]!).toSorted((a, b) => a - b))
    }
  })

  it('chooses some of many rows, the outermost among them', () => {
    const values = Float64Array.from({ length: 100_000 }, (_, k) => (k === 777 ? 50 : k === 4321 ? -50 : Math.sin(k)))
    const kept = someOf([...values.keys()], 500, [k => values[k]!])
    expect(kept.length).toBeLessThanOrEqual(502)
    expect(kept).toContain(777)
    expect(kept).toContain(4321)
  })
})

describe('tables', () => {
  it('are read as RFC 4180 writes them, and from spreadsheets', () => {
    expect(importTable('a, b\r\n"x, ""y""","two\nlines"\r\n\r\n1, 2 \r\n').lines).toEqual(['a,b', '"x, ""y""","two\nlines"', '1," 2 "'])
    const { lines } = importTable('Jahr;Wert\n2020;1,5\n2021;2,5')
    expect(lines).toEqual(['Jahr,Wert', '2020,1.5', '2021,2.5'])
    expect(importTable('1\t2\n3\t4').lines).toEqual(['column 1,column 2', '1,2', '3,4'])
  })

  it('come back from a document as they went in, cell by cell', () => {
    const random = chance(23)
    const cells = ['plain', 'with, comma', 'with "quotes"', ' spaces ', '', '12', '-3.5', '2024-02-01']
    for (let round = 0; round < 40; round++) {
      const rows = Array.from({ length: 1 + random.below(8) }, () => [
        'x',
        ...Array.from({ length: 3 }, () => cells[random.below(cells.length)]!),
      ])
      const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`
      const text = [['id', 'p', 'q', 'r'], ...rows].map(row => row.map(quoted).join(',')).join('\n')
      const { lines } = importTable(text)
      expect(recordsOf(lines.join('\n'), ',').slice(1)).toEqual(rows)
    }
  })

  it('know numbers and dates from names', () => {
    const { columns } = tableData(['n,d,k,mixed', '1,2024-01-01,a,1', ',2024-01-02,b,x', '2.5,,,2'])
    expect(columns.map(column => [column.is, column.is === 'number' && column.dates === true])).toEqual([
      ['number', false],
      ['number', true],
      ['name', false],
      ['name', false],
    ])
    expect([...(columns[0]!.is === 'number' ? columns[0]!.values : [])]).toEqual([1, NaN, 2.5])
  })

  it('are cut to what a document may hold, and say so', () => {
    const many = importTable(['a,b', ...Array.from({ length: TABLE.lines + 50 }, (_, k) => `${k},1`)].join('\n'))
    expect([many.lines.length, many.leftRows]).toEqual([TABLE.lines + 1, 50])
    const wide = importTable(`${Array.from({ length: 150 }, (_, k) => `c${k}`).join(',')}\n1`)
    expect([wide.columns, wide.leftColumns]).toEqual([TABLE.columns, 50])
    const long = importTable(['a', ...Array.from({ length: 100 }, () => 'x'.repeat(10_000))].join('\n'))
    expect(long.lines.join('\n').length).toBeLessThanOrEqual(TABLE.length)
    expect(long.leftRows).toBeGreaterThan(0)
  })
})

describe('what the engine works out for a chart of fields', () => {
  const card = (fields: Record<string, Json>) => elementOf('plot', 'card', 'run', fields)

  it('is each formula once, whichever shelf it is on; time is had without one', () => {
    const element = card({
      dimension: '@time',
      metrics: [metric('Wolf.count'), metric('Sheep.count', 'max')],
      filters: [{ field: 'Wolf.count', how: 'ge', value: '2' }],
    })
    expect(watchedBy(plotOf(element))).toEqual(['Wolf.count', 'Sheep.count'])
    const chart = runnableCard(element)
    expect([chart?.kind, chart?.id, chart?.fields['type']]).toEqual(['chart', 'card', 'line'])
    expect(runnableCard(element)).toBe(chart)
  })

  it('is nothing where the numbers come from elsewhere', () => {
    expect(runnableCard(card({ source: 'table', metrics: [metric('a')] }))).toBeNull()
    expect(runnableCard(card({ type: 'world', metrics: [metric('a')] }))).toBeNull()
    expect(runnableCard(card({}))).toBeNull()
  })
})
