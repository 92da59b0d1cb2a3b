// The two Konva stages of a canvas: the drawing below, and above the live cards what one works with. Each is one shape
// with its own drawing function, culled by the scene's spatial index, drawn again at most once a frame.
import { Konva } from 'konva/lib/Core.js'
import { Shape } from 'konva/lib/Shape.js'
import type { Editor } from '../editor/editor.ts'
import { CanvasPen, type Fonts } from './paint/pen.ts'
import { paintOver, type Other } from './paint/over.ts'
import { paintGrid, paintPatches, paintScene, patchZoom, type Badges, type ScenePainting } from './paint/scene.ts'
import type { Painting } from './paint/shapes.ts'

export type Showing = {
  readonly base: Omit<Painting, 'pen' | 'detail' | 'model' | 'renaming' | 'picture'>
  readonly grid: string
  readonly badges: Badges
  readonly others: readonly Other[]
  readonly fonts: Fonts
}

export type Painter = {
  /** Takes over what comes from outside the editor, and draws. */
  show(showing: Showing): void
  close(): void
}

/** Milliseconds of a frame that finding new routes may take. */
const routing = 6

/** Draws `editor` into two elements, following its view; `showing` changes what is drawn with. */
export function createPainter(below: HTMLDivElement, above: HTMLDivElement, editor: Editor, first: Showing): Painter {
  Konva.autoDrawEnabled = false
  let showing = first
  const pictures = new Map<string, HTMLImageElement>()
  const picture = (url: string): HTMLImageElement | null => {
    const known = pictures.get(url)
    if (known) return known.complete && known.naturalWidth > 0 ? known : null
    if (!/^data:image\/(png|jpeg);base64,/.test(url)) return null
    const image = new Image()
    image.addEventListener('load', () => scene.draw())
    image.src = url
    pictures.set(url, image)
    return null
  }

  const base = () => ({ ...showing.base, model: editor.model, renaming: editor.view.getState().renaming, picture })

  // A stage draws at once when it gets its layer: all that drawing needs stands above.
  const scene = stageIn(below, drawScene)
  const over = stageIn(above, drawOver)

  function drawScene(context: CanvasRenderingContext2D, ratio: number): void {
    const view = editor.view.getState()
    const what: ScenePainting = {
      scene: editor.scene,
      camera: view.camera,
      size: view.size,
      selection: new Set(view.selection),
      hover: view.hover,
      bending: view.bending,
      carried: view.wire?.moving ?? null,
      badges: showing.badges,
      base: base(),
      routing,
    }
    if (view.camera.zoom >= 0.15) paintGrid(context, view.camera, view.size, ratio, showing.grid)
    const again =
      view.camera.zoom < patchZoom
        ? paintPatches(context, what, ratio)
        : paintScene(new CanvasPen(context, view.camera, ratio, showing.fonts), what)
    if (again) requestAnimationFrame(() => scene.draw())
  }

  function drawOver(context: CanvasRenderingContext2D, ratio: number): void {
    const { camera } = editor.view.getState()
    paintOver(new CanvasPen(context, camera, ratio, showing.fonts), editor, showing.others, base())
  }

  const stop = editor.view.subscribe((view, before) => {
    if (view.size !== before.size) for (const stage of [scene, over]) stage.resize(view.size.w, view.size.h)
    const looked = view.camera !== before.camera || view.size !== before.size || view.canvas !== before.canvas
    if (
      looked ||
      view.drawn !== before.drawn ||
      view.selection !== before.selection ||
      view.hover !== before.hover ||
      view.bending !== before.bending ||
      view.renaming !== before.renaming ||
      view.wire?.moving !== before.wire?.moving
    )
      scene.draw()
    over.draw()
  })
  const { size } = editor.view.getState()
  for (const stage of [scene, over]) stage.resize(size.w, size.h)
  scene.draw()
  over.draw()
  return {
    show(next) {
      const onlyOthers = next.base === showing.base && next.badges === showing.badges && next.grid === showing.grid
      showing = next
      if (!onlyOthers) scene.draw()
      over.draw()
    },
    close() {
      stop()
      scene.destroy()
      over.destroy()
    },
  }
}

function stageIn(container: HTMLDivElement, paint: (context: CanvasRenderingContext2D, pixelRatio: number) => void) {
  const stage = new Konva.Stage({ container, width: 1, height: 1, listening: false })
  const layer = new Konva.Layer({ listening: false })
  layer.add(
    new Shape({
      listening: false,
      perfectDrawEnabled: false,
      sceneFunc: context => paint(context._context, layer.getCanvas().getPixelRatio()),
    }),
  )
  stage.add(layer)
  return {
    draw: () => void layer.batchDraw(),
    resize: (w: number, h: number) => void stage.size({ width: Math.max(1, w), height: Math.max(1, h) }),
    destroy: () => void stage.destroy(),
  }
}
