// Tables from text: comma-separated values (RFC 4180), or the clipboard text of a spreadsheet. A column of only numbers, or only dates, is
// numeric.
import { recordsOf, separatorOf } from '../../../model-schema/csv.ts'
import { TABLE } from '../../../model-schema/plot.ts'
import { names, numbers, type Column, type Data } from './columns.ts'

/** Records of a text without its empty lines. */
const filledRecords = (text: string, separator: string): string[][] =>
  recordsOf(text, separator).filter(record => record.length > 1 || record[0] !== '')

const quotedCell = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

type Imported = {
  /** As a document keeps it: lines of comma-separated values, the names of the columns first. */
  readonly lines: readonly string[]
  readonly columns: number
  /** Rows and columns that were too many. */
  readonly leftRows: number
  readonly leftColumns: number
}

/** What a document may keep of a text: no more lines, columns and letters than it may have. */
export function importTable(text: string): Imported {
  const separator = separatorOf(text)
  const [first = [], ...rest] = filledRecords(text, separator)
  const widest = rest.reduce((most, record) => Math.max(most, record.length), first.length)
  const columns = Math.min(TABLE.columns, widest)
  const isHeading = first.some(cell => cell !== '' && numberOf(cell, separator) === null)
  const heading = Array.from({ length: columns }, (_, i) => (isHeading ? first[i]?.trim() : '') || `column ${i + 1}`)
  const body = isHeading ? rest : [first, ...rest].filter(record => record.length > 0)
  const lines = [heading.map((name, i) => quotedCell(heading.indexOf(name) < i ? `${name} ${i + 1}` : name)).join(',')]
  let length = lines[0]!.length
  for (const record of body) {
    // Numbers are kept with a point, whatever they were written with.
    const line = Array.from({ length: columns }, (_, i) => {
      const cell = record[i] ?? ''
      const number = separator === ';' && cell.includes(',') ? numberOf(cell, separator) : null
      return quotedCell(number === null ? cell : String(number))
    }).join(',')
    length += line.length
    if (lines.length > TABLE.lines || length > TABLE.length) break
    lines.push(line)
  }
  return { lines, columns, leftRows: body.length - (lines.length - 1), leftColumns: widest - columns }
}

/** The number a cell holds; null when it holds something else. Where the semicolon separates, the comma may be the decimal point. */
function numberOf(cell: string, separator: string): number | null {
  const text = cell.trim()
  if (!/^[+-]?(\d|[.,]\d)/.test(text)) return null
  const number = Number(separator === ';' ? text.replace(',', '.') : text)
  return Number.isFinite(number) ? number : null
}

const date = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/

/** Milliseconds of a date as ISO 8601 writes it, in UTC where it does not say otherwise. */
function dateOf(cell: string): number {
  if (!date.test(cell)) return NaN
  const text = cell.replace(' ', 'T')
  return Date.parse(text.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text)
}

/** The table that a document keeps. */
export function tableData(lines: readonly string[]): Data {
  const [heading = [], ...records] = filledRecords(lines.join('\n'), ',')
  const columns = heading.map((name, i): Column => {
    const cells = records.map(record => (record[i] ?? '').trim())
    const known = cells.filter(cell => cell !== '')
    const asNumbers = (): number[] | null => {
      const found = cells.map(cell => (cell === '' ? NaN : (numberOf(cell, ',') ?? null)))
      return found.includes(null) ? null : found.map(value => value ?? NaN)
    }
    if (known.length > 0) {
      const plain = asNumbers()
      if (plain) return numbers(name, name, plain)
      const dates = cells.map(dateOf)
      if (dates.every((value, row) => cells[row] === '' || !Number.isNaN(value))) return numbers(name, name, dates, true)
    }
    return names(name, name, cells)
  })
  return { rows: records.length, columns }
}
