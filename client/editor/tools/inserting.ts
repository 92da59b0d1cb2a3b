// A step dropped on a sequence flow is inserted into it.
import { kindOf, mayJoin } from '../../../model-schema/kinds.ts'
import type { Id } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { centre, nearestSegment, type Box } from '../geometry/geometry.ts'
import { mayGoBetween } from '../grammar.ts'

/** The flow, and the shift that brings the step's middle onto its line. */
export type Onto = { readonly flow: Id; readonly dx: number; readonly dy: number }

/** The flow that a step of this kind, shown as `box`, would go into; `itself` are the elements that are carried. */
export function flowUnder(editor: Editor, kind: string, box: Box, itself: ReadonlySet<Id> = new Set()): Onto | null {
  const flow = kindOf('flow')
  if (!flow || !mayGoBetween(kind)) return null
  const middle = centre(box)
  const reach = Math.min(box.w, box.h) / 2
  for (const { id, element } of editor.scene.visible(box).wires.toReversed()) {
    const [from, to] = [element.ends?.from.id, element.ends?.to.id]
    if (element.kind !== flow.id || element.locked || !from || !to || itself.has(from) || itself.has(to)) continue
    const kinds = [editor.model.elements.get(from)?.kind ?? '', editor.model.elements.get(to)?.kind ?? ''] as const
    if (!mayJoin(flow, kinds[0], kind) || !mayJoin(flow, kind, kinds[1])) continue
    const line = editor.scene.pointsOf(id)
    const near = nearestSegment(line, middle)
    const [a, b] = [line[near.index], line[near.index + 1]]
    if (!a || !b || near.distance > reach) continue
    // Onto the line, but not along it.
    return a.y === b.y ? { flow: id, dx: 0, dy: a.y - middle.y } : { flow: id, dx: a.x - middle.x, dy: 0 }
  }
  return null
}

/** Whether a step has no flows: one that is part of a process already is only moved. */
export const isLoose = (editor: Editor, id: Id): boolean =>
  !editor.scene.wiresOf(id).some(wire => editor.scene.wire(wire)?.element.kind === 'flow')
