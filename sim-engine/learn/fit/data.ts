// A table of numbers that a network is fitted to: read from CSV, checked, and split.
import Papa from 'papaparse'
import { shuffle, stream } from '../../kernel/random.ts'
import { say, Told, type Words } from '../../../model-schema/words.ts'

/** Columns of equal length, by their names. Cells that are no finite number are NaN. */
export type NumberTable = { readonly names: readonly string[]; readonly columns: readonly Float64Array[]; readonly rows: number }

/** Rows and columns a table may have. */
export const tableLimits = { rows: 1_000_000, columns: 1024, bytes: 256 * 1024 * 1024 } as const

/** What keeps a network from being fitted: why, and which setting it is about. */
export class FitFault extends Told {
  override readonly name = 'FitFault'
  readonly field: 'data' | 'inputs' | 'targets' | 'layers' | 'settings'

  constructor(field: FitFault['field'], words: Words) {
    super(words)
    this.field = field
  }
}

/** The first line names the columns. Throws FitFault when there are too many cells, or no rows. */
export function readNumbers(text: string): NumberTable {
  if (text.length > tableLimits.bytes) throw new FitFault('data', say('The file has more than 256 MB.'))
  let names: string[] | null = null
  const cells: number[][] = []
  Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: true,
    step({ data }) {
      if (names === null) {
        names = data.map((name, k) => name.trim() || `${k + 1}`)
        if (names.length > tableLimits.columns)
          throw new FitFault('data', say('A table has at most {columns} columns.', { columns: tableLimits.columns }))
        return
      }
      if (cells.length >= tableLimits.rows) throw new FitFault('data', say('A table has at most {rows} rows.', { rows: tableLimits.rows }))
      cells.push(names.map((_, k) => numberOf(data[k])))
    },
  })
  const known: readonly string[] = names ?? []
  if (cells.length === 0) throw new FitFault('data', say('The table has no rows.'))
  return {
    names: known,
    columns: known.map((_, k) => Float64Array.from(cells, row => row[k]!)),
    rows: cells.length,
  }
}

function numberOf(cell: string | undefined): number {
  const text = (cell ?? '').trim()
  if (/^true$/i.test(text)) return 1
  if (/^false$/i.test(text)) return 0
  return text === '' ? NaN : Number(text)
}

/** Columns by their names. Throws FitFault for one that is missing or has a cell that is no finite number. */
export function columnsOf(table: NumberTable, names: readonly string[], field: 'inputs' | 'targets'): Float64Array[] {
  if (names.length === 0) throw new FitFault(field, say('Choose at least one column.'))
  return names.map(name => {
    const column = table.columns[table.names.indexOf(name)]
    if (!column) throw new FitFault(field, say('The table has no column "{name}".', { name }))
    const at = column.findIndex(value => !Number.isFinite(value))
    if (at >= 0) throw new FitFault(field, say('Row {at} of column "{name}" is no finite number.', { at: at + 1, name }))
    return column
  })
}

/** Numbers of rows, shuffled by the seed: 70 % for training, 15 % to decide when to stop, 15 % to test. */
export type Split = { readonly training: readonly number[]; readonly validation: readonly number[]; readonly test: readonly number[] }

export function splitRows(rows: number, seed: number): Split {
  const order = Array.from({ length: rows }, (_, k) => k)
  shuffle(stream(seed, 0, 'split of rows'), order)
  const held = Math.max(1, Math.round(0.15 * rows))
  return { training: order.slice(2 * held), validation: order.slice(0, held), test: order.slice(held, 2 * held) }
}
