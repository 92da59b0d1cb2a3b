// Repairs of what makes a run fail: a division by zero, an empty list, a container that is short, a gateway without a way on. A repair is tried by the very
// run that failed: it holds only if that failure is gone, none came in its place, and the checker finds nothing new.
import { formulaName } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { say, type Words } from '../../model-schema/words.ts'
import { compile } from '../compile.ts'
import type { Problem } from '../problems.ts'
import { start } from '../run.ts'
import { newAmong, spotOf, ticksOf, type Branch, type EditCall } from './branch.ts'
import { formulaAt, nameOf, set, way, writeAt, type Candidate } from './candidates.ts'
import type { Repair } from './repairs.ts'
import { guards } from './run-guards.ts'
import { TRIAL } from './trials.ts'
import type { Moment } from './why.ts'

/** A run that failed: of which scenario and seed, at which tick, after how many instants. */
export type Failure = {
  readonly problem: Problem
  readonly scenario: Id
  readonly seed: number
  readonly tick: number
  readonly instants: number
}

/**
 * Scenarios that are run to look for an unseen failure, the instants they have together, and these times the elements of the model; instants of
 * an answer altogether; candidates that are tried, runs and instants by which an amount is looked for; failures mended one after the other.
 */
const REPAIR_LIMITS = {
  scenarios: 4,
  looked: 300_000,
  together: 60_000_000,
  altogether: 5_000_000,
  candidates: 60,
  runs: 20,
  instants: 300_000,
  doublings: 20,
  mended: 10,
} as const

/** The instants that may still be run, less with every run that is made. */
type Effort = { left: number }

/** What looking for a failure and trying repairs may take altogether. */
export const effortFor = (): Effort => ({ left: REPAIR_LIMITS.altogether })

/**
 * The failure of the run that the moment names; without one, the first failure among short runs of the scenarios. Null when they do not fail or cannot
 * run. What a repair is to hold for is that one run: of a model in which nothing has failed yet, no more is run than one run takes.
 */
export function failureIn(branch: Branch, moment: Moment = {}, effort: Effort = effortFor()): Failure | null {
  const { model } = branch
  if (moment.scenario !== undefined) return failed(branch, { ...moment, scenario: moment.scenario }, effort)
  const scenarios = model.scenarios.slice(0, REPAIR_LIMITS.scenarios)
  const looked: Effort = {
    left: Math.min(effort.left, REPAIR_LIMITS.looked, Math.ceil(REPAIR_LIMITS.together / Math.max(1, model.elements.size))),
  }
  const before = looked.left
  let found: Failure | null = null
  for (const [i, scenario] of scenarios.entries()) {
    // What one scenario leaves goes to those after it.
    const own: Effort = { left: Math.ceil(looked.left / (scenarios.length - i)) }
    const share = own.left
    found = failed(branch, { ...moment, scenario }, own)
    looked.left -= share - own.left
    if (found) break
  }
  effort.left -= before - looked.left
  return found
}

type Ran = { readonly scenario: Id; readonly seed?: number; readonly inputs?: Moment['inputs'] }

/** Runs a scenario with a seed and says of what it fails; null while the checker finds errors. */
function runner(branch: Branch, { scenario, inputs }: Ran, effort: Effort): ((seed?: number) => Failure | null) | null {
  const checked = branch.checkedOf(scenario)
  if (!checked?.ok) return null
  const program = compile(checked.checked)
  const ticks = Math.min(ticksOf(branch.model.elements.get(scenario)), TRIAL.ticks)
  return seed => {
    const run = start(program, {
      ...(seed === undefined ? {} : { seed }),
      ...(inputs === undefined ? {} : { inputs: { ...inputs } }),
      ticks,
    })
    let instants = 0
    for (let goes = true; goes && instants < TRIAL.instants && effort.left > 0;) {
      const slice = Math.min(TRIAL.slice, effort.left)
      goes = run.advance({ instants: slice })
      instants += slice
      effort.left -= slice
    }
    const { result } = run
    return result?.end === 'failed' ? { problem: result.problem, scenario, seed: run.seed, tick: run.tick, instants } : null
  }
}

const failed = (branch: Branch, ran: Ran, effort: Effort): Failure | null => runner(branch, ran, effort)?.(ran.seed) ?? null

