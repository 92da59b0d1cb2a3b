// What repairs are made of: ways to mend a problem as edits, and fields by the path that a problem names.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import type { EditCall } from './branch.ts'
import { verbatim, type Words } from '../../model-schema/words.ts'

/** A way to mend a problem. */
export type Candidate = {
  readonly words: Words
  readonly calls: readonly EditCall[]
  /** As good as others of the same rank: the intended one is unknown. */
  readonly oneOf?: string
  /** Of neighbours with this mark, the one that leaves the fewest problems is taken. */
  readonly rival?: true
}

export const nameOf = (element: Element | undefined): string => String(element?.fields['name'] || element?.id || '')
export const labelOf = (kind: string): Words => kindOf(kind)?.label ?? verbatim(kind)
export const way = (words: Words, ...calls: EditCall[]): Candidate => ({ words, calls })
export const set = (id: Id, field: string, value: Json): EditCall => ({ do: 'set', id, field, value })

/** The field's row, also of a column of a table (`rows/2/column`). */
export function fieldAt(element: Element, path: string): Field | undefined {
  const [field, , column] = path.split('/')
  const row = kindOf(element.kind)?.fields.find(one => one.id === field)
  return column === undefined || row?.type.as !== 'rows' ? row : row.type.columns.find(one => one.id === column)
}

export function formulaAt(element: Element, path: string): string | null {
  const [field = '', index, column] = path.split('/')
  const value = element.fields[field]
  if (column === undefined) return typeof value === 'string' ? value : null
  const row = Array.isArray(value) ? value[Number(index)] : undefined
  const cell = typeof row === 'object' && row !== null && !Array.isArray(row) ? row[column] : undefined
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null
}

export function writeAt(element: Element, path: string, next: Json): EditCall {
  const [field = '', index, column] = path.split('/')
  const value = element.fields[field]
  if (column === undefined || !Array.isArray(value)) return set(element.id, field, next)
  return set(
    element.id,
    field,
    value.map((row, i) =>
      i === Number(index) && typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, [column]: next } : row,
    ),
  )
}
