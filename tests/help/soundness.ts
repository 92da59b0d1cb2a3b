// What holds of every Model, whatever it was read from.
import { expect } from 'vitest'
import type { Model } from '../../model-schema/model.ts'

/** A Model as plain data, in its own order. */
export const plain = (model: Model): object => ({ ...model, elements: [...model.elements] })

/** There is a scenario, parents and children agree, nothing stands inside itself, all boxes are numbers, all ends are there or null. */
export function expectSound(model: Model): void {
  expect(model.scenarios.length).toBeGreaterThan(0)
  for (const [id, element] of model.elements) {
    const parent = element.parent === null ? undefined : model.elements.get(element.parent)
    const listed = element.parent === null ? model.scenarios.includes(id) : parent?.children.includes(id)
    const childrenAgree = element.children.every(child => model.elements.get(child)?.parent === id)
    const ends = element.ends ? [element.ends.from.id, element.ends.to.id] : []
    const seen = new Set([id])
    let at = element.parent
    while (at !== null && !seen.has(at)) {
      seen.add(at)
      at = model.elements.get(at)?.parent ?? null
    }
    const sound = {
      id: element.id === id,
      listed,
      childrenAgree,
      onceEach: new Set(element.children).size === element.children.length,
      rooted: at === null,
      box: element.geo.every(Number.isFinite),
      ends: ends.every(end => end === null || model.elements.has(end)),
    }
    expect({ of: id, ...sound }).toEqual({
      of: id,
      id: true,
      listed: true,
      childrenAgree: true,
      onceEach: true,
      rooted: true,
      box: true,
      ends: true,
    })
  }
}
