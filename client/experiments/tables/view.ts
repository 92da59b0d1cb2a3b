// A view of tables: one main table, related ones joined to it, some of the fields, sorted and filtered. Computed step by step, so that
// sorting does not join again. Values are not copied: a view is row numbers.
import { join, type JoinKind, type ColumnView } from './join.ts'
import { ordered } from './order.ts'
import { mostRows, TableError, type TableColumn, type Table } from './table.ts'

type Join = { readonly how: JoinKind; readonly table: string; readonly mainField: string; readonly relatedField: string }

export type Filter = { readonly field: string; readonly how: 'ge' | 'le' | 'is' | 'has'; readonly value: string }

export type ViewRequest = {
  readonly main: string
  readonly joins: readonly Join[]
  /** Empty: all of them. */
  readonly fields: readonly string[]
  readonly sort: { readonly field: string; readonly down: boolean } | null
  readonly filter: Filter | null
}

export type Field = { readonly name: string; readonly column: TableColumn; /** Null: row by row. */ readonly rows: Int32Array | null }

/** Tables side by side. */
export type Joined = { readonly rows: number; readonly fields: readonly Field[] }

/** A field of a related table with a name already in use gets the name of its table as a prefix. */
export function joined(tables: ReadonlyMap<string, Table>, { main, joins }: Pick<ViewRequest, 'main' | 'joins'>): Joined {
  const tableOf = (name: string): Table => {
    const table = tables.get(name)
    if (!table) throw new TableError('no-table', name)
    return table
  }
  const first = tableOf(main)
  let all: Joined = { rows: first.rows, fields: first.columns.map(column => ({ name: column.name, column, rows: null })) }
  for (const { how, table: name, mainField, relatedField } of joins) {
    const table = tableOf(name)
    const column = table.columns.find(one => one.name === relatedField)
    if (!column) throw new TableError('no-field', `${name}.${relatedField}`)
    const pairs = join(how, seenAs(all, mainField), { column, rows: null, length: table.rows })
    // Fields of one table share their row numbers.
    const through = new Map<Int32Array | null, Int32Array>()
    const over = (rows: Int32Array | null): Int32Array => {
      const known = through.get(rows) ?? (rows === null ? pairs.main : pairs.main.map(row => (row < 0 ? -1 : rows[row]!)))
      through.set(rows, known)
      return known
    }
    const names = namesBeside(
      all.fields.map(field => field.name),
      name,
      table.columns.map(own => own.name),
    )
    all = {
      rows: pairs.main.length,
      fields: [
        ...all.fields.map(field => ({ ...field, rows: over(field.rows) })),
        ...table.columns.map((own, k) => ({ name: names[k]!, column: own, rows: pairs.related })),
      ],
    }
  }
  return all
}

/** Unique names for a related table's fields, given the names already in use. */
export function namesBeside(there: readonly string[], table: string, own: readonly string[]): string[] {
  const taken = new Set(there)
  const told = aliasOf(table)
  return own.map(name => {
    let free = taken.has(name) ? `${told}.${name}` : name
    for (let n = 2; taken.has(free); n++) free = `${told}.${name} ${n}`
    taken.add(free)
    return free
  })
}

/** The name of a table is derived from its source: `file:beds.csv` becomes `beds`. */
const aliasOf = (table: string): string => (table.startsWith('history:') ? 'history' : table.replace(/^file:/, '').replace(/\.\w+$/, ''))

function seenAs({ fields, rows }: Joined, name: string): ColumnView {
  const field = fields.find(one => one.name === name)
  if (!field) throw new TableError('no-field', name)
  return { column: field.column, rows: field.rows, length: rows }
}

/** The rows that pass, in their order. */
export function arranged({ rows, fields }: Joined, { sort, filter }: Pick<ViewRequest, 'sort' | 'filter'>): Int32Array {
  if (rows > mostRows) throw new TableError('too-large')
  const by = filter === null ? undefined : fields.find(({ name }) => name === filter.field)
  const passes = by && filter ? passing(by, filter) : null
  const kept = new Int32Array(rows)
  let count = 0
  for (let row = 0; row < rows; row++) if (passes === null || passes(row)) kept[count++] = row
  const some = kept.subarray(0, count)
  const key = sort === null ? undefined : fields.find(({ name }) => name === sort.field)
  return key && sort ? ordered(some, orderOf(key), sort.down) : some
}

const placeOf = ({ rows }: Field, row: number): number => (rows === null ? row : rows[row]!)

/** Texts in the order of people's alphabets, numbers in them by their size. */
function orderOf(field: Field): (row: number) => number {
  const { column } = field
  if (column.kind === 'number') {
    const { data } = column
    return row => data[placeOf(field, row)] ?? NaN
  }
  const compare = new Intl.Collator(undefined, { numeric: true }).compare
  const ranks = new Float64Array(column.words.length)
  column.words
    .map((word, code) => ({ word, code }))
    .sort((a, b) => compare(a.word, b.word))
    .forEach(({ code }, rank) => (ranks[code] = rank))
  return row => ranks[column.codes[placeOf(field, row)] ?? -1] ?? NaN
}

function passing(field: Field, { how, value }: Filter): (row: number) => boolean {
  const { column } = field
  if (column.kind === 'number') {
    const bound = Number(value)
    const { data } = column
    const at = (row: number): number => data[placeOf(field, row)] ?? NaN
    if (how === 'ge') return row => at(row) >= bound
    if (how === 'le') return row => at(row) <= bound
    if (how === 'is') return row => at(row) === bound
    return row => String(at(row)).includes(value)
  }
  const wanted = value.toLowerCase()
  const fits = column.words.map(word => {
    const lower = word.toLowerCase()
    return how === 'has' ? lower.includes(wanted) : how === 'is' ? lower === wanted : how === 'ge' ? lower >= wanted : lower <= wanted
  })
  return row => fits[column.codes[placeOf(field, row)] ?? -1] ?? false
}

/** The fields wished for that are there; all when none is named. */
export const chosen = ({ fields }: Joined, wanted: readonly string[]): readonly Field[] => {
  const some = wanted.flatMap(name => fields.find(field => field.name === name) ?? [])
  return some.length > 0 ? some : fields
}

export function cellOf(field: Field, row: number): string | number | null {
  const at = placeOf(field, row)
  if (at < 0) return null
  const { column } = field
  if (column.kind === 'text') return column.words[column.codes[at] ?? -1] ?? null
  const value = column.data[at]
  return value === undefined || Number.isNaN(value) ? null : value
}
