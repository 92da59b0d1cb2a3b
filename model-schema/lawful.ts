// The rules of the canvas grammar: functions of a Model, called by the editor before an edit, by the edit itself, and by the checker.
import { kindOf, mayJoin } from './kinds.ts'
import { type CanvasKind } from './kinds/kind.ts'
import { DOCUMENT } from './business/limits.ts'
import type { Element, Id, Model } from './model.ts'
import type { Excess } from './business/taken.ts'
import { say, type Words } from './words.ts'

/** Why an edit was not made. A value, not an exception: documents change under one's hands. */
export type Refusal = {
  refused:
    | 'unknown-kind'
    | 'gone'
    | 'wrong-canvas'
    | 'wrong-ends'
    | 'joined-already'
    | 'same-element'
    | 'other-canvas'
    | 'inside-itself'
    | 'last-scenario'
    | 'full'
    | 'invalid-value'
    | 'not-a-clip'
    | 'locked'
    | 'too-few'
    | 'limit'
  words: Words
  /** With `limit`: which limit of the plan. */
  limit?: Excess
}

export const isRefusal = (result: unknown): result is Refusal => typeof result === 'object' && result !== null && 'refused' in result

export const refusal = (refused: Refusal['refused'], words: Words): Refusal => ({ refused, words })

/** The sort of canvas an element opens, or null. */
export const canvasOf = (element: Element | undefined): CanvasKind | null => kindOf(element?.kind ?? '')?.opens ?? null

/** Whether an element of this kind may be on the canvas that `parent` opens; null when it may. */
export function mayPlace(model: Model, kind: string, parent: Id): Refusal | null {
  const row = kindOf(kind)
  if (!row) return refusal('unknown-kind', say('This version does not know the kind "{kind}".', { kind }))
  const holder = model.elements.get(parent)
  if (!holder) return gone()
  const canvas = canvasOf(holder)
  if (canvas === null || !row.on.includes(canvas))
    return refusal('wrong-canvas', say('{label} cannot stand on this canvas.', { label: row.label }))
  if (model.elements.size >= DOCUMENT.elements) return full()
  return null
}

/**
 * Whether a connector of this kind may lead from one element to the other; null when it may. Both must be on one canvas, and no other
 * connector of the kind may lead the same way. `except` is the connector that is being reconnected.
 */
export function mayConnect(model: Model, kind: string, from: Id, to: Id, except?: Id): Refusal | null {
  const row = kindOf(kind)
  if (!row?.joins) return refusal('unknown-kind', say('"{kind}" is not a connector.', { kind }))
  const source = model.elements.get(from)
  const target = model.elements.get(to)
  if (!source || !target) return gone()
  if (from === to) return refusal('same-element', say('An element cannot be connected to itself.'))
  if (source.parent !== target.parent) return refusal('other-canvas', say('Both ends must stand on one canvas.'))
  if (!mayJoin(row, source.kind, target.kind)) {
    const [a, b] = [kindOf(source.kind)?.label, kindOf(target.kind)?.label]
    return refusal(
      'wrong-ends',
      say('{label} cannot lead from {a} to {b}.', { label: row.label, a: a ?? source.kind, b: b ?? target.kind }),
    )
  }
  for (const id of source.parent === null ? [] : (model.elements.get(source.parent)?.children ?? [])) {
    const other = model.elements.get(id)
    if (id !== except && other?.kind === kind && other.ends?.from.id === from && other.ends.to.id === to) {
      return refusal('joined-already', say('These two are already connected that way.'))
    }
  }
  if (except === undefined && model.elements.size >= DOCUMENT.elements) return full()
  return null
}

/** Whether these may go to the canvas of `parent`; null when all may. */
export function mayReparent(model: Model, ids: readonly Id[], parent: Id): Refusal | null {
  const within = withDescendants(model, ids)
  if (within.has(parent)) return refusal('inside-itself', say('An element cannot stand inside itself.'))
  for (const id of ids) {
    const element = model.elements.get(id)
    if (!element) return gone()
    const why = mayPlace(model, element.kind, parent)
    if (why && why.refused !== 'full') return why
  }
  return null
}

export const locked = (): Refusal => refusal('locked', say('This element is locked. Unlock it first.'))
export const gone = (): Refusal => refusal('gone', say('Somebody else has deleted this element.'))
export const full = (): Refusal => refusal('full', say('A file holds at most {elements} elements.', { elements: DOCUMENT.elements }))

/** These elements and everything inside them, in canvas order. */
export function withDescendants(model: Model, ids: Iterable<Id>): Set<Id> {
  const all = new Set<Id>()
  const visit = (id: Id): void => {
    const element = model.elements.get(id)
    if (!element || all.has(id)) return
    all.add(id)
    for (const child of element.children) visit(child)
  }
  for (const id of ids) visit(id)
  return all
}

/** These elements and all that cannot be without them: what is inside, boundary events on them, connectors on any of these. */
export function withDependents(model: Model, ids: Iterable<Id>): Set<Id> {
  const all = withDescendants(model, ids)
  const canvases = new Set([...all].map(id => model.elements.get(id)?.parent ?? null))
  const around = [...canvases].flatMap(canvas => (canvas === null ? [] : (model.elements.get(canvas)?.children ?? [])))
  for (const id of around) {
    const element = model.elements.get(id)
    if (element?.kind === 'boundary' && typeof element.fields.host === 'string' && all.has(element.fields.host)) all.add(id)
  }
  for (const id of around) {
    const ends = model.elements.get(id)?.ends
    if (ends && ((ends.from.id !== null && all.has(ends.from.id)) || (ends.to.id !== null && all.has(ends.to.id)))) all.add(id)
  }
  return all
}
