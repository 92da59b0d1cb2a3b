// What changed between two states of a model, when it is small: elements that changed are other objects.
import type { Json } from '../../model-schema/kinds/kind.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { ModelEdit } from '../model-edit.ts'
import { editBetween } from '../model-edit.ts'
import type { Parts } from './parts.ts'

/** What became of a model since it was looked at before. */
export type Edit = {
  readonly model: Model
  /** Elements that are new or not what they were. */
  readonly changed: ReadonlyMap<Id, Element>
  /** Ids that mean no element any more, now mean one, or one of another kind or elsewhere. */
  readonly others: ReadonlySet<Id>
  /** The canvases with an element that came, changed or went. */
  readonly stirred: ReadonlySet<Id | null>
}

/**
 * Elements that are equal to those before are taken to be these: a model that came through a message is all new objects.
 * `told`: all that may have changed.
 */
export function editOf(before: Model, after: Model, told: Pick<ModelEdit, 'changed' | 'gone'> | null): Edit {
  const changed = new Map<Id, Element>()
  const others = new Set<Id>()
  const stirred = new Set<Id | null>()
  const copied: Element[] = []
  const { changed: differing, gone } = told ?? editBetween(before, after)
  for (const element of differing) {
    const { id } = element
    const old = before.elements.get(id)
    if (old === element) continue
    if (old && equal(old, element)) {
      copied.push(old)
      continue
    }
    changed.set(id, element)
    stirred.add(element.parent)
    if (old?.kind !== element.kind || old.parent !== element.parent) others.add(id)
  }
  for (const id of gone) {
    const old = before.elements.get(id)
    if (!old) continue
    others.add(id)
    stirred.add(old.parent)
  }
  if (copied.length === 0) return { model: after, changed, others, stirred }
  const elements = new Map(after.elements)
  for (const old of copied) elements.set(old.id, old)
  return { model: { ...after, elements }, changed, others, stirred }
}

function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]))
  if (Array.isArray(b)) return false
  const left = Object.entries(a)
  const right = new Map(Object.entries(b))
  return left.length === right.size && left.every(([key, value]) => right.has(key) && equal(value, right.get(key)))
}

/** More changed elements than these are no edit by hand. */
const few = 50

/** Whether nothing but texts of formulas changed. */
export function isOfTexts({ changed, others }: Edit, before: Model): boolean {
  if (others.size > 0 || changed.size > few) return false
  for (const [id, element] of changed) {
    const old = before.elements.get(id)
    if (!old || !sameButTexts(old, element)) return false
  }
  return true
}

function sameButTexts(a: Element, b: Element): boolean {
  if (a.kind !== b.kind || a.parent !== b.parent || !same([...a.children], [...b.children])) return false
  if (a.ends?.from.id !== b.ends?.from.id || a.ends?.to.id !== b.ends?.to.id) return false
  const kind = kindOf(a.kind)
  if (!kind) return false
  const formulas = new Set(kind.fields.filter(field => field.type.as === 'formula').map(field => field.id))
  const names = new Set([...Object.keys(a.fields), ...Object.keys(b.fields)])
  for (const name of names) if (!formulas.has(name) && !same(a.fields[name] ?? null, b.fields[name] ?? null)) return false
  return true
}

const same = (a: Json, b: Json): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Puts the new elements into the parts. Mutates them: all else in a part follows from what did not change. */
export function replaceElements(parts: Parts, model: Model, scenario: Element, changed: ReadonlyMap<Id, Element>): void {
  parts.model = model
  parts.scenario = scenario
  if (changed.size === 0) return
  const renew = (part: { element: Element }): void => {
    part.element = changed.get(part.element.id) ?? part.element
  }
  const lists: readonly (readonly { element: Element }[])[] = [
    parts.spaces,
    parts.entities,
    parts.shared,
    parts.containers,
    parts.processes,
    parts.functions,
    parts.messages,
    parts.networks,
    parts.chains,
    parts.contracts,
    parts.statistics,
    parts.tags,
    ...parts.entities.map(entity => entity.variables),
  ]
  for (const list of lists) list.forEach(renew)
  const around = new Set([...changed.values()].map(element => element.parent))
  for (const process of parts.processes) {
    if (!around.has(process.id)) continue
    for (const list of [process.steps, process.flows, process.temporaries]) list.forEach(renew)
    process.reading = {}
  }
  parts.charts = parts.charts.map(chart => changed.get(chart.id) ?? chart)
  parts.controllers = parts.controllers.map(controller => changed.get(controller.id) ?? controller)
  parts.tests = parts.tests.map(test => changed.get(test.id) ?? test)
}
