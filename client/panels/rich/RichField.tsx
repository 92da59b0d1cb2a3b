// Rich text on the document's shared fragment: paragraphs, headings, lists, bold and italic; everybody types at once.
import { BoldOutlined, ItalicOutlined, OrderedListOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Collaboration } from '@tiptap/extension-collaboration'
import { EditorContent, useEditor as useTiptap } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import type { Doc } from 'yjs'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { richOf } from '../../../model-schema/document.ts'
import type { Undo } from '../../../model-schema/edit.ts'
import type { Id } from '../../../model-schema/model.ts'

type Props = { id: string; doc: Doc; undo: Undo; element: Id; field: string; disabled: boolean }

export default function RichField({ id, doc, undo, element, field, disabled }: Props) {
  const { t } = useLingui()
  const fragment = richOf(doc, element, field)
  const editor = useTiptap(
    {
      editable: !disabled && fragment !== null,
      extensions: [
        StarterKit.configure({ undoRedo: false }),
        ...(fragment ? [Collaboration.configure({ fragment, yUndoOptions: undefined })] : []),
      ],
      editorProps: {
        attributes: { id, class: 'h-rich-text', 'aria-label': t`Text` },
        handleKeyDown: (_, event) => {
          if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return false
          event.preventDefault()
          if (event.shiftKey) undo.redo()
          else undo.undo()
          return true
        },
      },
      onCreate: () => void undo.track(ySyncPluginKey),
    },
    [fragment, disabled],
  )
  const tool = (label: string, icon: ReactNode, active: boolean, act: () => void): ReactNode => (
    <Tooltip title={label}>
      <Button
        type={active ? 'default' : 'text'}
        size="small"
        icon={icon}
        aria-label={label}
        aria-pressed={active}
        onMouseDown={event => event.preventDefault()}
        onClick={act}
      />
    </Tooltip>
  )
  if (!editor) return null
  return (
    <div className="h-rich">
      {!disabled && (
        <div className="h-rich-tools" role="toolbar">
          {tool(t`Bold`, <BoldOutlined aria-hidden />, editor.isActive('bold'), () => editor.chain().focus().toggleBold().run())}
          {tool(t`Italic`, <ItalicOutlined aria-hidden />, editor.isActive('italic'), () => editor.chain().focus().toggleItalic().run())}
          {tool(t`Heading`, <b>H</b>, editor.isActive('heading'), () => editor.chain().focus().toggleHeading({ level: 3 }).run())}
          {tool(t`List`, <UnorderedListOutlined aria-hidden />, editor.isActive('bulletList'), () =>
            editor.chain().focus().toggleBulletList().run(),
          )}
          {tool(t`Numbered list`, <OrderedListOutlined aria-hidden />, editor.isActive('orderedList'), () =>
            editor.chain().focus().toggleOrderedList().run(),
          )}
        </div>
      )}
      <EditorContent editor={editor} />
    </div>
  )
}
