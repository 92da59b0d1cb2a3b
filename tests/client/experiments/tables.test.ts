// Tables of results: joined as a nested loop would, sorted, filtered, as CSV and Parquet and back.
import { describe, expect, it } from 'vitest'
import { readTable, writeTable } from '../../../client/experiments/tables/formats.ts'
import { createKeeper } from '../../../client/experiments/tables/keeper.ts'
import type { JoinKind } from '../../../client/experiments/tables/join.ts'
import { Growing, TableError, type Table } from '../../../client/experiments/tables/table.ts'
import { arranged, cellOf, joined, type Joined, type ViewRequest } from '../../../client/experiments/tables/view.ts'
import { below, stream, uniform53 } from '../../../sim-engine/kernel/random.ts'

type Cell = string | number | null

const tableOf = (rows: Record<string, Cell>[]): Table => {
  const names = Object.keys(rows[0] ?? {})
  return {
    rows: rows.length,
    columns: names.map(name => {
      const column = new Growing(name)
      for (const row of rows) column.add(row[name] ?? null)
      return column.end()
    }),
  }
}
const rowsOf = ({ rows, fields }: Joined): Cell[][] => Array.from({ length: rows }, (_, row) => fields.map(field => cellOf(field, row)))
const wish = (more: Partial<ViewRequest>): ViewRequest => ({ main: 'a', joins: [], fields: [], sort: null, filter: null, ...more })

const people = tableOf([
  { id: 1, name: 'Ann', ward: 'east' },
  { id: 2, name: 'Bob', ward: 'west' },
  { id: 3, name: 'Cat', ward: null },
  { id: 2, name: 'Dan', ward: 'north' },
])
const wards = tableOf([
  { id: 2, beds: 10 },
  { id: 2, beds: 20 },
  { id: 7, beds: 30 },
  { id: null, beds: 40 },
])

describe('joins', () => {
  const of = (how: JoinKind) =>
    rowsOf(
      joined(
        new Map([
          ['a', people],
          ['b', wards],
        ]),
        { main: 'a', joins: [{ how, table: 'b', mainField: 'id', relatedField: 'id' }] },
      ),
    )
  const both = [
    [2, 'Bob', 'west', 2, 10],
    [2, 'Bob', 'west', 2, 20],
    [2, 'Dan', 'north', 2, 10],
    [2, 'Dan', 'north', 2, 20],
  ]

  it('inner, left, right and full', () => {
    expect(of('inner')).toEqual(both)
    expect(of('left')).toEqual([[1, 'Ann', 'east', null, null], both[0], both[1], [3, 'Cat', null, null, null], both[2], both[3]])
    const alone = [
      [null, null, null, 7, 30],
      [null, null, null, null, 40],
    ]
    expect(of('right')).toEqual([...both, ...alone])
    expect(of('full')).toEqual([...of('left'), ...alone])
  })

  it('name fields of one name apart, go on from what was joined, and say what is not there', () => {
    const tables = new Map([
      ['a', people],
      ['b', wards],
      ['c', tableOf([{ ward: 'west', head: 'Eve' }])],
    ])
    const joins = [
      { how: 'left' as const, table: 'b', mainField: 'id', relatedField: 'id' },
      { how: 'inner' as const, table: 'c', mainField: 'ward', relatedField: 'ward' },
    ]
    const all = joined(tables, { main: 'a', joins })
    expect(all.fields.map(({ name }) => name)).toEqual(['id', 'name', 'ward', 'b.id', 'beds', 'c.ward', 'head'])
    expect(rowsOf(all)).toEqual([
      [2, 'Bob', 'west', 2, 10, 'west', 'Eve'],
      [2, 'Bob', 'west', 2, 20, 'west', 'Eve'],
    ])
    const fault = (more: object): string => {
      try {
        joined(tables, { main: 'a', joins: [{ ...joins[0]!, ...more }] })
        return ''
      } catch (error) {
        return error instanceof TableError ? `${error.fault} ${error.about}` : 'other'
      }
    }
    expect([fault({ table: 'z' }), fault({ mainField: 'z' }), fault({ relatedField: 'z' })]).toEqual([
      'no-table z',
      'no-field z',
      'no-field b.z',
    ])
  })

  it('are what a nested loop finds, on random tables of numbers, texts and both', () => {
    const random = stream(5, 0, 'joins')
    const words = ['x', 'y', '1', '2', '-0', '3.5', '']
    const cell = (texts: boolean): Cell =>
      below(random, 6) === 0 ? null : texts ? words[below(random, words.length)]! : below(random, 8) / 2
    for (let turn = 0; turn < 60; turn++) {
      const [leftTexts, rightTexts] = [below(random, 2) === 0, below(random, 2) === 0]
      const make = (texts: boolean) => tableOf(Array.from({ length: 1 + below(random, 12) }, (_, at) => ({ k: cell(texts), at })))
      const tables = new Map([
        ['a', make(leftTexts)],
        ['b', make(rightTexts)],
      ])
      const [a, b] = [...tables.values()].map(table => rowsOf(joined(new Map([['t', table]]), { main: 't', joins: [] })))
      const [textA, textB] = [...tables.values()].map(({ columns }) => columns[0]!.kind === 'text')
      const same = (x: Cell, y: Cell): boolean => x !== null && y !== null && (textA && textB ? x === y : Number(x) === Number(y))
      const expected: Cell[][] = []
      const met = new Set<number>()
      for (const left of a!) {
        const found = b!.filter(right => same(left[0]!, right[0]!))
        found.forEach(right => met.add(b!.indexOf(right)))
        expected.push(...found.map(right => [...left, ...right]))
        if (found.length === 0) expected.push([...left, null, null])
      }
      b!.forEach((right, k) => !met.has(k) && expected.push([null, null, ...right]))
      const joins = [{ how: 'full' as const, table: 'b', mainField: 'k', relatedField: 'k' }]
      expect(rowsOf(joined(tables, { main: 'a', joins }))).toEqual(expected)
    }
  })
})