/** Mends what a run failed of on the branch, or says what there is to choose from. */
export function mendRun(branch: Branch, failure: Failure, inputs?: Moment['inputs'], effort: Effort = effortFor()): Repair {
  const before = branch.problems()
  const { scenario, seed } = failure
  const again = (): Failure | null => failed(branch, { scenario, seed, ...(inputs ? { inputs } : {}) }, effort)
  const holds = (): boolean => {
    // What was not run to the failure and beyond is not known to hold.
    if (effort.left <= failure.instants + TRIAL.slice) return false
    if (newAmong(before, branch.problems()).length > 0) return false
    const now = again()
    // Another failure may have been hidden behind this one: it comes later.
    return now === null || (spotOf(now.problem) !== spotOf(failure.problem) && now.tick > failure.tick)
  }
  const tries = (calls: readonly EditCall[]): boolean => {
    const done = branch.edit(calls)
    if ('refused' in done) return false
    const good = holds()
    branch.takeBack()
    return good
  }
  const good: Candidate[] = []
  for (const candidate of candidatesFor(branch, failure, effort).slice(0, REPAIR_LIMITS.candidates)) {
    if (good[0] && candidate.oneOf !== good[0].oneOf) break
    if (!tries(candidate.calls)) continue
    good.push(candidate)
    if (candidate.oneOf === undefined) break
  }
  const [first] = good
  if (!first) return { is: 'none' }
  if (good.length > 1) return { is: 'ask', choices: good }
  branch.edit(first.calls)
  return { is: 'done', words: first.words }
}

/** Ways to mend what a run failed of, untried, the best first. */
function candidatesFor(branch: Branch, failure: Failure, effort: Effort): Candidate[] {
  const { model } = branch
  const { problem } = failure
  const element = model.elements.get(problem.at.id)
  if (!element) return []
  switch (problem.code) {
    case 10018:
    case 10022:
    case 10024:
    case 10026:
      return guards(element, problem)
    case 10036:
      return [waits(element), ...amounts(branch, failure, effort, element, ['initial'])]
    case 10037:
      return [waits(element), ...amounts(branch, failure, effort, element, ['capacity'])]
    case 10042:
      return amounts(branch, failure, effort, element, ['initial', 'capacity'])
    case 10044:
      return wayOut(model, element)
    case 10047:
      return pauses(model, element, problem)
    default:
      return []
  }
}

// Containers.

const PLAN = 'plan'
const waits = (element: Element): Candidate => ({
  ...way(say('Lets "{step}" wait until it is possible.', { step: nameOf(element) }), set(element.id, 'otherwise', 'wait')),
  oneOf: PLAN,
})

/** The containers that a step names. */
function containersAt(model: Model, element: Element): Element[] {
  const named = new Set<string>()
  for (const field of ['items', 'outputs', 'resources']) {
    const rows = element.fields[field]
    if (!Array.isArray(rows)) continue
    rows.forEach((_, i) => named.add(formulaName(formulaAt(element, `${field}/${i}/container`) ?? '')))
  }
  named.add(formulaName(formulaAt(element, 'target') ?? ''))
  return [...model.elements.values()].filter(
    one => one.kind === 'container' && (named.has(formulaName(nameOf(one))) || named.has(formulaName(one.id))),
  )
}

/** More of what is there, or more room, in a container of the step: the least by which none of some runs fails here. */
function amounts(branch: Branch, failure: Failure, effort: Effort, element: Element, fields: readonly string[]): Candidate[] {
  return containersAt(branch.model, element).flatMap(container => {
    const own = fields.filter(field => formulaAt(container, field)?.trim() !== '' && Number.isFinite(Number(formulaAt(container, field))))
    const [field] = own
    if (field === undefined) return []
    const callsFor = (amount: number): EditCall[] => own.map(one => set(container.id, one, String(amount)))
    const amount = least(branch, failure, effort, Math.max(...own.map(one => Number(formulaAt(container, one)))), callsFor)
    if (amount === null) return []
    const values = { container: nameOf(container), amount }
    const words =
      field === 'initial'
        ? say('Begins with {amount} in "{container}".', values)
        : say('Makes the capacity of "{container}" {amount}.', values)
    return [{ ...way(words, ...callsFor(amount)), oneOf: PLAN }]
  })
}

