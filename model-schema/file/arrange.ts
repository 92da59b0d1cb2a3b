// Places what a file leaves without a box: flow elements in layers from left to right (longest path from a start, rings cut), all else in
// rows below. Only for display; the result depends on nothing but the file.
import { isRootKind, kindOf } from '../kinds.ts'
import type { Geo, Id } from '../model.ts'
import type { HoloElement } from './format.ts'

const COLUMN = 168
const ROW = 112
const GAP = 24
/** Elements that are no steps are packed into rows of about this width. */
const WIDTH = 880

/** A box for every element that needs one and has none; `root` is the canvas of elements without a parent. */
export function arrange(elements: Readonly<Record<Id, HoloElement>>, root: Id | null): Map<Id, Geo> {
  const canvases = new Map<Id, Id[]>()
  for (const [id, element] of Object.entries(elements)) {
    const parent = element.parent ?? root
    if (isRootKind(element.kind) || parent === null || element.from !== undefined || element.to !== undefined) continue
    const list = canvases.get(parent)
    if (list) list.push(id)
    else canvases.set(parent, [id])
  }
  const connectors = Object.values(elements).filter(element => element.from !== undefined && element.to !== undefined)
  const places = new Map<Id, Geo>()
  for (const ids of canvases.values()) {
    const free = ids.filter(id => elements[id]?.geo === undefined)
    if (free.length === 0) continue
    const boxes = ids.map(id => elements[id]?.geo).filter(geo => geo !== undefined)
    const top = boxes.length > 0 ? Math.max(...boxes.map(([, y, , h]) => y + h)) + 2 * GAP : GAP
    arrangeCanvas(free, elements, connectors, top, places)
  }
  return places
}

const sizeOf = (element: HoloElement | undefined): readonly [number, number] => kindOf(element?.kind ?? '')?.size ?? [120, 72]
const isStep = (element: HoloElement | undefined): boolean =>
  ['start', 'intermediate', 'end', 'task', 'gateway'].includes(kindOf(element?.kind ?? '')?.shape ?? '')

function arrangeCanvas(
  ids: readonly Id[],
  elements: Readonly<Record<Id, HoloElement>>,
  connectors: readonly HoloElement[],
  top: number,
  places: Map<Id, Geo>,
): void {
  const steps = ids.filter(id => isStep(elements[id]))
  const layers = layersOf(steps, connectors, id => hostOf(elements[id]))
  const filled: number[] = []
  let bottom = top
  for (const id of steps) {
    const layer = layers.get(id) ?? 0
    const row = filled[layer] ?? 0
    filled[layer] = row + 1
    const [w, h] = sizeOf(elements[id])
    places.set(id, [GAP + layer * COLUMN + (COLUMN - GAP - w) / 2, top + row * ROW + (ROW - GAP - h) / 2, w, h])
    bottom = Math.max(bottom, top + (row + 1) * ROW)
  }
  // Boundary events sit on the lower edge of what they are attached to, side by side.
  const seats = new Map<Id, number>()
  const rest = ids.filter(id => !steps.includes(id))
  for (const id of rest) {
    const host = hostOf(elements[id])
    const box = host === null ? undefined : (elements[host]?.geo ?? places.get(host))
    if (host === null || !box) continue
    const seat = seats.get(host) ?? 0
    seats.set(host, seat + 1)
    const [w, h] = sizeOf(elements[id])
    places.set(id, [box[0] + 8 + seat * (w + 4), box[1] + box[3] - h / 2, w, h])
  }
  let x = GAP
  let y = bottom + (steps.length > 0 ? GAP : 0)
  let high = 0
  for (const id of rest) {
    if (places.has(id)) continue
    const [w, h] = sizeOf(elements[id])
    if (x > GAP && x + w > WIDTH) {
      x = GAP
      y += high + GAP
      high = 0
    }
    places.set(id, [x, y, w, h])
    x += w + GAP
    high = Math.max(high, h)
  }
}

const hostOf = (element: HoloElement | undefined): Id | null =>
  element?.kind === 'boundary' && typeof element.host === 'string' ? element.host : null

/** The layer of each step: one more than the farthest step before it. A flow back to an earlier step counts for nothing. */
function layersOf(steps: readonly Id[], connectors: readonly HoloElement[], hostOfId: (id: Id) => Id | null): Map<Id, number> {
  const inside = new Set(steps)
  const next = new Map<Id, Id[]>(steps.map(id => [id, []]))
  const entered = new Set<Id>()
  for (const { from, to } of connectors) {
    const source = idOf(from)
    const target = idOf(to)
    if (source === null || target === null || !inside.has(target)) continue
    const list = next.get(source) ?? next.get(hostOfId(source) ?? '')
    if (!list) continue
    list.push(target)
    entered.add(target)
  }
  // Depth first gives an order in which every flow that is not part of a ring leads forward.
  const order: Id[] = []
  const state = new Map<Id, 'open' | 'done'>()
  const forward = new Map<Id, Id[]>()
  for (const first of [...steps.filter(id => !entered.has(id)), ...steps]) {
    const stack: { id: Id; at: number }[] = state.has(first) ? [] : [{ id: first, at: 0 }]
    if (stack.length > 0) state.set(first, 'open')
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = next.get(top.id)?.[top.at++]
      if (target === undefined) {
        state.set(top.id, 'done')
        order.push(top.id)
        stack.pop()
      } else if (state.get(target) !== 'open') {
        forward.set(top.id, [...(forward.get(top.id) ?? []), target])
        if (!state.has(target)) {
          state.set(target, 'open')
          stack.push({ id: target, at: 0 })
        }
      }
    }
  }
  const layers = new Map<Id, number>(steps.map(id => [id, 0]))
  for (const id of order.reverse()) {
    for (const target of forward.get(id) ?? []) layers.set(target, Math.max(layers.get(target) ?? 0, (layers.get(id) ?? 0) + 1))
  }
  return layers
}

const idOf = (end: HoloElement['from']): Id | null => (typeof end === 'string' ? end : (end?.id ?? null))
