// The overlay of the drawing: selection, handles, ports, guides, the marquee, a connector being drawn, what is about to be placed, and the
// peers. Sizes here are CSS pixels whatever the zoom.
import type { Id } from '../../../model-schema/model.ts'
import { viewOf } from '../../editor/geometry/camera.ts'
import type { Editor } from '../../editor/editor.ts'
import { portedOf, portsOf } from '../../editor/grips.ts'
import type { View } from '../../editor/view.ts'
import { around, grown, handleAt, handles, overlaps, type Box, type Point } from '../../editor/geometry/geometry.ts'
import { mayResize } from '../../editor/grammar.ts'
import type { SceneBox } from '../../editor/scene.ts'
import type { Gap } from '../../editor/geometry/snap.ts'
import { membersOf } from '../../editor/units.ts'
import { iconNamed } from '../icons.ts'
import { paintHead } from './connectors.ts'
import type { Pen } from './pen.ts'
import { paintBox, type Look, type Painting } from './shapes.ts'

/** A peer on this canvas. */
export type Other = {
  readonly name: string
  readonly color: string
  readonly cursor: readonly [number, number] | null
  readonly selection: readonly Id[]
  /** The frame around more elements than are shown moving one by one. */
  readonly frame: Box | null
}

export function paintOver(pen: Pen, editor: Editor, others: readonly Other[], base: Omit<Painting, 'pen' | 'detail'>): void {
  const view = editor.view.getState()
  const { look } = base
  const px = 1 / view.camera.zoom
  for (const other of others) paintOtherSelection(pen, editor, view, other, px)
  if (view.inside !== null) paintEntered(pen, editor, view, look, px)
  paintSelection(pen, editor, view, look, px)
  const taker = view.onto === null ? undefined : editor.scene.box(view.onto)
  if (taker) {
    pen.rect(grown(taker, 3 * px), 12, { fill: look.accent, alpha: 0.08 })
    pen.rect(grown(taker, 3 * px), 12, { stroke: look.accent, width: 2 * px })
  } else if (view.onto !== null) {
    const line = editor.scene.pointsOf(view.onto)
    pen.line(line, { stroke: look.accent, width: 5 * px, alpha: 0.25 }, { radius: 6 })
    pen.line(line, { stroke: look.accent, width: 2 * px }, { radius: 6 })
  }
  if (view.wire) paintDrawnWire(pen, editor, view.wire, look, px)
  // While it is being asked what comes next, the connector waits where it was dropped.
  else if (view.quickAdd?.from)
    paintDrawnWire(pen, editor, { from: view.quickAdd.from, to: null, at: view.quickAdd.at, target: null, lawful: false }, look, px)
  for (const id of portedOf(editor))
    for (const port of portsOf(editor, id)) paintPort(pen, look, port.at, px, view.hover === id && view.hoverPort === port.side)
  for (const guide of view.guides) {
    const line: Point[] =
      guide.axis === 'x'
        ? [
            { x: guide.at, y: guide.from - 8 * px },
            { x: guide.at, y: guide.to + 8 * px },
          ]
        : [
            { x: guide.from - 8 * px, y: guide.at },
            { x: guide.to + 8 * px, y: guide.at },
          ]
    pen.line(line, { stroke: guideColor, width: px })
  }
  for (const gap of view.gaps) paintGap(pen, gap, px)
  if (view.marquee) {
    pen.rect(view.marquee, 0, { fill: look.accent, alpha: 0.08 })
    pen.rect(view.marquee, 0, { stroke: look.accent, width: px })
  }
  if (view.ghost) paintGhost(pen, view, base)
  for (const other of others) if (other.cursor) paintCursor(pen, other.cursor, other.name, other.color, px)
}

/** Guides must not be taken for the selection, which has the accent colour. */
const guideColor = '#e0447c'

/** A gap as large as another: a line across it with ends, and how large it is. */
function paintGap(pen: Pen, { axis, at, from, to }: Gap, px: number): void {
  const point = (along: number, beside: number): Point => (axis === 'x' ? { x: along, y: at + beside } : { x: at + beside, y: along })
  const stroke = { stroke: guideColor, width: px }
  pen.line([point(from, 0), point(to, 0)], stroke)
  for (const end of [from, to]) pen.line([point(end, -4 * px), point(end, 4 * px)], stroke)
  const label = String(Math.round(to - from))
  if ((to - from) / px >= 24)
    pen.text(label, point((from + to) / 2, -9 * px), { size: 11 * px, color: guideColor, weight: 600, align: 'center' })
}

