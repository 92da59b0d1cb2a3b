// Keys and the clipboard for the whole editor page. Typing in a field, a menu or a dialog is left alone; keys that move
// the focus or press buttons count only on the canvas.
import { useEffect } from 'react'
import { clipText, pasteText } from './clipboard.ts'
import { commandFor, run, type Context } from './commands.ts'
import { putPicture } from './pictures.ts'

export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

const ownKeys = new Set(['Enter', 'Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Delete', 'Backspace', ' '])

/** Keys, from now on and those pressed before it was here. */
export function Keyboard({ context, early }: { context: Context; early: KeyboardEvent[] }): null {
  useEffect(() => listen(context, early), [context, early])
  return null
}

/** Listens to keys and the clipboard; what it gives back ends that. */
function listen(context: Context, early: KeyboardEvent[]): () => void {
  const { editor } = context
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || isBusy(event.target)) return
    if (ownKeys.has(event.key) && !isCanvas(event.target)) return
    if (event.key === ' ' && !event.shiftKey) {
      editor.spaceHeld = true
      event.preventDefault()
      return
    }
    const id = commandFor(event)
    // The browser raises clipboard events for these, which need no permission.
    if (id === null || id === 'copy' || id === 'cut' || id === 'paste') return
    if (run(id, context) || event.ctrlKey || event.metaKey) event.preventDefault()
  }
  const onKeyUp = (event: KeyboardEvent): void => {
    if (event.key === ' ') editor.spaceHeld = false
  }
  const onCopy = (event: ClipboardEvent): void => {
    const { selection } = editor.view.getState()
    if ((context.host.mayCopy ?? true) !== true || isBusy(event.target) || selection.length === 0 || String(getSelection() ?? '') !== '')
      return
    event.clipboardData?.setData('text/plain', clipText(editor.model, selection))
    event.preventDefault()
    if (event.type === 'cut' && editor.writable) editor.removeSelected()
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (isBusy(event.target) || !editor.writable) return
    const picture = [...(event.clipboardData?.files ?? [])].find(file => file.type.startsWith('image/'))
    if (picture) {
      event.preventDefault()
      void putPicture(editor, picture)
      return
    }
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === '') return
    event.preventDefault()
    pasteText(editor, text)
  }
  const letGo = (): void => {
    editor.spaceHeld = false
  }
  for (const event of early.splice(0, 20)) if (event.target instanceof Node && event.target.isConnected) onKey(event)
  window.addEventListener('keydown', onKey)
  window.addEventListener('keyup', onKeyUp)
  window.addEventListener('blur', letGo)
  document.addEventListener('copy', onCopy)
  document.addEventListener('cut', onCopy)
  document.addEventListener('paste', onPaste)
  return () => {
    window.removeEventListener('keydown', onKey)
    window.removeEventListener('keyup', onKeyUp)
    window.removeEventListener('blur', letGo)
    document.removeEventListener('copy', onCopy)
    document.removeEventListener('cut', onCopy)
    document.removeEventListener('paste', onPaste)
  }
}

/** Whether something else is being typed into or chosen from. */
function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  return (
    target.closest(
      'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"], .ant-drawer, .ant-popover, .ant-popover-open',
    ) !== null
  )
}

const isCanvas = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.classList.contains('h-canvas'))
