// Which rows a chart is about: those that pass all its filters.
import type { Filter } from '../../../model-schema/plot.ts'
import { columnOf, textAt, type Column, type Data } from './columns.ts'

/** Places of rows in ascending order. A filter on a field that is not there lets all pass: the chart says that the field is gone. */
export function rowsPassing(data: Data, filters: readonly Filter[]): Int32Array {
  const tests = filters.flatMap(filter => {
    const column = columnOf(data, filter.field)
    const test = column && testOf(column, filter)
    return test ? [test] : []
  })
  const rows = new Int32Array(data.rows)
  let count = 0
  for (let row = 0; row < data.rows; row++) if (tests.every(test => test(row))) rows[count++] = row
  return rows.subarray(0, count)
}

/** Null when a number is asked for and none was written (yet). */
function testOf(column: Column, { how, value }: Filter): ((row: number) => boolean) | null {
  if (how === 'known') return row => textAt(column, row) !== ''
  if (value === '') return null
  if (how === 'ge' || how === 'le') {
    const bound = column.is === 'number' && column.dates ? Date.parse(value) : Number(value)
    if (Number.isNaN(bound)) return null
    if (column.is === 'name') return row => compared(how, Number(textAt(column, row) || NaN), bound)
    return row => compared(how, column.values[row] ?? NaN, bound)
  }
  if (how === 'has') {
    const part = value.toLocaleLowerCase()
    return byName(column, name => name.toLocaleLowerCase().includes(part))
  }
  const wanted = new Set(value.split('|').map(one => one.trim()))
  const asked = new Set(
    [...wanted]
      .filter(one => one !== '')
      .map(Number)
      .filter(one => !Number.isNaN(one)),
  )
  const matches = byName(column, (name, number) => wanted.has(name) || asked.has(number))
  return how === 'is' ? matches : row => !matches(row)
}

const compared = (how: 'ge' | 'le', value: number, bound: number): boolean => (how === 'ge' ? value >= bound : value <= bound)

/** Asked once a name, not once a row. */
function byName(column: Column, test: (name: string, number: number) => boolean): (row: number) => boolean {
  if (column.is === 'number') return row => test(textAt(column, row), column.values[row] ?? NaN)
  const passing = Uint8Array.from(column.names, name => Number(test(name, NaN)))
  const blank = Number(test('', NaN))
  return row => {
    const code = column.codes[row] ?? -1
    return (code < 0 ? blank : passing[code]) === 1
  }
}
