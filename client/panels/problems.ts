// The problems of the model as it is now, and which of them belong to an element, a field, or something inside.
import { createContext, use, useMemo } from 'react'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Problem } from '../../sim-engine/problems.ts'

export const ProblemsContext = createContext<readonly Problem[]>([])

export const useModelProblems = (): readonly Problem[] => use(ProblemsContext)

/** Problems of one field. */
export function useFieldProblems(id: Id | null, field: string): readonly Problem[] {
  const all = useModelProblems()
  return useMemo(() => all.filter(problem => problem.at.id === id && problem.at.field === field), [all, id, field])
}

/** Problems of an element as a whole: of none of its fields. */
export function useElementProblems(id: Id): readonly Problem[] {
  const all = useModelProblems()
  return useMemo(() => all.filter(problem => problem.at.id === id && problem.at.field === undefined), [all, id])
}

/** The worst problem of each element, those inside it counted, for the badges on the canvas. */
export function worstByElement(problems: readonly Problem[], model: Model): Map<Id, 'error' | 'warning'> {
  const worst = new Map<Id, 'error' | 'warning'>()
  for (const { at, severity } of problems) {
    const seen = new Set<Id>()
    for (
      let element = model.elements.get(at.id);
      element && !seen.has(element.id);
      element = element.parent ? model.elements.get(element.parent) : undefined
    ) {
      seen.add(element.id)
      if (severity === 'error' || !worst.has(element.id)) worst.set(element.id, severity)
    }
  }
  return worst
}
