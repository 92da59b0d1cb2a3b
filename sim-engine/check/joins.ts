// Parallel joins that can never complete. A join takes one token from each of its incoming flows, all of one process instance, so some
// split must send tokens to any two of them: a start alone makes one token at a time, and an exclusive gateway sends it one way.
import type { FlowPart, ProcessPart, StepPart } from './parts.ts'

/** The parallel joins of a process of which two incoming flows are never both reached by one process instance. */
export function impossibleJoins({ steps }: ProcessPart): StepPart[] {
  const joins = steps.filter(
    ({ kind, element, incoming }) => kind.id === 'gateway' && element.fields['type'] === 'parallel' && incoming.length > 1,
  )
  return joins.filter(join => {
    const reached = steps.filter(isSplit).map(split => branchesTo(join, split))
    const isPossible = (a: FlowPart, b: FlowPart): boolean =>
      reached.some(branches => branches.some((one, i) => one.has(a) && branches.some((other, j) => i !== j && other.has(b))))
    return join.incoming.some((a, i) => join.incoming.some((b, j) => i < j && !isPossible(a, b)))
  })
}

const isAside = (step: StepPart): boolean => step.element.fields['interrupting'] === false

/** Where one token becomes several: several flows lead out and more than one is taken, or a border event leaves the activity going on. */
function isSplit(step: StepPart): boolean {
  if (step.boundaries.some(isAside)) return true
  if (step.outgoing.length < 2) return false
  const { type } = step.element.fields
  return step.kind.id !== 'gateway' || (type !== 'exclusive' && type !== 'event')
}

/** The join's incoming flows that a token may come in by, for each branch of a split. */
function branchesTo(join: StepPart, split: StepPart): ReadonlySet<FlowPart>[] {
  const branches = split.outgoing.map(flow => flowsInto(join, [flow]))
  for (const event of split.boundaries) if (isAside(event)) branches.push(flowsInto(join, event.outgoing))
  return branches
}

function flowsInto(join: StepPart, first: readonly FlowPart[]): ReadonlySet<FlowPart> {
  const found = new Set<FlowPart>()
  const seen = new Set<StepPart>()
  const stack = [...first]
  for (let flow = stack.pop(); flow; flow = stack.pop()) {
    const { to } = flow
    if (to === join) found.add(flow)
    else if (!seen.has(to)) {
      seen.add(to)
      stack.push(...to.outgoing, ...to.boundaries.flatMap(event => event.outgoing))
    }
  }
  return found
}
