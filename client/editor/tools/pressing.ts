// An element is pressed: a click selects it, a drag moves what is selected.
import type { Editor } from '../editor.ts'
import { distance } from '../geometry.ts'
import type { Id } from '../../../model-schema/model.ts'
import { dragging } from './dragging.ts'
import { panning } from './panning.ts'
import { slop, type Pointer, type Tool } from './tool.ts'

export function pressing(editor: Editor, id: Id, start: Pointer): Tool {
  const { selection } = editor.view.getState()
  const wasSelected = selection.includes(id)
  if (!wasSelected && !start.shift) editor.select([id])
  return {
    name: 'pressing',
    move(pointer) {
      if (distance(pointer.screen, start.screen) < slop) return
      if (!editor.writable) return panning(editor, start)
      if (!wasSelected && start.shift) editor.select([...selection, id])
      // A connector follows its shapes; dragging it before it is selected only selects it.
      if (!editor.scene.box(id)) return
      return dragging(editor, start, pointer)
    },
    up() {
      if (start.shift) editor.select(wasSelected ? selection.filter(one => one !== id) : [...selection, id])
      else if (wasSelected && selection.length > 1 && start.button === 0) editor.select([id])
      return editor.rest()
    },
    cancel() {
      editor.select(selection)
    },
  }
}
