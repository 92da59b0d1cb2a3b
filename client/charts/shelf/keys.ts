// The distinct values of a field along an axis, a legend or a row of small charts.
import { textAt, type Column } from './columns.ts'

export type Keys = {
  readonly count: number
  /** The key of the k-th row looked at; -1 where it has none. */
  readonly codes: Int32Array
  readonly label: (key: number) => string
  /** Where keys of a number lie, ascending; null for names. */
  readonly places: Float64Array | null
  /** Places are milliseconds since 1970 UTC. */
  readonly dates: boolean
  /** Classes of numbers: their bounds, one more than keys. */
  readonly edges: Float64Array | null
  /** Every row has a key of its own, the k-th the key k: there is nothing to group. */
  readonly own: boolean
}

/** One key that every row has. */
export const noKeys = (rows: number): Keys => ({
  count: 1,
  codes: new Int32Array(rows),
  label: () => '',
  places: null,
  dates: false,
  edges: null,
  own: false,
})

/** `bins`: numbers are put into so many classes of equal width. */
export function keysOf(column: Column | null, rows: Int32Array, bins: number | null = null): Keys {
  if (!column) return noKeys(rows.length)
  if (column.is === 'name') return namedKeys(rows.length, k => column.codes[rows[k]!] ?? -1, column.names)
  const { values } = column
  const dates = column.dates === true
  if (bins !== null) return classes(values, rows, bins, dates)
  const rising = risingKeys(values, rows)
  const places = rising ?? distinctValues(values, rows)
  const codes = new Int32Array(rows.length)
  if (rising) for (let k = 0; k < codes.length; k++) codes[k] = k
  else for (let k = 0; k < codes.length; k++) codes[k] = placeIn(places, values[rows[k]!]!)
  return {
    count: places.length,
    codes,
    places,
    dates,
    edges: null,
    own: rising !== null,
    label: key => textAt({ ...column, values: places }, key),
  }
}

/** Of names only those that occur are keys. */
function namedKeys(count: number, codeAt: (k: number) => number, names: readonly string[]): Keys {
  const seen = new Uint8Array(names.length)
  for (let k = 0; k < count; k++) {
    const code = codeAt(k)
    if (code >= 0) seen[code] = 1
  }
  const to = new Int32Array(names.length).fill(-1)
  const kept: string[] = []
  names.forEach((name, code) => {
    if (seen[code] === 0) return
    to[code] = kept.length
    kept.push(name)
  })
  const codes = Int32Array.from({ length: count }, (_, k) => to[codeAt(k)] ?? -1)
  return { count: kept.length, codes, label: key => kept[key] ?? '', places: null, dates: false, edges: null, own: false }
}

/** The values themselves where each is greater than the one before: a course over time needs no sorting. */
function risingKeys(values: Float64Array, rows: Int32Array): Float64Array | null {
  let before = -Infinity
  for (const row of rows) {
    const value = values[row]!
    if (!(value > before)) return null
    before = value
  }
  // All rows: the column itself, not a copy.
  return rows.length === values.length ? values : Float64Array.from(rows, row => values[row]!)
}

function distinctValues(values: Float64Array, rows: Int32Array): Float64Array {
  const sorted = Float64Array.from(rows, row => values[row]!).sort()
  let count = 0
  for (const value of sorted) if (!Number.isNaN(value) && (count === 0 || value !== sorted[count - 1])) sorted[count++] = value
  return sorted.slice(0, count)
}

/** Where a value is among ascending ones; -1 when it is not there. */
function placeIn(places: Float64Array, value: number): number {
  let low = 0
  let high = places.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = places[middle]!
    if (at === value) return middle
    if (at < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function classes(values: Float64Array, rows: Int32Array, bins: number, dates: boolean): Keys {
  const edges = edgesOf([values], rows, bins)
  const count = Math.max(0, edges.length - 1)
  return {
    count,
    codes: Int32Array.from(rows, row => binOf(edges, values[row]!)),
    places: Float64Array.from({ length: count }, (_, key) => (edges[key]! + edges[key + 1]!) / 2),
    dates,
    edges,
    own: false,
    label: key => `${short(edges[key]!)} – ${short(edges[key + 1]!)}`,
  }
}

const short = (value: number): string => String(Number(value.toPrecision(4)))

/** Bounds of classes of equal width over all that is finite; none when nothing is. */
export function edgesOf(columns: readonly Float64Array[], rows: Int32Array, bins: number): Float64Array {
  let low = Infinity
  let high = -Infinity
  for (const values of columns) {
    for (const row of rows) {
      const value = values[row]!
      if (!Number.isFinite(value)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  if (low > high) return new Float64Array(0)
  if (low === high) [low, high] = [low - 0.5, high + 0.5]
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins)
  edges[bins] = high
  return edges
}

/** The class of a value: each holds its lower bound, the last its upper one too. */
export function binOf(edges: Float64Array, value: number): number {
  const bins = edges.length - 1
  const low = edges[0]!
  const high = edges[bins]!
  if (!(value >= low && value <= high)) return -1
  const guess = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))
  // Bounds are rounded: the division may be off by one.
  if (value < edges[guess]!) return guess - 1
  return guess + 1 < bins && value >= edges[guess + 1]! ? guess + 1 : guess
}

/** The keys that occur most, no more than `most`, in their own order; rows of the others have none. */
export function fewest(keys: Keys, most: number): { keys: Keys; left: number } {
  if (keys.count <= most) return { keys, left: 0 }
  const counts = new Int32Array(keys.count)
  for (const code of keys.codes) if (code >= 0) counts[code]!++
  const kept = [...counts.keys()]
    .sort((a, b) => counts[b]! - counts[a]! || a - b)
    .slice(0, most)
    .sort((a, b) => a - b)
  return { keys: chosen(keys, kept), left: keys.count - most }
}

/** These keys in this order. */
export function chosen(keys: Keys, kept: readonly number[]): Keys {
  const to = new Int32Array(keys.count).fill(-1)
  kept.forEach((key, at) => void (to[key] = at))
  const { places } = keys
  return {
    ...keys,
    count: kept.length,
    codes: keys.codes.map(code => (code < 0 ? -1 : to[code]!)),
    label: key => keys.label(kept[key] ?? -1),
    places: places && Float64Array.from(kept, key => places[key]!),
    edges: null,
    own: false,
  }
}

/** A key for each row, in their order, from 1. */
export const rowKeys = (rows: number): Keys => ({
  count: rows,
  codes: Int32Array.from({ length: rows }, (_, k) => k),
  label: key => String(key + 1),
  places: Float64Array.from({ length: rows }, (_, k) => k + 1),
  dates: false,
  edges: null,
  own: true,
})
