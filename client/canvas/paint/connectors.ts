// How connectors are drawn: rounded orthogonal lines, a filled head at the target, a slash on a default branch, a
// label in the middle; a dangling end ends in a small open ring.
import type { Element } from '../../../model-schema/model.ts'
import { midway, type Point } from '../../editor/geometry/geometry.ts'
import { wireLabelOf } from '../../editor/summary.ts'
import type { Pen, TextStyle } from './pen.ts'
import type { Look } from './shapes.ts'

type WireState = { readonly selected: boolean; readonly hovered: boolean; readonly detail: boolean; readonly editing: boolean }

const corner = 10

export function paintWire(pen: Pen, look: Look, element: Element, points: readonly Point[], state: WireState): void {
  const first = points[0]
  const last = points.at(-1)
  const before = points.at(-2)
  if (!first || !last || !before) return
  const color = state.selected ? look.accent : (element.tint ?? (state.hovered ? look.text : look.connector))
  const dash = element.kind === 'flow' ? undefined : element.kind === 'stateConnector' ? [2, 3] : [5, 3]
  pen.line(points, { stroke: color, width: state.selected ? 2 : 1.5, dash }, { radius: corner })
  paintHead(pen, before, last, color)
  const second = points[1]
  if (second && element.fields['default'] === true) paintSlash(pen, first, second, color)
  for (const [end, at] of [
    [element.ends?.from, first],
    [element.ends?.to, last],
  ] as const)
    if (end && end.id === null) pen.circle(at, 4, { fill: look.canvas, stroke: look.bad, width: 1.5 })
  if (!state.detail || state.editing) return
  const label = wireLabelOf(element)
  if (label.text === '') return
  const type: TextStyle = { size: 11, color: label.code ? look.muted : look.text, mono: label.code, align: 'center', width: 160 }
  const at = labelAt(points)
  const width = Math.min(160, pen.measure(label.text, type)) + 10
  pen.rect({ x: at.x - width / 2, y: at.y - 9, w: width, h: 18 }, 4, { fill: look.canvas })
  pen.text(label.text, at, type)
}

/** The position of a connector's label: the middle of its longest straight run, so that it never hides a corner. */
export function labelAt(points: readonly Point[]): Point {
  let best: readonly [Point, Point] | null = null
  let length = -1
  points.forEach((p, i) => {
    const next = points[i + 1]
    if (!next) return
    // Labels are wide: a horizontal run is worth more than a vertical one of the same length.
    const worth = p.y === next.y ? Math.abs(next.x - p.x) * 1.5 : Math.abs(next.y - p.y)
    if (worth > length) {
      length = worth
      best = [p, next]
    }
  })
  return midway(best ?? points)
}

/** A filled triangle with its tip at `tip`, coming from `from`. */
export function paintHead(pen: Pen, from: Point, tip: Point, color: string): void {
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1
  const ux = (tip.x - from.x) / length
  const uy = (tip.y - from.y) / length
  const back = { x: tip.x - ux * 9, y: tip.y - uy * 9 }
  pen.line(
    [tip, { x: back.x - uy * 4, y: back.y + ux * 4 }, { x: back.x + uy * 4, y: back.y - ux * 4 }],
    { fill: color, stroke: color, width: 1 },
    { closed: true },
  )
}

function paintSlash(pen: Pen, from: Point, to: Point, color: string): void {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const ux = (to.x - from.x) / length
  const uy = (to.y - from.y) / length
  const at = { x: from.x + ux * 10, y: from.y + uy * 10 }
  const [cx, cy] = [ux - uy, uy + ux]
  pen.line(
    [
      { x: at.x - cx * 5, y: at.y - cy * 5 },
      { x: at.x + cx * 5, y: at.y + cy * 5 },
    ],
    { stroke: color, width: 1.25 },
  )
}
