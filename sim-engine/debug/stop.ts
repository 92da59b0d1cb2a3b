// What can be seen while a run is stopped before a step: the tokens and individuals there, their values and their callers.
import type { StepPart } from '../check/parts.ts'
import { cellText, rowsOf } from '../check/resolve.ts'
import type { Type } from '../formula.ts'
import { lineOf } from '../formula/lines.ts'
import type { Activation, Plain, Stop } from '../messages.ts'
import { problem, RunError } from '../problems.ts'
import type { Run } from '../run.ts'
import type { RowLocals } from '../run/clockwork/hooks.ts'
import { plain } from '../run/statistics.ts'
import { link } from '../run/tokens/tokens.ts'
import { english } from '../../model-schema/words.ts'
import type { FormulaFrame } from './frames.ts'

/** Where the hook was last called. `t` is -1 for an activation without a token. */
export type Here = { t: number; step: number; self: number; locals: RowLocals | null }

/** A formula under way, with the values of its variables. */
export type Caught = { readonly frame: FormulaFrame; readonly values: readonly unknown[] }

/** Most activations shown of a stack. */
const maxStackDepth = 50
/** Most items shown of a list, characters of a text. */
const maxLengthShown = 200

/** Functions first, then the step with the formula that called them, then its callers. `formulas` come innermost first. */
export function stackOf(run: Run, here: Here | null, formulas: readonly Caught[]): Activation[] {
  const { parts } = run.program.checked
  const { tokens } = run.inner.built.kernel
  const base = formulas.at(-1)
  const at = here ? parts.steps[here.step] : undefined
  const step = at && here && (!base || belongs(run, base.frame, at)) ? at : undefined
  const top = step && here ? topOf(run, step, here) : null
  const stack: Activation[] = formulas.slice(0, maxStackDepth).map((caught, k) => {
    const formula = formulaOf(run, caught.frame)
    const locals = valuesOf(run, caught)
    // The step's own formula is no call of its own.
    if (top && k === formulas.length - 1) return { ...top, formula, locals: [...locals, ...top.locals] }
    const owner = { id: formula.element, name: formula.name }
    return { process: owner, step: top?.step ?? owner, formula, who: top?.who ?? null, locals, actor: top?.actor ?? null }
  })
  if (top && formulas.length === 0) stack.push(top)
  for (let t = step && here ? here.t : -1; t >= 0 && stack.length < maxStackDepth;) {
    const parent = tokens.parent[t]!
    // The original of a fork is the same activation.
    const calls = tokens.link[t] !== link.fork
    t = parent
    if (parent < 0 || !calls) continue
    const caller = parts.steps[tokens.pc[parent]! >> 3]
    if (caller)
      stack.push(activation(run, caller, caller.process.level === 'individual' ? tokens.owner[parent]! : -1, localsOf(run, caller, parent)))
  }
  return stack
}

/** The position. Before a Decide step the values that its decision depends on are shown, too. */
function topOf(run: Run, step: StepPart, { t, self, locals }: Here): Activation {
  const at = activation(run, step, self, t < 0 ? (locals?.() ?? []) : localsOf(run, step, t))
  return step.kind.id === 'decide' && t >= 0 ? { ...at, locals: [...decisionOf(run, step, self, t), ...at.locals] } : at
}

function decisionOf(run: Run, step: StepPart, self: number, t: number): Activation['locals'] {
  const { observation, reward, done, chances, action } = run.decisions.look(step.index, self, t)
  const rows = rowsOf(step.element, 'observation')
  const nameOf = (k: number): string => cellText(rows[k]!, 'name') || cellText(rows[k]!, 'value')
  const seen =
    observation instanceof RunError
      ? [['observation', observation] as const]
      : observation.map((value, k) => [`observation ${nameOf(k)}`, value] as const)
  const set = action === null || action instanceof RunError || action.length > 1 ? action : action[0]
  return [...seen, ...Object.entries({ reward, done, chances, action: set })].flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    return [{ name, value: value instanceof RunError ? english(problem(value.code, { id: step.id }, value.params).message) : brief(value) }]
  })
}

/** Whether a formula is one of the step or of a flow out of it. */
function belongs(run: Run, { place }: FormulaFrame, step: StepPart): boolean {
  const id = run.program.places[place]?.id
  return id === step.id || step.outgoing.some(flow => flow.id === id) || step.boundaries.some(boundary => boundary.id === id)
}

function formulaOf(run: Run, { place, from }: FormulaFrame): NonNullable<Activation['formula']> {
  const { parts, formulas } = run.program.checked
  const { id = '', field = '' } = run.program.places[place] ?? {}
  let text = ''
  if (from >= 0) for (const one of formulas.values()) if (one.id === id && one.field === field) text = one.inferred.parsed.text
  const name = parts.model.elements.get(id)?.fields['name']
  return { element: id, field, name: typeof name === 'string' ? name : '', line: from < 0 ? null : lineOf(text, from) }
}

function valuesOf(run: Run, { frame, values }: Caught): Activation['locals'] {
  const seen = run.program.seen.get(`${frame.place} ${frame.from}`) ?? []
  return seen.flatMap(({ name, type }, k) => {
    const value = values[k]
    // Not given a value on the way here.
    return value === undefined ? [] : [{ name, value: brief(named(run, type, value)) }]
  })
}

function activation(run: Run, step: StepPart, self: number, values: readonly unknown[]): Activation {
  const { process } = step
  const { entity } = process
  const individual = process.level === 'individual' && entity !== null
  return {
    process: { id: process.id, name: process.name },
    step: { id: step.id, name: step.name },
    formula: null,
    who: individual
      ? { name: `${entity.name} ${run.world.population(entity.index).ids[self & 0xffffff] ?? '?'}`, population: entity.id, entity: self }
      : null,
    locals: process.temporaries.map((variable, k) => ({ name: variable.name, value: brief(shown(run, variable, values[k])) })),
    actor: individual ? briefly(run.individual(entity.index, self)) : null,
  }
}

const localsOf = (run: Run, step: StepPart, t: number): unknown[] =>
  step.process.temporaries.map(variable => run.inner.built.kernel.tokens.valueAt(variable.index, t))

/** Columns hold truths as 0 and 1 and individuals as handles. */
function shown(run: Run, variable: StepPart['process']['temporaries'][number], value: unknown): unknown {
  if (variable.storage === 'bool') return typeof value === 'number' ? value !== 0 : value
  return variable.storage === 'entity' ? named(run, variable.type, value) : value
}

/** An individual of a known population is a handle. */
function named(run: Run, type: Type, value: unknown): unknown {
  if (type.is !== 'entity' || type.of === null || typeof value !== 'number') return value
  const population = run.world.populations.find(one => one.id === type.of)
  return population?.isAlive(value) ? `${population.name} ${population.ids[value & 0xffffff]}` : null
}

export const sharedOf = (run: Run): Stop['shared'] =>
  run.program.checked.parts.shared.map(variable => ({
    id: variable.id,
    name: variable.entity ? `${variable.entity.name}.${variable.name}` : variable.name,
    value: brief(run.value(variable.id)),
  }))

const briefly = (values: Record<string, Plain> | null): Record<string, Plain> | null =>
  values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, brief(value)]))

export function brief(value: unknown): Plain {
  const made = plain(value)
  if (Array.isArray(made) && made.length > maxLengthShown) return [...made.slice(0, maxLengthShown), '…']
  return typeof made === 'string' && made.length > maxLengthShown ? `${made.slice(0, maxLengthShown)}…` : made
}
