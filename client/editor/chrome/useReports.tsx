// Says what was done in several places at once, with a button that takes it back.
import { useWords } from '../../i18n/locale.ts'
import { Trans } from '@lingui/react/macro'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { notify } from '../../ui/toast.ts'
import type { Editor } from '../editor.ts'
import { useEditor, useView } from '../useEditor.ts'
import { say } from '../../../model-schema/words.ts'

export function useReports(): void {
  const editor = useEditor()
  const words = useWords()
  const report = useView(view => view.report)
  useEffect(() => {
    if (!report) return
    editor.view.setState({ report: null })
    notify('info', words(report.words), '', { key: 'report', actions: <TakeBack editor={editor} last={lastDone(editor)} /> })
  }, [report, editor, words])
}

function TakeBack({ editor, last }: { editor: Editor; last: () => boolean }) {
  const [done, setDone] = useState(false)
  const undo = (): void => {
    setDone(true)
    if (last()) editor.undo.undo()
    else editor.refuse(say('Other changes came after it: undo those first.'))
  }
  return (
    <Button size="small" disabled={done} onClick={undo}>
      <Trans>Undo</Trans>
    </Button>
  )
}

/** Returns a check whether nothing was done or undone since this call. */
function lastDone(editor: Editor): () => boolean {
  let last = true
  const stop = editor.undo.watch(() => {
    last = false
    stop()
  })
  return () => last
}