describe('a view', () => {
  const all = joined(new Map([['a', people]]), { main: 'a', joins: [] })
  const names = (more: Partial<ViewRequest>): Cell[] => [...arranged(all, wish(more))].map(row => cellOf(all.fields[1]!, row))

  it('is sorted and filtered, rows without a value last', () => {
    expect(names({ sort: { field: 'id', down: true } })).toEqual(['Cat', 'Bob', 'Dan', 'Ann'])
    expect(names({ sort: { field: 'ward', down: false } })).toEqual(['Ann', 'Dan', 'Bob', 'Cat'])
    expect(names({ sort: { field: 'ward', down: true } })).toEqual(['Bob', 'Dan', 'Ann', 'Cat'])
    expect(names({ filter: { field: 'id', how: 'ge', value: '2' } })).toEqual(['Bob', 'Cat', 'Dan'])
    expect(names({ filter: { field: 'ward', how: 'has', value: 'ST' } })).toEqual(['Ann', 'Bob'])
    expect(names({ filter: { field: 'name', how: 'is', value: 'ann' } })).toEqual(['Ann'])
  })

  it('of a million rows is joined to a thousand, sorted and filtered', async () => {
    const random = stream(1, 0, 'million')
    const rows = 1_000_000
    const column = (name: string, of: (row: number) => number) => ({
      kind: 'number' as const,
      name,
      data: Float64Array.from({ length: rows }, (_, row) => of(row)),
    })
    const keeper = createKeeper()
    const point = column('point', () => below(random, 1000))
    const others = Array.from({ length: 18 }, (_, k) => column(`m${k}`, () => uniform53(random)))
    await keeper({
      do: 'put',
      name: 'a',
      table: { rows, columns: [column('run', row => row), point, ...others] },
    })
    const points = tableOf(Array.from({ length: 1000 }, (_, point) => ({ point, name: `p${point % 7}` })))
    await keeper({ do: 'put', name: 'b', table: points })
    const joins = [{ how: 'inner' as const, table: 'b', mainField: 'point', relatedField: 'point' }]
    for (const more of [{}, { sort: { field: 'm3', down: true } }]) {
      expect(await keeper({ do: 'wish', wish: wish({ joins, ...more }) })).toMatchObject({ rows })
    }
    const third = { field: 'name', how: 'is' as const, value: 'p3' }
    const those = point.data.filter(value => value % 7 === 3).length
    expect(await keeper({ do: 'wish', wish: wish({ joins, filter: third }) })).toMatchObject({ rows: those })
    const page = await keeper({ do: 'page', from: 10, to: 20 })
    expect(page).toHaveLength(10)
  })
})

describe('files', () => {
  const csv = (text: string) => readTable(new TextEncoder().encode(text).buffer, 'csv')

  it('CSV: what separates is guessed, numbers and texts are told apart, quotes and blanks', async () => {
    const table = await csv('\uFEFFid;name;code;rate\n1;"Ann; the first";007;1.5\n2;Bob;12;\n')
    expect(table.columns).toEqual([
      { kind: 'number', name: 'id', data: Float64Array.of(1, 2) },
      { kind: 'text', name: 'name', codes: Int32Array.of(0, 1), words: ['Ann; the first', 'Bob'] },
      { kind: 'text', name: 'code', codes: Int32Array.of(0, 1), words: ['007', '12'] },
      { kind: 'number', name: 'rate', data: Float64Array.of(1.5, NaN) },
    ])
    const mixed = await csv('a,a,\n1,x,2\n,y,3\nz,,4')
    expect(mixed.columns.map(({ name }) => name)).toEqual(['a', 'a 2', 'column 3'])
    expect(mixed.columns[0]).toEqual({ kind: 'text', name: 'a', codes: Int32Array.of(0, -1, 1), words: ['1', 'z'] })
    await expect(csv('')).rejects.toMatchObject({ fault: 'unreadable' })
  })

  it.each(['csv', 'parquet'] as const)('%s written and read again is the same table', async format => {
    const table = tableOf([
      { whole: 1, part: 0.1, text: 'a "b", c', gap: null },
      { whole: -7, part: 1e-300, text: '中文\nzwei', gap: 2.5 },
      { whole: 2_000_000_000, part: 12_345.678, text: 'plain', gap: null },
    ])
    const all = joined(new Map([['a', table]]), { main: 'a', joins: [] })
    const blob = writeTable(all.fields, arranged(all, wish({})), format)
    expect(await readTable(await blob.arrayBuffer(), format)).toEqual(table)
  })

  it('CSV: texts and names of columns that begin like formulas are marked as text', async () => {
    const table = tableOf([{ '=cmd': '=1+1', n: -1 }])
    const all = joined(new Map([['a', table]]), { main: 'a', joins: [] })
    const text = await writeTable(all.fields, arranged(all, wish({})), 'csv').text()
    expect(text).toContain("'=cmd,n\n'=1+1,-1\n")
  })

  it('Parquet that is damaged, or something else, is refused', async () => {
    const table = tableOf([{ a: 1, b: 'x' }])
    const all = joined(new Map([['a', table]]), { main: 'a', joins: [] })
    const good = new Uint8Array(await writeTable(all.fields, arranged(all, wish({})), 'parquet').arrayBuffer())
    for (const bad of [good.slice(0, good.length - 3), good.slice(8), new Uint8Array(40), new Uint8Array(0)])
      await expect(readTable(bad.buffer, 'parquet')).rejects.toMatchObject({ fault: 'unreadable' })
  })
})
