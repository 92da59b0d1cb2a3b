// The editor without a screen: view, selection, pointer state, and the changes that gestures make. Everything shown is one immutable store;
// everything changed goes through model-schema/edit.ts. Driven by a canvas in the browser and by tests directly: `editor.down(10,
// 10).move(50, 10).up()`. Long because it holds all changes of the one view; tools, geometry and commands have files of their own.
import type { Doc } from 'yjs'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { copy, duplicate, isRefusal, mayAdd, place, remove, type Refusal, type Undo } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import { type CanvasKind, type Json } from '../../model-schema/kinds/kind.ts'
import type { Geo, Id, Model } from '../../model-schema/model.ts'
import type { Modelled } from '../session.ts'
import {
  clampZoom,
  fittedAmong,
  isFollowable,
  movedToShow,
  nextZoom,
  onScreen,
  panned,
  readable,
  toCanvas,
  viewOf,
  zoomedAt,
  type Camera,
  type Size,
} from './geometry/camera.ts'
import { around, centre, encloses, grown, type Box, type Point } from './geometry/geometry.ts'
import {
  canvasKindOf,
  freeAmong,
  isCard,
  isDrawing,
  mayEnter,
  mayGoBetween,
  namesOn,
  nextOffers,
  pathTo,
  scenarioOf,
  type Offer,
} from './grammar.ts'
import { renameEverywhere } from './renaming.ts'
import { Scene } from './scene.ts'
import { become, bornEvent, furnish, insertInto, lastFlow } from './skeleton.ts'
import { freeSpot, roomInView } from './geometry/room.ts'
import { toGrid } from './geometry/snap.ts'
import { joinBoxes } from './tools/connecting.ts'
import { idle } from './tools/idle.ts'
import { placing } from './tools/placing.ts'
import type { Keys, Pointer, Tool, ToolName } from './tools/tool.ts'
import { groupAround, groupTaken, membersOf, unitOf, unitsOf } from './units.ts'
import { firstView, type View } from './view.ts'
import { english, say, type Words } from '../../model-schema/words.ts'

type Parts = {
  readonly doc: Doc
  readonly model: StoreApi<Modelled>
  readonly undo: Undo
  readonly writable: () => boolean
  /** Picks the language of new elements' names. */
  readonly words?: (words: Words) => string
  /** Something got another name; files about this model may say the old one. */
  readonly renamed?: (id: Id, was: string) => void
}

/** CSS pixels within which a thin thing is hit. */
const hitReach = 6

export class Editor {
  readonly view: StoreApi<View>
  readonly doc: Doc
  readonly undo: Parts['undo']
  scene: Scene
  spaceHeld = false
  readonly #parts: Parts
  readonly #cameras = new Map<Id, Camera>()
  #stop: (() => void) | null = null
  #tool: Tool
  /** The camera after everything was last brought into view. */
  #fitted: Camera | null = null
  /** That was because the window had become smaller. */
  #squeezed = false
  #away = true
  #last: Pointer = { at: { x: 0, y: 0 }, screen: { x: 0, y: 0 }, button: 0, touch: false, shift: false, ctrl: false, alt: false }

  constructor(parts: Parts) {
    this.#parts = parts
    this.doc = parts.doc
    this.undo = parts.undo
    const scenario = this.model.scenarios[0] ?? ''
    this.scene = new Scene(scenario)
    this.scene.update(this.model)
    this.view = createStore(() => firstView(scenario))
    this.#tool = idle(this)
    this.open()
  }

  get model(): Model {
    return this.#parts.model.getState().model
  }

  get writable(): boolean {
    return this.#parts.writable()
  }

  /** The language of what is named. */
  get words(): (words: Words) => string {
    return this.#parts.words ?? (text => english(text))
  }

  get canvasKind(): CanvasKind {
    return canvasKindOf(this.model, this.view.getState().canvas) ?? 'root'
  }

  /** How near counts as hitting, in canvas units. */
  get slack(): number {
    return hitReach / this.view.getState().camera.zoom
  }

