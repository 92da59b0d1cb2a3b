// Which tests an edit touches: all of them where it changes what runs, a single one where it changes that test, none where it changes what people see.
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { testsOf } from '../../../sim-engine/testing.ts'
import { sameContent } from '../visible.ts'

const seenOnly: ReadonlySet<string> = new Set(['chart', 'worldView', 'networkChart', 'plot'])

const isSeenOnly = ({ kind }: Element): boolean => seenOnly.has(kind) || kindOf(kind)?.family === 'drawing'

export function touchedTests(before: Model, model: Model, scenario: Id): Id[] {
  const tests = testsOf(model, scenario).map(({ id }) => id)
  const touched = new Set<Id>()
  const look = (element: Element, other: Element | undefined): boolean => {
    if (element === other || (other !== undefined && sameContent(element, other)) || isSeenOnly(element)) return false
    if (element.kind !== 'test') return true
    touched.add(element.id)
    return false
  }
  for (const [id, element] of model.elements) if (look(element, before.elements.get(id))) return tests
  for (const [id, element] of before.elements) if (!model.elements.has(id) && look(element, undefined)) return tests
  return tests.filter(id => touched.has(id))
}
