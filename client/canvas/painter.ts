// The content of a canvas's two stages: the drawing below, and the handles and marks above the live cards. Each is one Konva shape with its
// own drawing function, culled by the scene's spatial index, drawn at most once a frame.
import type { Context } from 'konva/lib/Context.js'
import { Konva } from 'konva/lib/Core.js'
import type { Layer } from 'konva/lib/Layer.js'
import type { Shape } from 'konva/lib/Shape.js'
import type { Editor } from '../editor/editor.ts'
import type { View } from '../editor/view.ts'
import { CanvasPen, type Fonts } from './paint/pen.ts'
import { paintOver, type Other } from './paint/over.ts'
import { paintCardMarks, paintGrid, paintPatchMarks, paintScene, patchZoom, type Badges, type ScenePainting } from './paint/scene.ts'
import type { Painting } from './paint/shapes.ts'
import { Tiles } from './paint/tiles.ts'
import { Travellers, type FrameTokens } from './tokens.ts'

// Only what changed is drawn again, and only here.
Konva.autoDrawEnabled = false

export type Showing = {
  readonly base: Omit<Painting, 'pen' | 'detail' | 'model' | 'renaming' | 'picture'>
  readonly grid: string
  readonly badges: Badges
  readonly others: readonly Other[]
  readonly fonts: Fonts
}

/** One layer with one shape, as a `Stage` shows it. */
export class Sheet {
  #layer: Layer | null = null
  readonly #paint: (context: CanvasRenderingContext2D, pixelRatio: number) => void

  constructor(paint: (context: CanvasRenderingContext2D, pixelRatio: number) => void) {
    this.#paint = paint
  }

  /** The layer it is drawn on; a ref. */
  readonly hold = (layer: Layer | null): void => {
    this.#layer = layer
    this.draw()
  }

  /** The shape's drawing function. */
  readonly paint = (context: Context, shape: Shape): void => {
    // Konva draws a layer when it is put on its stage; the first frame does that.
    if (this.#layer) this.#paint(context._context, shape.getLayer()?.getCanvas().getPixelRatio() ?? 1)
  }

  /** Draws in the next frame. */
  draw(): void {
    this.#layer?.batchDraw()
  }
}

/** Milliseconds of a frame that finding new routes may take. */
const routing = 6

/** Below this zoom tokens are not shown travelling. */
const tokenZoom = 0.35

/** Draws an editor on two sheets, following its view. */
export class Painter {
  readonly scene = new Sheet((context, ratio) => this.#drawScene(context, ratio))
  readonly over = new Sheet((context, ratio) => this.#drawOver(context, ratio))
  readonly #editor: Editor
  readonly #pictures = new Map<string, HTMLImageElement>()
  #showing: Showing | null = null
  #marked = false
  readonly #far = new Tiles()
  readonly #travellers = new Travellers()

  constructor(editor: Editor) {
    this.#editor = editor
  }

  /** Takes over what comes from outside the editor, and draws. */
  show(next: Showing): void {
    const before = this.#showing
    this.#showing = next
    if (next.base !== before?.base || next.badges !== before.badges || next.grid !== before.grid) this.scene.draw()
    this.over.draw()
  }

  /** Draws whenever the view changes; returns how to stop. */
  follow(): () => void {
    return this.#editor.view.subscribe((view, before) => {
      if (
        view.camera !== before.camera ||
        view.size !== before.size ||
        view.canvas !== before.canvas ||
        view.drawn !== before.drawn ||
        view.selection !== before.selection ||
        view.inside !== before.inside ||
        view.hover !== before.hover ||
        view.bending !== before.bending ||
        view.renaming !== before.renaming ||
        view.wire?.moving !== before.wire?.moving
      )
        this.scene.draw()
      this.over.draw()
    })
  }

  /** Shows the tokens that moved in a run, unless they were too small to be seen or the person wants nothing to move. */
  travel(before: FrameTokens, now: FrameTokens): void {
    if (document.hidden || this.#editor.view.getState().camera.zoom < tokenZoom) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    this.#travellers.send(this.#editor.scene, before, now, performance.now())
    this.over.draw()
  }

  #drawScene(context: CanvasRenderingContext2D, ratio: number): void {
    const showing = this.#showing
    if (!showing) return
    const view = this.#editor.view.getState()
    const what: ScenePainting = {
      scene: this.#editor.scene,
      camera: view.camera,
      size: view.size,
      selection: new Set(view.selection),
      hover: view.hover,
      bending: view.bending,
      carried: view.wire?.moving ?? null,
      badges: showing.badges,
      base: this.#base(showing),
      routing,
    }
    if (view.camera.zoom >= 0.15) paintGrid(context, view.camera, view.size, ratio, showing.grid)
    let again: boolean
    if (view.camera.zoom < patchZoom) {
      again = this.#far.draw(context, what, ratio)
      paintPatchMarks(context, what, ratio)
    } else again = paintScene(new CanvasPen(context, view.camera, ratio, showing.fonts), what)
    if (again) requestAnimationFrame(() => this.scene.draw())
    else this.#told(view)
  }

  /** Reports when the canvas was first drawn in full, and adds a performance mark at its first content. */
  #told({ size, painted }: View): void {
    if (size.w === 0) return
    // The browser shows this drawing first.
    if (!painted) setTimeout(() => this.#editor.view.setState({ painted: true }))
    if (this.#marked || this.#editor.scene.count === 0) return
    this.#marked = true
    performance.mark('canvas painted')
  }

  #drawOver(context: CanvasRenderingContext2D, ratio: number): void {
    const showing = this.#showing
    if (!showing) return
    const { camera, canvas, size } = this.#editor.view.getState()
    const pen = new CanvasPen(context, camera, ratio, showing.fonts)
    paintCardMarks(pen, showing.base.look, this.#editor.scene, camera, size, showing.badges.problems)
    if (this.#travellers.paint(pen, showing.base.look, canvas, performance.now())) requestAnimationFrame(() => this.over.draw())
    paintOver(pen, this.#editor, showing.others, this.#base(showing))
  }

  #base(showing: Showing) {
    const { model, view } = this.#editor
    return { ...showing.base, model, renaming: view.getState().renaming, picture: (url: string) => this.#picture(url) }
  }

  #picture(url: string): HTMLImageElement | null {
    const known = this.#pictures.get(url)
    if (known) return known.complete && known.naturalWidth > 0 ? known : null
    if (!/^data:image\/(png|jpeg);base64,/.test(url)) return null
    const image = new Image()
    image.addEventListener('load', () => this.scene.draw())
    image.src = url
    this.#pictures.set(url, image)
    return null
  }
}
