// The canvas on the screen: passes pointers, wheels and touches to the headless editor, and positions the two drawings, the live cards
// between them, and the overlays.
import { useWords } from '../i18n/locale.ts'
import { useLingui } from '@lingui/react/macro'
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type PointerEvent, type ReactNode, type RefObject } from 'react'
import { Layer, Shape, Stage } from 'react-konva/lib/ReactKonvaCore.js'
import { toCanvas } from '../editor/geometry/camera.ts'
import type { Editor } from '../editor/editor.ts'
import { useEditor, useView } from '../editor/useEditor.ts'
import { complain } from '../ui/toast.ts'
import { fontFamily, monoFamily, theme, usePalette } from '../ui/theme.ts'
import { Cards, type CardOf } from './Cards.tsx'
import { Painter, type Sheet, type Showing } from './painter.ts'
import type { Other } from './paint/over.ts'
import { forgetWidths } from './paint/pen.ts'
import type { Badges } from './paint/scene.ts'
import { LongPress, onSafariPinch, Pinch } from './touch.ts'
import type { FrameTokens } from './tokens.ts'
import { RenameField } from './RenameField.tsx'
import { showTravel } from './travel.ts'
import './canvas.css'

type Props = {
  others: readonly Other[]
  badges: Badges
  level: Showing['base']['level']
  live?: Showing['base']['live']
  /** Calls `show` each time tokens of a run moved; returns a function that stops this. */
  moves?: (show: (before: FrameTokens, now: FrameTokens) => void) => () => void
  /** The live content of a chart, view or controller. */
  Card: CardOf
  /** The pointer is here, in canvas units; null when it left. */
  onCursor?: (at: [number, number] | null) => void
  children?: ReactNode
}

export const CanvasView = memo(function CanvasView({ others, badges, level, live, moves, Card, onCursor, children }: Props) {
  const { t } = useLingui()
  const editor = useEditor()
  const words = useWords()
  const palette = usePalette()
  const host = useRef<HTMLDivElement>(null)
  const painter = useMemo(() => new Painter(editor), [editor])
  const [pinch] = useState(() => new Pinch(editor))
  const [press] = useState(() => new LongPress(editor))
  const cursor = useCursor()

  const look = useMemo(() => ({ ...palette, dark: theme.getState().dark }), [palette])
  const base = useMemo(() => ({ look, words, level, live }), [look, words, level, live])
  const showing = useMemo(
    () => ({ base, grid: palette.grid, badges, others, fonts: { sans: fontFamily, mono: monoFamily } }),
    [base, palette, badges, others],
  )

  useLayoutEffect(() => painter.show(showing), [painter, showing])
  useFocusByKey(host)
  useLayoutEffect(() => painter.follow(), [painter])
  useEffect(() => moves?.((before, now) => painter.travel(before, now)), [painter, moves])
  useEffect(() => {
    const { fonts } = document
    const came = (): void => {
      forgetWidths()
      painter.scene.draw()
      painter.over.draw()
    }
    fonts.addEventListener('loadingdone', came)
    return () => fonts.removeEventListener('loadingdone', came)
  }, [painter])

  // Sheets come in the size they are to have: making them larger throws away what was drawn, and draws it again.
  const [measured, setMeasured] = useState(false)
  useLayoutEffect(() => {
    if (!host.current) return undefined
    const element = host.current
    const measure = (): void => void editor.resize({ w: element.clientWidth, h: element.clientHeight })
    measure()
    setMeasured(true)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [editor])

  useEffect(() => {
    if (!host.current) return undefined
    const element = host.current
    const wheel = (event: WheelEvent): void => onWheel(editor, element, event)
    element.addEventListener('wheel', wheel, { passive: false })
    const stopPinch = onSafariPinch(editor, element)
    const stopTravel = showTravel(editor, element)
    return () => {
      stopPinch()
      stopTravel()
      element.removeEventListener('wheel', wheel)
    }
  }, [editor])

  const point = (event: PointerEvent | { clientX: number; clientY: number }): [number, number] => {
    const box = host.current?.getBoundingClientRect()
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)]
  }
  // Overlays in a portal (menus) are not the canvas, although React lets their events bubble to it.
  const isHere = (event: { target: EventTarget }): boolean => event.target instanceof Node && host.current?.contains(event.target) === true
  const keys = (event: PointerEvent) => ({
    shift: event.shiftKey,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
    touch: event.pointerType === 'touch',
  })

  return (
    // The outline next to the canvas is its full equivalent for assistive technology; the canvas says so.
    <div
      ref={host}
      className="h-canvas"
      role="application"
      aria-label={t`Model canvas. Tab walks through the elements, arrow keys move them, Enter opens one, N adds what comes next. The outline lists everything as a tree.`}
      tabIndex={0}
      style={{ cursor }}
      onPointerDown={event => {
        if (event.button === 2 || !isHere(event)) return
        host.current?.focus({ preventScroll: true })
        host.current?.setPointerCapture(event.pointerId)
        if (event.pointerType === 'touch') {
          if (pinch.down(event.pointerId, point(event))) return press.stop()
          press.start(...point(event))
        }
        editor.down(...point(event), { ...keys(event), button: event.button })
      }}
      onPointerMove={event => {
        if (!isHere(event) || pinch.move(event.pointerId, point(event))) return
        const at = point(event)
        press.move(...at)
        editor.move(...at, keys(event))
        const { x, y } = toCanvas(editor.view.getState().camera, { x: at[0], y: at[1] })
        onCursor?.([Math.round(x), Math.round(y)])
      }}
      onPointerUp={event => {
        if (event.button === 2 || !isHere(event)) return
        press.stop()
        if (pinch.up(event.pointerId)) return
        editor.up(...point(event), keys(event))
      }}
      onPointerCancel={event => {
        press.stop()
        pinch.up(event.pointerId)
        editor.cancel()
      }}
      onPointerLeave={() => {
        editor.leaveWindow()
        onCursor?.(null)
      }}
      onDoubleClick={event => isHere(event) && editor.doubleClick(...point(event))}
      onDragOver={event => {
        if (editor.writable && event.dataTransfer.types.includes('Files')) event.preventDefault()
      }}
      onDrop={event => {
        const picture = [...event.dataTransfer.files].find(file => file.type.startsWith('image/'))
        if (!picture || !editor.writable) return
        event.preventDefault()
        const [x, y] = point(event)
        const at = toCanvas(editor.view.getState().camera, { x, y })
        void import('../editor/pictures.ts').then(({ putPicture }) => putPicture(editor, picture, at)).catch(complain)
      }}
      onContextMenu={event => {
        if (!isHere(event)) return
        event.preventDefault()
        editor.openMenu(...point(event))
      }}
    >
      {measured && <SheetView hold={painter.scene.hold} paint={painter.scene.paint} />}
      <Cards Card={Card} />
      {measured && <SheetView hold={painter.over.hold} paint={painter.over.paint} above />}
      <RenameField />
      {children}
    </div>
  )
})

