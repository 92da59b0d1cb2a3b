// The marks of a proposal on a canvas: a ghost of a new element, a strike through a removed one, an outline around a changed one and an
// arrow to a new position. Derived from the proposal and the model alone, so that all users of the document see the same.
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Geo, Id, Model } from '../../../model-schema/model.ts'
import type { Delta, Proposal, Standing } from '../../../model-schema/proposals.ts'
import { centre, type Box, type Point } from '../../editor/geometry/geometry.ts'
import { elbow } from '../../editor/geometry/route.ts'

export type Mark = {
  readonly id: Id
  /** `inside`: something further in is to change. */
  readonly sort: Delta['sort'] | 'inside'
  /** The element's box, or the box it would get. */
  readonly box: Box | null
  /** Its current box, if the proposal moves it. */
  readonly was: Box | null
  /** Of connectors. */
  readonly line: readonly Point[]
  readonly isRound: boolean
  /** The text in the ghost of a new element. */
  readonly name: string
}

export const valueIn = ({ entries }: Delta, at: string): unknown => {
  const entry = entries.find(one => one.at === at)
  return entry?.after ?? entry?.before
}

const kindIn = (delta: Delta, model: Model): string => String(valueIn(delta, 'kind') ?? model.elements.get(delta.id)?.kind ?? '')

/** The current or proposed canvas of an element. */
export function canvasOf(delta: Delta, model: Model): Id | null {
  const tree = delta.entries.find(one => one.at === 'tree')
  const value = delta.sort === 'removed' ? tree?.before : (tree?.after ?? tree?.before)
  const parent: unknown = Array.isArray(value) ? value[0] : undefined
  return typeof parent === 'string' ? parent : (model.elements.get(delta.id)?.parent ?? null)
}

function boxIn(value: unknown): Box | null {
  if (!Array.isArray(value)) return null
  const [x, y, w, h]: unknown[] = value
  return typeof x === 'number' && typeof y === 'number' && typeof w === 'number' && typeof h === 'number' ? { x, y, w, h } : null
}

const boxOfGeo = ([x, y, w, h]: Geo): Box => ({ x, y, w, h })

/** The box of an element as the proposal would have it; null for connectors and what is nowhere. */
export function boxOf(id: Id, proposal: Proposal, model: Model): Box | null {
  const geo = proposal.deltas.find(one => one.id === id)?.entries.find(({ at }) => at === 'geo')
  const element = model.elements.get(id)
  const proposed = boxIn(geo?.after)
  if (proposed) return proposed
  return element && !element.ends ? boxOfGeo(element.geo) : null
}

function lineOf(delta: Delta, proposal: Proposal, model: Model): Point[] {
  const conn = valueIn(delta, 'conn')
  const ends = model.elements.get(delta.id)?.ends
  const end = (side: 'from' | 'to'): Box | null => {
    const held: unknown = typeof conn === 'object' && conn !== null ? Reflect.get(conn, side) : undefined
    const id: unknown = typeof held === 'object' && held !== null ? Reflect.get(held, 'id') : ends?.[side].id
    return typeof id === 'string' ? boxOf(id, proposal, model) : null
  }
  const [from, to] = [end('from'), end('to')]
  return from && to ? elbow({ box: from, point: centre(from) }, { box: to, point: centre(to) }) : []
}

const round = new Set(['start', 'end', 'intermediate', 'boundary'])

/** The marks of what is still open of a proposal on one canvas; boxes that hold other canvases are marked for what is inside them. */
export function marksOn(canvas: Id, proposal: Proposal, standings: ReadonlyMap<Id, Standing>, model: Model): Mark[] {
  const marks: Mark[] = []
  const holders = new Set<Id>()
  for (const delta of proposal.deltas) {
    const is = standings.get(delta.id)?.is
    if (is !== 'open' && is !== 'blocked') continue
    const stands = canvasOf(delta, model)
    if (stands === canvas) {
      const kind = kindOf(kindIn(delta, model))
      const element = model.elements.get(delta.id)
      const isLine = kind?.joins !== undefined
      const box = isLine ? null : boxOf(delta.id, proposal, model)
      const moved = delta.sort === 'changed' && element && box && delta.entries.some(({ at }) => at === 'geo')
      const name = valueIn(delta, 'data/name')
      marks.push({
        id: delta.id,
        sort: delta.sort,
        box,
        was: moved ? boxOfGeo(element.geo) : null,
        line: isLine ? lineOf(delta, proposal, model) : [],
        isRound: round.has(kind?.shape ?? ''),
        name: delta.sort === 'added' && typeof name === 'string' ? name : '',
      })
    }
    const seen = new Set<Id>()
    for (let at = stands; at !== null && !seen.has(at); at = model.elements.get(at)?.parent ?? null) {
      seen.add(at)
      if (model.elements.get(at)?.parent === canvas) holders.add(at)
    }
  }
  for (const id of holders) {
    const element = model.elements.get(id)
    if (element && !marks.some(one => one.id === id))
      marks.push({ id, sort: 'inside', box: boxOfGeo(element.geo), was: null, line: [], isRound: false, name: '' })
  }
  return marks.filter(({ box, line }) => box !== null || line.length > 1)
}
