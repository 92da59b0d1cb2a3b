// Says what was done in several places at once, with a button that takes it back.
import { Trans } from '@lingui/react/macro'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { say } from '../../../model-schema/kinds/kind.ts'
import { notify } from '../../ui/toast.ts'
import type { Editor } from '../editor.ts'
import { useEditor, useSteadyWords, useView } from '../useEditor.ts'

export function useReports(): void {
  const editor = useEditor()
  const words = useSteadyWords()
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
    else editor.refuse(say('Other changes came after it: undo those first.', '之后还有其他更改，请先撤销那些更改。'))
  }
  return (
    <Button size="small" disabled={done} onClick={undo}>
      <Trans>Undo</Trans>
    </Button>
  )
}

/** Tells whether nothing was done or taken back since now. */
function lastDone(editor: Editor): () => boolean {
  let last = true
  const stop = editor.undo.watch(() => {
    last = false
    stop()
  })
  return () => last
}
