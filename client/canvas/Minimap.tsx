// The whole canvas in a corner; the visible part is bright. Click or drag to move the view.
import { useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react'
import { viewOf } from '../editor/geometry/camera.ts'
import { encloses } from '../editor/geometry/geometry.ts'
import { useEditor, useView } from '../editor/useEditor.ts'
import { useDrag } from '../ui/gestures/drag.ts'
import { palettes, theme } from '../ui/theme.ts'
import { fit, height, Overview, width, worldOf } from './overview.ts'

export function Minimap() {
  const editor = useEditor()
  // If everything is in view, it would only cover something.
  const needed = useView(({ camera, size }) => {
    const { bounds } = editor.scene
    return editor.scene.count > 0 && bounds !== null && !encloses(viewOf(camera, size), bounds)
  })
  const [moved, held] = useMoved()
  return needed && moved ? <Drawing held={held} /> : null
}

/** Whether the view moved a moment ago, or the pointer is on the overview: otherwise it would only hide the canvas. */
function useMoved(): [boolean, (on: boolean) => void] {
  const editor = useEditor()
  const [moved, setMoved] = useState(false)
  const hold = useRef<(on: boolean) => void>(() => {})
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let on = false
    const rest = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => on || setMoved(false), lingers)
    }
    hold.current = now => {
      on = now
      if (!on) rest()
    }
    const stop = editor.view.subscribe((view, before) => {
      if (view.camera === before.camera || view.canvas !== before.canvas || view.size !== before.size) return
      setMoved(true)
      rest()
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [editor])
  const held = useCallback((on: boolean) => hold.current(on), [])
  return [moved, held]
}

/** Milliseconds that the overview stays after the last move. */
const lingers = 2500

function Drawing({ held }: { held: (on: boolean) => void }) {
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
    // Edits are shown on the canvas first.
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        later()
      }, redrawDelayMs)
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
    const { camera, size } = editor.view.getState()
    const view = viewOf(camera, size)
    const { scale, origin } = fit(worldOf(editor.scene.bounds, view))
    const box = event.currentTarget.getBoundingClientRect()
    const at = { x: (event.clientX - box.left) / scale + origin.x, y: (event.clientY - box.top) / scale + origin.y }
    editor.look({ ...camera, x: at.x - view.w / 2, y: at.y - view.h / 2 })
  }
  const { handlers } = useDrag<HTMLCanvasElement>({
    begin(event) {
      look(event)
      return true
    },
    move: look,
  })

  return (
    <canvas
      ref={canvas}
      className="h-minimap"
      role="img"
      aria-label={t`Overview of the canvas`}
      width={width * globalThis.devicePixelRatio}
      height={height * globalThis.devicePixelRatio}
      style={{ width, height }}
      {...handlers}
      onPointerDown={event => {
        event.stopPropagation()
        handlers.onPointerDown(event)
      }}
      onPointerEnter={() => held(true)}
      onPointerLeave={() => held(false)}
      onDoubleClick={event => event.stopPropagation()}
    />
  )
}

/** Milliseconds after an edit. */
const redrawDelayMs = 50
