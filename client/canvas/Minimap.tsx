// The whole canvas in a corner; the bright part is what is seen. Click or drag to look elsewhere.
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type PointerEvent } from 'react'
import { viewOf } from '../editor/camera.ts'
import { around, centre, grown, type Box } from '../editor/geometry.ts'
import type { Editor } from '../editor/editor.ts'
import { useEditor, useView } from '../editor/useEditor.ts'
import { palettes, theme, type Palette as Colors } from '../ui/theme.ts'

const width = 168
const height = 112

export function Minimap() {
  const editor = useEditor()
  const empty = useView(() => editor.scene.count === 0)
  return empty ? null : <Overview />
}

function Overview() {
  const { t } = useLingui()
  const editor = useEditor()
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const overview = new Drawn(editor)
    const later = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        const context = canvas.current?.getContext('2d')
        if (context && overview.draw(context, palettes[theme.getState().dark ? 'dark' : 'light'])) later()
      })
    }
    // What was edited is shown on the canvas first.
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        later()
      }, lag)
    }
    later()
    const stops = [
      editor.view.subscribe((view, before) => {
        if (view.camera !== before.camera || view.size !== before.size) later()
        else if (view.drawn !== before.drawn || view.selection !== before.selection) soon()
      }),
      theme.subscribe(later),
    ]
    return () => {
      for (const stop of stops) stop()
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [editor])

  const look = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (event.type === 'pointermove' && event.buttons !== 1) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const { camera, size } = editor.view.getState()
    const view = viewOf(camera, size)
    const { scale, origin } = fit(worldOf(editor.scene.bounds, view))
    const box = event.currentTarget.getBoundingClientRect()
    const at = { x: (event.clientX - box.left) / scale + origin.x, y: (event.clientY - box.top) / scale + origin.y }
    editor.look({ ...camera, x: at.x - view.w / 2, y: at.y - view.h / 2 })
  }

  return (
    <canvas
      ref={canvas}
      className="h-minimap"
      role="img"
      aria-label={t`Overview of the canvas`}
      width={width * globalThis.devicePixelRatio}
      height={height * globalThis.devicePixelRatio}
      style={{ width, height }}
      onPointerDown={event => {
        event.stopPropagation()
        look(event)
      }}
      onPointerMove={look}
      onDoubleClick={event => event.stopPropagation()}
    />
  )
}

/** Milliseconds after an edit. */
const lag = 50
/** Milliseconds between two drawings of all boxes while they change. */
const rest = 250

/** The overview, with all boxes on a sheet of their own that is drawn again only when they or their place on it changed. */
class Drawn {
  readonly #editor: Editor
  readonly #boxes = document.createElement('canvas')
  #of = ''
  #at = 0

  constructor(editor: Editor) {
    this.#editor = editor
  }

  /** Tells whether the boxes are older than the scene: then they are to be drawn again soon. */
  draw(context: CanvasRenderingContext2D, palette: Colors): boolean {
    const ratio = devicePixelRatio
    const { camera, size, selection, canvas } = this.#editor.view.getState()
    const { scene } = this.#editor
    const view = viewOf(camera, size)
    const world = worldOf(scene.bounds, view)
    const { scale, origin } = fit(world)
    const rect = (box: Box): [number, number, number, number] => [
      (box.x - origin.x) * scale,
      (box.y - origin.y) * scale,
      Math.max(1.5, box.w * scale),
      Math.max(1.5, box.h * scale),
    ]
    const of = [canvas, scene.version, scale, origin.x, origin.y, palette.lineStrong, ratio].join()
    const late = of !== this.#of && performance.now() - this.#at < rest && this.#of.startsWith(`${canvas},`)
    if (of !== this.#of && !late) {
      const began = performance.now()
      this.#boxes.width = width * ratio
      this.#boxes.height = height * ratio
      const sheet = this.#boxes.getContext('2d')
      if (sheet) {
        sheet.setTransform(ratio, 0, 0, ratio, 0, 0)
        sheet.fillStyle = palette.lineStrong
        sheet.strokeStyle = palette.lineStrong
        for (const box of scene.boxes) {
          if (box.kind?.shape === 'frame') sheet.strokeRect(...rect(box))
          else sheet.fillRect(...rect(box))
        }
      }
      this.#of = of
      // Few boxes cost nothing and follow at once.
      this.#at = performance.now() - began > 1 ? performance.now() : 0
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

const worldOf = (bounds: Box | null, view: Box): Box => around(bounds ? [grown(bounds, 40), view] : [view]) ?? view

function fit(world: Box): { scale: number; origin: { x: number; y: number } } {
  const scale = Math.min(width / world.w, height / world.h)
  const middle = centre(world)
  return { scale, origin: { x: middle.x - width / 2 / scale, y: middle.y - height / 2 / scale } }
}