function paintSelection(pen: Pen, editor: Editor, view: View, look: Look, px: number): void {
  const boxes: SceneBox[] = []
  for (const id of view.selection) {
    const box = editor.scene.box(id)
    if (box) boxes.push(box)
  }
  const hovered =
    view.hover !== null && view.tool === 'idle' && !view.selection.includes(view.hover) ? editor.scene.box(view.hover) : undefined
  if (hovered) pen.rect(grown(hovered, 2 * px), 8, { stroke: look.accent, width: px, alpha: 0.45 })
  for (const box of boxes) {
    const ink = box.element.locked
      ? { stroke: look.faint, width: 1.5 * px, dash: [3 * px, 3 * px] }
      : { stroke: look.accent, width: 1.5 * px }
    pen.rect(grown(box, 2.5 * px), box.kind?.shape === 'chart' ? 9 : 8, ink)
  }
  for (const box of hovered ? [...boxes, hovered] : boxes) if (box.element.locked) paintLock(pen, look, box, px)
  const all = boxes.length > 1 ? around(boxes) : null
  if (all) pen.rect(grown(all, 8 * px), 0, { stroke: look.accent, width: px, dash: [4 * px, 3 * px], alpha: 0.6 })
  const lone = view.selection.length === 1 ? boxes[0] : undefined
  if (lone && editor.mayChange(lone.id) && mayResize(lone.kind) && view.tool !== 'dragging')
    for (const handle of handles) if (handle.length === 2) paintHandle(pen, look, handleAt(lone, handle), px)
  const wire = view.selection.length === 1 ? editor.scene.wire(view.selection[0] ?? '') : undefined
  if (wire && editor.mayChange(wire.id) && !view.bending) {
    const points = editor.scene.pointsOf(wire.id)
    for (const end of [points[0], points.at(-1)])
      if (end) pen.circle(end, 4.5 * px, { fill: look.surface, stroke: look.accent, width: 1.5 * px })
    points.forEach((p, i) => {
      const next = points[i + 1]
      if (!next || Math.abs(next.x - p.x) + Math.abs(next.y - p.y) < 24 * px) return
      const [w, h] = p.y === next.y ? [12, 5] : [5, 12]
      const box = { x: (p.x + next.x) / 2 - (w / 2) * px, y: (p.y + next.y) / 2 - (h / 2) * px, w: w * px, h: h * px }
      pen.rect(box, 2.5 * px, { fill: look.surface, stroke: look.accent, width: px })
    })
  }
}

function paintEntered(pen: Pen, editor: Editor, view: View, look: Look, px: number): void {
  const members = membersOf(editor.model, view.canvas, view.inside ?? '').flatMap(id => editor.scene.box(id) ?? [])
  const outline = around(members)
  if (outline) pen.rect(grown(outline, 10 * px), 6, { stroke: look.accent, width: px, dash: [2 * px, 4 * px] })
}

/** A locked element shows a lock in the place of its handle. */
function paintLock(pen: Pen, look: Look, box: Box, px: number): void {
  const at = { x: box.x + box.w, y: box.y }
  pen.circle(at, 9 * px, { fill: look.surface, stroke: look.faint, width: px })
  pen.icon(iconNamed('lock'), { x: at.x - 5.5 * px, y: at.y - 5.5 * px }, 11 * px, look.muted)
}

function paintHandle(pen: Pen, look: Look, at: Point, px: number): void {
  pen.rect({ x: at.x - 4 * px, y: at.y - 4 * px, w: 8 * px, h: 8 * px }, 2 * px, {
    fill: look.surface,
    stroke: look.accent,
    width: 1.25 * px,
  })
}

function paintPort(pen: Pen, look: Look, at: Point, px: number, active: boolean): void {
  pen.circle(at, (active ? 7.5 : 5) * px, { fill: active ? look.accent : look.surface, stroke: look.accent, width: 1.25 * px })
  if (!active) return
  const arm = 3.5 * px
  pen.line(
    [
      { x: at.x - arm, y: at.y },
      { x: at.x + arm, y: at.y },
    ],
    { stroke: look.onAccent, width: 1.5 * px },
  )
  pen.line(
    [
      { x: at.x, y: at.y - arm },
      { x: at.x, y: at.y + arm },
    ],
    { stroke: look.onAccent, width: 1.5 * px },
  )
}