  /** Follows the model, again after `close`. */
  open(): void {
    if (this.#stop) return
    this.#stop = this.#parts.model.subscribe(() => this.#follow())
    this.#follow()
  }

  /** Stops following the model. */
  close(): void {
    this.#stop?.()
    this.#stop = null
  }

  // ---- pointer ----

  down(x: number, y: number, more: Partial<Keys> & { button?: number; touch?: boolean } = {}): this {
    this.#hand(this.#tool.down?.(this.#pointer(x, y, more)))
    return this
  }

  move(x: number, y: number, more: Partial<Keys> & { touch?: boolean } = {}): this {
    this.#hand(this.#tool.move?.(this.#pointer(x, y, { button: this.#last.button, ...more })))
    return this
  }

  /** Releases the pointer at its last position, or at the given one. */
  up(x = this.#last.screen.x, y = this.#last.screen.y, more: Partial<Keys> & { touch?: boolean } = {}): this {
    const keys = { shift: this.#last.shift, ctrl: this.#last.ctrl, alt: this.#last.alt, touch: this.#last.touch }
    this.#hand(this.#tool.up?.(this.#pointer(x, y, { button: this.#last.button, ...keys, ...more })))
    return this
  }

  /** Takes back what is only shown, and lets go. */
  cancel(): this {
    this.#tool.cancel?.()
    this.#hand(idle(this))
    return this
  }

  /** Enters what can be entered (a group first), else names it; on empty canvas asks what to add. */
  doubleClick(x: number, y: number): this {
    const { at } = this.#pointer(x, y, {})
    const hit = this.scene.hit(at, this.slack)
    if (!hit) {
      if (this.writable) this.view.setState({ quickAdd: { at, from: null } })
    } else if (this.#enterGroup(hit.id)) this.select(this.unit(hit.id))
    else if (mayEnter(this.model.elements.get(hit.id))) this.enter(hit.id)
    else this.rename(hit.id)
    return this
  }

  /** Opens the context menu, on what is there. */
  openMenu(x: number, y: number): this {
    const { at } = this.#pointer(x, y, {})
    const hit = this.scene.hit(at, this.slack)
    if (!hit) this.select([])
    else if (!this.view.getState().selection.includes(hit.id)) this.select(this.unit(hit.id))
    this.view.setState({ menu: { screen: { x, y } } })
    return this
  }

  /** Where the pointer is on the canvas; null when it is not over it. */
  get pointerOnCanvas(): Point | null {
    return this.#away ? null : toCanvas(this.view.getState().camera, this.#last.screen)
  }

  /** The pointer left the window. */
  leaveWindow(): void {
    this.#away = true
    this.view.setState({ hover: null, hoverPort: null })
  }

  // ---- looking ----

  /**
   * Sets the size of the window. The first time, everything is brought into view; until the user moves the view, it stays so when a panel
   * takes room.
   */
  resize(size: Size): void {
    const { size: before, camera } = this.view.getState()
    this.view.setState({ size })
    if (size.w === 0) return
    if (before.w > 0) {
      const { bounds } = this.scene
      const seen = (window: Size): boolean => bounds !== null && encloses(viewOf(camera, window), bounds)
      if (camera !== this.#fitted || size.w < 600 || !(this.#squeezed || (seen(before) && !seen(size)))) return
      this.fit()
      this.#squeezed = true
      return
    }
    const whole = this.#fitting([])
    const cards = [...this.scene.boxes].filter(box => isCard(box.element.kind))
    if (
      size.w >= 600 &&
      isFollowable(
        whole.zoom,
        cards.filter(box => isDrawing(box.element)),
      )
    )
      return this.fit()
    // Where all is too small the run comes first: its charts, worlds and controls, on a phone its world view; unless they are no larger alone.
    const worlds = size.w < 600 ? cards.filter(box => box.element.kind === 'worldView') : []
    const ids = (worlds.length > 0 ? worlds : cards).map(box => box.id)
    const part = this.#fitting(ids, true)
    if (whole.zoom <= 0.9 * part.zoom) this.look(part)
    else this.fit()
  }

  look(camera: Camera): void {
    this.view.setState({ camera: { ...camera, zoom: clampZoom(camera.zoom) } })
  }

  pan(dx: number, dy: number): void {
    this.look(panned(this.view.getState().camera, dx, dy))
  }

  zoomAt(screen: Point, zoom: number): void {
    this.look(zoomedAt(this.view.getState().camera, screen, zoom))
  }

  zoomStep(direction: 1 | -1): void {
    const { camera, size } = this.view.getState()
    this.zoomAt({ x: size.w / 2, y: size.h / 2 }, nextZoom(camera.zoom, direction))
  }

  /** Brings everything, or the given elements, into view. */
  fit(ids: readonly Id[] = []): void {
    this.look(this.#fitting(ids))
    if (ids.length === 0) [this.#fitted, this.#squeezed] = [this.view.getState().camera, false]
  }

  /** `among`: as much of the rest is to be seen as there is room for. */
  #fitting(ids: readonly Id[], among = false): Camera {
    const { size } = this.view.getState()
    const boxes = ids.map(id => this.scene.box(id)).filter(box => box !== undefined)
    const box = boxes.length > 0 ? around(boxes) : this.scene.bounds
    if (!box) return { x: -size.w / 2, y: -size.h / 2, zoom: 1 }
    const rest = among ? (this.scene.bounds ?? box) : box
    return fittedAmong(grown(box, 8), grown(rest, 8), size, size.w < 600 ? 12 : 32)
  }

  /** Shows another canvas of any scenario. */
  goTo(canvas: Id): void {
    const { canvas: before, camera, size } = this.view.getState()
    const through = this.#between(before, canvas)
    const entered = through && this.scene.box(through)
    const scenario = scenarioOf(this.model, canvas)
    if (scenario === null || !this.model.elements.has(canvas)) return
    if (canvas !== before) {
      this.cancel()
      this.#cameras.set(before, camera)
      this.scene = new Scene(canvas)
      this.scene.update(this.model)
    }
    this.view.setState({
      scenario,
      canvas,
      selection: [],
      inside: null,
      hover: null,
      hoverPort: null,
      quickAdd: null,
      menu: null,
      renaming: null,
    })
    const known = this.#cameras.get(canvas)
    if (known) this.look(known)
    else if (size.w > 0 && canvas !== before) this.fit()
    const left = through && this.scene.box(through)
    if (entered) this.view.setState({ travel: { into: true, box: onScreen(camera, entered) } })
    else if (left) this.view.setState({ travel: { into: false, box: onScreen(this.view.getState().camera, left) } })
  }

  /** The box that one passes through from a canvas to one in it, or around it; null for canvases side by side. */
  #between(before: Id, next: Id): Id | null {
    const [from, to] = [pathTo(this.model, before), pathTo(this.model, next)]
    const [outer, inner] = from.length < to.length ? [from, to] : [to, from]
    return outer.length < inner.length && inner[outer.length - 1]?.id === outer.at(-1)?.id ? (inner[outer.length]?.id ?? null) : null
  }

  enter(id: Id): void {
    if (mayEnter(this.model.elements.get(id))) this.goTo(id)
  }

  /** Back to the canvas this one was entered from, with it selected. */
  leave(): void {
    const { canvas } = this.view.getState()
    const parent = this.model.elements.get(canvas)?.parent
    if (!parent) return
    this.goTo(parent)
    this.select([canvas])
  }

  /** Shows an element wherever it is, selects it, and brings a field of it into the inspector. */
  reveal(id: Id, field?: string): void {
    const element = this.model.elements.get(id)
    if (!element) return
    if (element.parent === null) {
      this.goTo(id)
    } else {
      if (this.view.getState().canvas !== element.parent) this.goTo(element.parent)
      this.select([id])
      this.#bringIntoView(id)
    }
    this.view.setState({ focusField: field === undefined ? null : { id, field } })
  }

  /** Highlights an element as the pointer on it would; from outside the open canvas, what it is in there. Null: nothing any more. */
  pointTo(id: Id | null): void {
    const hover = id === null ? null : this.#shownAs(id)
    if (this.view.getState().hover !== hover) this.view.setState({ hover, hoverPort: null })
  }

  /** The element, or what is around it, as far as the open canvas shows it. */
  #shownAs(id: Id): Id | null {
    const { canvas } = this.view.getState()
    let at = this.model.elements.get(id)
    while (at && at.parent !== null && at.parent !== canvas) at = this.model.elements.get(at.parent)
    return at?.parent === canvas ? at.id : null
  }

  select(ids: readonly Id[]): void {
    const before = this.view.getState().selection
    const next = ids.filter(id => this.scene.box(id) || this.scene.wire(id))
    const { inside } = this.view.getState()
    // Taking something outside a group leaves it.
    const stays = inside !== null && (next.length === 0 || next.some(id => this.model.elements.get(id)?.groups?.includes(inside)))
    if (inside !== null && !stays) this.view.setState({ inside: null })
    if (next.length === before.length && next.every((id, i) => id === before[i])) return
    const { fresh } = this.view.getState()
    this.view.setState({ selection: next, focusField: null, fresh: fresh !== null && next.includes(fresh) ? fresh : null })
  }

  /** All that is selected by a click on an element: its group, unless that was entered. */
  unit(id: Id): readonly Id[] {
    return unitOf(this.model, id, this.view.getState().inside)
  }

  /** These with the groups they are in. */
  units(ids: readonly Id[]): readonly Id[] {
    return unitsOf(this.model, ids, this.view.getState().inside)
  }

  #enterGroup(id: Id): boolean {
    const group = groupTaken(this.model.elements.get(id), this.view.getState().inside)
    if (group !== null) this.view.setState({ inside: group })
    return group !== null
  }

  /** Out of the group that was entered, with it selected. False when none was. */
  leaveGroup(): boolean {
    const { inside, canvas } = this.view.getState()
    if (inside === null) return false
    this.view.setState({ inside: groupAround(this.model, canvas, inside) })
    this.select(membersOf(this.model, canvas, inside))
    return true
  }

  /** Whether an element may be changed on the canvas: the file is writable and the element isn't locked. */
  mayChange(id: Id): boolean {
    return this.writable && this.model.elements.get(id)?.locked !== true
  }

  // ---- changing ----

  /** Runs changes as one step of undo. */
  gesture<T>(change: () => T): T {
    this.undo.boundary()
    try {
      return change()
    } finally {
      this.undo.boundary()
    }
  }

  /** Hangs something on the pointer. */
  pickUp(offer: Offer): void {
    if (!this.#mayWrite()) return
    this.cancel()
    this.#hand(placing(this, offer))
  }

  /** Puts something down with its top left corner there, named (into `flow`, when given), and selects it. */
  put(offer: Offer, at: readonly [number, number], more: Readonly<Record<string, Json>> = {}, flow?: Id): Id | null {
    if (!this.#mayWrite()) return null
    // With its place in the flow, or not at all.
    const why = flow === undefined ? null : mayAdd(this.doc, this.view.getState().canvas, 2)
    if (why) return this.tell<Id>(why)
    const id = this.gesture(() => {
      const made = this.tell(this.#make(offer, at, more))
      if (made !== null && flow !== undefined) this.tell(insertInto(this, flow, made))
      return made
    })
    if (id !== null) this.#present(id)
    return id
  }

  /** Puts an element in the middle of the view, clear of others. */
  putSomewhere(offer: Offer): Id | null {
    const { camera, size, selection } = this.view.getState()
    const [w, h] = offer.kind.size
    const before = selection.length === 1 ? this.scene.box(selection[0] ?? '') : undefined
    const view = viewOf(camera, size)
    const box = { x: toGrid(before ? before.x : centre(view).x - w / 2), y: toGrid(before ? before.y : centre(view).y - h / 2), w, h }
    const spot = roomInView(this.scene, view, box) ?? freeSpot(this.scene, box)
    const id = this.put(offer, [spot.x, spot.y])
    if (!id || encloses(viewOf(camera, size), spot)) return id
    // With all the rest, if that stays readable, else alone.
    if (this.#fitting([]).zoom >= Math.min(camera.zoom, readable)) this.fit()
    else this.#bringIntoView(id)
    return id
  }

  /** Adds the element that follows `from` (or an unconnected one), joined to it, at a point of the canvas. One step of undo. */
  putNext(offer: Offer, from: Id | null, at: Point): Id | null {
    if (!this.#mayWrite()) return null
    const [w, h] = offer.kind.size
    const source = from === null ? undefined : this.scene.box(from)
    // On one line with its predecessor when it is nearly so.
    const y = source && Math.abs(centre(source).y - at.y) < 24 ? centre(source).y - h / 2 : toGrid(at.y - h / 2)
    const why = from === null ? null : mayAdd(this.doc, this.view.getState().canvas, 2)
    if (why) {
      this.view.setState({ quickAdd: null })
      return this.tell<Id>(why)
    }
    const last = from === null ? null : lastFlow(this, from)
    const id = this.gesture(() => {
      // After a step that leads to the end already, that is what comes next; anything else goes between the two.
      if (last && offer.kind.id === 'end') return last.end
      const between = last && source && mayGoBetween(offer.kind.id)
      const x = between ? source.x + source.w + 64 : source ? at.x : at.x - w / 2
      const made = this.tell(this.#make(offer, [toGrid(x), between ? centre(source).y - h / 2 : y], {}))
      if (made === null || from === null) return made
      this.tell<unknown>(between ? insertInto(this, last.flow, made) : joinBoxes(this, from, made))
      return made
    })
    this.view.setState({ quickAdd: null })
    if (id === null) return null
    this.#present(id)
    this.#bringIntoView(id)
    return id
  }

  /** Asks what comes after an element: at a point, or in the free room after it. */
  offerNext(from: Id, at: Point | null): void {
    const source = this.scene.box(from)
    if (!source || nextOffers(source.element.kind, this.canvasKind).length === 0) return
    // A second branch goes below the first.
    const free = freeSpot(this.scene, { x: source.x + source.w + 64, y: centre(source).y - 36, w: 120, h: 72 }, { down: true })
    const spot = at ?? { x: free.x, y: centre(free).y }
    this.view.setState({ quickAdd: { at: spot, from } })
  }

  /** Joins two elements of the canvas with the connector the metamodel prefers. */
  join(from: Id, to: Id): Id | null {
    if (!this.#mayWrite()) return null
    const id = this.tell(this.gesture(() => joinBoxes(this, from, to)))
    if (id !== null) this.select([id])
    return id
  }

  removeSelected(): void {
    const { selection } = this.view.getState()
    if (selection.length === 0 || !this.#mayWrite()) return
    this.tell(this.gesture(() => remove(this.doc, selection)))
    this.select(selection.filter(id => this.model.elements.has(id)))
  }

  /** Copies what is being moved to where it would go, and leaves the originals. True unless there is nothing to copy; a refusal is shown. */
  duplicateTo(moves: ReadonlyMap<Id, Geo>): boolean {
    const [first] = moves
    const origin = first ? this.model.elements.get(first[0])?.geo : undefined
    if (!first || !origin) return false
    const canvas = this.model.elements.get(first[0])?.parent ?? ''
    const why = mayAdd(this.doc, canvas, Object.keys(copy(this.model, [...moves.keys()]).elements).length)
    if (why) {
      this.tell(why)
      return true
    }
    const made = duplicate(this.doc, [...moves.keys()], [first[1][0] - origin[0], first[1][1] - origin[1]])
    this.select(made)
    return true
  }

  rename(id: Id): void {
    const element = this.model.elements.get(id)
    if (!element || !this.#mayWrite()) return
    if (element.locked) return this.refuse(say('This element is locked. Unlock it first.'))
    if (!kindOf(element.kind)?.fields.some(field => field.id === 'name')) return
    this.select([id])
    this.view.setState({ renaming: id })
  }

  /** Names an element, and what refers to it along with it. */
  async setName(id: Id, name: string): Promise<void> {
    this.view.setState({ renaming: null })
    if (this.model.elements.get(id)?.fields['name'] === name || !this.writable) return
    await renameEverywhere(this, id, name)
  }

  /** Notifies the listeners that an element was renamed. */
  renamed(id: Id, was: Json | undefined): void {
    if (typeof was === 'string' && was !== this.model.elements.get(id)?.fields['name']) this.#parts.renamed?.(id, was)
  }

  /** Passes on what an edit gave; a refusal is shown, and null comes back. */
  tell<T>(result: T | Refusal | null): T | null {
    if (!isRefusal(result)) return result
    this.refuse(result.words, result.limit)
    return null
  }

  refuse(words: Words, limit?: Refusal['limit']): void {
    this.view.setState({ refusal: { words, limit } })
  }

  /** Says what was done, with a way back. */
  report(words: Words): void {
    this.view.setState({ report: { words } })
  }

  /** The tool of an unpressed pointer. */
  rest(): Tool {
    return idle(this)
  }

  get tool(): ToolName {
    return this.#tool.name
  }

  // ---- private ----

  #make(offer: Offer, at: readonly [number, number], more: Readonly<Record<string, Json>>): Id | Refusal {
    if (offer.make) return offer.make(this, at)
    const { canvas, scenario } = this.view.getState()
    const { kind } = offer
    const values: Record<string, Json> = { ...offer.values, ...more }
    // A step is read by its name from the start; names that formulas say are made up by the edit, unless the offer has one.
    if (kind.shape === 'task') values['name'] = this.words(offer.label)
    else if (offer.titled) values['name'] = freeAmong(namesOn(this.model, canvas), this.words(offer.label))
    const born = bornEvent(this, canvas, kind.id)
    if (born) return become(this, born, values, at)
    if (kind.id === 'agent' || kind.id === 'cell' || kind.id === 'worldView') {
      const spaces = this.model.elements.get(scenario)?.children.filter(id => this.model.elements.get(id)?.kind === 'space') ?? []
      if (spaces.length === 1 && spaces[0]) {
        values['space'] = spaces[0]
        // Agents with a position are shown at once.
        if (kind.id === 'agent') values['placement'] = 'random'
      }
    }
    const made = place(this.doc, { kind: kind.id, parent: canvas, at: [Math.round(at[0]), Math.round(at[1])], values })
    if (kind.opens === 'process' && !isRefusal(made)) furnish(this, made)
    return made
  }

  /** Selects something new. */
  #present(id: Id): void {
    this.select([id])
    this.view.setState({ fresh: id })
  }

  #bringIntoView(id: Id): void {
    const wire = this.scene.wire(id)
    this.#bringBox(this.scene.box(id) ?? (wire ? around(this.scene.pointsOf(id).map(p => ({ ...p, w: 0, h: 0 }))) : null))
  }

  /** Moves the view no further than it takes to see the elements. */
  show(ids: readonly Id[]): void {
    const { camera, size } = this.view.getState()
    const box = around(ids.flatMap(id => this.scene.box(id) ?? []))
    if (!box || size.w === 0 || encloses(viewOf(camera, size), box)) return
    this.look(movedToShow(camera, size, grown(box, 24 / camera.zoom)))
  }

  #bringBox(box: Box | null | undefined): void {
    const { camera, size } = this.view.getState()
    if (!box || size.w === 0 || encloses(viewOf(camera, size), box)) return
    const middle = centre(box)
    this.look({ ...camera, x: middle.x - size.w / 2 / camera.zoom, y: middle.y - size.h / 2 / camera.zoom })
  }

  #mayWrite(): boolean {
    if (this.writable) return true
    this.refuse(say('You can view this model, but not change it.'))
    return false
  }

  #pointer(x: number, y: number, more: Partial<Keys> & { button?: number; touch?: boolean }): Pointer {
    const screen = { x, y }
    this.#away = false
    this.#last = {
      shift: false,
      ctrl: false,
      alt: false,
      button: 0,
      touch: false,
      ...more,
      screen,
      at: toCanvas(this.view.getState().camera, screen),
    }
    return this.#last
  }

  #hand(next: Tool | void): void {
    if (next) this.#tool = next
    if (this.view.getState().tool !== this.#tool.name) this.view.setState({ tool: this.#tool.name })
  }

  // The model changed, by us or by others: keeps the view on things that exist.
  #follow(): void {
    const { model } = this
    const { canvas, scenario, selection, hover, renaming } = this.view.getState()
    if (!model.elements.has(canvas) || canvasKindOf(model, canvas) === null) {
      const home = model.elements.has(scenario) ? scenario : (model.scenarios[0] ?? '')
      this.#tool.cancel?.()
      this.#tool = idle(this)
      this.scene = new Scene(home)
      this.scene.update(model)
      this.view.setState({
        scenario: home,
        canvas: home,
        selection: [],
        inside: null,
        hover: null,
        renaming: null,
        tool: 'idle',
        drawn: this.scene.version,
      })
      return
    }
    this.scene.update(model, this.#parts.model.getState().since)
    const kept = selection.filter(id => model.elements.get(id)?.parent === canvas)
    this.view.setState({
      drawn: this.scene.version,
      selection: kept.length === selection.length ? selection : kept,
      hover: hover !== null && model.elements.has(hover) ? hover : null,
      renaming: renaming !== null && model.elements.has(renaming) ? renaming : null,
    })
  }
}
