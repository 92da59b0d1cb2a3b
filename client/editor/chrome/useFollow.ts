// Following a peer: shows their canvas and their view of it, until the user moves the view.
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { Session } from '../../session.ts'
import { fitted } from '../geometry/camera.ts'
import type { Editor } from '../editor.ts'
import { useEditor, useView } from '../useEditor.ts'

export function useFollow(session: Session): void {
  const editor = useEditor()
  const following = useView(view => view.following)
  const peer = useStore(session.peers, state => state.peers.find(one => one.client === following))
  const [x, y, w, h] = peer?.view ?? []
  const canvas = peer?.canvas ?? null

  useEffect(() => {
    if (following === null) return
    if (!peer) editor.view.setState({ following: null })
    else {
      if (canvas !== null && canvas !== editor.view.getState().canvas) own(editor, () => editor.goTo(canvas))
      // All that they see is seen here, whatever the shapes of the windows.
      if (x !== undefined && y !== undefined && w !== undefined && h !== undefined)
        own(editor, () => editor.look(fitted({ x, y, w, h }, editor.view.getState().size, 0, Infinity)))
    }
  }, [editor, following, peer, canvas, x, y, w, h])

  // Moving the view ends it.
  useEffect(() => {
    if (following === null) return undefined
    return editor.view.subscribe((view, before) => {
      const moved = view.camera !== before.camera || view.canvas !== before.canvas
      if (moved && view.size === before.size && !led.has(editor)) editor.view.setState({ following: null })
    })
  }, [editor, following])
}

/** Editors with a view moved by following, not by the user. */
const led = new WeakSet<Editor>()

function own(editor: Editor, move: () => void): void {
  led.add(editor)
  move()
  led.delete(editor)
}
