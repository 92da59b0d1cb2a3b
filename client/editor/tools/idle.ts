// Nothing is pressed: shows what is under the pointer, and starts the tool that a press there means.
import type { Editor } from '../editor.ts'
import { holds } from '../geometry/geometry.ts'
import { handleNear, portAt, reachOfPorts, wireEndAt } from '../grips.ts'
import { bending } from './bending.ts'
import { connecting, reconnecting } from './connecting.ts'
import { marquee } from './marquee.ts'
import { panning } from './panning.ts'
import { pressing } from './pressing.ts'
import { resizing } from './resizing.ts'
import type { Tool } from './tool.ts'

export function idle(editor: Editor): Tool {
  return {
    name: 'idle',
    move(pointer) {
      const { hover } = editor.view.getState()
      const port = portAt(editor, pointer.at)
      // Between a shape and its ports the shape stays hovered, so that they don't run away from the pointer.
      const near = hover === null ? undefined : editor.scene.box(hover)
      const next =
        port?.id ?? editor.scene.hit(pointer.at, editor.slack)?.id ?? (near && holds(near, pointer.at, reachOfPorts(editor)) ? hover : null)
      if (next !== hover || port?.side !== editor.view.getState().hoverPort)
        editor.view.setState({ hover: next, hoverPort: port?.side ?? null })
    },
    down(pointer) {
      if (editor.view.getState().menu || editor.view.getState().quickAdd) editor.view.setState({ menu: null, quickAdd: null })
      if (pointer.button === 1 || editor.spaceHeld) return panning(editor, pointer)
      if (editor.writable) {
        const port = portAt(editor, pointer.at)
        if (port) return connecting(editor, port.id, pointer)
        const handle = handleNear(editor, pointer.at)
        if (handle) return resizing(editor, handle.id, handle.handle, pointer)
        const end = wireEndAt(editor, pointer.at)
        if (end) return reconnecting(editor, end.id, end.side, pointer)
      }
      const hit = editor.scene.hit(pointer.at, editor.slack)
      if (!hit) return pointer.touch ? panning(editor, pointer) : marquee(editor, pointer)
      if (hit.on === 'wire' && editor.mayChange(hit.id) && editor.view.getState().selection.includes(hit.id))
        return bending(editor, hit.id, hit.segment, pointer)
      return pressing(editor, hit.id, pointer)
    },
  }
}
