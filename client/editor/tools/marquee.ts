// Draws a rectangle over empty canvas: selects the elements inside it, groups as a whole, locked elements not; Shift adds, dragging
// leftwards selects whatever it touches.
import type { Editor } from '../editor.ts'
import { distance, spanned } from '../geometry/geometry.ts'
import { dragSlackPx, type Pointer, type Tool } from './tool.ts'

export function marquee(editor: Editor, start: Pointer): Tool {
  const { selection } = editor.view.getState()
  const base = start.shift ? selection : []
  let moved = false
  return {
    name: 'marquee',
    move(pointer) {
      if (!moved && distance(pointer.screen, start.screen) < dragSlackPx) return
      moved = true
      const area = spanned(start.at, pointer.at)
      const taken = editor.units(editor.scene.within(area, pointer.at.x < start.at.x))
      editor.view.setState({ marquee: area })
      editor.select([...base, ...taken.filter(id => !base.includes(id))])
    },
    up() {
      if (!moved && !start.shift) editor.select([])
      editor.view.setState({ marquee: null })
      return editor.rest()
    },
    cancel() {
      editor.view.setState({ marquee: null })
      editor.select(selection)
    },
  }
}
