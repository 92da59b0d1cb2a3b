// One canvas as the editor sees it: boxes and wires with a spatial index (R-tree), kept in step with the model by comparing element
// identities. Drawing queries what is visible, tools query what is hit. A wire is routed when first read and again after anything near it
// has moved. Mutable; its owner calls `update`.
import RBush from 'rbush'
import type { Element, Geo, Id, Model } from '../../model-schema/model.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Kind } from '../../model-schema/kinds/kind.ts'
import {
  around,
  boxOfPoints,
  encloses,
  grown,
  holds,
  nearestSegment,
  overlaps,
  sides,
  type Box,
  type Point,
  type Side,
} from './geometry/geometry.ts'
import { isCard } from './grammar.ts'
import { elbow, route, type RouteEnd } from './geometry/route.ts'

export type SceneBox = Box & {
  readonly id: Id
  readonly element: Element
  /** Undefined for a kind of a newer version: shown as a plain box. */
  readonly kind: Kind | undefined
  /** Place in the canvas order. */
  readonly order: number
}

type SceneWire = {
  readonly id: Id
  readonly element: Element
  readonly kind: Kind | undefined
  readonly order: number
  /** Null until it has been looked at. */
  points: readonly Point[] | null
}

type Visible = { readonly boxes: readonly SceneBox[]; readonly wires: readonly SceneWire[] }

type Hit = { readonly on: 'box'; readonly id: Id } | { readonly on: 'wire'; readonly id: Id; readonly segment: number }

type Entry = { minX: number; minY: number; maxX: number; maxY: number; id: Id; wire: boolean }

/** Wires are indexed by the box around their two shapes, grown by this much, before they are routed. */
const wireMargin = 48

/** Above this number, changes are not recorded one by one. */
const mostChanges = 1000

/** A frame is picked up by this many canvas units along its border, and by its title strip. */
const frameGrip = 8
const frameTitle = 28

export class Scene {
  readonly canvas: Id
  /** Increases with every change: what is drawn from the scene can be cached until then. */
  version = 0
  readonly #boxes = new Map<Id, SceneBox>()
  readonly #wires = new Map<Id, SceneWire>()
  readonly #entries = new Map<Id, Entry>()
  readonly #wiresOf = new Map<Id, Set<Id>>()
  readonly #index = new RBush<Entry>(16)
  /** Shown elsewhere than the model has them: by one's own hand, by others, and both together. */
  #own: ReadonlyMap<Id, Geo> = new Map()
  #theirs: ReadonlyMap<Id, Geo> = new Map()
  #moved: ReadonlyMap<Id, Geo> = new Map()
  readonly #cards = new Map<Id, SceneBox>()
  readonly #boundaries = new Map<Id, SceneBox>()
  /** Wires that aren't indexed yet. */
  readonly #unplaced = new Set<Id>()
  #bounds: Box | null = null
  #boundsOf = -1
  #children: readonly Id[] = []
  #model: Model | null = null
  /** Where something changed, with the version it came with. */
  readonly #changes: { version: number; box: Box }[] = []
  /** The changes since this version are all there. */
  #changesFrom = 0

  constructor(canvas: Id) {
    this.canvas = canvas
  }

