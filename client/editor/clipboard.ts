// Copies travel as JSON text on the system clipboard, so that they go between canvases, files, tabs and browsers.
import { copy, isRefusal, move, paste } from '../../model-schema/edit.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Editor } from './editor.ts'
import { viewOf } from './geometry/camera.ts'
import { around, centre, encloses, grown, type Box } from './geometry/geometry.ts'
import { freeSpot, roomInView } from './geometry/room.ts'

/** The selection as text for the clipboard. */
export const clipText = (model: Model, ids: readonly Id[]): string => JSON.stringify(copy(model, ids))

/** Pastes what the text holds where the pointer is, else into the middle of the view, and selects it; text that holds no elements is refused with words. */
export function pasteText(editor: Editor, text: string): void {
  const { canvas, camera, size } = editor.view.getState()
  const { x, y } = editor.pointerOnCanvas ?? centre(viewOf(camera, size))
  const made = editor.gesture(() => {
    const pasted = paste(editor.doc, text.trim(), canvas, [Math.round(x), Math.round(y)])
    if (isRefusal(pasted)) return pasted
    // Copies never cover what is there, least of all their originals.
    const boxes = pasted.map(id => editor.scene.box(id)).filter(box => box !== undefined)
    const outline = around(boxes)
    const spot = outline && spotFor(editor, outline, new Set(pasted))
    if (outline && spot && (spot.x !== outline.x || spot.y !== outline.y))
      move(
        editor.doc,
        boxes.map(box => ({ id: box.id, geo: [box.x + spot.x - outline.x, box.y + spot.y - outline.y, box.w, box.h] as const })),
      )
    return pasted
  })
  const ids = editor.tell(made)
  if (ids === null) return
  editor.select(ids)
  editor.show(ids)
}

/** A position for copies that covers nothing: near existing elements, preferably without moving the view, else close to it. */
function spotFor(editor: Editor, outline: Box, except: ReadonlySet<Id>): Box {
  const { camera, size } = editor.view.getState()
  const view = viewOf(camera, size)
  const free = freeSpot(editor.scene, outline, { except })
  if (encloses(view, free)) return free
  const room = (seen: Box): Box | null => roomInView(editor.scene, seen, outline, except)
  return room(view) ?? room(grown(view, Math.max(outline.w, outline.h) + 64)) ?? free
}
