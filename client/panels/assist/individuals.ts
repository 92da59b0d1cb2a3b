// The table of individuals with values of their own, seen as a grid: one line an individual, one column a variable. Stored as
// a list of single values, in which what the grid can't show stays. Pure.
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Model } from '../../../model-schema/model.ts'

type Row = { readonly [key: string]: Json }

/** Names of the variables each individual has, inherited ones after its own. */
export function variablesOf(model: Model, agent: Element): readonly string[] {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  for (let at: Element | undefined = agent; at && !seen.has(at.id);) {
    seen.add(at.id)
    for (const id of at.children) {
      const variable = model.elements.get(id)
      const name = variable?.fields['name']
      if (variable?.kind !== 'variable' || variable.fields['owner'] === 'observer' || typeof name !== 'string') continue
      if (!names.has(formulaName(name))) names.set(formulaName(name), name)
    }
    const parent: Json | undefined = at.fields['inherits']
    at = typeof parent === 'string' ? model.elements.get(parent) : undefined
  }
  return [...names.values()]
}

const numberIn = (row: Row): number | null =>
  typeof row['row'] === 'number' && Number.isInteger(row['row']) && row['row'] >= 0 ? row['row'] : null
const isOf = (row: Row, property: string): boolean =>
  typeof row['property'] === 'string' && formulaName(row['property']) === formulaName(property)

/** The individuals that have values of their own, in order. */
export const numbersIn = (rows: readonly Row[]): readonly number[] =>
  [...new Set(rows.map(numberIn).filter(number => number !== null))].sort((a, b) => a - b)

/** The place in the list that an individual's value comes from: the last that speaks of it, as in a run; -1 for none. */
export const placeOf = (rows: readonly Row[], number: number, property: string): number =>
  rows.findLastIndex(row => numberIn(row) === number && isOf(row, property))

/** Rows with a variable that is none of these: shown unchanged. */
export const strangersIn = (rows: readonly Row[], variables: readonly string[]): readonly number[] =>
  rows.flatMap((row, i) => (numberIn(row) === null || !variables.some(name => isOf(row, name)) ? [i] : []))

/** The list with an individual's value set; an empty text takes it away. */
export function withValue(rows: readonly Row[], number: number, property: string, value: string): Row[] {
  const at = placeOf(rows, number, property)
  const text = value.trim()
  if (text === '') return rows.filter(row => !(numberIn(row) === number && isOf(row, property)))
  if (at >= 0) return rows.map((row, i) => (i === at ? { ...row, value: text } : row))
  return [...rows, { row: number, property, value: text }]
}

/** The list with a block of a spreadsheet put in, its first cell at this individual and variable. Columns beyond the last are left away. */
export function withBlock(rows: readonly Row[], variables: readonly string[], number: number, property: string, block: string): Row[] {
  const first = variables.indexOf(property)
  const lines = block.replace(/\r/g, '').replace(/\n$/, '').split('\n')
  let next = [...rows]
  lines.forEach((line, down) => {
    line.split('\t').forEach((cell, across) => {
      const name = variables[first + across]
      if (first >= 0 && name !== undefined) next = withValue(next, number + down, name, cell)
    })
  })
  return next
}
