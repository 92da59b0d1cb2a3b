// Orthogonal connector routing. A connector without manual bends takes the cheapest path (length plus a price per bend)
// over the grid of lines spanned by the two shapes and the obstacles between them, found by A*; one with manual bends
// goes through them, and only its first and last legs adapt. Wybrow, Marriott & Stuckey, "Orthogonal connector routing"
// (2009), with a plain grid in place of their visibility graph. Pure.
import { centre, distance, grown, holds, portOf, sides, simplified, type Box, type Point, type Side } from './geometry.ts'

/** How far a connector stays from shapes, and how long its first and last legs are at least. */
const clearance = 16

/** A bend costs as much as this many units of length. */
const bendPrice = 60

/** Crossing a shape's own label is worth one bend and a detour. */
const avoidPrice = 90

/** Obstacles considered; beyond that, the nearest ones only. */
const mostObstacles = 24

export type RouteEnd = {
  readonly box: Box | null
  readonly point: Point
  readonly sides?: readonly Side[]
  /** A side to avoid if another will do: the one with the shape's label. */
  readonly avoid?: Side | undefined
}

/** The points of a connector from border to border. A missing box is a dangling end: its last known point is used. */
export function route(from: RouteEnd, to: RouteEnd, bends: readonly Point[], obstacles: readonly Box[]): Point[] {
  if (bends.length > 0) return viaBends(from, to, bends)
  if (from.box && to.box && from.box === to.box) return loopOn(from.box)
  return search(from, to, obstacles) ?? elbow(from, to)
}

/** A cheap route that looks at nothing but the two ends: for far-away zoom levels and as the fallback. */
export function elbow(from: RouteEnd, to: RouteEnd): Point[] {
  const a = from.box ? centre(from.box) : from.point
  const b = to.box ? centre(to.box) : to.point
  const dx = b.x - a.x
  const dy = b.y - a.y
  if (Math.abs(dx) >= Math.abs(dy)) {
    const start = from.box ? portOf(from.box, dx >= 0 ? 'right' : 'left') : a
    const end = to.box ? portOf(to.box, dx >= 0 ? 'left' : 'right') : b
    const middle = (start.x + end.x) / 2
    return simplified([start, { x: middle, y: start.y }, { x: middle, y: end.y }, end])
  }
  const start = from.box ? portOf(from.box, dy >= 0 ? 'bottom' : 'top') : a
  const end = to.box ? portOf(to.box, dy >= 0 ? 'top' : 'bottom') : b
  const middle = (start.y + end.y) / 2
  return simplified([start, { x: start.x, y: middle }, { x: end.x, y: middle }, end])
}

/** The bends to store when segment `index` of a route is dragged to `at`: the route's inner points, that segment moved. */
export function bendsAfterDrag(line: readonly Point[], index: number, at: Point): Point[] {
  const a = line[index]
  const b = line[index + 1]
  if (!a || !b) return line.slice(1, -1)
  const across = a.y === b.y ? { y: at.y } : { x: at.x }
  const moved = line.map((p, i) => (i === index || i === index + 1 ? { ...p, ...across } : p))
  // The ends stay on their shapes; the dragged leg gets a corner of its own there.
  if (index === 0) moved.splice(0, 1, a, { ...a, ...across })
  if (index + 1 === line.length - 1) moved.splice(moved.length - 1, 1, { ...b, ...across }, b)
  return simplified(moved).slice(1, -1)
}

function viaBends(from: RouteEnd, to: RouteEnd, bends: readonly Point[]): Point[] {
  const first = bends[0]
  const last = bends.at(-1)
  if (!first || !last) return elbow(from, to)
  return simplified([...legTo(from, first), ...bends, ...legTo(to, last).reverse()])
}

// From a shape to its first bend: straight when the bend is level with the shape, else out of the nearer side with a corner.
function legTo(end: RouteEnd, bend: Point): Point[] {
  const { box } = end
  if (!box) return [end.point, { x: bend.x, y: end.point.y }]
  if (bend.y >= box.y && bend.y <= box.y + box.h) return [{ x: bend.x < centre(box).x ? box.x : box.x + box.w, y: bend.y }]
  if (bend.x >= box.x && bend.x <= box.x + box.w) return [{ x: bend.x, y: bend.y < centre(box).y ? box.y : box.y + box.h }]
  const port = portOf(box, bend.x < box.x ? 'left' : 'right')
  return [port, { x: bend.x, y: port.y }]
}

function loopOn(box: Box): Point[] {
  const right = portOf(box, 'right')
  const top = portOf(box, 'top')
  const out = right.x + clearance
  const up = top.y - clearance
  return [right, { x: out, y: right.y }, { x: out, y: up }, { x: top.x, y: up }, top]
}

