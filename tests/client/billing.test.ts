// What a model takes of what a plan allows in one file.
import { describe, expect, it } from 'vitest'
import { plans } from '../../model-schema/business/plans.ts'
import { beyond, takenBy } from '../../model-schema/business/taken.ts'
import { agents, model, scenario, variable } from '../help/models.ts'

describe('a model', () => {
  it('is counted by scenarios, components of the fullest, and all components', () => {
    const one = model(scenario({}), agents('Wolf', {}, variable('energy', 1), variable('age', 0)), variable('grass', 3)).model
    const taken = takenBy(one)
    expect(taken.scenariosPerFile).toBe(one.scenarios.length)
    expect(taken.components).toBe([...one.elements.values()].filter(element => element.parent !== null).length)
    expect(taken.componentsPerScenario).toBe(taken.components)
    expect(taken.components).toBeGreaterThanOrEqual(4)
  })

  it('is beyond a plan by the first limit it passes, and never beyond one without limits', () => {
    const within = { scenariosPerFile: 3, componentsPerScenario: 200, components: 500 }
    expect(beyond(within, plans.free)).toBeNull()
    for (const quantity of ['scenariosPerFile', 'componentsPerScenario', 'components'] as const)
      expect(beyond({ ...within, [quantity]: within[quantity] + 1 }, plans.free)).toEqual({ quantity, allowed: within[quantity] })
    expect(beyond({ scenariosPerFile: 1e6, componentsPerScenario: 1e6, components: 1e6 }, plans.unlimited)).toBeNull()
  })
})