/** A stage of one layer with one shape: its drawing is culled by the scene, so elements are no nodes of Konva's. */
function SheetView({ hold, paint, above = false }: Pick<Sheet, 'hold' | 'paint'> & { above?: boolean }) {
  const { w, h } = useView(view => view.size)
  return (
    <div className={above ? 'h-canvas-layer h-canvas-above' : 'h-canvas-layer'} aria-hidden>
      <Stage width={Math.max(1, w)} height={Math.max(1, h)} listening={false}>
        <Layer ref={hold} listening={false}>
          <Shape sceneFunc={paint} listening={false} perfectDrawEnabled={false} />
        </Layer>
      </Stage>
    </div>
  )
}

function useCursor(): string {
  const editor = useEditor()
  return useView(view => {
    if (view.tool === 'panning') return 'grabbing'
    if (editor.spaceHeld) return 'grab'
    if (view.tool === 'placing' || view.tool === 'connecting' || view.hoverPort) return 'crosshair'
    if (view.tool === 'dragging') return 'move'
    return view.hover ? 'pointer' : 'default'
  })
}

function onWheel(editor: Editor, element: HTMLElement, event: WheelEvent): void {
  // A table or list inside a card scrolls itself first.
  if (!event.ctrlKey && !event.metaKey && scrolls(event.target, element, event.deltaY)) return
  event.preventDefault()
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? element.clientHeight : 1
  if (event.ctrlKey || event.metaKey) {
    const box = element.getBoundingClientRect()
    const zoom = editor.view.getState().camera.zoom * Math.exp(-Math.max(-60, Math.min(60, event.deltaY * unit)) * 0.01)
    editor.zoomAt({ x: event.clientX - box.left, y: event.clientY - box.top }, zoom)
  } else if (event.shiftKey && event.deltaX === 0) editor.pan(event.deltaY * unit, 0)
  else editor.pan(event.deltaX * unit, event.deltaY * unit)
}

function scrolls(target: EventTarget | null, within: HTMLElement, by: number): boolean {
  for (let at = target instanceof HTMLElement ? target : null; at && at !== within; at = at.parentElement) {
    if (at.scrollHeight <= at.clientHeight + 1 || !/auto|scroll/.test(getComputedStyle(at).overflowY)) continue
    if (by < 0 ? at.scrollTop > 0 : at.scrollTop + at.clientHeight < at.scrollHeight - 1) return true
  }
  return false
}

/** Marks the canvas if it got the focus by the Tab key: focus from a command or a click needs no mark. */
function useFocusByKey(host: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    let tabbed = false
    const key = (event: KeyboardEvent): void => void (tabbed = event.key === 'Tab')
    const press = (): void => {
      tabbed = false
      element.toggleAttribute('data-by-key', false)
    }
    const come = (): void => void element.toggleAttribute('data-by-key', tabbed)
    window.addEventListener('keydown', key, true)
    window.addEventListener('pointerdown', press, true)
    element.addEventListener('focus', come)
    return () => {
      window.removeEventListener('keydown', key, true)
      window.removeEventListener('pointerdown', press, true)
      element.removeEventListener('focus', come)
    }
  }, [host])
}
