// Short makers for field rows, so that a kind reads as a table.
import { type Field, type FieldType, type FormulaContext, type Json } from './kind.ts'
import { say, type Words } from '../words.ts'

/** Options of a field besides its id, label and default; its help is required. */
type More = Pick<Field, 'help'> & Partial<Pick<Field, 'when' | 'section' | 'on' | 'there' | 'called'>>

export function field(id: string, label: Words, type: FieldType, initial: Json, more: More): Field {
  return { id, label, type, initial, ...more }
}

export const name = (more: More) => field('name', say('Name'), { as: 'name' }, '', more)

export function formula(
  id: string,
  label: Words,
  initial: string,
  more: More & { context?: FormulaContext; result?: 'number' | 'boolean' | 'text' | 'entity' | 'list' },
): Field {
  const { context = 'expression', result, ...rest } = more
  return field(id, label, result ? { as: 'formula', context, result } : { as: 'formula', context }, initial, rest)
}

export const flag = (id: string, label: Words, initial: boolean, more: More) => field(id, label, { as: 'boolean' }, initial, more)

export function choice(id: string, label: Words, options: Readonly<Record<string, Words>>, initial: string, more: More): Field {
  return field(id, label, { as: 'choice', options }, initial, more)
}

export const ref = (id: string, label: Words, to: readonly string[], more: More) => field(id, label, { as: 'ref', to }, null, more)

export const refs = (id: string, label: Words, to: readonly string[], more: More) => field(id, label, { as: 'refs', to }, [], more)

export const rows = (id: string, label: Words, columns: readonly Field[], more: More) => field(id, label, { as: 'rows', columns }, [], more)

export const text = (id: string, label: Words, initial = '', more: More & { long?: boolean; most?: number; files?: string }) => {
  const { long, most, files, ...rest } = more
  const type = { as: 'text' as const, ...(long ? { long } : {}), ...(most ? { most } : {}), ...(files ? { files } : {}) }
  return field(id, label, type, initial, rest)
}

export const data = (id: string, label: Words, more: More) => field(id, label, { as: 'data' }, '', more)

export function number(
  id: string,
  label: Words,
  initial: number | null,
  more: More & { integer?: boolean; min?: number; max?: number; unit?: Words },
): Field {
  const { integer, min, max, unit, ...rest } = more
  return field(id, label, { as: 'number', integer, min, max, unit }, initial, rest)
}

export const color = (id: string, label: Words, initial: string, more: More) =>
  field(id, label, { as: 'color' }, initial, { section: 'appearance', ...more })
