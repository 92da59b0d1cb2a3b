// The local user's limits on a document's content. Not part of the document: others may be allowed more, and a document beyond the limits
// stays valid. Only additions are refused, before anything is written; deleting, changing and undo always work.
import type * as Y from 'yjs'
import { refusal, type Refusal } from '../lawful.ts'
import type { Id } from '../model.ts'
import { quantityLabels } from '../business/plans.ts'
import { componentsBelow, type Bounds, type Excess } from '../business/taken.ts'
import { modelNow } from './write.ts'
import { say } from '../words.ts'

const held = new WeakMap<Y.Doc, Bounds>()

/** Bounds what the edits of this document may add from now on; null: as much as a document holds. */
export function bindEdits(doc: Y.Doc, bounds: Bounds | null): void {
  if (bounds === null) held.delete(doc)
  else held.set(doc, bounds)
}

/** Whether so many components may be added on the canvas of `parent`; null when they may. */
export function mayAdd(doc: Y.Doc, parent: Id, count: number): Refusal | null {
  const bounds = held.get(doc)
  if (!bounds || count <= 0) return null
  const model = modelNow(doc)
  const { componentsPerScenario, components } = bounds
  if (componentsPerScenario !== null) {
    let root = parent
    for (let above = model.elements.get(root)?.parent; above; above = model.elements.get(root)?.parent) root = above
    if (componentsBelow(model, root) + count > componentsPerScenario)
      return full({ quantity: 'componentsPerScenario', allowed: componentsPerScenario })
  }
  if (components !== null && model.elements.size - model.roots.length + count > components)
    return full({ quantity: 'components', allowed: components })
  return null
}

/** Whether scenarios with so many components each may be added; null when they may. */
export function mayAddScenarios(doc: Y.Doc, counts: readonly number[]): Refusal | null {
  const bounds = held.get(doc)
  if (!bounds) return null
  const model = modelNow(doc)
  const { scenariosPerFile, componentsPerScenario, components } = bounds
  if (scenariosPerFile !== null && model.scenarios.length + counts.length > scenariosPerFile)
    return full({ quantity: 'scenariosPerFile', allowed: scenariosPerFile })
  if (componentsPerScenario !== null && counts.some(count => count > componentsPerScenario))
    return full({ quantity: 'componentsPerScenario', allowed: componentsPerScenario })
  const added = counts.reduce((sum, count) => sum + count, 0)
  if (components !== null && added > 0 && model.elements.size - model.roots.length + added > components)
    return full({ quantity: 'components', allowed: components })
  return null
}

function full(limit: Excess): Refusal {
  const quantity = quantityLabels[limit.quantity]
  return { ...refusal('limit', say('{quantity}: at most {allowed}.', { quantity, allowed: limit.allowed })), limit }
}
