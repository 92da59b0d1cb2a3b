// Enter after a name that is written out ends the line, or a field of one line: to take up what is offered for it would change nothing.
import { closeCompletion, selectedCompletion } from '@codemirror/autocomplete'
import { Prec, type Extension } from '@codemirror/state'
import { keymap, type EditorView } from '@codemirror/view'

/** Must come before `autocompletion`, which handles Enter next. */
export const enterAfterName: Extension = Prec.highest(keymap.of([{ key: 'Enter', run: leaveCompletion }]))

function leaveCompletion(editor: EditorView): boolean {
  const offered = selectedCompletion(editor.state)
  const { head, empty } = editor.state.selection.main
  const { from } = editor.state.doc.lineAt(head)
  const written = /[\p{L}\p{N}_]+$/u.exec(editor.state.sliceDoc(from, head))?.[0]
  if (offered !== null && empty && offered.apply === undefined && offered.label === written) closeCompletion(editor)
  return false
}