type Port = { port: Point; out: Point; side: Side | null }

function portsOf(end: RouteEnd): Port[] {
  const { box } = end
  if (!box) return [{ port: end.point, out: end.point, side: null }]
  return (end.sides ?? sides).map(side => {
    const port = portOf(box, side)
    const [dx, dy] = normals[side]
    return { port, out: { x: port.x + dx * clearance, y: port.y + dy * clearance }, side }
  })
}

const normals: Readonly<Record<Side, readonly [number, number]>> = { top: [0, -1], right: [1, 0], bottom: [0, 1], left: [-1, 0] }

function search(from: RouteEnd, to: RouteEnd, near: readonly Box[]): Point[] | null {
  const starts = portsOf(from)
  const goals = portsOf(to)
  const walls = nearest(near, from, to).map(box => grown(box, clearance - 1))
  // The two shapes themselves are walls: a connector never crosses its own ends. Touching shapes leave no room; their
  // walls shrink then, so that the ports between them stay reachable.
  for (const end of [from, to]) if (end.box) walls.push(grown(end.box, touching(from, to) ? 0 : clearance - 1))
  const free = (p: Point): boolean => !walls.some(wall => strictly(wall, p))
  const halfX = halfway(from, to, 'x')
  const halfY = halfway(from, to, 'y')
  const xs = coordinates([...[...starts, ...goals].map(port => port.out.x), ...halfX], walls, 'x')
  const ys = coordinates([...[...starts, ...goals].map(port => port.out.y), ...halfY], walls, 'y')
  const columns = xs.length
  const index = (p: Point): number => ys.indexOf(p.y) * columns + xs.indexOf(p.x)
  const goalAt = new Map<number, Port>()
  for (const goal of goals) if (free(goal.out)) goalAt.set(index(goal.out), goal)
  if (goalAt.size === 0) return null

  // A state is a grid node and the direction it was entered in (0 right, 1 down, 2 left, 3 up).
  const size = columns * ys.length * 4
  const cost = new Float64Array(size).fill(Infinity)
  const previous = new Int32Array(size).fill(-1)
  const startOf = new Map<number, Port>()
  const open = new Heap()
  const left = (p: Point): number =>
    halfwayPrice * Math.min(...[...goalAt.values()].map(goal => Math.abs(goal.out.x - p.x) + Math.abs(goal.out.y - p.y)))
  for (const start of starts) {
    if (!free(start.out)) continue
    const directions = start.side === null ? [0, 1, 2, 3] : [directionOf[start.side]]
    for (const direction of directions) {
      const state = index(start.out) * 4 + direction
      const price = start.side === null ? 0 : sidePrice(start, to) + (start.side === from.avoid ? avoidPrice : 0)
      if (price >= (cost[state] ?? Infinity)) continue
      cost[state] = price
      startOf.set(state, start)
      open.push(price + left(start.out), state)
    }
  }
  let best: { state: number; goal: Port } | null = null
  let bestCost = Infinity
  while (open.size > 0) {
    const { key, item: state } = open.pop()
    if (key >= bestCost) break
    const node = state >> 2
    const direction = state & 3
    const x = node % columns
    const y = (node - x) / columns
    const here: Point = { x: xs[x] ?? 0, y: ys[y] ?? 0 }
    const spent = cost[state] ?? Infinity
    const goal = goalAt.get(node)
    if (goal) {
      const inward = goal.side === null ? direction : (directionOf[goal.side] + 2) % 4
      const turn = Math.abs(inward - direction)
      const shunned = goal.side !== null && goal.side === to.avoid ? avoidPrice : 0
      const total = spent + shunned + (turn === 0 ? 0 : turn === 2 ? 3 * bendPrice : bendPrice)
      if (total < bestCost) {
        bestCost = total
        best = { state, goal }
      }
    }
    for (let next = 0; next < 4; next++) {
      if ((next + 2) % 4 === direction) continue
      const nx = x + (next === 0 ? 1 : next === 2 ? -1 : 0)
      const ny = y + (next === 1 ? 1 : next === 3 ? -1 : 0)
      if (nx < 0 || ny < 0 || nx >= columns || ny >= ys.length) continue
      const there: Point = { x: xs[nx] ?? 0, y: ys[ny] ?? 0 }
      if (!free(there) || crosses(walls, here, there)) continue
      const state2 = (ny * columns + nx) * 4 + next
      const middle = next % 2 === 0 ? halfY.includes(here.y) : halfX.includes(here.x)
      const total = spent + distance(here, there) * (middle ? halfwayPrice : 1) + (next === direction ? 0 : bendPrice)
      if (total >= (cost[state2] ?? Infinity)) continue
      cost[state2] = total
      previous[state2] = state
      open.push(total + left(there), state2)
    }
  }
  if (!best) return null
  const path: Point[] = [best.goal.port]
  let state = best.state
  for (;;) {
    const node = state >> 2
    const x = node % columns
    path.push({ x: xs[x] ?? 0, y: ys[(node - x) / columns] ?? 0 })
    const before = previous[state] ?? -1
    if (before < 0) break
    state = before
  }
  const start = startOf.get(state)
  if (start) path.push(start.port)
  return simplified(path.reverse())
}

