// Undo and redo by keys, where nothing else listens to keys and each edit is a step.
import { useEffect } from 'react'
import type { Session } from '../../session.ts'

/** Ctrl or Cmd with Z, with Shift+Z, with Y. */
export function useUndoKeys({ undo }: Session): void {
  useEffect(() => undo.separate(), [undo])
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return
      const { target } = event
      // A field that is typed in has its own past.
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) undo.redo()
      else undo.undo()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [undo])
}