/** The least amount above one that is too small with which no run fails as this one did; null when none does. */
function least(branch: Branch, failure: Failure, effort: Effort, from: number, callsFor: (amount: number) => EditCall[]): number | null {
  const runs = Math.max(1, Math.min(REPAIR_LIMITS.runs, Math.floor(REPAIR_LIMITS.instants / Math.max(failure.instants, 1))))
  const others = Array.from({ length: runs }, (_, i) => i + 1).filter(one => one !== failure.seed)
  /** The first of the seeds with which the run still fails here; undefined: none, null: this amount cannot be. */
  const shortWith = (amount: number, seeds: readonly number[]): number | null | undefined => {
    const done = branch.edit(callsFor(amount))
    if ('refused' in done) return null
    const run = runner(branch, failure, effort)
    const short = run && seeds.find(seed => isSame(run(seed), failure))
    branch.takeBack()
    return short
  }
  const enoughWith = (low: number, seed: number): number | null => {
    let step = 1
    for (let left: number = REPAIR_LIMITS.doublings; shortWith(low + step, [seed]) !== undefined; left--) {
      if (left === 0) return null
      low += step
      step *= 2
    }
    let high = low + step
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (shortWith(middle, [seed]) === undefined) high = middle
      else low = middle
    }
    return high
  }
  let amount = enoughWith(Math.floor(from), failure.seed)
  while (amount !== null) {
    const short = shortWith(amount, others)
    if (short === undefined) return amount
    amount = short === null ? null : enoughWith(amount, short)
  }
  return null
}

const isSame = (now: Failure | null, { problem }: Failure): boolean => now !== null && spotOf(now.problem) === spotOf(problem)

// The course of a process.

const flowsFrom = (model: Model, id: Id): Element[] => besideOf(model, id).filter(one => one.kind === 'flow' && one.ends?.from.id === id)
const flowsTo = (model: Model, id: Id): Element[] => besideOf(model, id).filter(one => one.kind === 'flow' && one.ends?.to.id === id)
const besideOf = (model: Model, id: Id): Element[] =>
  (model.elements.get(model.elements.get(id)?.parent ?? '')?.children ?? []).flatMap(one => model.elements.get(one) ?? [])

/** A default branch for a gateway where no condition holds: to the end that is there, else to a new one. */
function wayOut(model: Model, gateway: Element): Candidate[] {
  const taken = new Set(flowsFrom(model, gateway.id).map(flow => flow.ends?.to.id))
  const distance = ({ geo: [x, y] }: Element): number => Math.abs(x - gateway.geo[0]) + Math.abs(y - gateway.geo[1])
  const ends = besideOf(model, gateway.id)
    .filter(one => one.kind === 'end' && !taken.has(one.id))
    .toSorted((a, b) => distance(a) - distance(b))
  return [
    ...ends.map(end =>
      way(say('Adds a default branch from "{gateway}" to "{end}".', { gateway: nameOf(gateway), end: nameOf(end) }), {
        do: 'connect',
        from: gateway.id,
        to: end.id,
        values: { default: true },
      }),
    ),
    way(
      say('Adds a default branch from "{gateway}" to an end event of its own.', { gateway: nameOf(gateway) }),
      { do: 'place', kind: 'end', parent: gateway.parent ?? '', near: gateway.id },
      { do: 'connect', from: gateway.id, to: '$1', values: { default: true } },
    ),
  ]
}

/** Time in what takes none: a least interval of a timer, or a delay of 1 in a flow of the step. */
function pauses(model: Model, step: Element, { at: { field } }: Problem): Candidate[] {
  const said = say('Puts a delay of 1 tick into the loop.')
  const interval = step.kind === 'start' && field !== undefined ? formulaAt(step, field) : null
  if (field !== undefined && interval)
    return [way(say('Lets at least 1 tick pass each time.'), writeAt(step, field, `max(${interval}, 1)`))]
  const loop = [...flowsFrom(model, step.id), ...flowsTo(model, step.id)]
  return loop.map(flow => way(said, { do: 'insert', flow: flow.id, kind: 'delay', values: { name: 'Pause', duration: '1' } }))
}

/** Mends what the runs fail of, one failure after the other, as long as that can be done without asking. */
export function mendRuns(
  branch: Branch,
  moment: Moment = {},
): {
  readonly done: readonly { readonly failure: Failure; readonly words: Words }[]
  readonly left: { readonly failure: Failure; readonly choices: readonly Candidate[] } | null
} {
  const done: { failure: Failure; words: Words }[] = []
  const effort = effortFor()
  for (;;) {
    const failure = failureIn(branch, moment, effort)
    if (!failure) return { done, left: null }
    const repair = done.length < REPAIR_LIMITS.mended ? mendRun(branch, failure, moment.inputs, effort) : ({ is: 'none' } as const)
    if (repair.is !== 'done') return { done, left: { failure, choices: repair.is === 'ask' ? repair.choices : [] } }
    done.push({ failure, words: repair.words })
  }
}
