// The live surface of a world view: two canvases (the world; marks over it), a camera, pointers and keys. React only
// hands it frames and looks; drawing happens at most once per animation frame, and only when something changed.
import { CELL_COORDINATES_MAX } from '../../../model-schema/business/limits.ts'
import type { Id } from '../../../model-schema/model.ts'
import type { Frame, Loaded } from '../../../sim-engine/messages.ts'
import { boundsOf, fit, niceStep, pan, toScreen, toWorld, within, zoomAt, type Bounds, type Camera, type Viewport } from './camera.ts'
import { filmOf, type Film } from './film.ts'
import { flatPainter } from './flat.ts'
import {
  boxOf,
  lensOf,
  overview,
  pickSeen,
  pixels,
  seenBy,
  shifted,
  turned,
  zoomed,
  type Bounds3D,
  type Orbit,
  type ProjectedScene,
} from './orbit.ts'
import { pick, whereIs, type Picked } from './pick.ts'
import { diameter, sceneOf, type Painter, type Scene, type Shown } from './scene.ts'
import { Trails, untraced, type Traced } from './trails.ts'
import { webglPainter } from './webgl.ts'

type Look = { world: string; line: string; text: string; accent: string; font: string }

type Space = Loaded['spaces'][number]

type StageEvents = {
  picked(picked: Picked | null): void
  /** Whether the view is zoomed in (or panned away from the whole). */
  zoomed(zoomed: boolean): void
  /** Whether the view follows the selected agent; moving the view ends it. */
  following?(following: boolean): void
}

const clickSlop = 4

export class Stage {
  readonly #host: HTMLElement
  readonly #events: StageEvents
  /** Whether coordinates mean anything here. */
  readonly #axes: boolean
  #canvas: HTMLCanvasElement
  readonly #marks: HTMLCanvasElement
  #painter: Painter | null = null
  #view: Viewport = { width: 0, height: 0, dpr: 1, left: 0, bottom: 0 }
  #space: Space | null = null
  #bounds: Bounds = { minX: 0, maxX: 1, minY: 0, maxY: 1 }
  /** Null while the whole world is shown. */
  #camera: Camera | null = null
  /** Only of a 3D space, which is seen by an orbit instead of a camera; null while it is seen as at first. */
  #box: Bounds3D | null = null
  #orbit: Orbit | null = null
  #seen: ProjectedScene | null = null
  #scene: Scene | null = null
  readonly #trails = new Trails()
  #look: Look = { world: '#ffffff', line: '#cccccc', text: '#666666', accent: '#3257d6', font: 'sans-serif' }
  #grid = false
  #selected: Picked | null = null
  #follow = false
  #frameAsked = 0
  #film: Film | null = null
  readonly #stops: (() => void)[] = []
  readonly #pointers = new Map<number, { x: number; y: number }>()
  #moved = 0

