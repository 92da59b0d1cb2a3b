// The whole canvas in a corner; the bright part is what is seen. Click or drag to look elsewhere.
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type PointerEvent } from 'react'
import { viewOf } from '../editor/camera.ts'
import { encloses } from '../editor/geometry.ts'
import { useEditor, useView } from '../editor/useEditor.ts'
import { palettes, theme } from '../ui/theme.ts'
import { fit, height, Overview, width, worldOf } from './overview.ts'

export function Minimap() {
  const editor = useEditor()
  // Where all is in view, it would only cover something.
  const needed = useView(({ camera, size }) => {
    const { bounds } = editor.scene
    return editor.scene.count > 0 && bounds !== null && !encloses(viewOf(camera, size), bounds)
  })
  return needed ? <Drawing /> : null
}

function Drawing() {
  const { t } = useLingui()
  const editor = useEditor()
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const overview = new Overview(editor)
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
