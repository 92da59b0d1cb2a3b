// A run of a selected connector is being dragged sideways: its route becomes manual bends.
import { setBends } from '../../../model-schema/edit.ts'
import type { Id } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { distance, type Point } from '../geometry/geometry.ts'
import { bendsAfterDrag } from '../geometry/route.ts'
import { toGrid } from '../geometry/snap.ts'
import { dragSlackPx, type Pointer, type Tool } from './tool.ts'

export function bending(editor: Editor, id: Id, segment: number, start: Pointer): Tool {
  const line = editor.scene.pointsOf(id)
  let bends: Point[] | null = null
  return {
    name: 'bending',
    move(pointer) {
      if (!bends && distance(pointer.screen, start.screen) < dragSlackPx) return
      const at = pointer.ctrl ? pointer.at : { x: toGrid(pointer.at.x), y: toGrid(pointer.at.y) }
      bends = bendsAfterDrag(line, segment, at)
      editor.view.setState({ bending: { id, bends } })
    },
    up() {
      editor.view.setState({ bending: null })
      const final = bends
      if (final)
        editor.gesture(() =>
          setBends(
            editor.doc,
            id,
            final.map(({ x, y }) => [x, y] as const),
          ),
        )
      else editor.select([id])
      return editor.rest()
    },
    cancel() {
      editor.view.setState({ bending: null })
    },
  }
}
