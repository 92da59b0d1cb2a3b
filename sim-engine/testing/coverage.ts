// Which steps of a model the runs of its tests reach, and which ways out of its gateways they take.
import type { Id, Model } from '../../model-schema/model.ts'
import type { FlowPart, StepPart } from '../check/parts.ts'
import { prepareTest } from './prepare.ts'
import type { ModelTest } from './read.ts'
import { runPrepared } from './run.ts'

export type Coverage = {
  /** How many times each step was reached, by element; 0: never. */
  readonly steps: ReadonlyMap<Id, number>
  /** The same of flows out of gateways that have several. */
  readonly branches: ReadonlyMap<Id, number>
}

/**
 * Runs tests with hooks before each step. A branch counts when a token comes to its end from the gateway; where a gateway makes tokens of its own (it
 * forks), when its end has no other way in. Tests that cannot be run cover nothing.
 */
export function* coverageOf(model: Model, tests: readonly ModelTest[]): Generator<void, Coverage> {
  const steps = new Map<Id, number>()
  const branches = new Map<Id, number>()
  const count = (counts: Map<Id, number>, id: Id): void => void counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const test of tests) {
    const prepared = prepareTest(model, test)
    if (!('checked' in prepared)) continue
    const { parts } = prepared.checked
    for (const step of parts.steps) {
      steps.set(step.id, steps.get(step.id) ?? 0)
      for (const flow of branchesOf(step)) branches.set(flow.id, branches.get(flow.id) ?? 0)
    }
    /** The branches into each step. */
    const into = parts.steps.map(step => step.incoming.filter(flow => branches.has(flow.id)))
    yield* runPrepared(prepared, {
      debug: true,
      watch: run => {
        const last = new Map<number, StepPart>()
        run.onStep = (t, at) => {
          const step = parts.steps[at]!
          count(steps, step.id)
          const before = last.get(t)
          for (const flow of into[at]!) if (flow.from === before || step.incoming.length === 1) count(branches, flow.id)
          last.set(t, step)
        }
      },
    })
  }
  return { steps, branches }
}

const branchesOf = (step: StepPart): readonly FlowPart[] => (step.kind.id === 'gateway' && step.outgoing.length > 1 ? step.outgoing : [])
