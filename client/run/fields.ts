// Reading an element's fields: total, whatever an odd document holds.
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id } from '../../model-schema/model.ts'

export function textField(element: Element, field: string): string {
  const value = element.fields[field]
  return typeof value === 'string' ? value : ''
}

export function numberField(element: Element, field: string): number | null {
  const value = element.fields[field]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export const flagField = (element: Element, field: string): boolean => element.fields[field] === true

export function idField(element: Element, field: string): Id | null {
  const value = element.fields[field]
  return typeof value === 'string' && value !== '' ? value : null
}

export function idsField(element: Element, field: string): Id[] {
  const value = element.fields[field]
  return Array.isArray(value) ? value.filter(id => typeof id === 'string') : []
}

export function rowsField(element: Element, field: string): { [key: string]: Json }[] {
  const value = element.fields[field]
  return Array.isArray(value)
    ? value.filter((row): row is { [key: string]: Json } => row !== null && typeof row === 'object' && !Array.isArray(row))
    : []
}

/** The text in one column of a row. */
export function cellText(row: { [key: string]: Json }, column: string): string {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}
