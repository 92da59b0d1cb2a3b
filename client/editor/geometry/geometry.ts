// Plane geometry of the canvas: points, boxes, and the few functions the editor needs. Canvas units, y downwards. Pure; independent of the
// model.
import { unreachable } from '../../../model-schema/unreachable.ts'

export type Point = { readonly x: number; readonly y: number }

/** Left, top, width, height; never negative. */
export type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number }

export type Side = 'top' | 'right' | 'bottom' | 'left'

export const sides: readonly Side[] = ['top', 'right', 'bottom', 'left']

export const centre = (box: Box): Point => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 })

/** The middle of one side. */
export function portOf(box: Box, side: Side): Point {
  switch (side) {
    case 'top':
      return { x: box.x + box.w / 2, y: box.y }
    case 'right':
      return { x: box.x + box.w, y: box.y + box.h / 2 }
    case 'bottom':
      return { x: box.x + box.w / 2, y: box.y + box.h }
    case 'left':
      return { x: box.x, y: box.y + box.h / 2 }
    default:
      return unreachable(side)
  }
}

/** Whether the point is in the box grown by `slack` on every side. */
export function holds(box: Box, point: Point, slack = 0): boolean {
  return point.x >= box.x - slack && point.x <= box.x + box.w + slack && point.y >= box.y - slack && point.y <= box.y + box.h + slack
}

/** Whether `inner` is wholly in `outer`. */
export function encloses(outer: Box, inner: Box): boolean {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w && inner.y + inner.h <= outer.y + outer.h
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h
}

export const grown = (box: Box, by: number): Box => ({ x: box.x - by, y: box.y - by, w: box.w + 2 * by, h: box.h + 2 * by })

/** The box spanned by two corners, whichever way they were dragged. */
export function spanned(a: Point, b: Point): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) }
}

/** The smallest box around all of them, or null for none. */
export function around(boxes: Iterable<Box>): Box | null {
  let left = Infinity
  let top = Infinity
  let right = -Infinity
  let bottom = -Infinity
  for (const box of boxes) {
    left = Math.min(left, box.x)
    top = Math.min(top, box.y)
    right = Math.max(right, box.x + box.w)
    bottom = Math.max(bottom, box.y + box.h)
  }
  return left <= right ? { x: left, y: top, w: right - left, h: bottom - top } : null
}

export const boxOfPoints = (points: readonly Point[]): Box | null => around(points.map(p => ({ x: p.x, y: p.y, w: 0, h: 0 })))

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

/** Distance from a point to the segment a-b. */
function distanceToSegment(p: Point, a: Point, b: Point): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length))
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy)
}

/** The index of the segment of the line nearest to the point, and how far away it is. */
export function nearestSegment(line: readonly Point[], p: Point): { index: number; distance: number } {
  let index = -1
  let best = Infinity
  for (let i = 0; i + 1 < line.length; i++) {
    const a = line[i]
    const b = line[i + 1]
    if (!a || !b) continue
    const d = distanceToSegment(p, a, b)
    if (d < best) {
      best = d
      index = i
    }
  }
  return { index, distance: best }
}

/** The point half-way along a polyline; the first point of a degenerate one. */
export function midway(line: readonly Point[]): Point {
  let left = lengthOf(line) / 2
  for (let i = 0; i + 1 < line.length; i++) {
    const a = line[i]
    const b = line[i + 1]
    if (!a || !b) continue
    const d = distance(a, b)
    if (d >= left && d > 0) return { x: a.x + ((b.x - a.x) * left) / d, y: a.y + ((b.y - a.y) * left) / d }
    left -= d
  }
  return line[0] ?? { x: 0, y: 0 }
}

function lengthOf(line: readonly Point[]): number {
  let sum = 0
  for (let i = 0; i + 1 < line.length; i++) {
    const a = line[i]
    const b = line[i + 1]
    if (a && b) sum += distance(a, b)
  }
  return sum
}

/** Drops repeated points and middle points of straight runs; keeps both ends. */
export function simplified(line: readonly Point[]): Point[] {
  const out: Point[] = []
  for (const p of line) {
    const last = out.at(-1)
    const before = out.at(-2)
    if (last && last.x === p.x && last.y === p.y) continue
    if (last && before && ((before.x === last.x && last.x === p.x) || (before.y === last.y && last.y === p.y))) out.pop()
    out.push(p)
  }
  return out
}

/** The nearest point on a box's border, and its side: the position of a boundary event. */
export function onBorder(box: Box, p: Point): Point & { side: Side } {
  const x = Math.max(box.x, Math.min(box.x + box.w, p.x))
  const y = Math.max(box.y, Math.min(box.y + box.h, p.y))
  const gaps: readonly [Side, number][] = [
    ['bottom', box.y + box.h - y],
    ['top', y - box.y],
    ['right', box.x + box.w - x],
    ['left', x - box.x],
  ]
  const [side] = gaps.reduce((best, gap) => (gap[1] < best[1] ? gap : best))
  if (side === 'top') return { x, y: box.y, side }
  if (side === 'bottom') return { x, y: box.y + box.h, side }
  if (side === 'left') return { x: box.x, y, side }
  return { x: box.x + box.w, y, side }
}

/** Corners and edges a box can be resized by, and where they are. */
export const handles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type Handle = (typeof handles)[number]

export function handleAt(box: Box, handle: Handle): Point {
  const x = handle.includes('w') ? box.x : handle.includes('e') ? box.x + box.w : box.x + box.w / 2
  const y = handle.includes('n') ? box.y : handle.includes('s') ? box.y + box.h : box.y + box.h / 2
  return { x, y }
}

/** The box after its handle was dragged by (dx, dy), never smaller than `least`; the opposite side stays. */
export function resized(box: Box, handle: Handle, dx: number, dy: number, least: { w: number; h: number }): Box {
  const w = Math.max(least.w, box.w + (handle.includes('e') ? dx : handle.includes('w') ? -dx : 0))
  const h = Math.max(least.h, box.h + (handle.includes('s') ? dy : handle.includes('n') ? -dy : 0))
  return { x: handle.includes('w') ? box.x + box.w - w : box.x, y: handle.includes('n') ? box.y + box.h - h : box.y, w, h }
}