function paintDrawnWire(pen: Pen, editor: Editor, wire: Omit<NonNullable<View['wire']>, 'moving'>, look: Look, px: number): void {
  const target = wire.target === null ? undefined : editor.scene.box(wire.target)
  const free = { box: target ?? null, point: wire.at }
  const known = (id: Id | null) => {
    const box = id === null ? undefined : editor.scene.box(id)
    return box ? { box, point: wire.at, ...editor.scene.routeEndOf(box) } : free
  }
  const points = editor.scene.routeBetween(known(wire.from), known(wire.to))
  pen.line(points, { stroke: look.accent, width: 1.75 * px, dash: wire.lawful ? undefined : [5 * px, 4 * px] }, { radius: 6 })
  const [before, last] = [points.at(-2), points.at(-1)]
  if (before && last) paintHead(pen, before, last, look.accent)
  if (target) {
    pen.rect(grown(target, 4 * px), 10, { fill: look.accent, alpha: 0.08 })
    pen.rect(grown(target, 4 * px), 10, { stroke: look.accent, width: 2 * px })
  }
}

function paintGhost(pen: Pen, view: View, base: Omit<Painting, 'pen' | 'detail'>): void {
  if (!view.ghost) return
  const { offer, geo } = view.ghost
  const [x, y, w, h] = geo
  const fields = {
    ...Object.fromEntries(offer.kind.fields.map(field => [field.id, field.initial])),
    ...offer.values,
    name: base.words(offer.label),
  }
  const element = { id: '', kind: offer.kind.id, parent: view.canvas, children: [], geo, ends: null, bends: [], fields }
  paintBox({ ...base, pen, detail: true }, { id: '', element, kind: offer.kind, order: 0, x, y, w, h })
  pen.rect({ x, y, w, h }, 8, { fill: base.look.accent, alpha: 0.12 })
}

function paintOtherSelection(pen: Pen, editor: Editor, view: View, other: Other, px: number): void {
  const seen = viewOf(view.camera, view.size)
  let named = false
  if (other.frame) {
    pen.rect(other.frame, 0, { stroke: other.color, width: 1.5 * px, dash: [4 * px, 3 * px] })
    pen.rect(other.frame, 0, { fill: other.color, alpha: 0.06 })
  }
  for (const id of other.selection) {
    const wire = editor.scene.wire(id)
    if (wire) pen.line(editor.scene.pointsOf(id), { stroke: other.color, width: 2 * px, alpha: 0.6 }, { radius: 6 })
    const box = editor.scene.box(id)
    if (!box || !overlaps(seen, box)) continue
    pen.rect(grown(box, 3.5 * px), 8, { stroke: other.color, width: 1.5 * px })
    if (!named) paintFlag(pen, { x: box.x - 3.5 * px, y: box.y - 14 * px }, other.name, other.color, px)
    named = true
  }
}

function paintCursor(pen: Pen, [x, y]: readonly [number, number], name: string, color: string, px: number): void {
  const arrow = [
    [0, 0],
    [0, 16],
    [4.2, 12.2],
    [7.2, 18.6],
    [9.8, 17.4],
    [6.8, 11.2],
    [12, 11.2],
  ] as const
  pen.line(
    arrow.map(([dx, dy]) => ({ x: x + dx * px, y: y + dy * px })),
    { fill: color, stroke: '#ffffff', width: 1.25 * px },
    { closed: true },
  )
  paintFlag(pen, { x: x + 12 * px, y: y + 16 * px }, name, color, px)
}

function paintFlag(pen: Pen, at: Point, name: string, color: string, px: number): void {
  const type = { size: 11 * px, weight: 600 as const, color: '#ffffff' }
  const width = Math.min(140 * px, pen.measure(name, type)) + 12 * px
  const box: Box = { x: at.x, y: at.y - 2 * px, w: width, h: 17 * px }
  pen.rect(box, 4 * px, { fill: color })
  pen.text(name, { x: at.x + 6 * px, y: box.y + box.h / 2 }, { ...type, width: 140 * px })
}
