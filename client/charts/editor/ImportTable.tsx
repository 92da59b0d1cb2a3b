// A table from the clipboard or a file.
import { UploadOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Input, Modal } from 'antd'
import { useRef, useState } from 'react'
import { importTable } from '../shelf/csv.ts'
import { complain } from '../../ui/toast.ts'

/** Bytes of a file that is read at all; far more than a document takes of it. */
const mostBytes = 20 * 1024 * 1024

export function ImportTable({ open, close, take }: { open: boolean; close(): void; take(lines: readonly string[]): void }) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const found = text.trim() === '' ? null : importTable(text)
  const rows = found ? found.lines.length - 1 : 0
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return
    if (file.size > mostBytes) throw new Error(t`This file is larger than 20 MB.`)
    setText(await file.text())
  }
  return (
    <Modal
      open={open}
      title={t`Paste or import a table`}
      okText={t`Use this table`}
      cancelText={t`Cancel`}
      okButtonProps={{ disabled: rows === 0 }}
      onCancel={close}
      onOk={() => {
        if (!found) return
        take(found.lines)
        setText('')
        close()
      }}
    >
      <p className="p-import-hint">{t`Comma-separated values, or cells copied from a spreadsheet; the first line has the names of the columns.`}</p>
      <Input.TextArea
        className="h-mono"
        rows={9}
        aria-label={t`Table`}
        placeholder={'year,region,population\n2020,North,120\n2021,North,125'}
        value={text.length > 200_000 ? `${text.slice(0, 200_000)}…` : text}
        onChange={event => setText(event.target.value)}
      />
      <input
        ref={picker}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        onChange={event => {
          read(event.target.files?.[0]).catch(complain)
          event.target.value = ''
        }}
      />
      <div className="p-import">
        <Button size="small" icon={<UploadOutlined aria-hidden />} onClick={() => picker.current?.click()}>
          {t`Choose a file`}
        </Button>
        {found && (
          <span className="h-muted" role="status">
            {t`${rows} rows, ${found.columns} columns`}
            {found.leftRows > 0 && ` · ${t`${found.leftRows} rows are too many and are left out`}`}
            {found.leftColumns > 0 && ` · ${t`${found.leftColumns} columns are too many and are left out`}`}
          </span>
        )}
      </div>
    </Modal>
  )
}
