// The context of a model's rules: access to the model, problems, and shared queries.
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Type } from '../formula.ts'
import type { Param, Problem, ProblemCode } from '../problems.ts'
import type { FormulaPart, Parts, ProcessPart, StepPart } from './parts.ts'

/** What a rule may look at, and how it reports. */
export type Checking = {
  parts: Parts
  formulas: ReadonlyMap<string, FormulaPart>
  note(code: ProblemCode, id: string, field?: string, params?: readonly Param[], severity?: 'error' | 'warning'): void
  /** Reports what the catalogue's sentence alone does not say. */
  say(problem: Problem): void
  written(step: StepPart, field: string): boolean
  typeOf(step: StepPart, field: string): Type | undefined
  /** The number a formula of this step is, when it is one literal. */
  constant(step: StepPart, field: string): number | null
}

/** The number a formula is, when it is one literal (or its negation). */
export function constantOf(formula: FormulaPart | undefined): number | null {
  const ast = formula?.inferred.parsed.ast
  if (ast?.is !== 'expression') return null
  if (ast.value.is === 'number') return ast.value.value
  return ast.value.is === 'unary' && ast.value.op === '-' && ast.value.of.is === 'number' ? -ast.value.of.value : null
}

/** A process that starts by itself: by the clock or by a condition. */
export function isActive(process: ProcessPart): boolean {
  const trigger = process.start?.element.fields['trigger'] ?? 'none'
  if (process.holder || !process.start) return false
  return trigger === 'timer' || trigger === 'condition' || (trigger === 'none' && process.start.element.fields['active'] !== false)
}

const outerBefore = new WeakMap<readonly ProcessPart[], ReadonlyMap<Json, ProcessPart[]>>()

/** Those that are no subprocesses, by their element. */
function outerById(processes: readonly ProcessPart[]): ReadonlyMap<Json, ProcessPart[]> {
  let known = outerBefore.get(processes)
  if (!known) {
    known = Map.groupBy<Json, ProcessPart>(
      processes.filter(one => !one.holder),
      one => one.id,
    )
    outerBefore.set(processes, known)
  }
  return known
}

/** A process as each population has it: the same, inherited, or its own of the same name. */
export function asEachHasIt(processes: readonly ProcessPart[], id: Json | undefined): readonly ProcessPart[] {
  const same = (id !== undefined && outerById(processes).get(id)) || []
  const base = same.find(one => one.entity?.id === one.element.parent)
  const heirs = base?.entity?.derived ?? []
  if (!base || heirs.length === 0) return same
  const own = heirs.flatMap(heir => heir.processes.filter(one => one.id !== id && one.name === base.name && one.level === base.level))
  return [...same, ...own]
}
