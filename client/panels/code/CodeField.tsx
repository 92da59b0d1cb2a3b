// The formula field: CodeMirror on the formula language. One element's formula is bound to the document's shared text,
// so that two people type in it at once; everywhere else it is a plain value, written when the field is left.
import { useWords } from '../../i18n/locale.ts'
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentUnit } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, drawSelection, keymap, placeholder, tooltips } from '@codemirror/view'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { yCollab, ySyncFacet } from 'y-codemirror.next'
import type { Doc } from 'yjs'
import { textOf } from '../../../model-schema/document.ts'
import { setText, type Undo } from '../../../model-schema/edit.ts'
import type { Field, Json } from '../../../model-schema/kinds/kind.ts'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import type { Id } from '../../../model-schema/model.ts'
import type { Session } from '../../session.ts'
import { useFieldProblems } from '../problems.ts'
import { blankOf } from '../visible.ts'
import { useView } from '../../editor/useEditor.ts'
import { useRunIfAny } from '../../run/RunProvider.tsx'
import { carets } from './carets.ts'
import { enterAfterName } from './enter.ts'
import { formulaLanguage } from './language.ts'
import { showProblems } from './problems.ts'
import { useServices } from './services.ts'
import { codeTheme } from './theme.ts'
import { tellTyping } from './typing.ts'
import { useLines } from './useLines.ts'

type Props = {
  id: string
  doc: Doc
  undo: Undo
  /** The session with the peers' cursors in the shared text. */
  session: Session | null
  /** The element that has the shared text; null for a cell of a table. */
  element: Id | null
  /** The element with the scope in which names are resolved. */
  owner: Id
  field: Field
  /** Several lines. */
  long: boolean
  text: string
  shared: boolean
  disabled: boolean
  /** The edited elements disagree. */
  mixed: boolean
  set: (value: Json) => void
}

export default function CodeField({ id, doc, undo, session, element, owner, field, long, text, shared, disabled, mixed, set }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const services = useServices(owner, field)
  const run = useRunIfAny()
  const latest = useRef({ set, text, services })
  useEffect(() => {
    latest.current = { set, text, services }
  })
  const language = useRef(new Compartment())
  const problems = useFieldProblems(element, field.id)
  const asked = useView(state => state.focusField)
  const lines = useLines(view, long ? element : null, field)

  useEffect(() => {
    const parent = host.current
    if (!parent) return undefined
    const shown = shared && element !== null ? textOf(doc, element, field.id) : null
    let untrack: (() => void) | null = null
    const commit = (editor: EditorView): void => {
      const now = editor.state.doc.toString()
      if (shown || now === latest.current.text) return
      if (shared && element !== null) setText(doc, element, field.id, now)
      else latest.current.set(now)
    }
    const extensions: Extension[] = [
      language.current.of(formulaLanguage(latest.current.services)),
      codeTheme,
      lines.extension,
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      enterAfterName,
      autocompletion({ icons: true, activateOnTyping: true, maxRenderedOptions: 60 }),
      tooltips({ position: 'fixed', parent: document.body }),
      indentUnit.of('    '),
      EditorState.tabSize.of(4),
      EditorView.lineWrapping,
      EditorState.readOnly.of(disabled),
      EditorView.editable.of(!disabled),
      EditorView.contentAttributes.of({
        id,
        'aria-label': words(field.label),
        spellcheck: 'false',
        autocorrect: 'off',
        autocapitalize: 'off',
      }),
      atMost(DOCUMENT.formulaLength),
      placeholder(mixed ? t`Different values` : blankOf(field.help, words)),
      ...(shown && run ? [tellTyping(run.setTyping)] : []),
      EditorView.domEventHandlers({ blur: (_, editor) => commit(editor) }),
      keymap.of([
        ...(long ? [indentWithTab] : [{ key: 'Enter', run: (editor: EditorView) => (editor.contentDOM.blur(), true) }]),
        ...(shown
          ? [
              { key: 'Mod-z', run: () => undo.undo() },
              { key: 'Mod-y', run: () => undo.redo() },
              { key: 'Mod-Shift-z', run: () => undo.redo() },
            ]
          : historyKeymap),
        ...closeBracketsKeymap,
        ...completionKeymap,
        { key: 'Escape', run: (editor: EditorView) => (editor.contentDOM.blur(), true) },
        ...defaultKeymap,
      ]),
      shown ? yCollab(shown, null, { undoManager: false }) : history(),
      ...(shown && session && element !== null ? [carets(session, element, field.id)] : []),
      ...(long ? [] : [oneLine]),
    ]
    const editor = new EditorView({
      parent,
      state: EditorState.create({ doc: shown ? shown.toString() : latest.current.text, extensions }),
    })
    // What is typed through the binding counts as this person's own edits.
    if (shown) untrack = undo.track(editor.state.facet(ySyncFacet))
    view.current = editor
    lines.show(editor)
    return () => {
      commit(editor)
      untrack?.()
      editor.destroy()
      view.current = null
    }
    // The field is mounted anew for another element or another way of writing (its key); nothing else rebuilds it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [doc, undo, session, element, field, shared, disabled, run])

  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(formulaLanguage(services)) })
  }, [services])

  useEffect(() => {
    const editor = view.current
    if (editor && !shared && !editor.hasFocus && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text, shared])

  useEffect(() => {
    if (view.current) showProblems(view.current, problems, words)
  }, [problems, words])

  useEffect(() => {
    if (asked && asked.id === element && asked.field === field.id) view.current?.focus()
  }, [asked, element, field.id])

  return <div ref={host} className="h-code" data-long={long || undefined} data-disabled={disabled || undefined} />
}

/** Refuses what would make the formula longer than a document may hold. */
const atMost = (length: number): Extension => EditorState.changeFilter.of(transaction => transaction.newDoc.length <= length)

/** Line breaks pasted into an expression become spaces. */
const oneLine: Extension = EditorState.transactionFilter.of(transaction => {
  if (!transaction.isUserEvent('input.paste') || transaction.newDoc.lines <= 1) return transaction
  const flat: { from: number; to: number; insert: string }[] = []
  transaction.changes.iterChanges((from, to, _a, _b, inserted) =>
    flat.push({ from, to, insert: inserted.toString().replace(/\s*\n\s*/g, ' ') }),
  )
  return { changes: flat, userEvent: 'input.paste' }
})
