// The drawing of a canvas: grid, frames, connectors, boxes, badges. Only what the view shows is touched; far away, a
// box is a patch of colour and a connector a line, all of one colour in a single stroke.
import type { Id } from '../../../model-schema/model.ts'
import { viewOf, type Camera, type Size } from '../../editor/geometry/camera.ts'
import { overlaps, type Box, type Point } from '../../editor/geometry/geometry.ts'
import { isCard } from '../../editor/grammar.ts'
import { route } from '../../editor/geometry/route.ts'
import type { Scene, SceneBox } from '../../editor/scene.ts'
import { wireLabelOf } from '../../editor/summary.ts'
import { labelAt, paintWire } from './connectors.ts'
import { heatColor, paintHeat } from './heat.ts'
import { paintReach, paintReachOfWire } from './reach.ts'
import { nameSize, paintName } from './names.ts'
import type { Pen } from './pen.ts'
import { isPale, paintBox, short, type Look, type Painting } from './shapes.ts'

/** Below this zoom shapes are patches. */
export const patchZoom = 0.3
/** Below this zoom names are the only text, in a size that can still be read. */
const textZoom = 0.6
/** CSS pixels below which letters do not shrink with the drawing, and how much larger than drawn they may get. */
const leastLetters = 11.5
const mostLarger = 1.5

type Mark = 'error' | 'warning' | 'todo'

export type Badges = {
  /** Problems and open tasks of elements. */
  readonly problems: ReadonlyMap<Id, Mark>
  readonly tokens: Readonly<Record<Id, number>>
  /** Elements with a breakpoint, and whether it is on. */
  readonly breakpoints: ReadonlyMap<Id, boolean>
  /** The step before which the run is stopped. */
  readonly here: Id | null
  /** Shares of the time of a run, while they are shown. */
  readonly heat?: ReadonlyMap<Id, number> | null
  /** How often tests of the model reach steps and branches, while that is shown. */
  readonly reached?: ReadonlyMap<Id, number> | null
}

export type ScenePainting = {
  readonly scene: Scene
  readonly camera: Camera
  readonly size: Size
  readonly selection: ReadonlySet<Id>
  readonly hover: Id | null
  readonly bending: { readonly id: Id; readonly bends: readonly Point[] } | null
  /** The connector with an end being dragged; not drawn here. */
  readonly carried: Id | null
  readonly badges: Badges
  readonly base: Omit<Painting, 'pen' | 'detail'>
  /** Milliseconds that finding new routes may take; beyond it, wires are drawn roughly this once. */
  readonly routing: number
}

/** Draws the scene; returns whether some wires are only drawn roughly and need another pass. */
export function paintScene(pen: Pen, what: ScenePainting): boolean {
  const { scene, camera, size, base } = what
  const detail = camera.zoom >= textZoom
  const { boxes, wires } = scene.visible(viewOf(camera, size))
  const painting: Painting = { ...base, pen, detail, letters: Math.min(mostLarger, Math.max(1, leastLetters / (12 * camera.zoom))) }
  const lines = new Lines(scene, what.routing)
  for (const box of boxes) if (box.kind?.shape === 'frame') paintBox(painting, box)
  for (const wire of wires) {
    if (wire.id === what.carried) continue
    const state = { selected: what.selection.has(wire.id), hovered: what.hover === wire.id, detail, editing: base.renaming === wire.id }
    paintWire(
      pen,
      base.look,
      wire.element,
      what.bending?.id === wire.id ? bentPoints(scene, wire.id, what.bending.bends) : lines.of(wire.id),
      state,
    )
  }
  for (const box of boxes)
    if (box.kind?.shape !== 'frame' && !(base.renaming === box.id && isCard(box.element.kind))) paintBox(painting, box)
  for (const box of detail ? [] : boxes) paintName(painting, box, nameSize / camera.zoom)
  for (const box of boxes) if (box.element.tint) paintTag(painting, box, box.element.tint)
  for (const box of what.badges.heat ? boxes : []) paintHeat(painting, box, what.badges.heat?.get(box.id) ?? 0)
  for (const box of what.badges.reached ? boxes : []) paintReach(painting, box, what.badges.reached?.get(box.id))
  for (const wire of what.badges.reached ? wires : []) paintReachOfWire(painting, lines.of(wire.id), what.badges.reached?.get(wire.id))
  for (const box of boxes) paintBadges(painting, box, what.badges)
  for (const wire of wires) {
    const problem = what.badges.problems.get(wire.id)
    const points = problem ? lines.of(wire.id) : []
    // Above the middle, the position of a label.
    if (problem && points.length > 1)
      paintMark(painting, { x: labelAt(points).x, y: labelAt(points).y - (wireLabelOf(wire.element).text ? 16 : 0) }, problem)
  }
  return lines.rough
}

/** Routes within a time budget: cached routes cost nothing. */
class Lines {
  rough = false
  readonly #scene: Scene
  readonly #until: number

