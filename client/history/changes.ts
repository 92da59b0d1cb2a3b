// Two contents of a model on one canvas, and how to bring back only some of what differs. Pure.
import { inOrder } from '../../model-schema/changes.ts'
import type { HoloElement, HoloFile } from '../../model-schema/file.ts'
import { withDependents } from '../../model-schema/lawful.ts'
import type { Id, Model } from '../../model-schema/model.ts'

/** Both contents on one canvas: all that is there after, and what was removed where it was. */
export function overlaid(before: Model, after: Model): Model {
  const elements = new Map(after.elements)
  const gone = inOrder(before).filter(id => !after.elements.has(id))
  for (const id of gone) {
    const element = before.elements.get(id)
    if (!element) continue
    elements.set(id, { ...element, children: element.children.filter(child => elements.has(child) || !after.elements.has(child)) })
    const parent = element.parent === null ? undefined : elements.get(element.parent)
    // Under what is gone as well, it is among the children already.
    if (parent && !parent.children.includes(id)) elements.set(parent.id, { ...parent, children: [...parent.children, id] })
  }
  const lost = (roots: readonly Id[]): Id[] => roots.filter(id => !after.elements.has(id))
  return {
    ...after,
    elements,
    roots: [...after.roots, ...lost(before.roots)],
    scenarios: [...after.scenarios, ...lost(before.scenarios)],
  }
}

/**
 * The content `now` with these elements as they are in `version`: changed back, brought back with all that was in them and what
 * they hang on, or, when the version has none of them, deleted with what can't be without them.
 */
export function withChosen(now: HoloFile, nowModel: Model, version: HoloFile, ids: readonly Id[]): HoloFile {
  const elements: Record<Id, HoloElement> = { ...now.elements }
  const inside = Map.groupBy(Object.entries(version.elements), ([, element]) => element.parent ?? null)
  const take = (id: Id): void => {
    const element = version.elements[id]
    if (!element) return
    const wasHere = Object.hasOwn(elements, id)
    elements[id] = element
    for (const other of needsOf(element)) if (!Object.hasOwn(elements, other)) take(other)
    for (const [child] of inside.get(id) ?? []) if (!Object.hasOwn(elements, child) && (!wasHere || swept.has(child))) take(child)
  }
  const added = ids.filter(id => !Object.hasOwn(version.elements, id))
  // The children of an added element are removed with it.
  const swept = new Set<Id>()
  for (const id of withDependents(nowModel, added)) {
    if (ids.includes(id) && !added.includes(id)) continue
    delete elements[id]
    swept.add(id)
  }
  for (const id of ids) take(id)
  return { ...now, elements }
}

/** The elements that one depends on: its parent, its ends, its host. */
function needsOf({ parent, from, to, host }: HoloElement): Id[] {
  const end = (side: HoloElement['from']): string | null | undefined =>
    typeof side === 'string' ? side : side && 'id' in side ? side.id : null
  return [parent, end(from), end(to), host].filter((id): id is Id => typeof id === 'string')
}
