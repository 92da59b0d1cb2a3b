// An element is pressed: a click selects it with its group (Ctrl: it alone), a drag moves what is selected. What is locked stays: from it a
// marquee is drawn, as from empty canvas.
import type { Editor } from '../editor.ts'
import { distance } from '../geometry/geometry.ts'
import type { Id } from '../../../model-schema/model.ts'
import { dragging } from './dragging.ts'
import { marquee } from './marquee.ts'
import { panning } from './panning.ts'
import { dragSlackPx, type Pointer, type Tool } from './tool.ts'

export function pressing(editor: Editor, id: Id, start: Pointer): Tool {
  const { selection } = editor.view.getState()
  const unit = start.ctrl ? [id] : editor.unit(id)
  const wasSelected = unit.every(one => selection.includes(one))
  if (!wasSelected && !start.shift) editor.select(unit)
  return {
    name: 'pressing',
    move(pointer) {
      if (distance(pointer.screen, start.screen) < dragSlackPx) return
      if (!editor.writable) return panning(editor, start)
      if (editor.model.elements.get(id)?.locked) {
        editor.select(selection)
        return start.touch ? panning(editor, start) : marquee(editor, start)
      }
      if (!wasSelected && start.shift) editor.select([...selection, ...unit])
      // A connector follows its shapes; dragging it before it is selected only selects it.
      if (!editor.scene.box(id)) return
      return dragging(editor, start, pointer)
    },
    up() {
      if (start.shift) editor.select(wasSelected ? selection.filter(one => !unit.includes(one)) : [...new Set([...selection, ...unit])])
      else if (wasSelected && selection.length > unit.length && start.button === 0) editor.select(unit)
      return editor.rest()
    },
    cancel() {
      editor.select(selection)
    },
  }
}
