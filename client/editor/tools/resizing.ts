// A corner or edge is being dragged. Written once, at the end; the grid holds unless Ctrl is down.
import { move } from '../../../model-schema/edit.ts'
import type { Geo, Id } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { resized, type Handle } from '../geometry/geometry.ts'
import { leastSize } from '../grammar.ts'
import { toGrid } from '../geometry/snap.ts'
import type { Pointer, Tool } from './tool.ts'

export function resizing(editor: Editor, id: Id, handle: Handle, start: Pointer): Tool {
  const box = editor.scene.box(id)
  let geo: Geo | null = null
  const show = (pointer: Pointer): void => {
    if (!box) return
    const round = pointer.ctrl ? (value: number) => value : toGrid
    const next = resized(box, handle, round(pointer.at.x - start.at.x), round(pointer.at.y - start.at.y), leastSize(box.kind))
    geo = [next.x, next.y, next.w, next.h]
    editor.scene.preview(new Map([[id, geo]]))
    editor.view.setState({ drawn: editor.scene.version })
  }
  const clear = (): void => {
    editor.scene.preview(null)
    editor.view.setState({ drawn: editor.scene.version })
  }
  return {
    name: 'resizing',
    move: show,
    up(pointer) {
      show(pointer)
      clear()
      const final = geo
      if (final) editor.gesture(() => move(editor.doc, [{ id, geo: final }]))
      return editor.rest()
    },
    cancel: clear,
  }
}
