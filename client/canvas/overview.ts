// The drawing of the overview in the corner: all boxes, small, on a canvas of their own that is redrawn only where they changed, or as a
// whole when the layout did; over it the selection and the visible part.
import { viewOf } from '../editor/geometry/camera.ts'
import type { Editor } from '../editor/editor.ts'
import { around, centre, grown, type Box } from '../editor/geometry/geometry.ts'
import type { Scene, SceneBox } from '../editor/scene.ts'
import type { Palette } from '../ui/theme.ts'

/** CSS pixels. */
export const width = 168
export const height = 112

/** Milliseconds between two drawings of all boxes while they change. */
const rest = 250
/** Up to so many places are mended where they are; more are drawn with all the rest. */
const fewPlaces = 60

export class Overview {
  readonly #editor: Editor
  readonly #boxes = document.createElement('canvas')
  #scene: Scene | null = null
  #version = -1
  #place = ''
  #at = 0

  constructor(editor: Editor) {
    this.#editor = editor
  }

  /** Returns whether the boxes are older than the scene and must be drawn again soon. */
  draw(context: CanvasRenderingContext2D, palette: Pick<Palette, 'lineStrong' | 'accent'>): boolean {
    const ratio = devicePixelRatio
    const { camera, size, selection } = this.#editor.view.getState()
    const { scene } = this.#editor
    const view = viewOf(camera, size)
    const { scale, origin } = fit(worldOf(scene.bounds, view))
    const rect = (box: Box): [number, number, number, number] => [
      (box.x - origin.x) * scale,
      (box.y - origin.y) * scale,
      Math.max(1.5, box.w * scale),
      Math.max(1.5, box.h * scale),
    ]
    const fill = (sheet: CanvasRenderingContext2D, boxes: Iterable<SceneBox>): void => {
      sheet.setTransform(ratio, 0, 0, ratio, 0, 0)
      sheet.fillStyle = palette.lineStrong
      sheet.strokeStyle = palette.lineStrong
      for (const box of boxes) {
        if (box.kind?.shape === 'frame') sheet.strokeRect(...rect(box))
        else sheet.fillRect(...rect(box))
      }
    }
    const place = [scale, origin.x, origin.y, palette.lineStrong, ratio].join()
    const here = scene === this.#scene && place === this.#place
    const changes = here ? scene.changesSince(this.#version) : null
    const sheet = this.#boxes.getContext('2d')
    let late = false
    if (sheet && changes && changes.length <= fewPlaces) {
      for (const change of changes) {
        // In whole pixels of the device, one more than is drawn, so that nothing of what was there stays.
        const [x, y, w, h] = rect(change)
        const [left, top] = [Math.floor(x * ratio) - 1, Math.floor(y * ratio) - 1]
        const [right, bottom] = [Math.ceil((x + w) * ratio) + 1, Math.ceil((y + h) * ratio) + 1]
        sheet.save()
        sheet.setTransform(1, 0, 0, 1, 0, 0)
        sheet.beginPath()
        sheet.rect(left, top, right - left, bottom - top)
        sheet.clip()
        sheet.clearRect(left, top, right - left, bottom - top)
        fill(sheet, scene.visible(grown(change, 4 / scale)).boxes)
        sheet.restore()
      }
      this.#version = scene.version
    } else {
      late = scene === this.#scene && performance.now() - this.#at < rest
      if (sheet && !late) {
        const began = performance.now()
        this.#boxes.width = width * ratio
        this.#boxes.height = height * ratio
        fill(sheet, scene.boxes)
        this.#scene = scene
        this.#version = scene.version
        this.#place = place
        // Few boxes cost nothing and follow at once.
        this.#at = performance.now() - began > 1 ? performance.now() : 0
      }
    }
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, width * ratio, height * ratio)
    context.drawImage(this.#boxes, 0, 0)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.fillStyle = palette.accent
    for (const id of selection) {
      const box = scene.box(id)
      if (box) context.fillRect(...rect(box))
    }
    context.strokeStyle = palette.accent
    context.lineWidth = 1.25
    const [x, y, w, h] = rect(view)
    context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(w) - 1, Math.round(h) - 1)
    return late
  }
}

/** The part of the world shown on the overview. */
export const worldOf = (bounds: Box | null, view: Box): Box => around(bounds ? [grown(bounds, 40), view] : [view]) ?? view

/** Scale and origin of the world in the overview. */
export function fit(world: Box): { scale: number; origin: { x: number; y: number } } {
  const scale = Math.min(width / world.w, height / world.h)
  const middle = centre(world)
  return { scale, origin: { x: middle.x - width / 2 / scale, y: middle.y - height / 2 / scale } }
}
