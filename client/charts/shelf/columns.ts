// Typed columns: the data of every chart of fields, from any source.

type NumberColumn = {
  readonly id: string
  readonly label: string
  readonly is: 'number'
  /** NaN where there is none. */
  readonly values: Float64Array
  /** They are milliseconds since 1970 UTC. */
  readonly dates?: boolean
}

type NameColumn = {
  readonly id: string
  readonly label: string
  readonly is: 'name'
  /** A place in `names`; -1 where there is none. */
  readonly codes: Int32Array
  readonly names: readonly string[]
}

export type Column = NumberColumn | NameColumn

export type Data = { readonly rows: number; readonly columns: readonly Column[] }

export const noData: Data = { rows: 0, columns: [] }

/** The column of this id; of this name where no id says so, as in results of another state of the same experiment. */
export const columnOf = ({ columns }: Data, id: string): Column | null =>
  id === '' ? null : (columns.find(one => one.id === id) ?? columns.find(one => one.label === id) ?? null)

export const numbers = (id: string, label: string, values: ArrayLike<number>, dates = false): NumberColumn => ({
  id,
  label,
  is: 'number',
  values: values instanceof Float64Array ? values : Float64Array.from(values),
  ...(dates ? { dates } : {}),
})

/** Names in the order they first come; blanks are none. */
export function names(id: string, label: string, texts: readonly (string | null)[]): NameColumn {
  const codes = new Int32Array(texts.length).fill(-1)
  const places = new Map<string, number>()
  texts.forEach((text, row) => {
    if (text === null || text === '') return
    let place = places.get(text)
    if (place === undefined) places.set(text, (place = places.size))
    codes[row] = place
  })
  return { id, label, is: 'name', codes, names: [...places.keys()] }
}

/** The number in a row; of a name its place. NaN where there is none. */
export function numberAt(column: Column, row: number): number {
  if (column.is === 'number') return column.values[row] ?? NaN
  const code = column.codes[row] ?? -1
  return code < 0 ? NaN : code
}

/** The value of a row as text; blank if there is none. */
export function textAt(column: Column, row: number): string {
  if (column.is === 'name') return column.names[column.codes[row] ?? -1] ?? ''
  const value = column.values[row] ?? NaN
  if (Number.isNaN(value)) return ''
  return column.dates ? new Date(value).toISOString().replace(/T00:00:00\.000Z$/, '') : String(value)
}