const directionOf: Readonly<Record<Side, number>> = { right: 0, bottom: 1, left: 2, top: 3 }

// Flows read left to right: leaving by the far side costs a little, so that ties fall the way people draw.
function sidePrice(start: Port, to: RouteEnd): number {
  const goal = to.box ? centre(to.box) : to.point
  const ahead = goal.x > start.port.x + clearance
  return start.side === 'right' ? 0 : ahead ? 8 : 4
}

function touching(from: RouteEnd, to: RouteEnd): boolean {
  if (!from.box || !to.box) return false
  const a = grown(from.box, clearance)
  const b = grown(to.box, clearance)
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

const strictly = (box: Box, p: Point): boolean => p.x > box.x && p.x < box.x + box.w && p.y > box.y && p.y < box.y + box.h

function crosses(walls: readonly Box[], a: Point, b: Point): boolean {
  const left = Math.min(a.x, b.x)
  const right = Math.max(a.x, b.x)
  const top = Math.min(a.y, b.y)
  const bottom = Math.max(a.y, b.y)
  return walls.some(wall => left < wall.x + wall.w && right > wall.x && top < wall.y + wall.h && bottom > wall.y)
}

function nearest(boxes: readonly Box[], from: RouteEnd, to: RouteEnd): Box[] {
  const a = from.box ? centre(from.box) : from.point
  const b = to.box ? centre(to.box) : to.point
  // A box that holds an end (a frame, or a shape lying on another) can't be walked around.
  const useful = boxes.filter(box => !holds(box, a) && !holds(box, b))
  if (useful.length <= mostObstacles) return useful
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
  return useful.sort((p, q) => distance(centre(p), middle) - distance(centre(q), middle)).slice(0, mostObstacles)
}

function coordinates(own: readonly number[], walls: readonly Box[], axis: 'x' | 'y'): number[] {
  const all = new Set(own)
  for (const wall of walls) {
    all.add(axis === 'x' ? wall.x : wall.y)
    all.add(axis === 'x' ? wall.x + wall.w : wall.y + wall.h)
  }
  return [...all].sort((p, q) => p - q)
}

/** Units of length along the line half-way between two shapes count for a little less, so that Z-shaped routes turn there. */
const halfwayPrice = 0.95

function halfway(from: RouteEnd, to: RouteEnd, axis: 'x' | 'y'): number[] {
  const [a, b] = [from, to].map(end => {
    const low = end.box ? end.box[axis] : end.point[axis]
    return { low, high: end.box ? low + (axis === 'x' ? end.box.w : end.box.h) : low }
  })
  if (!a || !b) return []
  if (a.high < b.low) return [(a.high + b.low) / 2]
  if (b.high < a.low) return [(b.high + a.low) / 2]
  return []
}

// A binary heap of states by estimated total cost.
class Heap {
  readonly #keys: number[] = []
  readonly #items: number[] = []

  get size(): number {
    return this.#keys.length
  }

  push(key: number, item: number): void {
    const keys = this.#keys
    const items = this.#items
    let i = keys.length
    keys.push(key)
    items.push(item)
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = keys[parent] ?? -Infinity
      if (above <= key) break
      keys[i] = above
      items[i] = items[parent] ?? 0
      i = parent
    }
    keys[i] = key
    items[i] = item
  }

  /** Throws RangeError when empty. */
  pop(): { key: number; item: number } {
    const keys = this.#keys
    const items = this.#items
    const key = keys[0]
    const item = items[0]
    const lastKey = keys.pop()
    const lastItem = items.pop()
    if (key === undefined || item === undefined || lastKey === undefined || lastItem === undefined) throw new RangeError('heap: empty')
    const n = keys.length
    if (n > 0) {
      let i = 0
      for (;;) {
        let child = 2 * i + 1
        if (child >= n) break
        if (child + 1 < n && (keys[child + 1] ?? Infinity) < (keys[child] ?? Infinity)) child++
        const below = keys[child] ?? Infinity
        if (below >= lastKey) break
        keys[i] = below
        items[i] = items[child] ?? 0
        i = child
      }
      keys[i] = lastKey
      items[i] = lastItem
    }
    return { key, item }
  }
}
