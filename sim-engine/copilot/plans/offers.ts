// What of a model can be measured or shown.
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { nameOf } from '../questions.ts'

/** A statistic or a variable that is one number. */
export type Offer = { readonly name: string; readonly field: string }

/** Those of a scenario that are not taken yet. */
export function offersIn(model: Model, scenario: Id | null | undefined, taken: ReadonlySet<string>): Offer[] {
  const inside = (model.elements.get(scenario ?? '')?.children ?? []).flatMap(id => model.elements.get(id) ?? [])
  const all = [
    ...inside.filter(one => one.kind === 'statistic' && !many.has(String(one.fields['aggregate'] ?? '')) && !one.fields['group']),
    ...inside.filter(
      one =>
        one.kind === 'variable' &&
        one.fields['public'] !== true &&
        Number.isFinite(Number(String(one.fields['initial'] ?? '').trim() || 'x')),
    ),
  ]
  return all.flatMap(one => {
    const field = formulaName(nameOf(one))
    return field === '' || taken.has(field) ? [] : [{ name: nameOf(one), field }]
  })
}

/** Aggregates that are not one number each. */
const many: ReadonlySet<string> = new Set(['histogram', 'list'])