  /** Takes over the changes of the model since the last update. With `since`, only the changed elements are compared. */
  update(model: Model, since?: { readonly model: Model; readonly changed: readonly Id[] }): void {
    const children = model.elements.get(this.canvas)?.children ?? []
    const same = children === this.#children
    const only = same && since !== undefined && since.model === this.#model ? new Set(since.changed) : null
    this.#children = children
    this.#model = model
    const gone = new Set(same ? [] : [...this.#boxes.keys(), ...this.#wires.keys()])
    const fresh: Entry[] = []
    const changed: SceneBox[] = []
    const take = (id: Id, order: number): void => {
      if (!same) gone.delete(id)
      const element = model.elements.get(id)
      if (!element) return
      const known = this.#boxes.get(id) ?? this.#wires.get(id)
      if (known && known.element === element && known.order === order) return
      const isWire = element.ends !== null || kindOf(element.kind)?.shape === 'connector'
      const entry = this.#entries.get(id)
      if (entry) this.#touch(boxOf(entry))
      if (known && known.element === element) {
        if (this.#boxes.has(id)) this.#keep(boxFor(element, order, this.#moved.get(id)))
        else this.#wires.set(id, { ...wireFor(element, order), points: this.#wires.get(id)?.points ?? null })
        return
      }
      const before = this.#boxes.get(id)
      if (known) this.#drop(id)
      if (isWire) {
        this.#wires.set(id, wireFor(element, order))
        this.#unplaced.add(id)
        for (const end of [element.ends?.from.id, element.ends?.to.id]) if (end) this.#attach(end, id)
      } else {
        const box = boxFor(element, order, this.#moved.get(id))
        this.#keep(box)
        if (!before || !sameBox(before, box)) {
          changed.push(box)
          if (before) changed.push(before)
        }
        fresh.push(this.#enter(id, box, false))
      }
    }
    if (only === null) children.forEach(take)
    else
      for (const id of only) {
        const known = this.#boxes.get(id) ?? this.#wires.get(id)
        if (known) take(id, known.order)
      }
    for (const id of gone) {
      const box = this.#boxes.get(id)
      if (box) changed.push(box)
      this.#drop(id)
    }
    this.#index.load(fresh)
    this.#indexWires(changed)
    this.version++
  }

  /** Shows elements elsewhere than the model has them, while they are dragged; null shows the model again. */
  preview(moves: ReadonlyMap<Id, Geo> | null): void {
    this.#own = moves ?? new Map<Id, Geo>()
    this.#showMoved()
  }

  /** Shows elements where peers are dragging them; the ones dragged here stay at our own pointer. */
  previewTheirs(moves: ReadonlyMap<Id, Geo>): void {
    this.#theirs = moves
    this.#showMoved()
  }

  /** What is shown by `preview`. */
  get carried(): ReadonlyMap<Id, Geo> {
    return this.#own
  }

  #showMoved(): void {
    const before = this.#moved
    const after = new Map([...this.#theirs, ...this.#own])
    this.#moved = after
    const changed: SceneBox[] = []
    let any = false
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const box = this.#boxes.get(id)
      if (!box) continue
      const next = boxFor(box.element, box.order, after.get(id))
      // What is carried is nothing to walk around: only when it is taken up or put down do other wires find another way.
      if (before.has(id) !== after.has(id)) changed.push(box, next)
      if (sameBox(box, next)) continue
      any = true
      const entry = this.#entries.get(id)
      if (entry) {
        this.#index.remove(entry)
        this.#touch(boxOf(entry))
      }
      this.#keep(next)
      this.#index.insert(this.#enter(id, next, false))
      for (const wire of this.#wiresOf.get(id) ?? []) this.#moveWire(wire)
    }
    if (changed.length > 0) this.#indexWires(changed)
    if (any || changed.length > 0) this.version++
  }

  box(id: Id): SceneBox | undefined {
    return this.#boxes.get(id)
  }

  wire(id: Id): SceneWire | undefined {
    return this.#wires.get(id)
  }

  get boxes(): IterableIterator<SceneBox> {
    return this.#boxes.values()
  }

  /** The boxes that are live cards: few, and asked for with every move of the view. */
  get cards(): readonly SceneBox[] {
    return [...this.#cards.values()]
  }

  /** The boxes that sit on the border of another. */
  get boundaries(): IterableIterator<SceneBox> {
    return this.#boundaries.values()
  }

  get count(): number {
    return this.#boxes.size + this.#wires.size
  }

  /** Wires that hold on to this element. */
  wiresOf(id: Id): readonly Id[] {
    return [...(this.#wiresOf.get(id) ?? [])]
  }

  /** What the view shows, in drawing order: frames, then canvas order, boundary events on top. */
  visible(view: Box): Visible {
    const boxes: SceneBox[] = []
    const wires: SceneWire[] = []
    for (const entry of this.#index.search({ minX: view.x, minY: view.y, maxX: view.x + view.w, maxY: view.y + view.h })) {
      if (entry.wire) {
        const wire = this.#wires.get(entry.id)
        if (wire) wires.push(wire)
      } else {
        const box = this.#boxes.get(entry.id)
        if (box) boxes.push(box)
      }
    }
    boxes.sort((a, b) => rank(a) - rank(b) || a.order - b.order)
    wires.sort((a, b) => a.order - b.order)
    return { boxes, wires }
  }

  /** The points of a wire, routed now if it wasn't yet. Empty for an unknown one. */
  pointsOf(id: Id): readonly Point[] {
    const wire = this.#wires.get(id)
    if (!wire) return []
    if (!wire.points) wire.points = this.#route(wire)
    return wire.points
  }

  /** A cheap line for a wire not routed yet, the real one otherwise: for far-away zoom levels. */
  roughPointsOf(id: Id): readonly Point[] {
    const wire = this.#wires.get(id)
    if (!wire) return []
    return wire.points ?? elbow(...this.#ends(wire))
  }

  /** The route a new connector would take. */
  routeBetween(from: RouteEnd, to: RouteEnd): Point[] {
    return route(from, to, [], this.#obstacles(from, to))
  }

  /** The topmost thing at a point; `slack` in canvas units widens wires and small shapes. */
  hit(point: Point, slack: number): Hit | null {
    const { boxes, wires } = this.visible(grown({ x: point.x, y: point.y, w: 0, h: 0 }, slack + wireMargin))
    const box = boxes.findLast(candidate => hitsBox(candidate, point, slack))
    if (box && box.kind?.shape !== 'frame') return { on: 'box', id: box.id }
    for (const wire of wires.toReversed()) {
      const near = nearestSegment(this.pointsOf(wire.id), point)
      if (near.distance <= slack) return { on: 'wire', id: wire.id, segment: near.index }
    }
    return box ? { on: 'box', id: box.id } : null
  }

  /** The topmost box at a point that `fits`, the whole of a frame not counting. */
  boxAt(point: Point, fits: (box: SceneBox) => boolean, slack = 0): SceneBox | null {
    const { boxes } = this.visible(grown({ x: point.x, y: point.y, w: 0, h: 0 }, slack))
    return boxes.findLast(box => box.kind?.shape !== 'frame' && holds(box, point, slack) && fits(box)) ?? null
  }

  /**
   * Everything a marquee selects: boxes wholly inside it (or touched, when `touching`), and wires with both shapes selected. Nothing
   * locked.
   */
  within(area: Box, touching: boolean): Id[] {
    const { boxes, wires } = this.visible(area)
    const taken = boxes
      .filter(box => !box.element.locked && (touching && box.kind?.shape !== 'frame' ? overlaps(area, box) : encloses(area, box)))
      .map(box => box.id)
    const ids = new Set(taken)
    for (const { id, element } of wires) {
      if (element.locked) continue
      const { from, to } = element.ends ?? { from: null, to: null }
      if (from?.id && to?.id && ids.has(from.id) && ids.has(to.id)) taken.push(id)
    }
    return taken
  }

  /** Boxes in a view that others may align with. */
  neighbours(view: Box, except: ReadonlySet<Id>): SceneBox[] {
    return this.visible(view).boxes.filter(box => !except.has(box.id) && box.kind?.shape !== 'boundary')
  }

  /** Around everything, or null when the canvas is empty. */
  get bounds(): Box | null {
    if (this.#boundsOf !== this.version) {
      this.#bounds = around(this.#boxes.values())
      this.#boundsOf = this.version
    }
    return this.#bounds
  }

  /** Where something has changed since a version; null if that version is too old. */
  changesSince(version: number): readonly Box[] | null {
    if (version < this.#changesFrom) return null
    return this.#changes.filter(change => change.version > version).map(change => change.box)
  }

  #touch(box: Box): void {
    if (this.#changes.length >= mostChanges) {
      this.#changes.length = 0
      this.#changesFrom = this.version + 1
    }
    this.#changes.push({ version: this.version + 1, box })
  }

  #keep(box: SceneBox): void {
    this.#boxes.set(box.id, box)
    if (isCard(box.element.kind)) this.#cards.set(box.id, box)
    if (box.kind?.shape === 'boundary') this.#boundaries.set(box.id, box)
  }

  #enter(id: Id, box: Box, wire: boolean): Entry {
    const entry = { minX: box.x, minY: box.y, maxX: box.x + box.w, maxY: box.y + box.h, id, wire }
    this.#entries.set(id, entry)
    this.#touch(box)
    return entry
  }

  #drop(id: Id): void {
    const entry = this.#entries.get(id)
    if (entry) {
      this.#index.remove(entry)
      this.#touch(boxOf(entry))
    }
    this.#entries.delete(id)
    this.#boxes.delete(id)
    this.#cards.delete(id)
    this.#boundaries.delete(id)
    const wire = this.#wires.get(id)
    if (wire) for (const end of [wire.element.ends?.from.id, wire.element.ends?.to.id]) if (end) this.#wiresOf.get(end)?.delete(id)
    this.#wires.delete(id)
  }

  #attach(end: Id, wire: Id): void {
    const set = this.#wiresOf.get(end)
    if (set) set.add(wire)
    else this.#wiresOf.set(end, new Set([wire]))
  }

  #moveWire(id: Id): void {
    const wire = this.#wires.get(id)
    if (!wire) return
    const before = this.#entries.get(id)
    if (before) {
      this.#index.remove(before)
      this.#touch(boxOf(before))
    }
    wire.points = null
    this.#index.insert(this.#enter(id, this.#spanOf(wire), true))
  }

  // Enters wires that aren't indexed yet, and forgets the routes that something moved near or away from.
  #indexWires(changed: readonly SceneBox[]): void {
    const stale = new Set<Id>()
    const placed = this.#wires.size > this.#unplaced.size
    for (const box of placed ? changed : []) {
      const area = grown(box, wireMargin)
      for (const entry of this.#index.search({ minX: area.x, minY: area.y, maxX: area.x + area.w, maxY: area.y + area.h }))
        if (entry.wire) stale.add(entry.id)
    }
    for (const id of this.#unplaced) stale.add(id)
    this.#unplaced.clear()
    for (const box of changed) for (const wire of this.#wiresOf.get(box.id) ?? []) stale.add(wire)
    const fresh: Entry[] = []
    for (const id of stale) {
      const wire = this.#wires.get(id)
      if (!wire) continue
      const before = this.#entries.get(id)
      if (before) {
        this.#index.remove(before)
        this.#touch(boxOf(before))
      }
      wire.points = null
      fresh.push(this.#enter(id, this.#spanOf(wire), true))
    }
    this.#index.load(fresh)
  }

  #spanOf(wire: SceneWire): Box {
    const [from, to] = this.#ends(wire)
    const parts = [from, to].map(end => end.box ?? { ...end.point, w: 0, h: 0 })
    const bends = boxOfPoints(wire.element.bends.map(([x, y]) => ({ x, y })))
    return grown(around(bends ? [...parts, bends] : parts) ?? { x: 0, y: 0, w: 0, h: 0 }, wireMargin)
  }

  #ends(wire: SceneWire): [RouteEnd, RouteEnd] {
    const { ends } = wire.element
    const end = (side: 'from' | 'to'): RouteEnd => {
      const one = ends?.[side]
      const box = one?.id ? this.#boxes.get(one.id) : undefined
      return { box: box ?? null, point: { x: one?.x ?? 0, y: one?.y ?? 0 }, ...(box ? this.routeEndOf(box) : {}) }
    }
    return [end('from'), end('to')]
  }

  /** How wires deal with a shape: which sides they may use, and which they had better not. */
  routeEndOf(box: SceneBox): Pick<RouteEnd, 'sides' | 'avoid'> {
    const labelled = labelBeneath.has(box.kind?.shape ?? 'task') && box.element.fields['name'] !== ''
    return { sides: this.sidesOf(box), ...(labelled ? { avoid: 'bottom' as const } : {}) }
  }

  /** The sides a wire may use: a boundary event's lie away from its host. */
  sidesOf(box: SceneBox): readonly Side[] {
    if (box.kind?.shape !== 'boundary') return sides
    const { host } = box.element.fields
    const body = typeof host === 'string' ? this.#boxes.get(host) : undefined
    if (!body) return sides
    const x = box.x + box.w / 2
    const y = box.y + box.h / 2
    if (Math.abs(y - (body.y + body.h)) < 1) return ['bottom']
    if (Math.abs(y - body.y) < 1) return ['top']
    return Math.abs(x - body.x) < 1 ? ['left'] : ['right']
  }

  #route(wire: SceneWire): Point[] {
    const [from, to] = this.#ends(wire)
    const bends = wire.element.bends.map(([x, y]) => ({ x, y }))
    return route(from, to, bends, bends.length > 0 ? [] : this.#obstacles(from, to))
  }

  #obstacles(from: RouteEnd, to: RouteEnd): Box[] {
    const area = around([from, to].map(end => end.box ?? { ...end.point, w: 0, h: 0 }))
    if (!area) return []
    return this.visible(grown(area, wireMargin)).boxes.filter(
      box => solid.has(box.kind?.shape ?? 'task') && box !== from.box && box !== to.box && !this.#moved.has(box.id),
    )
  }
}

/** Shapes with their name drawn beneath. */
const labelBeneath: ReadonlySet<string> = new Set(['start', 'intermediate', 'boundary', 'end', 'gateway'])

/** Shapes a connector walks around; it may run over frames, notes and boundary events. */
const solid: ReadonlySet<string> = new Set([
  'task',
  'gateway',
  'start',
  'intermediate',
  'end',
  'process',
  'entity',
  'cells',
  'link',
  'variable',
  'container',
  'message',
  'function',
  'statistic',
  'chart',
  'controller',
  'space',
  'tagset',
  'network',
  'chain',
  'block',
  'interface',
])

function boxFor(element: Element, order: number, moved: Geo | undefined): SceneBox {
  const kind = kindOf(element.kind)
  const [x, y, w, h] = moved ?? element.geo
  return { id: element.id, element, kind, order, x, y, w, h }
}

const wireFor = (element: Element, order: number): SceneWire => ({
  id: element.id,
  element,
  kind: kindOf(element.kind),
  order,
  points: null,
})

const boxOf = ({ minX, minY, maxX, maxY }: Entry): Box => ({ x: minX, y: minY, w: maxX - minX, h: maxY - minY })

const sameBox = (a: Box, b: Box): boolean => a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h

function rank(box: SceneBox): number {
  if (box.kind?.shape === 'frame') return 0
  return box.kind?.shape === 'boundary' ? 2 : 1
}

function hitsBox(box: SceneBox, point: Point, slack: number): boolean {
  if (!holds(box, point, Math.min(slack, 4))) return false
  if (box.kind?.shape === 'frame') return point.y <= box.y + frameTitle || !holds(grown(box, -frameGrip), point)
  return true
}
