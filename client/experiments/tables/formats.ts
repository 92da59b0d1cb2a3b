// Tables as files: CSV and Parquet, read and written. hyparquet rather than DuckDB: the joins of a table of results are ours in a hundred lines, and it
// loads in a hundredth of the bytes.
import { parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { parse } from 'papaparse'
import { csvCell } from '../../../model-schema/csv-cell.ts'
import { Growing, mostColumns, mostRows, TableError, type Table } from './table.ts'
import { cellOf, type Field } from './view.ts'

export type Format = 'csv' | 'parquet'

/** Throws `unreadable` or `too-large`. */
export async function readTable(bytes: ArrayBuffer, format: Format): Promise<Table> {
  try {
    return format === 'csv' ? readCsv(new TextDecoder().decode(bytes)) : await readParquet(bytes)
  } catch (error) {
    throw error instanceof TableError ? error : new TableError('unreadable', error instanceof Error ? error.message : '')
  }
}

/** The first line names the columns; what separates them is guessed. */
function readCsv(text: string): Table {
  let columns: Growing[] | null = null
  let rows = 0
  parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: true,
    step({ data }) {
      if (columns === null) {
        if (data.length > mostColumns) throw new TableError('too-large')
        columns = freshNames(data).map(name => new Growing(name))
        return
      }
      if (++rows > mostRows) throw new TableError('too-large')
      for (let k = 0; k < columns.length; k++) columns[k]!.add(data[k] ?? null)
    },
  })
  return ended(columns ?? [], rows)
}

async function readParquet(bytes: ArrayBuffer): Promise<Table> {
  const metadata = await parquetMetadataAsync(bytes)
  const rows = Number(metadata.num_rows)
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  if (rows > mostRows || names.length > mostColumns) throw new TableError('too-large')
  const columns = freshNames(names).map(name => new Growing(name))
  // Chunks of a column come in the order of their rows.
  await parquetRead({
    file: bytes,
    metadata,
    compressors,
    onChunk({ columnName, columnData }) {
      const column = columns[names.indexOf(columnName)]
      for (const value of columnData) column?.add(plainOf(value))
    },
  })
  return ended(columns, rows)
}

function ended(growing: readonly Growing[], rows: number): Table {
  const columns = growing.map(column => column.end())
  if (columns.length === 0) throw new TableError('unreadable')
  if (columns.some(column => (column.kind === 'number' ? column.data : column.codes).length !== rows)) throw new TableError('unreadable')
  return { rows, columns }
}

const plainOf = (value: unknown): string | number | null => {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value instanceof Date) return value.toISOString()
  return value === null || value === undefined
    ? null
    : JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item))
}

/** Each name once, and none empty. */
function freshNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((given, k) => {
    const name = given.trim() === '' ? `column ${k + 1}` : given.trim()
    let fresh = name
    for (let n = 2; taken.has(fresh); n++) fresh = `${name} ${n}`
    taken.add(fresh)
    return fresh
  })
}

export function writeTable(fields: readonly Field[], rows: Int32Array, format: Format): Blob {
  return format === 'csv' ? writeCsv(fields, rows) : writeParquet(fields, rows)
}

/** Rows put together at a time: one text of all would be too long for the engine. */
const rowsAtATime = 50_000

function writeCsv(fields: readonly Field[], rows: Int32Array): Blob {
  const parts = ['\uFEFF', `${fields.map(({ name }) => csvCell(name)).join(',')}\n`]
  for (let from = 0; from < rows.length; from += rowsAtATime) {
    let part = ''
    for (const row of rows.subarray(from, from + rowsAtATime)) {
      const cells = fields.map(field => csvCell(cellOf(field, row)))
      part += `${cells.join(',')}\n`
    }
    parts.push(part)
  }
  return new Blob(parts, { type: 'text/csv' })
}

function writeParquet(fields: readonly Field[], rows: Int32Array): Blob {
  const columnData = fields.map(field => {
    if (field.column.kind === 'text')
      return { name: field.name, type: 'STRING' as const, data: Array.from(rows, row => cellOf(field, row)), nullable: true }
    const numbers = Float64Array.from(rows, row => Number(cellOf(field, row) ?? NaN))
    if (numbers.every(value => (value | 0) === value))
      return { name: field.name, type: 'INT32' as const, data: Int32Array.from(numbers), nullable: false }
    return numbers.some(Number.isNaN)
      ? {
          name: field.name,
          type: 'DOUBLE' as const,
          data: Array.from(numbers, value => (Number.isNaN(value) ? null : value)),
          nullable: true,
        }
      : { name: field.name, type: 'DOUBLE' as const, data: numbers, nullable: false }
  })
  return new Blob([parquetWriteBuffer({ columnData })], { type: 'application/vnd.apache.parquet' })
}
