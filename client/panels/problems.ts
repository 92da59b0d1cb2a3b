// The problems of the current model, and those of an element, of a field, or of anything inside an element.
import { createContext, use, useMemo } from 'react'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Problem } from '../../sim-engine/problems.ts'

// Something a person has not said yet: drawn calmly, as what is left to do. Everything else is wrong.
const unsaid: ReadonlySet<number> = new Set([
  8001, 8003, 8004, 8007, 9005, 9006, 9009, 9010, 9012, 9013, 9014, 9018, 9019, 9020, 9021, 9024, 9026, 9030, 9031, 9032,
])

export type Tone = 'todo' | 'error' | 'warning'

/** How a problem is shown. */
export const toneOf = ({ code, severity }: Pick<Problem, 'code' | 'severity'>): Tone => (unsaid.has(code) ? 'todo' : severity)

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

const weights: Readonly<Record<Tone, number>> = { warning: 0, todo: 1, error: 2 }

/** The worst problem of each element, those inside it counted, for the badges on the canvas. */
export function worstByElement(problems: readonly Problem[], model: Model): Map<Id, Tone> {
  const worst = new Map<Id, Tone>()
  for (const problem of problems) {
    const tone = toneOf(problem)
    const seen = new Set<Id>()
    for (
      let element = model.elements.get(problem.at.id);
      element && !seen.has(element.id);
      element = element.parent ? model.elements.get(element.parent) : undefined
    ) {
      seen.add(element.id)
      const known = worst.get(element.id)
      if (known === undefined || weights[tone] > weights[known]) worst.set(element.id, tone)
    }
  }
  return worst
}
