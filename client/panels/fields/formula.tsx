// The control of a formula. The code editor (CodeMirror) is loaded when first needed; until then the text itself shows. The parts under it
// are rendered at once, so that the rows below don't move.
import { lazy, Suspense } from 'react'
import { useEditor } from '../../editor/useEditor.ts'
import { Assist } from '../assist/Assist.tsx'
import { useOpenSession } from '../session.ts'
import type { ControlProps } from './control.ts'

const CodeField = lazy(() => import('../code/CodeField.tsx'))
const FromWords = lazy(() => import('../../copilot/formula/FromWords.tsx'))
const MeasureButton = lazy(() => import('../measures/MeasureButton.tsx'))

export function FormulaControl({ id, field, element, elements, value, disabled, set, cell, within }: ControlProps & { cell?: boolean }) {
  const editor = useEditor()
  const session = useOpenSession()
  if (field.type.as !== 'formula') return null
  const { context } = field.type
  const text = typeof value === 'string' ? value : ''
  const long = context === 'program' || context === 'function'
  // Several elements, or a cell of a table: a plain value written when it is left. One element: the shared text itself.
  const shared = elements.length === 1 && !cell && !disabled
  return (
    <>
      <Suspense
        fallback={
          <pre className="h-code" data-long={long || undefined}>
            {text || ' '}
          </pre>
        }
      >
        <CodeField
          key={`${element.id}/${field.id}/${shared}`}
          id={id}
          doc={editor.doc}
          undo={editor.undo}
          session={session}
          element={cell ? null : element.id}
          owner={elements[0] ?? element.id}
          field={field}
          long={long}
          text={text}
          shared={shared}
          disabled={disabled}
          mixed={value === undefined}
          set={set}
        />
      </Suspense>
      {!disabled && elements.length === 1 && measures(element.kind, field.id, context) && (
        <Suspense>
          <MeasureButton owner={elements[0] ?? element.id} field={field.id} condition={context === 'condition'} onPick={set} />
        </Suspense>
      )}
      {!disabled && session && elements.length === 1 && (!cell || within) && (
        <Suspense>
          <FromWords session={session} element={within?.element ?? element} field={field} within={within} write={set} />
        </Suspense>
      )}
      {context === 'expression' && elements.length === 1 && !cell && (
        <Assist field={field} element={element} text={text} disabled={disabled} write={set} />
      )}
    </>
  )
}

/** Whether a formula usually says what is measured: then that can be picked. */
const measures = (kind: string, field: string, context: string): boolean =>
  context === 'condition' || (kind === 'chart' && (field === 'value' || field === 'x')) || (kind === 'statistic' && field === 'expression')
