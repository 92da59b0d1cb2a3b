// Bringing a thread's pin into view.
import type { Editor } from '../editor/editor.ts'
import { pinOf, type Anchor } from './threads.ts'

/** Goes to the canvas of a pin, and moves it into view when it is outside. */
export function showPin(editor: Editor, anchor: Anchor): void {
  const pin = pinOf(editor.model, anchor)
  if (pin === null) return
  if (editor.view.getState().canvas !== pin.canvas) editor.goTo(pin.canvas)
  if (anchor.element !== null && !pin.lost) editor.select([anchor.element])
  const { camera, size } = editor.view.getState()
  const [x, y] = [(pin.at[0] - camera.x) * camera.zoom, (pin.at[1] - camera.y) * camera.zoom]
  const margin = 48
  if (x < margin || y < margin || x > size.w - margin || y > size.h - margin)
    editor.look({ x: pin.at[0] - size.w / 2 / camera.zoom, y: pin.at[1] - size.h / 2 / camera.zoom, zoom: camera.zoom })
}