  constructor(host: HTMLElement, events: StageEvents, axes = true) {
    this.#host = host
    this.#axes = axes
    this.#events = events
    this.#canvas = this.#newCanvas()
    this.#marks = document.createElement('canvas')
    host.append(this.#marks)
    this.#painter = webglPainter(this.#canvas) ?? this.#flatten()
    this.#listen()
  }

  /** Which painter is at work, for the curious and for tests. */
  get painter(): string {
    return this.#painter?.kind ?? 'none'
  }

  show(frame: Frame | null, loaded: Loaded | null, shown: Shown, grid: boolean, traced: Traced = untraced): void {
    const space = loaded?.spaces.find(one => one.id === shown.space) ?? null
    if (!frame || !loaded || !space) return this.showScene(null, space, grid)
    const scene = sceneOf(frame, loaded, boundsOf(space), shown)
    this.#trails.see(frame, scene.agents, space, traced)
    this.showScene({ ...scene, trails: this.#trails.lines() }, space, grid)
  }

  /** Any picture in the coordinates of a space. Another space starts with the whole of it in view. */
  showScene(scene: Scene | null, space: Space | null, grid: boolean): void {
    if (space !== this.#space) {
      const same = this.#space && space && JSON.stringify(this.#space) === JSON.stringify(space)
      this.#space = space
      if (space) this.#bounds = boundsOf(space)
      this.#box = space && boxOf(space)
      if (!same) this.#setCamera(null)
      if (!same) this.#setOrbit(null)
      this.#measure()
    }
    this.#grid = grid
    this.#scene = scene
    if (this.#selected?.kind === 'agent' && this.#scene) {
      const at = whereIs(this.#scene, this.#selected.population, this.#selected.entity)
      if (at) this.#selected = { ...this.#selected, ...at }
      if (at && this.#follow) this.#centre(this.#selected)
    }
    this.draw()
  }

  setLook(look: Look): void {
    this.#look = look
    this.draw()
  }

  select(picked: Picked | null): void {
    this.#selected = picked
    if (!picked) this.#setFollow(false)
    this.draw()
  }

  /** Marks an agent that was chosen elsewhere, if it is in this picture. */
  mark(population: Id, entity: number): void {
    if (!this.#scene || (this.#selected?.population === population && this.#selected.entity === entity)) return
    const at = whereIs(this.#scene, population, entity)
    if (at) this.select({ population, kind: 'agent', entity, ...at })
  }

  /** Keeps the selected agent in the middle, zooming in when the whole world is shown. */
  follow(on: boolean): void {
    this.#setFollow(on)
    const at = this.#selected
    if (on && at) {
      if (!this.#box) this.#setCamera(this.#camera ?? { ...this.#shownCamera(), scale: this.#shownCamera().scale * 4 })
      else if (!this.#orbit) this.#setOrbit(zoomed(overview(this.#box), 2.5))
      this.#centre(at)
    }
    this.draw()
  }

  #setFollow(on: boolean): void {
    if (on !== this.#follow) this.#events.following?.(on)
    this.#follow = on
  }

  #centre({ x, y, z = 0 }: Picked): void {
    if (this.#box) this.#setOrbit({ ...this.#shownOrbit(this.#box), at: { x, y, z } })
    else if (this.#camera) this.#setCamera(within({ ...this.#camera, x, y }, this.#bounds))
  }

  zoom(factor: number): void {
    this.#zoomAt(this.#view.width / 2, this.#view.height / 2, factor)
  }

  fit(): void {
    this.#setFollow(false)
    this.#setCamera(null)
    this.#setOrbit(null)
    this.draw()
  }

  /** The current picture, on the world's own background. */
  async png(): Promise<Blob | null> {
    this.#paint()
    const copy = document.createElement('canvas')
    copy.width = this.#canvas.width
    copy.height = this.#canvas.height
    const context = copy.getContext('2d')
    if (!context) return null
    this.#copyTo(context)
    return new Promise(done => copy.toBlob(done, 'image/png'))
  }

  /** Films the picture from now on; the film ends with the stage. Null where the browser makes none. */
  film(): Film | null {
    this.#paint()
    const { width, height } = this.#canvas
    const film = filmOf(width, height, context => this.#copyTo(context))
    this.#film = film
    if (!film) return null
    const end = async (): Promise<Blob | null> => {
      if (this.#film === film) this.#film = null
      // What was drawn with WebGL is there only in the moment of drawing.
      if (this.#painter) this.#paint()
      return film.end(this.#painter !== null)
    }
    return { shoot: film.shoot, end }
  }

  #copyTo(context: CanvasRenderingContext2D): void {
    const { width, height } = context.canvas
    context.fillStyle = this.#look.world
    context.fillRect(0, 0, width, height)
    context.drawImage(this.#canvas, 0, 0, width, height)
    context.drawImage(this.#marks, 0, 0, width, height)
  }

  destroy(): void {
    cancelAnimationFrame(this.#frameAsked)
    for (const stop of this.#stops) stop()
    this.#painter?.destroy()
    this.#painter = null
    this.#canvas.remove()
    this.#marks.remove()
  }

  /** Draws before the next repaint. */
  draw(): void {
    this.#frameAsked ||= requestAnimationFrame(() => {
      this.#frameAsked = 0
      this.#paint()
      this.#film?.shoot()
    })
  }

  #newCanvas(): HTMLCanvasElement {
    const canvas = document.createElement('canvas')
    this.#host.prepend(canvas)
    return canvas
  }

  /** A canvas that has given a WebGL context gives no other: a fresh one for the flat painter. */
  #flatten(): Painter | null {
    this.#canvas.remove()
    this.#canvas = this.#newCanvas()
    this.#canvas.width = Math.round(this.#view.width * this.#view.dpr)
    this.#canvas.height = Math.round(this.#view.height * this.#view.dpr)
    return flatPainter(this.#canvas)
  }

  #shownCamera(): Camera {
    return this.#camera ?? fit(this.#bounds, this.#view)
  }

  #setCamera(camera: Camera | null): void {
    if ((camera === null) !== (this.#camera === null)) this.#events.zoomed(camera !== null)
    this.#camera = camera
    this.#host.style.touchAction = camera ? 'none' : 'pan-x pan-y'
    this.#host.style.cursor = camera ? 'grab' : 'default'
  }

  #shownOrbit(box: Bounds3D): Orbit {
    return this.#orbit ?? overview(box)
  }

  #setOrbit(orbit: Orbit | null): void {
    if ((orbit === null) !== (this.#orbit === null)) this.#events.zoomed(orbit !== null)
    this.#orbit = orbit
    if (!this.#box) return
    this.#host.style.touchAction = 'none'
    this.#host.style.cursor = 'grab'
  }

  #zoomAt(x: number, y: number, factor: number): void {
    if (this.#box) {
      this.#setOrbit(zoomed(this.#shownOrbit(this.#box), factor))
      return this.draw()
    }
    const whole = fit(this.#bounds, this.#view)
    const next = zoomAt(this.#shownCamera(), this.#view, this.#bounds, x, y, factor)
    this.#setCamera(next.scale <= whole.scale * 1.001 ? null : next)
    this.draw()
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.#host
    const dpr = this.#wantedDpr()
    const space = this.#space
    const cells = space ? (space.maxX - space.minX + 1) * (space.maxY - space.minY + 1) : 0
    const labelled =
      this.#axes &&
      space !== null &&
      !this.#box &&
      width >= 160 &&
      height >= 140 &&
      (space.topology === 'continuous' || cells <= CELL_COORDINATES_MAX)
    this.#view = { width, height, dpr, left: labelled ? 30 : 0, bottom: labelled ? 18 : 0 }
    for (const canvas of [this.#canvas, this.#marks]) {
      canvas.width = Math.round(width * dpr)
      canvas.height = Math.round(height * dpr)
    }
    this.#paint()
  }

  /** Device pixels per CSS pixel, with the zoom of a canvas around the view counted in (in steps, so that zooming is smooth). */
  #wantedDpr(): number {
    const { clientWidth } = this.#host
    const zoom = clientWidth > 0 ? this.#host.getBoundingClientRect().width / clientWidth : 1
    const fine = (devicePixelRatio || 1) * (zoom > 0 ? zoom : 1)
    const stepped = Math.abs(zoom - 1) < 0.01 ? devicePixelRatio || 1 : 2 ** (Math.ceil(Math.log2(fine) * 2 - 0.01) / 2)
    return Math.min(Math.max(stepped, 0.5), 3)
  }

  #paint(): void {
    const { width, height } = this.#view
    if (width === 0 || height === 0) return
    if (this.#wantedDpr() !== this.#view.dpr) return this.#measure()
    const camera = this.#shownCamera()
    const world = Number.parseInt(this.#look.world.slice(1, 7), 16) || 0
    if (this.#box) return this.#paintOrbit(this.#box, world)
    if (this.#scene) this.#painter?.paint(this.#scene, camera, this.#view, world)
    this.#paintMarks(camera)
  }

  #paintOrbit(box: Bounds3D, world: number): void {
    const orbit = this.#shownOrbit(box)
    const line = Number.parseInt(this.#look.line.slice(1, 7), 16) || 0
    this.#seen = this.#scene && seenBy(orbit, box, this.#view, this.#scene, { world, line })
    if (this.#seen) this.#painter?.paint(this.#seen, pixels, this.#view, world)
    const context = this.#marks.getContext('2d')
    if (!context) return
    const { width, height, dpr } = this.#view
    context.setTransform(dpr, 0, 0, dpr, 0, 0)
    context.clearRect(0, 0, width, height)
    if (!this.#seen) return
    const lens = lensOf(orbit, box, this.#view)
    const at = new Float64Array(4)
    context.fillStyle = this.#look.text
    context.font = `11px ${this.#look.font}`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    const { minX, minY, minZ, maxX, maxY, maxZ } = box
    const label = (text: string, x: number, y: number, z: number, over: number): void => {
      lens.see(x, y, z, at)
      if (at[2]! > 0) context.fillText(text, width / 2 + at[0]!, height / 2 - at[1]! + over)
    }
    if (this.#axes && Math.min(width, height) >= 140) {
      label('x', (minX + maxX) / 2, minY, minZ, 11)
      label('y', maxX, (minY + maxY) / 2, minZ, 11)
      label('z', minX, minY, (minZ + maxZ) / 2, 0)
    }
    const selected = this.#selected
    if (!selected) return
    lens.see(selected.x, selected.y, selected.z ?? 0, at)
    if (at[2]! > 0) this.#paintRing(context, width / 2 + at[0]!, height / 2 - at[1]!, diameter(selected.size * at[2]!, 1) / 2 + 4)
  }

  #paintRing(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
    context.lineWidth = 2
    context.strokeStyle = this.#look.accent
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.stroke()
  }

  #paintMarks(camera: Camera): void {
    const context = this.#marks.getContext('2d')
    if (!context) return
    const view = this.#view
    context.setTransform(view.dpr, 0, 0, view.dpr, 0, 0)
    context.clearRect(0, 0, view.width, view.height)
    if (!this.#scene || !this.#space) return
    const { bounds } = this.#scene
    const [left, top] = toScreen(camera, view, bounds.minX, bounds.maxY)
    const [right, bottom] = toScreen(camera, view, bounds.maxX, bounds.minY)
    if (this.#grid && camera.scale >= 6) this.#paintGrid(context, camera, left, top, right, bottom)
    context.strokeStyle = this.#look.line
    context.lineWidth = 1
    const line = 0.5 / view.dpr
    if (this.#axes)
      context.strokeRect(
        Math.round(left) - line,
        Math.round(top) - line,
        Math.round(right - left) + 2 * line,
        Math.round(bottom - top) + 2 * line,
      )
    if (view.left > 0 && !this.#camera) this.#paintAxes(context, camera, left, right, bottom)
    if (this.#selected) this.#paintSelected(context, camera, this.#selected)
  }

  #paintGrid(context: CanvasRenderingContext2D, camera: Camera, left: number, top: number, right: number, bottom: number): void {
    const { bounds } = this.#scene ?? { bounds: this.#bounds }
    const view = this.#view
    context.beginPath()
    for (let x = bounds.minX + 1; x < bounds.maxX; x++) {
      const [at] = toScreen(camera, view, x, 0)
      if (at < 0 || at > view.width) continue
      context.moveTo(Math.round(at) + 0.5, Math.max(0, top))
      context.lineTo(Math.round(at) + 0.5, Math.min(view.height, bottom))
    }
    for (let y = bounds.minY + 1; y < bounds.maxY; y++) {
      const [, at] = toScreen(camera, view, 0, y)
      if (at < 0 || at > view.height) continue
      context.moveTo(Math.max(0, left), Math.round(at) + 0.5)
      context.lineTo(Math.min(view.width, right), Math.round(at) + 0.5)
    }
    context.strokeStyle = this.#look.line
    context.globalAlpha = 0.7
    context.lineWidth = 1
    context.stroke()
    context.globalAlpha = 1
  }

  #paintAxes(context: CanvasRenderingContext2D, camera: Camera, left: number, right: number, bottom: number): void {
    const view = this.#view
    const space = this.#space
    if (!space) return
    const least = space.topology === 'discrete' ? 1 : 0
    const stepX = Math.max(least, niceStep(44 / camera.scale))
    const stepY = Math.max(least, niceStep(26 / camera.scale))
    context.fillStyle = this.#look.text
    context.font = `10px ${this.#look.font}`
    context.textAlign = 'center'
    context.textBaseline = 'top'
    const text = (value: number): string => String(Math.round(value * 1e6) / 1e6)
    for (let x = Math.ceil(space.minX / stepX) * stepX; x <= space.maxX + 1e-9; x += stepX) {
      const [at] = toScreen(camera, view, x, 0)
      if (at >= left - 1 && at <= right + 1) context.fillText(text(x), Math.min(at, view.width - 9), bottom + 5)
    }
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    for (let y = Math.ceil(space.minY / stepY) * stepY; y <= space.maxY + 1e-9; y += stepY) {
      const [, at] = toScreen(camera, view, 0, y)
      context.fillText(text(y), left - 5, Math.max(6, at))
    }
  }

  #paintSelected(context: CanvasRenderingContext2D, camera: Camera, at: Picked): void {
    const [x, y] = toScreen(camera, this.#view, at.x, at.y)
    if (at.kind === 'agent') return this.#paintRing(context, x, y, diameter(at.size, camera.scale) / 2 + 4)
    context.lineWidth = 2
    context.strokeStyle = this.#look.accent
    context.strokeRect(x - camera.scale / 2, y - camera.scale / 2, camera.scale, camera.scale)
  }

  #listen(): void {
    const host = this.#host
    const on = <K extends keyof HTMLElementEventMap>(
      type: K,
      act: (event: HTMLElementEventMap[K]) => void,
      options?: AddEventListenerOptions,
    ): void => {
      host.addEventListener(type, act, options)
      this.#stops.push(() => host.removeEventListener(type, act, options))
    }
    const resized = new ResizeObserver(() => this.#measure())
    resized.observe(host)
    this.#stops.push(() => resized.disconnect())
    this.#canvas.addEventListener('webglcontextlost', () => {
      this.#painter = this.#flatten()
      this.draw()
    })
    // Sent before a picture is taken (canvas/snapshot.ts): what WebGL drew in an earlier frame can't be read. The event may give other
    // colours, for this one picture.
    const drawNow = (event: Event): void => {
      const own = this.#look
      if (event instanceof CustomEvent) this.#look = { ...own, ...event.detail }
      this.#paint()
      this.#look = own
    }
    host.addEventListener('h-draw-now', drawNow)
    this.#stops.push(() => host.removeEventListener('h-draw-now', drawNow))
    on('wheel', event => this.#wheel(event), { passive: false })
    on('pointerdown', event => this.#down(event))
    on('pointermove', event => this.#move(event))
    on('pointerup', event => this.#up(event))
    on('pointercancel', event => void this.#pointers.delete(event.pointerId))
    on('keydown', event => this.#key(event))
  }

  #point(event: MouseEvent): { x: number; y: number } {
    const box = this.#host.getBoundingClientRect()
    // The canvas below may be zoomed by a transform: back to the view's own pixels.
    const scale = box.width > 0 ? this.#host.clientWidth / box.width : 1
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale }
  }

  // A wheel over a view that isn't in use belongs to the page around it.
  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.#host) return
    event.preventDefault()
    event.stopPropagation()
    const { x, y } = this.#point(event)
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    const factor = Math.exp((-event.deltaY * lines) / 300)
    if (this.#follow) this.zoom(factor)
    else this.#zoomAt(x, y, factor)
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return
    event.stopPropagation()
    this.#pointers.set(event.pointerId, this.#point(event))
    this.#moved = 0
    this.#host.setPointerCapture(event.pointerId)
    this.#host.focus({ preventScroll: true })
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId)
    if (!before) return
    const now = this.#point(event)
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1]
    this.#pointers.set(event.pointerId, now)
    this.#moved += Math.hypot(now.x - before.x, now.y - before.y)
    if (other) {
      const spread = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y))
      this.#zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, spread)
      // Two fingers drag the view; each contributes half of the distance.
      if (this.#box) this.#shift((now.x - before.x) / 2, (now.y - before.y) / 2)
    } else if (this.#box && this.#moved > clickSlop) {
      if (event.shiftKey) this.#shift(now.x - before.x, now.y - before.y)
      else this.#turn((before.x - now.x) * 0.45, (now.y - before.y) * 0.45)
    } else if (this.#camera && this.#moved > clickSlop) {
      this.#setFollow(false)
      this.#setCamera(pan(this.#camera, this.#bounds, now.x - before.x, now.y - before.y))
      this.draw()
    }
  }

  #turn(yaw: number, pitch: number): void {
    if (!this.#box) return
    this.#setOrbit(turned(this.#shownOrbit(this.#box), yaw, pitch))
    this.draw()
  }

  #shift(dx: number, dy: number): void {
    if (!this.#box) return
    this.#setFollow(false)
    this.#setOrbit(shifted(this.#shownOrbit(this.#box), this.#box, this.#view, dx, dy))
    this.draw()
  }

  #up(event: PointerEvent): void {
    const had = this.#pointers.delete(event.pointerId)
    if (!had || this.#moved > clickSlop || !this.#scene) return
    const { x, y } = this.#point(event)
    if (this.#box && this.#seen) return this.#events.picked(pickSeen(this.#seen, x - this.#view.width / 2, this.#view.height / 2 - y))
    const camera = this.#shownCamera()
    const [worldX, worldY] = toWorld(camera, this.#view, x, y)
    this.#events.picked(pick(this.#scene, camera, worldX, worldY))
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.#host || event.ctrlKey || event.metaKey || event.altKey) return
    const by = 40
    const arrows: Record<string, [number, number]> = { ArrowLeft: [by, 0], ArrowRight: [-by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }
    const arrow = arrows[event.key]
    if (arrow && this.#box) {
      if (event.shiftKey) this.#shift(...arrow)
      else this.#turn(-arrow[0] / 4, arrow[1] / 4)
    } else if (arrow && this.#camera) {
      this.#setFollow(false)
      this.#setCamera(pan(this.#camera, this.#bounds, ...arrow))
    } else if (event.key === '+' || event.key === '=') this.zoom(1.5)
    else if (event.key === '-') this.zoom(1 / 1.5)
    else if (event.key === '0') this.fit()
    else if (event.key === 'Escape' && this.#selected) this.#events.picked(null)
    else return
    event.preventDefault()
    event.stopPropagation()
    this.draw()
  }
}
