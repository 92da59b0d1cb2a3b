// From a name in a formula to what it means: F12, or a click with Ctrl (on a Mac Cmd) held. What the formula itself defines is
// selected; anything else is shown on its canvas.
import type { Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { Services } from './language.ts'

export function definitions(services: Services): Extension {
  const go = (view: EditorView, at: number): boolean => {
    const found = services.define(view.state.doc.toString(), at)
    if (found === null) return false
    if ('go' in found) found.go()
    else view.dispatch({ selection: { anchor: found.from, head: found.to }, scrollIntoView: true })
    return true
  }
  return [
    keymap.of([{ key: 'F12', run: view => go(view, view.state.selection.main.head), preventDefault: true }]),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
        if (at === null || !go(view, at)) return false
        event.preventDefault()
        return true
      },
    }),
  ]
}
