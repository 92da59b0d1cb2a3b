// Copies travel as JSON text on the system clipboard, so that they go between canvases, files, tabs and browsers.
import { copy, isRefusal, paste } from '../../model-schema/edit.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Editor } from './editor.ts'
import { viewOf } from './camera.ts'
import { centre } from './geometry.ts'

/** The selection as text for the clipboard. */
export const clipText = (model: Model, ids: readonly Id[]): string => JSON.stringify(copy(model, ids))

/** Pastes what the text holds into the middle of the view and selects it; text that holds no elements is refused with words. */
export function pasteText(editor: Editor, text: string): void {
  const { canvas, camera, size } = editor.view.getState()
  const { x, y } = centre(viewOf(camera, size))
  const made = editor.gesture(() => paste(editor.doc, text.trim(), canvas, [Math.round(x), Math.round(y)]))
  if (isRefusal(made)) editor.refuse(made.words)
  else editor.select(made)
}
