// A run as data: one row a tick while its course is shown, else the latest values, lists and dictionaries as a row each.
import { keyField, timeField, watchedBy, type Plot } from '../../../model-schema/plot.ts'
import type { Plain } from '../../../sim-engine/messages.ts'
import type { SeriesBuffer } from '../../run/series.ts'
import { rowsOf } from '../figures.ts'
import { names, noData, numbers, type Column, type Data } from './columns.ts'

type LiveWords = { time: string; key: string }

/** Columns are views of the buffer: valid until it changes. `watched`: the formulas its columns are of, which may be those of a moment ago. */
export function liveData(plot: Plot, buffer: SeriesBuffer, words: LiveWords, watched: readonly string[] = watchedBy(plot)): Data {
  if (plot.over === 'latest' || buffer.length === 0) return latestData(plot, watched, buffer, words)
  const [x, ...columns] = rowsOf(buffer, plot.window)
  if (!x) return noData
  return {
    rows: x.length,
    columns: [
      numbers(timeField, words.time, x),
      ...watched.slice(0, columns.length).map((field, k) => numbers(field, fieldLabel(field), columns[k] ?? x)),
    ],
  }
}

function latestData(plot: Plot, watched: readonly string[], buffer: SeriesBuffer, words: LiveWords): Data {
  const values: readonly Plain[] =
    buffer.latest.length > 0
      ? buffer.latest
      : buffer.length > 0
        ? Array.from({ length: buffer.columns }, (_, k) => buffer.column(k).at(-1) ?? null)
        : []
  if (values.length === 0) return noData
  // A list gives a row for each of its values, a dictionary one for each of its keys; a single value is repeated in every row.
  const keyed = values.map(value => (value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : null))
  const isKeyed = keyed.some(keys => keys !== null)
  const longest = values.reduce<number>((most, value) => (Array.isArray(value) ? Math.max(most, value.length) : most), 1)
  const keys = isKeyed ? [...new Set(keyed.flatMap(own => own ?? []))] : Array.from({ length: longest }, (_, k) => String(k))
  const cellOf = (value: Plain, row: number): Plain => {
    if (Array.isArray(value)) return value[row] ?? null
    if (value !== null && typeof value === 'object') return value[keys[row] ?? ''] ?? null
    return value
  }
  const keyColumn: Column = isKeyed
    ? names(keyField, words.key, keys)
    : numbers(
        keyField,
        words.key,
        keys.map((_, k) => k),
      )
  return {
    rows: keys.length,
    columns: [
      keyColumn,
      ...watched.slice(0, values.length).map((field, k) =>
        columnOfValues(
          field,
          fieldLabel(field),
          keys.map((_, row) => cellOf(values[k] ?? null, row)),
        ),
      ),
    ],
  }
}

/** Of numbers and truths; of names where any value is a text. */
function columnOfValues(id: string, label: string, values: readonly Plain[]): Column {
  if (values.some(value => typeof value === 'string')) return names(id, label, values.map(nameOf))
  return numbers(
    id,
    label,
    values.map(value => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : NaN)),
  )
}

const nameOf = (value: Plain): string | null => (value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value))

const everyOne = /^\[\s*(\w+)\.(\S+)\s+for\s+\1\s+in\s+(\S+)\s*\]$/u

/** A formula as a readable label: an attribute of each individual of a population is written as one term. */
export function fieldLabel(formula: string): string {
  const found = everyOne.exec(formula)
  return found ? `${found[3]}.${found[2]}` : formula
}

/** The formula of what each individual of a population has. */
export const ofEach = (population: string, property: string): string => `[one.${property} for one in ${population}]`
