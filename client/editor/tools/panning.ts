// The canvas is carried along with the pointer.
import type { Editor } from '../editor.ts'
import { panned } from '../geometry/camera.ts'
import { distance } from '../geometry/geometry.ts'
import { dragSlackPx, type Pointer, type Tool } from './tool.ts'

export function panning(editor: Editor, start: Pointer): Tool {
  const { camera } = editor.view.getState()
  let moved = false
  return {
    name: 'panning',
    move(pointer) {
      moved ||= distance(pointer.screen, start.screen) >= dragSlackPx
      if (moved) editor.look(panned(camera, start.screen.x - pointer.screen.x, start.screen.y - pointer.screen.y))
    },
    up() {
      // A tap on empty canvas lets the selection go.
      if (!moved && start.touch) editor.select([])
      return editor.rest()
    },
  }
}
