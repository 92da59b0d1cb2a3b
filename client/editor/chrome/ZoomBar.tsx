// How near one is: out, in, 100%, everything.
import { ExpandOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import { useEditor, useView } from '../useEditor.ts'

export function ZoomBar() {
  const { t, i18n } = useLingui()
  const editor = useEditor()
  const zoom = useView(view => view.camera.zoom)
  const center = (): void => {
    const { size } = editor.view.getState()
    editor.zoomAt({ x: size.w / 2, y: size.h / 2 }, 1)
  }
  return (
    <div
      className="h-zoom"
      role="group"
      aria-label={t`Zoom`}
      onPointerDown={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
    >
      <Tooltip title={t`Zoom out (-)`}>
        <Button type="text" size="small" icon={<MinusOutlined />} aria-label={t`Zoom out`} onClick={() => editor.zoomStep(-1)} />
      </Tooltip>
      <Tooltip title={t`Zoom to 100% (0)`}>
        <Button type="text" size="small" className="h-num" onClick={center}>
          {new Intl.NumberFormat(i18n.locale, { style: 'percent' }).format(zoom)}
        </Button>
      </Tooltip>
      <Tooltip title={t`Zoom in (+)`}>
        <Button type="text" size="small" icon={<PlusOutlined />} aria-label={t`Zoom in`} onClick={() => editor.zoomStep(1)} />
      </Tooltip>
      <Tooltip title={t`Show everything (1)`}>
        <Button type="text" size="small" icon={<ExpandOutlined />} aria-label={t`Show everything`} onClick={() => editor.fit()} />
      </Tooltip>
    </div>
  )
}
