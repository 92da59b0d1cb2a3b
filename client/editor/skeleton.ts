// A process is born with a start and an end, joined; what is added goes between them.
import { connect, insertStep, isRefusal, move, place, reconnect, setField, type Refusal } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Id } from '../../model-schema/model.ts'
import type { Editor } from './editor.ts'

/** Puts start, flow and end inside a new process or subprocess. Where they don't fit any more, the process stays empty. */
export function furnish({ doc }: Editor, process: Id): void {
  const start = place(doc, { kind: 'start', parent: process, at: [40, 100] })
  const end = isRefusal(start) ? start : place(doc, { kind: 'end', parent: process, at: [240, 100] })
  if (!isRefusal(start) && !isRefusal(end)) connect(doc, { kind: 'flow', from: start, to: end })
}

/** The start or end of a process that still is as it was born; else null. */
export function bornEvent({ model }: Editor, canvas: Id, kind: string): Id | null {
  if (kind !== 'start' && kind !== 'end') return null
  const inside = (model.elements.get(canvas)?.children ?? []).flatMap(id => model.elements.get(id) ?? [])
  const born = inside.find(element => element.kind === kind)
  const isWhole = inside.length === 3 && inside.some(element => element.kind === 'start') && inside.some(element => element.kind === 'end')
  return born && isWhole && (born.fields['trigger'] ?? 'none') === 'none' && !born.fields['name'] ? born.id : null
}

/** Turns that event into the one that was put, where it was put. */
export function become(editor: Editor, event: Id, values: Readonly<Record<string, Json>>, at: readonly [number, number]): Id | Refusal {
  for (const [field, value] of Object.entries(values)) {
    const refused = setField(editor.doc, event, field, value)
    if (refused) return refused
  }
  const [w, h] = kindOf(editor.model.elements.get(event)?.kind ?? '')?.size ?? [40, 40]
  move(editor.doc, [{ id: event, geo: [at[0], at[1], w, h] }])
  return event
}

/** The only flow that leaves a step, if it leads to an end: the next step is inserted into it. */
export function lastFlow({ scene, model }: Editor, step: Id): { flow: Id; end: Id } | null {
  const leaving = scene
    .wiresOf(step)
    .filter(id => model.elements.get(id)?.kind === 'flow' && model.elements.get(id)?.ends?.from.id === step)
  const [flow] = leaving
  const end = leaving.length === 1 && flow !== undefined ? model.elements.get(flow)?.ends?.to.id : null
  return flow !== undefined && end && model.elements.get(end)?.kind === 'end' ? { flow, end } : null
}

/** Inserts a step, or the first of several that are joined already, into a flow. An end that is too near after it is moved away. */
export function insertInto(editor: Editor, flow: Id, step: Id): Refusal | null {
  const last = lastOf(editor, step)
  const target = editor.model.elements.get(flow)?.ends?.to.id
  const next = insertStep(editor.doc, flow, step)
  if (isRefusal(next)) return next
  const right = Math.max(...[step, last].map(id => editor.scene.box(id)).map(box => (box ? box.x + box.w : 0)))
  const end = target ? editor.model.elements.get(target) : undefined
  if (end?.kind === 'end' && end.geo && end.geo[0] < right + 48)
    move(editor.doc, [{ id: end.id, geo: [right + 64, end.geo[1], end.geo[2], end.geo[3]] }])
  return last === step ? null : reconnect(editor.doc, next, 'from', last)
}

/** Where the flows that leave a step lead in the end. */
function lastOf({ model }: Editor, step: Id): Id {
  const canvas = model.elements.get(model.elements.get(step)?.parent ?? '')
  const flows = (canvas?.children ?? []).flatMap(id => model.elements.get(id)?.ends ?? [])
  const seen = new Set<Id>()
  let at = step
  for (let next: Id | null | undefined = at; next && !seen.has(next); next = flows.find(({ from }) => from.id === at)?.to.id) {
    seen.add(next)
    at = next
  }
  return at
}
