// What can be seen while a run stands before a step: who is there, with which values, called by whom.
import type { StepPart } from '../check/parts.ts'
import type { Activation, Plain, Stop } from '../messages.ts'
import type { Run } from '../run.ts'
import type { RowLocals } from '../run/clockwork.ts'
import { plain } from '../run/statistics.ts'
import { link } from '../run/tokens.ts'

/** Where the hook was last called. `t` is -1 for an activation without a token. */
export type Here = { t: number; step: number; self: number; locals: RowLocals | null }

/** Most activations shown of a stack. */
const deepest = 50
/** Most items shown of a list, characters of a text. */
const longest = 200

export function stackOf(run: Run, here: Here): Activation[] {
  const { parts } = run.program.checked
  const { tokens } = run.inner.built.kernel
  const at = parts.steps[here.step]
  if (!at) return []
  const top = activation(run, at, here.self, here.t < 0 ? (here.locals?.() ?? []) : localsOf(run, at, here.t))
  const stack = [top]
  for (let t = here.t; t >= 0 && stack.length < deepest;) {
    const parent = tokens.parent[t]!
    // The original of a fork is the same activation.
    const calls = tokens.link[t] !== link.fork
    t = parent
    if (parent < 0 || !calls) continue
    const step = parts.steps[tokens.pc[parent]! >> 3]
    if (step)
      stack.push(activation(run, step, step.process.level === 'individual' ? tokens.owner[parent]! : -1, localsOf(run, step, parent)))
  }
  return stack
}

function activation(run: Run, step: StepPart, self: number, values: readonly unknown[]): Activation {
  const { process } = step
  const { entity } = process
  const individual = process.level === 'individual' && entity !== null
  return {
    process: { id: process.id, name: process.name },
    step: { id: step.id, name: step.name },
    who: individual
      ? { name: `${entity.name} ${run.world.population(entity.index).ids[self & 0xffffff] ?? '?'}`, population: entity.id, entity: self }
      : null,
    locals: process.temporaries.map((variable, k) => ({ name: variable.name, value: brief(shown(run, variable, values[k])) })),
    actor: individual ? briefly(run.individual(entity.index, self)) : null,
  }
}

const localsOf = (run: Run, step: StepPart, t: number): unknown[] =>
  step.process.temporaries.map(variable => run.inner.built.kernel.tokens.columns[variable.index]?.data[t])

/** Columns hold truths as 0 and 1 and individuals as handles. */
function shown(run: Run, variable: StepPart['process']['temporaries'][number], value: unknown): unknown {
  if (variable.storage === 'bool') return typeof value === 'number' ? value !== 0 : value
  if (variable.storage !== 'entity' || typeof value !== 'number') return value
  const { type } = variable
  const population = run.world.populations.find(one => type.is === 'entity' && one.id === type.of)
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

function brief(value: unknown): Plain {
  const made = plain(value)
  if (Array.isArray(made) && made.length > longest) return [...made.slice(0, longest), '…']
  return typeof made === 'string' && made.length > longest ? `${made.slice(0, longest)}…` : made
}
