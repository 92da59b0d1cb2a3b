// The usage of a model against the plan's limits of one file: scenarios, components in the largest of them, components in all. Everything
// inside a scenario, at any depth, is a component, connectors too.
import type { Id, Model } from '../model.ts'

export type Taken = { scenariosPerFile: number; componentsPerScenario: number; components: number }

/** What of these a plan (or a test) allows; null: no limit. */
export type Bounds = { readonly [Q in keyof Taken]: number | null }

export type Excess = { quantity: keyof Taken; allowed: number }

export function takenBy(model: Model): Taken {
  return {
    scenariosPerFile: model.scenarios.length,
    componentsPerScenario: Math.max(0, ...model.scenarios.map(root => componentsBelow(model, root))),
    components: model.elements.size - model.roots.length,
  }
}

/** The components inside an element, at whatever depth. */
export function componentsBelow(model: Model, root: Id): number {
  let below = 0
  const open = [root]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const children = model.elements.get(id)?.children ?? []
    below += children.length
    for (const child of children) open.push(child)
  }
  return below
}

/** The first of these limits that a model is beyond; null within all. */
export function beyond(taken: Taken, bounds: Bounds): Excess | null {
  for (const quantity of ['scenariosPerFile', 'componentsPerScenario', 'components'] as const) {
    const allowed = bounds[quantity]
    if (allowed !== null && taken[quantity] > allowed) return { quantity, allowed }
  }
  return null
}