  constructor(scene: Scene, budget: number) {
    this.#scene = scene
    this.#until = performance.now() + budget
  }

  of(id: Id): readonly Point[] {
    if (this.#scene.wire(id)?.points || performance.now() < this.#until) return this.#scene.pointsOf(id)
    this.rough = true
    return this.#scene.roughPointsOf(id)
  }
}

/** The route a connector takes with these bends, while they are dragged. */
function bentPoints(scene: Scene, id: Id, bends: readonly Point[]): Point[] {
  const ends = scene.wire(id)?.element.ends
  if (!ends) return []
  const end = (side: 'from' | 'to') => ({ box: (ends[side].id && scene.box(ends[side].id)) || null, point: ends[side] })
  return route(end('from'), end('to'), bends, [])
}

/** Dots, fewer of them the further away. */
export function paintGrid(context: CanvasRenderingContext2D, camera: Camera, size: Size, pixelRatio: number, color: string): void {
  let pitch = 16
  while (pitch * camera.zoom < 12) pitch *= 4
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.fillStyle = color
  const dot = Math.max(1, Math.round(pixelRatio * Math.min(1.5, 1 + camera.zoom * 0.25)))
  const scale = camera.zoom * pixelRatio
  const view = viewOf(camera, size)
  for (let x = Math.ceil(view.x / pitch) * pitch; x < view.x + view.w; x += pitch)
    for (let y = Math.ceil(view.y / pitch) * pitch; y < view.y + view.h; y += pitch)
      context.fillRect(Math.round((x - camera.x) * scale), Math.round((y - camera.y) * scale), dot, dot)
}

/**
 * Draws a part of the canvas as seen from far away, straight on the context: a few fills for ten thousand shapes. Returns whether wires are
 * rough.
 */
export function paintPatches(context: CanvasRenderingContext2D, what: ScenePainting, pixelRatio: number, part: Box): boolean {
  const { scene, camera, base } = what
  const { look } = base
  const { boxes, wires } = scene.visible(part)
  const scale = camera.zoom * pixelRatio
  context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale)
  context.setLineDash([])
  context.beginPath()
  const lines = new Lines(scene, wires.length < mostRouted ? what.routing : 0)
  for (const wire of wires) if (wire.id !== what.carried) traced(context, lines.of(wire.id))
  context.strokeStyle = look.faint
  context.lineWidth = Math.max(1, 1 / camera.zoom)
  context.stroke()
  fillBoxes(
    context,
    Map.groupBy(boxes, box => {
      const heat = what.badges.heat?.get(box.id)
      return heat === undefined ? patchColor(box, look) : heatColor(heat)
    }),
  )
  context.fillStyle = look.bad
  for (const box of boxes) {
    if (what.badges.problems.get(box.id) !== 'error') continue
    const r = 4 / camera.zoom
    context.fillRect(box.x + box.w - r, box.y - r, 2 * r, 2 * r)
  }
  return lines.rough && wires.length < mostRouted
}

/** Above so many wires far away, only rough lines are visible. */
const mostRouted = 1500

function fillBoxes(context: CanvasRenderingContext2D, byColor: ReadonlyMap<string, readonly SceneBox[]>): void {
  for (const [color, list] of byColor) {
    context.fillStyle = color
    context.beginPath()
    for (const box of list) context.rect(box.x, box.y, box.w, box.h)
    context.fill()
  }
}

/** Parts that change more often than the far-away drawing: the selection, and the names of large elements, readable for longer. */
export function paintPatchMarks(context: CanvasRenderingContext2D, what: ScenePainting, pixelRatio: number): void {
  const { scene, camera, size, base, selection } = what
  const { look } = base
  const scale = camera.zoom * pixelRatio
  const view = viewOf(camera, size)
  const chosen = [...selection].flatMap(id => scene.box(id) ?? []).filter(box => box.kind?.shape !== 'frame' && overlaps(view, box))
  context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale)
  fillBoxes(context, new Map([[look.accent, chosen]]))
  context.setTransform(1, 0, 0, 1, 0, 0)
  const { boxes } = scene.visible(view)
  if (boxes.length > 300) return
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.font = `500 ${10 * pixelRatio}px system-ui, sans-serif`
  for (const box of boxes) {
    const { name } = box.element.fields
    if (typeof name !== 'string' || box.kind?.shape === 'frame' || context.measureText(name).width > (box.w - 8) * scale) continue
    context.fillStyle = isPale(selection.has(box.id) ? look.accent : patchColor(box, look)) ? '#191e29' : '#ffffff'
    context.fillText(name, (box.x + box.w / 2 - camera.x) * scale, (box.y + box.h / 2 - camera.y) * scale)
  }
}

function traced(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  const first = points[0]
  if (!first) return
  context.moveTo(first.x, first.y)
  for (const p of points) context.lineTo(p.x, p.y)
}

