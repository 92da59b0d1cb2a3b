// What of an element can be taken hold of near the pointer: ports, handles, and the ends of a connector.
import type { Id } from '../../model-schema/model.ts'
import type { Editor } from './editor.ts'
import { distance, grown, handleAt, handles, portOf, type Handle, type Point, type Side } from './geometry/geometry.ts'
import { mayLeave, mayResize } from './grammar.ts'

/** CSS pixels within which a port, a handle or an end is hit. */
const portReach = 9
/** Further away shapes are too small for ports. */
const portZoom = 0.25
/** Ports are this many CSS pixels outside their shape. */
const portGap = 14

/** The current positions of an element's ports. */
export function portsOf(editor: Editor, id: Id): { side: Side; at: Point }[] {
  const box = editor.scene.box(id)
  if (!box || !mayLeave(box.element.kind)) return []
  const gap = portGap / editor.view.getState().camera.zoom
  // None at the left, where flows come in: a connector finds its own side anyway.
  return editor.scene
    .sidesOf(box)
    .filter(side => side !== 'left' || box.kind?.shape === 'boundary')
    .map(side => ({ side, at: portOf(grown(box, gap), side) }))
}

/** The elements with visible ports: the hovered one and a lone selected one. */
export function portedOf(editor: Editor): readonly Id[] {
  const { hover, selection, tool, camera } = editor.view.getState()
  if (!editor.writable || (tool !== 'idle' && tool !== 'pressing') || camera.zoom < portZoom) return []
  const lone = selection.length === 1 ? selection : []
  return [...new Set([...lone, ...(hover ? [hover] : [])])].filter(id => editor.scene.box(id) && editor.mayChange(id))
}

export function portAt(editor: Editor, at: Point): { id: Id; side: Side } | null {
  const reach = portReach / editor.view.getState().camera.zoom
  for (const id of portedOf(editor)) {
    const port = portsOf(editor, id).find(one => distance(one.at, at) <= reach)
    if (port) return { id, side: port.side }
  }
  return null
}

/** How far around a shape its ports reach, in canvas units. */
export function reachOfPorts(editor: Editor): number {
  return (portGap + portReach) / editor.view.getState().camera.zoom
}

export function handleNear(editor: Editor, at: Point): { id: Id; handle: Handle } | null {
  const { selection, camera } = editor.view.getState()
  const id = selection.length === 1 ? selection[0] : undefined
  const box = id === undefined ? undefined : editor.scene.box(id)
  if (!box || !mayResize(box.kind) || !editor.mayChange(box.id)) return null
  const corners = handles.filter(handle => handle.length === 2)
  const handle = corners.find(one => distance(handleAt(box, one), at) <= portReach / camera.zoom)
  return handle ? { id: box.id, handle } : null
}

/** The end of a selected connector at a point. */
export function wireEndAt(editor: Editor, at: Point): { id: Id; side: 'from' | 'to' } | null {
  const { selection, camera } = editor.view.getState()
  const id = selection.length === 1 ? selection[0] : undefined
  if (id === undefined || !editor.scene.wire(id) || !editor.mayChange(id)) return null
  const points = editor.scene.pointsOf(id)
  const [first, last] = [points[0], points.at(-1)]
  const reach = portReach / camera.zoom
  if (last && distance(last, at) <= reach) return { id, side: 'to' }
  return first && distance(first, at) <= reach ? { id, side: 'from' } : null
}
