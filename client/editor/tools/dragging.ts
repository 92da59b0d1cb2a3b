// The selection is being moved. The document is changed once, at the end; until then only the scene shows the move. Boundary events dragged
// alone stick to the border of the activity under them, an unconnected step is inserted into the flow under it, data into the chart or
// control under it; Alt leaves a copy behind.
import { insertStep, move, setField } from '../../../model-schema/edit.ts'
import type { Geo, Id } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { around, centre, onBorder } from '../geometry/geometry.ts'
import type { SceneBox } from '../scene.ts'
import { snapped, type Gap, type Guide } from '../geometry/snap.ts'
import { viewOf } from '../geometry/camera.ts'
import { give, takerUnder } from './binding.ts'
import { companions } from './companions.ts'
import { flowUnder, isLoose, type Onto } from './inserting.ts'
import type { Pointer, Tool } from './tool.ts'

/** A neighbour's line attracts from this many CSS pixels away. */
const reach = 6

/** A boundary event holds on to an activity from this many CSS pixels away. */
const stick = 20

export function dragging(editor: Editor, start: Pointer, now: Pointer): Tool {
  const { selection } = editor.view.getState()
  const moving = companions(editor, selection)
    .flatMap(id => editor.scene.box(id) ?? [])
    .filter(box => !box.element.locked)
  const ids = new Set(moving.map(box => box.id))
  const outline = around(moving)
  let moves = new Map<Id, Geo>()
  let host: Id | null = null
  let onto: Onto | null = null
  let taker: Id | null = null

  const lone = moving.length === 1 && moving[0]?.kind?.shape === 'boundary' ? moving[0] : null
  const loose = moving.length === 1 && moving[0] && isLoose(editor, moving[0].id) ? moving[0] : null

  const only = moving.length === 1 ? (moving[0]?.id ?? null) : null

  const show = (pointer: Pointer): void => {
    let dx = pointer.at.x - start.at.x
    let dy = pointer.at.y - start.at.y
    let guides: readonly Guide[] = []
    let gaps: readonly Gap[] = []
    if (pointer.shift) {
      if (Math.abs(dx) > Math.abs(dy)) dy = 0
      else dx = 0
    }
    if (lone) {
      const stuck = hostFor(editor, lone, dx, dy)
      host = stuck?.host ?? null
      if (stuck) [dx, dy] = [stuck.dx, stuck.dy]
    } else if (outline && !pointer.ctrl) {
      const { camera, size } = editor.view.getState()
      const box = { ...outline, x: outline.x + dx, y: outline.y + dy }
      const snap = snapped(box, editor.scene.neighbours(viewOf(camera, size), ids), reach / camera.zoom)
      dx += snap.dx
      dy += snap.dy
      guides = snap.guides
      gaps = snap.gaps
    }
    onto = loose && !pointer.alt ? flowUnder(editor, loose.element.kind, { ...loose, x: loose.x + dx, y: loose.y + dy }, ids) : null
    if (onto) {
      dx += onto.dx
      dy += onto.dy
    }
    taker = only !== null && !pointer.alt ? takerUnder(editor, only, pointer.at) : null
    if (onto || taker !== null) guides = gaps = []
    moves = new Map(moving.map(box => [box.id, [box.x + dx, box.y + dy, box.w, box.h] as const]))
    editor.scene.preview(moves)
    editor.view.setState({ guides, gaps, onto: onto?.flow ?? taker, drawn: editor.scene.version })
  }

  const clear = (): void => {
    editor.scene.preview(null)
    editor.view.setState({ guides: [], gaps: [], onto: null, drawn: editor.scene.version })
  }

  // The boxes were read before any preview, so that every move is measured from where the drag began.
  show(now)
  return {
    name: 'dragging',
    move: show,
    up(pointer) {
      show(pointer)
      clear()
      editor.gesture(() => {
        if (pointer.alt && editor.duplicateTo(moves)) return
        if (only !== null && taker !== null) return void editor.tell(give(editor, only, taker))
        move(
          editor.doc,
          [...moves].map(([id, geo]) => ({ id, geo })),
        )
        if (loose && onto) editor.tell(insertStep(editor.doc, onto.flow, loose.id))
        if (lone && host !== lone.element.fields['host']) setField(editor.doc, lone.id, 'host', host)
      })
      return editor.rest()
    },
    cancel: clear,
  }
}

/** Where a boundary event moved by (dx, dy) would stick: on the border of the nearest activity. */
export function hostFor(editor: Editor, box: SceneBox, dx: number, dy: number): { host: Id; dx: number; dy: number } | null {
  const wanted = { x: centre(box).x + dx, y: centre(box).y + dy }
  const { camera } = editor.view.getState()
  const body = editor.scene.boxAt(wanted, other => other.kind?.shape === 'task', stick / camera.zoom)
  if (!body) return null
  const point = onBorder(body, wanted)
  return { host: body.id, dx: point.x - centre(box).x, dy: point.y - centre(box).y }
}