function patchColor(box: SceneBox, look: Look): string {
  if (box.element.tint && box.kind?.shape !== 'frame') return box.element.tint
  const { color } = box.element.fields
  if (box.kind?.shape === 'frame') return look.dark ? '#ffffff08' : '#1b2a4a08'
  if (box.kind?.shape === 'note' && typeof color === 'string') return color
  if (box.kind?.family === 'entity' && typeof color === 'string' && color !== '') return color
  return look.dark ? '#3a4150' : '#c9d0dc'
}

/** A tag is a band along the left edge, on round shapes a dot: it is independent of the meaning of the shape, and hides no arrow. */
function paintTag({ pen, look }: Painting, box: SceneBox, color: string): void {
  if (isRound(box)) pen.circle({ x: box.x + box.w * 0.12, y: box.y + box.h * 0.12 }, 5, { fill: color, stroke: look.canvas, width: 2 })
  else pen.rect({ x: box.x + 2.5, y: box.y + 7, w: 3, h: Math.max(4, box.h - 14) }, 1.5, { fill: color })
}

const isRound = ({ kind }: SceneBox): boolean =>
  kind?.shape === 'start' ||
  kind?.shape === 'end' ||
  kind?.shape === 'intermediate' ||
  kind?.shape === 'boundary' ||
  kind?.shape === 'gateway'

function paintBadges({ pen, look, detail }: Painting, box: SceneBox, badges: Badges): void {
  if (badges.here === box.id) pen.rect({ x: box.x - 5, y: box.y - 5, w: box.w + 10, h: box.h + 10 }, 12, { stroke: look.todo, width: 3 })
  const breakpoint = badges.breakpoints.get(box.id)
  // At the lower edge: tokens and problems are drawn above, handles at the corners.
  if (breakpoint !== undefined)
    pen.circle({ x: box.x + Math.min(16, box.w / 4), y: box.y + box.h }, 6, {
      fill: breakpoint ? look.bad : look.canvas,
      stroke: breakpoint ? look.canvas : look.bad,
      width: 2,
    })
  const tokens = badges.tokens[box.id]
  if (tokens) paintTokens({ pen, look, detail }, box, tokens)
  const problem = badges.problems.get(box.id)
  if (problem && !isCard(box.element.kind)) paintMark({ pen, look, detail }, markAt(box), problem)
}

/** Left of the corner, which belongs to the resize handle. */
const markAt = ({ x, y, w }: Box): Point => ({ x: x + Math.max(w / 2, w - 16), y })

/** The marks of live cards, which lie over the drawing: these lie over the cards. */
export function paintCardMarks(pen: Pen, look: Look, scene: Scene, camera: Camera, size: Size, problems: Badges['problems']): void {
  if (camera.zoom < patchZoom) return
  const seen = viewOf(camera, size)
  for (const box of scene.cards) {
    const problem = problems.get(box.id)
    if (problem && overlaps(seen, box)) paintMark({ pen, look, detail: camera.zoom >= textZoom }, markAt(box), problem)
  }
}

/** At most so many tokens at a step are drawn one by one, so far apart. */
const mostDiscs = 8
const discPitch = 10

/** On the upper edge: a disc for each token if there are few at a step, else their number; tokens inside a process are a number, too. */
function paintTokens({ pen, look, detail }: Pick<Painting, 'pen' | 'look' | 'detail'>, box: SceneBox, tokens: number): void {
  const rim = { fill: look.entity, stroke: look.canvas, width: 2 }
  const isStep = box.kind?.shape === 'task' || isRound(box)
  if (isStep && tokens <= Math.min(mostDiscs, Math.floor((box.w - 20) / discPitch) + 1)) {
    for (let i = 0; i < tokens; i++) pen.circle({ x: box.x + 12 + i * discPitch, y: box.y }, 6.5, rim)
    return
  }
  const text = short(tokens)
  const type = { size: 11, weight: 600 as const, color: onMark(look), align: 'center' as const }
  const width = Math.max(18, pen.measure(text, type) + 10)
  const pill: Box = { x: box.x + 10, y: box.y - 9, w: width, h: 18 }
  pen.rect(pill, 9, rim)
  if (detail) pen.text(text, { x: pill.x + width / 2, y: pill.y + 9 }, type)
}

/** The text colour on a mark with a strong colour. */
const onMark = (look: Look): string => (look.dark ? '#171a21' : '#ffffff')

function paintMark({ pen, look, detail }: Pick<Painting, 'pen' | 'look' | 'detail'>, at: Point, problem: Mark): void {
  // Left to do is a ring: nothing is wrong.
  if (problem === 'todo') return pen.circle(at, 5.5, { fill: look.canvas, stroke: look.todo, width: 2 })
  pen.circle(at, 7, { fill: problem === 'error' ? look.bad : look.warn, stroke: look.canvas, width: 2 })
  if (detail) pen.text('!', at, { size: 10, weight: 600, color: onMark(look), align: 'center' })
}
