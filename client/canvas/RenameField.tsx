// Naming an element in place: a field exactly over its name.
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Id } from '../../model-schema/model.ts'
import { toScreen, type Camera } from '../editor/geometry/camera.ts'
import type { Editor } from '../editor/editor.ts'
import type { Box } from '../editor/geometry/geometry.ts'
import { useEditor, useView } from '../editor/useEditor.ts'
import { complain } from '../ui/toast.ts'
import { labelAt } from './paint/connectors.ts'
import { labelBelow } from './paint/shapes.ts'

export function RenameField() {
  const id = useView(view => view.renaming)
  return id === null ? null : <Field key={id} id={id} />
}

function Field({ id }: { id: Id }) {
  const { t } = useLingui()
  const editor = useEditor()
  const camera = useView(view => view.camera)
  const first = editor.model.elements.get(id)?.fields['name']
  const [text, setText] = useState(typeof first === 'string' ? first : '')
  const box = nameBox(editor, id, camera)
  if (!box) return null
  const done = (): void => void editor.setName(id, text.trim()).catch(complain)
  return (
    <input
      className="h-rename"
      aria-label={t`Name`}
      // Naming was requested: the field takes the focus at once.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      maxLength={128}
      value={text}
      style={{ left: box.x, top: box.y, width: box.w, height: box.h, fontSize: Math.max(11, 13 * Math.min(1.5, camera.zoom)) }}
      onFocus={event => event.target.select()}
      onChange={event => setText(event.target.value)}
      onBlur={done}
      onPointerDown={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) done()
        if (event.key === 'Escape') editor.view.setState({ renaming: null })
      }}
    />
  )
}

/** The position of an element's name, in CSS pixels. */
function nameBox(editor: Editor, id: Id, camera: Camera): Box | null {
  const at = (x: number, y: number, w: number): Box => {
    const width = Math.max(72, w * camera.zoom)
    const height = Math.max(22, 22 * Math.min(1.5, camera.zoom))
    const screen = toScreen(camera, { x, y })
    return { x: Math.round(screen.x - width / 2), y: Math.round(screen.y - height / 2), w: width, h: height }
  }
  const box = editor.scene.box(id)
  if (!box) {
    const points = editor.scene.pointsOf(id)
    if (points.length === 0) return null
    const label = labelAt(points)
    return at(label.x, label.y, 120)
  }
  const middle = box.x + box.w / 2
  switch (box.kind?.shape) {
    case 'start':
    case 'intermediate':
    case 'end':
    case 'boundary':
    case 'gateway': {
      const label = labelBelow(box)
      return at(label.x + (box.kind.shape === 'boundary' ? 60 : 0), label.y, 120)
    }
    case 'entity':
    case 'cells':
    case 'link':
    case 'space':
      return at(middle, box.y + box.h - 25, box.w - 8)
    case 'chart':
    case 'controller':
    case 'frame':
      return at(box.x + Math.min(box.w, 220) / 2 + 6, box.y + 16, Math.min(box.w, 220))
    case 'container':
      return at(middle + 10, box.y + 17, box.w - 28)
    case 'variable':
    case 'interface':
    case 'message':
    case 'function':
    case 'statistic':
    case 'tagset':
      return at(middle + 10, box.y + box.h / 2, box.w - 26)
    default:
      return at(middle, box.y + box.h / 2, box.w - 8)
  }
}
