// What a proposal reaches besides the elements it changes: those that name them or refer to them, and so may run differently.
import type { Id, Model } from '../../../model-schema/model.ts'
import type { Delta } from '../../../model-schema/proposals.ts'
import { referencesTo } from '../../run/references.ts'

/** Changed elements whose references are looked up, and elements that are named. */
const TOUCH_LIMITS = { looked: 40, named: 40 } as const

/** Where an element stands and how it looks: nobody else depends on that. */
const isLook = (at: string): boolean => at === 'geo' || at === 'style' || at === 'tree'

/** Elements that are not part of the proposal and depend on what it changes or removes, in the order of the changes. */
export function touchedBy(deltas: readonly Delta[], model: Model): Id[] {
  const own = new Set(deltas.map(({ id }) => id))
  const changed = deltas.filter(
    ({ id, sort, entries }) => sort !== 'added' && model.elements.has(id) && (sort === 'removed' || entries.some(({ at }) => !isLook(at))),
  )
  const found = new Set<Id>()
  for (const { id } of changed.slice(0, TOUCH_LIMITS.looked))
    for (const { element } of referencesTo(model, id)) if (!own.has(element) && model.elements.has(element)) found.add(element)
  return [...found].slice(0, TOUCH_LIMITS.named)
}
