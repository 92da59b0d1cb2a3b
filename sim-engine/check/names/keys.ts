// Keys of formulas: which formula a part means. An element inherited by several populations has its formulas in each.
// Keys stay the same through edits. And what the type of a range says about who is chosen.
import type { Type } from '../../formula.ts'
import type { EntityPart, ProcessPart, StepPart, VariablePart } from '../parts.ts'

export const keyOf = (part: { id: string; entity?: EntityPart | null }, field: string): string =>
  `${part.entity ? part.entity.id : ''} ${part.id}/${field}`
export const stepKey = (step: StepPart, field: string): string => `${step.key}/${field}`
export const flowKey = (process: ProcessPart, id: string, field: string): string =>
  `${process.entity ? process.entity.id : ''} ${id}/${field}`
export const temporaryKey = (variable: VariablePart, field: string): string => keyOf(variable, field)

/** The population of what a range gives: its id, null when mixed, undefined when it gives no entities. */
export function chosenPopulation(range: Type): string | null | undefined {
  if (range.is === 'entities' || range.is === 'entity') return range.of
  if (range.is === 'observer') return range.of
  if (range.is === 'list' || range.is === 'set')
    return range.of.is === 'entity' ? range.of.of : range.of.is === 'never' || range.of.is === 'any' ? null : undefined
  if (range.is === 'any') return null
  return undefined
}
