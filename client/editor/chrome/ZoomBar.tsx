// Buttons that zoom the canvas: out, to 100%, in, and until all elements are visible. They are in a bar next to the canvas.
import { useLingui } from '@lingui/react/macro'
import { useEditor, useView } from '../useEditor.ts'
import { GlyphButton } from './Glyph.tsx'

/** As every language of the app writes it. The first `Intl.NumberFormat` of a page takes tens of milliseconds, and this is drawn with the canvas. */
const percent = (zoom: number): string => `${Math.round(zoom * 100)}%`

export function ZoomBar() {
  const { t } = useLingui()
  const editor = useEditor()
  const zoom = useView(view => view.camera.zoom)
  const center = (): void => {
    const { size } = editor.view.getState()
    editor.zoomAt({ x: size.w / 2, y: size.h / 2 }, 1)
  }
  return (
    <div className="h-zoom" role="group" aria-label={t`Zoom`}>
      <GlyphButton glyph="minus" label={t`Zoom out`} hint={t`Zoom out (-)`} onClick={() => editor.zoomStep(-1)} />
      <GlyphButton label={t`Zoom to 100% (0)`} onClick={center}>
        <span className="h-num">{percent(zoom)}</span>
      </GlyphButton>
      <GlyphButton glyph="plus" label={t`Zoom in`} hint={t`Zoom in (+)`} onClick={() => editor.zoomStep(1)} />
      <GlyphButton glyph="whole" label={t`Zoom to fit`} hint={t`Zoom to fit (1)`} onClick={() => editor.fit()} />
    </div>
  )
}
