// The effect of an edit on a run in progress: none (a move, a note), one for the checker only (a view or chart), or another program.
import type { Json } from '../../model-schema/kinds/kind.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'

type Difference = 'none' | 'view' | 'program'

/** Kinds a run never reads: views of it, and drawings. */
const views = new Set(['worldView', 'networkChart', 'controller'])

/** How the scenario `id` differs between two models, looking no further than elements that aren't the same object. */
export function difference(before: Model, after: Model, scenario: Id): Difference {
  let found: Difference = 'none'
  const waiting: Id[] = [scenario]
  const seen = new Set<Id>()
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    const old = before.elements.get(id)
    const now = after.elements.get(id)
    if (old !== now) {
      const how = elementDifference(old, now)
      if (how === 'program') return 'program'
      if (how === 'view') found = 'view'
    }
    for (const child of now?.children ?? []) waiting.push(child)
    for (const child of old?.children ?? []) if (!after.elements.has(child)) waiting.push(child)
  }
  return found
}

function elementDifference(old: Element | undefined, now: Element | undefined): Difference {
  const kind = (now ?? old)?.kind ?? ''
  if (kindOf(kind)?.family === 'drawing') return 'none'
  const other: Difference = views.has(kind) ? 'view' : 'program'
  if (!old || !now) return other
  if (old.kind !== now.kind) return 'program'
  if (old.parent !== now.parent || !sameEnds(old, now) || !sameJson(old.fields, now.fields)) return other
  // Canvas order is the order of activation, and that of `children`: but a new note alone changes nothing.
  return sameOrder(old.children, now.children) ? 'none' : 'program'
}

const sameEnds = (a: Element, b: Element): boolean =>
  a.ends?.from.id === b.ends?.from.id &&
  a.ends?.from.port === b.ends?.from.port &&
  a.ends?.to.id === b.ends?.to.id &&
  a.ends?.to.port === b.ends?.to.port

/** Whether the children both lists hold come in the same order. */
function sameOrder(a: readonly Id[], b: readonly Id[]): boolean {
  const inA = new Set(a)
  const inB = new Set(b)
  const kept = b.filter(id => inA.has(id))
  return a.filter(id => inB.has(id)).every((id, i) => kept[i] === id)
}

function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  const right: Record<string, Json> = Object.fromEntries(Object.entries(b))
  return left.length === Object.keys(right).length && left.every(([key, value]) => Object.hasOwn(right, key) && sameJson(value, right[key]))
}
