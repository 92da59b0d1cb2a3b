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
    const later = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        const context = canvas.current?.getContext('2d')
        if (context) drawOverview(context, editor, palettes[theme.getState().dark ? 'dark' : 'light'])
      })
    }
    later()
    const stops = [editor.view.subscribe(later), theme.subscribe(later)]
    return () => {
      for (const stop of stops) stop()
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

function drawOverview(context: CanvasRenderingContext2D, editor: Editor, palette: Colors): void {
  const ratio = devicePixelRatio
  const { camera, size, selection } = editor.view.getState()
  const view = viewOf(camera, size)
  const { scale, origin } = fit(worldOf(editor.scene.bounds, view))
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  const rect = (box: Box): [number, number, number, number] => [
    (box.x - origin.x) * scale,
    (box.y - origin.y) * scale,
    Math.max(1.5, box.w * scale),
    Math.max(1.5, box.h * scale),
  ]
  context.fillStyle = palette.lineStrong
  context.strokeStyle = palette.lineStrong
  context.lineWidth = 1
  for (const box of editor.scene.boxes) {
    if (box.kind?.shape === 'frame') context.strokeRect(...rect(box))
    else context.fillRect(...rect(box))
  }
  context.fillStyle = palette.accent
  for (const id of selection) {
    const box = editor.scene.box(id)
    if (box) context.fillRect(...rect(box))
  }
  context.strokeStyle = palette.accent
  context.lineWidth = 1.25
  const [x, y, w, h] = rect(view)
  context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(w) - 1, Math.round(h) - 1)
}

const worldOf = (bounds: Box | null, view: Box): Box => around(bounds ? [grown(bounds, 40), view] : [view]) ?? view

function fit(world: Box): { scale: number; origin: { x: number; y: number } } {
  const scale = Math.min(width / world.w, height / world.h)
  const middle = centre(world)
  return { scale, origin: { x: middle.x - width / 2 / scale, y: middle.y - height / 2 / scale } }
}
