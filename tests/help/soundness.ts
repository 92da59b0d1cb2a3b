// What holds of every Model, whatever it was read from.
import { expect } from 'vitest'
import type { Element, Model } from '../../model-schema/model.ts'

/** A Model as plain data, in its own order. */
export const plain = (model: Model) => ({ ...model, elements: [...model.elements] })

/** There is a scenario, parents and children agree, nothing contains itself, all boxes are numbers, all ends are there or null. */
export function expectSound(model: Model): void {
  const faults = [...model.elements].flatMap(([id, element]) => faultsOf(model, element).map(fault => `${id}: ${fault}`))
  expect(model.scenarios.length).toBeGreaterThan(0)
  expect(faults).toEqual([])
}

function faultsOf(model: Model, element: Element): string[] {
  const { id, parent, children, geo, ends } = element
  const holder = parent === null ? model.scenarios : model.elements.get(parent)?.children
  const found: string[] = []
  if (model.elements.get(id) !== element) found.push('is kept under another id')
  if (!holder?.includes(id)) found.push('is no child of its parent')
  if (new Set(children).size !== children.length) found.push('holds a child twice')
  if (!children.every(child => model.elements.get(child)?.parent === id)) found.push('holds what stands elsewhere')
  if (!geo.every(Number.isFinite)) found.push('has no box')
  if (ends && ![ends.from.id, ends.to.id].every(end => end === null || model.elements.has(end))) found.push('holds on to nothing')
  for (const group of element.groups ?? [])
    if (!holder?.some(other => other !== id && model.elements.get(other)?.groups?.includes(group))) found.push('is a group by itself')
  if (element.groups && (element.ends || new Set(element.groups).size !== element.groups.length)) found.push('is grouped as nothing can be')
  const seen = new Set([id])
  for (let at = parent; at !== null; at = model.elements.get(at)?.parent ?? null) {
    if (seen.has(at)) return [...found, 'stands inside itself']
    seen.add(at)
  }
  return found
}
