// Names of new elements: unique on their canvas, and valid in formulas.
import { kindOf } from '../kinds.ts'
import type { Id, Model } from '../model.ts'
import { english } from '../words.ts'

/** `Agent1`, `Variable2`: the first number that is free on this canvas. A scenario's name is only read by people: `Scenario 2`. */
export function freshName(model: Model, parent: Id | null, kind: string): string {
  const label = english(kindOf(kind)?.label) ?? 'Element'
  const stem =
    parent === null ? `${label} ` : label.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())
  return numbered(namesOn(model, parent), stem)
}

/** The name itself when it is free on this canvas, else with the first number that is. */
export function freeName(taken: Set<string>, name: string): string {
  return taken.has(name) ? numbered(taken, /\d$/.test(name) ? `${name}_` : name, 2) : name
}

/** Names in use on a canvas (null: of roots). */
export function namesOn(model: Model, parent: Id | null): Set<string> {
  const ids = parent === null ? model.roots : (model.elements.get(parent)?.children ?? [])
  const names = new Set<string>()
  for (const id of ids) {
    const name = model.elements.get(id)?.fields.name
    if (typeof name === 'string' && name !== '') names.add(name)
  }
  return names
}

function numbered(taken: Set<string>, stem: string, first = 1): string {
  for (let n = first; ; n++) if (!taken.has(`${stem}${n}`)) return `${stem}${n}`
}
