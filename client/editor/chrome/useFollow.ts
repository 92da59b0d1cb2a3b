// Following somebody: their canvas is shown, and their pointer kept in the middle of the view, until one looks elsewhere oneself.
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { Session } from '../../session.ts'
import type { Camera } from '../camera.ts'
import { toScreen } from '../camera.ts'
import type { Editor } from '../editor.ts'
import { useEditor, useView } from '../useEditor.ts'

/** Nearer than this share of the window to its edge, the pointer is brought back to the middle. */
const rim = 0.2

export function useFollow(session: Session): void {
  const editor = useEditor()
  const following = useView(view => view.following)
  const peer = useStore(session.peers, state => state.peers.find(one => one.client === following))
  const [x, y] = peer?.cursor ?? []
  const canvas = peer?.canvas ?? null

  useEffect(() => {
    if (following === null) return
    if (!peer) editor.view.setState({ following: null })
    else {
      if (canvas !== null) own(editor, () => editor.goTo(canvas))
      if (x !== undefined && y !== undefined) own(editor, () => keepInView(editor, x, y))
    }
  }, [editor, following, peer, canvas, x, y])

  // A look of one's own ends it.
  useEffect(() => {
    if (following === null) return undefined
    return editor.view.subscribe((view, before) => {
      const moved = view.camera !== before.camera || view.canvas !== before.canvas
      if (moved && view.size === before.size && !led.has(editor)) editor.view.setState({ following: null })
    })
  }, [editor, following])
}

/** Editors whose view is being moved by following, not by the person. */
const led = new WeakSet<Editor>()

function own(editor: Editor, move: () => void): void {
  led.add(editor)
  move()
  led.delete(editor)
}

function keepInView(editor: Editor, x: number, y: number): void {
  const { camera, size } = editor.view.getState()
  const at = toScreen(camera, { x, y })
  const inside = (value: number, extent: number): boolean => value >= extent * rim && value <= extent * (1 - rim)
  if (size.w === 0 || (inside(at.x, size.w) && inside(at.y, size.h))) return
  const next: Camera = { ...camera, x: x - size.w / 2 / camera.zoom, y: y - size.h / 2 / camera.zoom }
  editor.look(next)
}
