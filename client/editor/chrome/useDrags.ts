// Other users see what is being dragged while it moves: sent through presence, never through the document.
import { useEffect } from 'react'
import type { Geo, Id } from '../../../model-schema/model.ts'
import type { Peer, Session } from '../../session.ts'
import { mostShown, type Drag } from '../../session/presence.ts'
import type { Editor } from '../editor.ts'
import { around, type Box } from '../geometry/geometry.ts'
import type { Scene } from '../scene.ts'
import { useEditor, useView } from '../useEditor.ts'

/** The way to where it is said to be that is gone in each frame: states come 20 times a second, frames 60 times. */
const perFrame = 0.45

export function useDrags(session: Session): void {
  const editor = useEditor()
  const canvas = useView(view => view.canvas)
  useEffect(() => tellDrags(editor, drag => session.presence({ drag })), [editor, session])
  useEffect(() => showDrags(editor, session, canvas), [editor, session, canvas])
}

/** Reports what is dragged on this canvas as it moves, and null at its end; returns a function that stops this. */
export function tellDrags(editor: Editor, tell: (drag: Drag | null) => void): () => void {
  let told = false
  return editor.view.subscribe((view, before) => {
    if (view.drawn === before.drawn && view.canvas === before.canvas) return
    const drag = dragIn(editor.scene)
    if (drag === null && !told) return
    told = drag !== null
    tell(drag)
  })
}

function dragIn({ carried }: Scene): Drag | null {
  const [first] = carried
  if (!first) return null
  const whole = (geo: Geo): Geo => [Math.round(geo[0]), Math.round(geo[1]), Math.round(geo[2]), Math.round(geo[3])]
  if (carried.size <= mostShown) return { ids: [...carried.keys()], at: whole(first[1]) }
  const frame = around([...carried.values()].map(([x, y, w, h]) => ({ x, y, w, h })))
  return frame && { ids: [], at: whole([frame.x, frame.y, frame.w, frame.h]) }
}

/** The frame around what a peer drags, when it is too much to show one by one. */
export const frameOf = ({ ids, at: [x, y, w, h] }: Drag): Box | null => (ids.length === 0 ? { x, y, w, h } : null)

/** Where the others' elements go on this canvas: those this model has. */
export function carriedBy(peers: readonly Peer[], canvas: Id, scene: Scene): Map<Id, Geo> {
  const to = new Map<Id, Geo>()
  for (const { self, drag, canvas: at } of peers) {
    const [first] = drag?.ids ?? []
    const origin = first === undefined ? undefined : scene.box(first)?.element.geo
    if (self || !drag || at !== canvas || !origin) continue
    // Measured from the model as it is now: once the document has the move, nothing is left of it here.
    const [dx, dy] = [drag.at[0] - origin[0], drag.at[1] - origin[1]]
    for (const id of drag.ids) {
      const geo = scene.box(id)?.element.geo
      if (geo) to.set(id, id === first ? drag.at : [geo[0] + dx, geo[1] + dy, geo[2], geo[3]])
    }
  }
  return to
}

function showDrags(editor: Editor, session: Session, canvas: Id): () => void {
  const { scene } = editor
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  let shown = new Map<Id, Geo>()
  let frame = 0
  const put = (moves: Map<Id, Geo>): void => {
    shown = moves
    scene.previewTheirs(moves)
    if (editor.scene === scene) editor.view.setState({ drawn: scene.version })
  }
  const step = (): void => {
    frame = 0
    const to = carriedBy(session.peers.getState().peers, canvas, scene)
    if (to.size === 0 && shown.size === 0) return
    let moving = false
    const next = new Map<Id, Geo>()
    for (const [id, goal] of to) {
      const from = shown.get(id) ?? scene.box(id)?.element.geo ?? goal
      const near = still || goal.every((part, i) => Math.abs(part - (from[i] ?? part)) < 1)
      const toward = (i: 0 | 1 | 2 | 3): number => from[i] + (goal[i] - from[i]) * perFrame
      next.set(id, near ? goal : [toward(0), toward(1), toward(2), toward(3)])
      moving ||= !near
    }
    put(next)
    if (moving) frame = requestAnimationFrame(step)
  }
  const follow = (): void => void (frame ||= requestAnimationFrame(step))
  follow()
  const stop = session.peers.subscribe(follow)
  return () => {
    stop()
    cancelAnimationFrame(frame)
    if (shown.size > 0) put(new Map())
  }
}
