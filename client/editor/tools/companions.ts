// What moves along with what.
import type { Editor } from '../editor.ts'
import { encloses, grown, type Box } from '../geometry/geometry.ts'

/** Everything that moves along with these: frames take the elements inside of them, activities their boundary events. */
export function companions(editor: Editor, ids: readonly string[]): string[] {
  const all = new Set(ids)
  const area = (box: Box): Box => grown(box, 1)
  for (const id of ids) {
    const box = editor.scene.box(id)
    if (box?.kind?.shape !== 'frame') continue
    for (const inner of editor.scene.visible(area(box)).boxes) if (inner.id !== id && encloses(area(box), inner)) all.add(inner.id)
  }
  for (const box of editor.scene.boundaries) {
    const { host } = box.element.fields
    if (typeof host === 'string' && all.has(host)) all.add(box.id)
  }
  return [...all]
}
