// Tables from text: comma-separated values (RFC 4180), or what a spreadsheet puts on the clipboard. A column whose values are all numbers, or all dates,
// is one of numbers.
import { TABLE } from '../../../model-schema/plot.ts'
import { names, numbers, type Column, type Data } from './columns.ts'

/** The lines of a text as records; line breaks inside quotes belong to their cell. */
export function recordsOf(text: string, separator = separatorOf(text)): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let cell = ''
  let quoted = false
  let begun = false
  const endCell = (): void => {
    record.push(begun ? cell : cell.trim())
    cell = ''
    begun = false
  }
  const endRecord = (): void => {
    endCell()
    if (record.length > 1 || record[0] !== '') records.push(record)
    record = []
  }
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  for (let at = 0; at < source.length; at++) {
    const letter = source[at]
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (source[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (letter === '"' && cell.trim() === '' && !begun) {
      quoted = begun = true
      cell = ''
    } else if (letter === separator) endCell()
    else if (letter === '\n') endRecord()
    else if (letter !== '\r') cell += letter
  }
  if (cell !== '' || begun || record.length > 0) endRecord()
  return records
}

/** What separates the cells of the first line: a tab, a semicolon or a comma. */
export function separatorOf(text: string): string {
  const first = text.split('\n', 1)[0] ?? ''
  return first.includes('\t') ? '\t' : first.includes(';') ? ';' : ','
}

const quotedCell = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

export type Imported = {
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
  const [first = [], ...rest] = recordsOf(text, separator)
  const widest = rest.reduce((most, record) => Math.max(most, record.length), first.length)
  const columns = Math.min(TABLE.columns, widest)
  const isHeading = first.some(cell => cell !== '' && numberOf(cell, separator) === null)
  const heading = Array.from({ length: columns }, (_, i) => (isHeading ? first[i] : '') || `column ${i + 1}`)
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
  const [heading = [], ...records] = recordsOf(lines.join('\n'), ',')
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
