// The control of rich text: tiptap on the document's shared fragment, loaded when first needed.
import { lazy, Suspense } from 'react'
import { plainOf } from '../../../model-schema/rich.ts'
import { useEditor } from '../../editor/useEditor.ts'
import type { ControlProps } from './control.ts'

const RichField = lazy(() => import('../rich/RichField.tsx'))

export function RichControl({ id, field, element, elements, value, disabled }: ControlProps) {
  const editor = useEditor()
  const text = plainOf(value ?? null)
  if (elements.length > 1) return <p className="h-rich-text">{text}</p>
  return (
    <Suspense fallback={<p className="h-rich-text">{text}</p>}>
      <RichField key={element.id} id={id} doc={editor.doc} undo={editor.undo} element={element.id} field={field.id} disabled={disabled} />
    </Suspense>
  )
}
