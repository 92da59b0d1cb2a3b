// How much of what a plan allows in one file a model takes: scenarios, components in the fullest of them, components in all.
import type { Plan } from '../../model-schema/plans.ts'
import type { Model } from '../../model-schema/model.ts'

export type Taken = { scenariosPerFile: number; componentsPerScenario: number; components: number }

export function takenBy(model: Model): Taken {
  let fullest = 0
  for (const root of model.scenarios) {
    let below = 0
    const open = [root]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const children = model.elements.get(id)?.children ?? []
      below += children.length
      for (const child of children) open.push(child)
    }
    fullest = Math.max(fullest, below)
  }
  return {
    scenariosPerFile: model.scenarios.length,
    componentsPerScenario: fullest,
    components: model.elements.size - model.roots.length,
  }
}

/** The first of these limits of a plan that a model is beyond; null within all. */
export function beyond(taken: Taken, plan: Plan): { quantity: keyof Taken; allowed: number } | null {
  for (const quantity of ['scenariosPerFile', 'componentsPerScenario', 'components'] as const) {
    const allowed = plan[quantity]
    if (allowed !== null && taken[quantity] > allowed) return { quantity, allowed }
  }
  return null
}
