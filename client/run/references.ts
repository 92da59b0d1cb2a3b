// Where an element of the model is mentioned: in formulas, as the checker reads their names, and in fields that refer to
// elements.
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { referencesTo as namesOf } from '../../sim-engine/references.ts'

/** `from` and `to` are the place in the field's text; -1 where the field as a whole refers to it. */
export type Reference = {
  element: Id
  field: string
  how: 'reads' | 'writes' | 'refers'
  /** The line that says it, and its number from 0. */
  text: string
  line: number
  from: number
  to: number
}

/** Most references listed. */
const maxReferences = 500

/** By element, field and position. Names are resolved in their scope: a local of the same name is no reference. */
export function referencesTo(model: Model, id: Id): Reference[] {
  const scenario = scenarioOf(model, id)
  if (scenario === null) return []
  const named = namesOf(model, scenario, id).map(({ id: element, field, from, to, writes }): Reference => {
    const text = textAt(model, element, field)
    const line = text.slice(0, from).split('\n').length - 1
    return { element, field, how: writes ? 'writes' : 'reads', text: (text.split('\n')[line] ?? '').trim(), line, from, to }
  })
  const all = [...named, ...fieldsReferring(model, id)]
  const order = new Map([...model.elements.keys()].map((one, k) => [one, k]))
  return all
    .sort(
      (a, b) =>
        (order.get(a.element) ?? 0) - (order.get(b.element) ?? 0) || (a.field < b.field ? -1 : a.field > b.field ? 1 : a.from - b.from),
    )
    .slice(0, maxReferences)
}

function scenarioOf(model: Model, id: Id): Id | null {
  const seen = new Set<Id>()
  let at = model.elements.get(id)
  while (at && at.parent !== null && !seen.has(at.id)) {
    seen.add(at.id)
    at = model.elements.get(at.parent)
  }
  return at?.kind === 'scenario' ? at.id : null
}

/** The text of a field, or of a cell: `series/1/value`. */
function textAt(model: Model, id: Id, path: string): string {
  let value: Json | undefined = model.elements.get(id)?.fields[path.split('/')[0] ?? '']
  for (const part of path.split('/').slice(1)) {
    if (Array.isArray(value)) value = value[Number(part)]
    else if (value !== null && typeof value === 'object') value = value[part]
  }
  return typeof value === 'string' ? value : ''
}

function fieldsReferring(model: Model, id: Id): Reference[] {
  const found: Reference[] = []
  const refers = (element: Id, field: string): void =>
    void found.push({ element, field, how: 'refers', text: '', line: 0, from: -1, to: -1 })
  const look = (element: Id, fields: readonly Field[], values: Readonly<Record<string, Json>>, path: string): void => {
    for (const field of fields) {
      const value = values[field.id]
      const at = `${path}${field.id}`
      if (field.type.as === 'ref' && value === id) refers(element, at)
      else if (field.type.as === 'refs' && Array.isArray(value) && value.includes(id)) refers(element, at)
      else if (field.type.as === 'rows' && Array.isArray(value))
        for (const [k, row] of value.entries())
          if (row !== null && typeof row === 'object' && !Array.isArray(row)) look(element, field.type.columns, row, `${at}/${k}/`)
    }
  }
  for (const element of model.elements.values()) {
    if (element.id !== id) look(element.id, kindOf(element.kind)?.fields ?? [], element.fields, '')
    if (element.ends && (element.ends.from.id === id || element.ends.to.id === id) && kindOf(element.kind)?.id !== 'flow')
      refers(element.id, '')
  }
  return found
}
