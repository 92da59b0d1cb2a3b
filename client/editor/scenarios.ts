// What two scenarios differ in: their settings, and the elements of the same name and place in each. A scenario that began as a copy has
// ids of its own throughout, so elements are matched by what they are called, not by what they are. Pure.
import { sameJson } from '../../model-schema/integrity.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'

export type FieldDifference = { readonly field: Field; readonly one: Json | undefined; readonly other: Json | undefined }

export type ScenarioDifference = {
  /** Equal in both: its position in the model, by names. */
  readonly key: string
  /** Null where there is none of this name. */
  readonly one: Element | null
  readonly other: Element | null
  readonly fields: readonly FieldDifference[]
}

type Comparison = { readonly settings: readonly FieldDifference[]; readonly elements: readonly ScenarioDifference[] }

/** Fields with initial values: the main differences between variants of a model. */
const beginnings = new Set(['initial', 'initialNumber', 'default', 'capacity', 'table', 'rows', 'entries'])

/** Whether a difference is one of initial values, not of how the model works. */
export const isBeginning = ({ one, other, fields }: ScenarioDifference): boolean =>
  one !== null && other !== null && fields.every(({ field }) => beginnings.has(field.id))

export function compareScenarios(model: Model, one: Id, other: Id): Comparison {
  const left = keysOf(model, one)
  const right = keysOf(model, other)
  const settings = fieldsOf(model.elements.get(one), model.elements.get(other), left, right)
  const elements: ScenarioDifference[] = []
  for (const key of new Set([...left.byKey.keys(), ...right.byKey.keys()])) {
    if (key === '') continue
    const a = left.byKey.get(key) ?? null
    const b = right.byKey.get(key) ?? null
    const fields = a && b ? fieldsOf(a, b, left, right) : []
    if (!a || !b || fields.length > 0) elements.push({ key, one: a, other: b, fields })
  }
  return { settings: settings.filter(({ field }) => field.id !== 'name'), elements }
}

type Keys = { readonly byKey: ReadonlyMap<string, Element>; readonly keyOf: ReadonlyMap<Id, string> }

/** Every element of a scenario under the names that lead to it; namesakes are counted, connectors are called after their ends. */
function keysOf(model: Model, scenario: Id): Keys {
  const byKey = new Map<string, Element>()
  const keyOf = new Map<Id, string>([[scenario, '']])
  const root = model.elements.get(scenario)
  if (root) byKey.set('', root)
  const enter = (element: Element, key: string): void => {
    let own = key
    for (let n = 2; byKey.has(own); n++) own = `${key} (${n})`
    byKey.set(own, element)
    keyOf.set(element.id, own)
  }
  const walk = (parent: Element): void => {
    const children = parent.children.flatMap(id => model.elements.get(id) ?? [])
    const prefix = keyOf.get(parent.id) ?? ''
    for (const child of children) if (!child.ends) enter(child, `${prefix}/${child.kind} ${nameOf(child)}`)
    for (const child of children) {
      if (!child.ends) continue
      const [from, to] = [child.ends.from.id, child.ends.to.id].map(id => (id === null ? '' : (keyOf.get(id) ?? '')))
      enter(child, `${prefix}/${child.kind} ${from} > ${to}`)
    }
    for (const child of children) walk(child)
  }
  if (root) walk(root)
  return { byKey, keyOf }
}

const nameOf = ({ fields: { name } }: Element): string => (typeof name === 'string' ? name : '')

function fieldsOf(one: Element | undefined, other: Element | undefined, left: Keys, right: Keys): FieldDifference[] {
  if (!one || !other) return []
  return (kindOf(one.kind)?.fields ?? []).flatMap(field => {
    const [a, b] = [one.fields[field.id], other.fields[field.id]]
    return sameJson(named(field, a, left), named(field, b, right)) ? [] : [{ field, one: a, other: b }]
  })
}

/**
 * A value with its references replaced by names, so that those of two scenarios can be compared. A text that happens to be an id is no
 * reference.
 */
function named({ type }: Field, value: Json | undefined, keys: Keys): Json {
  if (value === undefined) return null
  const called = (id: Json): Json => (typeof id === 'string' ? (keys.keyOf.get(id) ?? id) : id)
  if (type.as === 'ref') return called(value)
  if (type.as === 'refs') return Array.isArray(value) ? value.map(called) : value
  if (type.as !== 'rows' || !Array.isArray(value)) return value
  return value.map(row => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
    return { ...row, ...Object.fromEntries(type.columns.map(column => [column.id, named(column, row[column.id], keys)])) }
  })
}
