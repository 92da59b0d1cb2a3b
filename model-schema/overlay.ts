// A model with more on a scenario's canvas than its document has: measures of an experiment, cards of a dashboard. The document stays as it is; what is
// added is checked, compiled and run like all else.
import { kindOf } from './kinds.ts'
import type { Json } from './kinds/kind.ts'
import type { Element, Id, Model } from './model.ts'

/** The model with these elements at the end of the scenario's canvas. An id the model has already is the added element's. */
export function overlay(model: Model, scenario: Id, added: readonly Element[]): Model {
  const home = model.elements.get(scenario)
  if (!home) return model
  const elements = new Map(model.elements)
  const more = added.filter(({ id }) => !home.children.includes(id))
  elements.set(scenario, { ...home, children: [...home.children, ...more.map(({ id }) => id)] })
  for (const element of added) elements.set(element.id, { ...element, parent: scenario })
  return { ...model, elements }
}

/** An element without a place, its other fields at their defaults. */
export function elementOf(kind: string, id: Id, parent: Id, fields: Readonly<Record<string, Json>>): Element {
  const initial = Object.fromEntries((kindOf(kind)?.fields ?? []).map(field => [field.id, field.initial]))
  return { id, kind, parent, children: [], geo: [0, 0, 0, 0], ends: null, bends: [], fields: { ...initial, ...fields } }
}

/** The scenario of this id or name; the first one for a blank; null when there is none. */
export function scenarioNamed(model: Model, written: string): Id | null {
  if (written === '') return model.scenarios[0] ?? null
  const nameOf = (id: Id): string => String(model.elements.get(id)?.fields.name ?? '')
  return model.scenarios.find(id => id === written) ?? model.scenarios.find(id => nameOf(id) === written) ?? null
}
