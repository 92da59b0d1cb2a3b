// Something from the palette hangs on the pointer until it is put down, a step over a flow into it; Shift puts down one after another.
import type { Editor } from '../editor.ts'
import { hostFor } from './dragging.ts'
import { flowUnder, type Onto } from './inserting.ts'
import type { Offer } from '../grammar.ts'
import { snapped } from '../geometry/snap.ts'
import { viewOf } from '../geometry/camera.ts'
import type { Geo } from '../../../model-schema/model.ts'
import type { Pointer, Tool } from './tool.ts'

const reach = 6

export function placing(editor: Editor, offer: Offer): Tool {
  const [w, h] = offer.kind.size
  const where = (pointer: Pointer): Geo => {
    const box = { x: pointer.at.x - w / 2, y: pointer.at.y - h / 2, w, h }
    if (pointer.ctrl) return [box.x, box.y, w, h]
    const { camera, size } = editor.view.getState()
    const snap = snapped(box, editor.scene.neighbours(viewOf(camera, size), new Set()), reach / camera.zoom)
    editor.view.setState({ guides: snap.guides, gaps: snap.gaps })
    return [box.x + snap.dx, box.y + snap.dy, w, h]
  }
  const stuck = (pointer: Pointer): { host: string; geo: Geo } | null => {
    if (offer.kind.shape !== 'boundary') return null
    const element = {
      id: '',
      kind: offer.kind.id,
      parent: null,
      children: [],
      geo: [0, 0, w, h] as const,
      ends: null,
      bends: [],
      fields: {},
    }
    const box = { id: '', element, kind: offer.kind, order: 0, x: pointer.at.x - w / 2, y: pointer.at.y - h / 2, w, h }
    const found = hostFor(editor, box, 0, 0)
    return found ? { host: found.host, geo: [box.x + found.dx, box.y + found.dy, w, h] } : null
  }
  const landing = (pointer: Pointer): { geo: Geo; onto: Onto | null } => {
    const geo = where(pointer)
    const onto = flowUnder(editor, offer.kind.id, { x: geo[0], y: geo[1], w, h })
    return onto ? { geo: [geo[0] + onto.dx, geo[1] + onto.dy, w, h], onto } : { geo, onto }
  }
  return {
    name: 'placing',
    move(pointer) {
      const { geo, onto } = landing(pointer)
      editor.view.setState({
        ghost: { offer, geo: stuck(pointer)?.geo ?? geo },
        onto: onto?.flow ?? null,
        ...(onto ? { guides: [], gaps: [] } : {}),
      })
    },
    up(pointer) {
      const host = stuck(pointer)
      const { geo, onto } = landing(pointer)
      const [x, y] = host?.geo ?? geo
      editor.view.setState({ guides: [], gaps: [], ghost: null, onto: null })
      editor.put(offer, [x, y], host ? { host: host.host } : {}, onto?.flow)
      return pointer.shift ? undefined : editor.rest()
    },
    cancel() {
      editor.view.setState({ ghost: null, guides: [], gaps: [], onto: null })
    },
  }
}
