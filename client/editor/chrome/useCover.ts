// The cover of a model: drawn when it is first shown (a copy of a sample: when it first runs), when a run stops and when edits have settled.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '../../session.ts'
import { device } from '../../local/device.ts'
import type { RunView } from '../../run/run.ts'
import { useRun } from '../../run/RunProvider.tsx'
import { wordsNow } from '../../i18n/locale.ts'
import { keepCover } from '../../workspace/keptCover.ts'
import { useEditor } from '../useEditor.ts'

/** States of a run in which it shows something that stays. */
const standsStill: ReadonlySet<string> = new Set(['paused', 'ended'])

const hasRun = ({ frame }: Pick<RunView, 'frame'>): boolean => (frame?.tick ?? 0) > 0

/** `shown`: the canvas is on the page. */
export function useCover(session: Session, shown: boolean): void {
  const editor = useEditor()
  const run = useRun()
  const queries = useQueryClient()
  useEffect(() => {
    if (!shown) return undefined
    const draw = async (): Promise<Blob | null> => {
      const { canvas, scenario, tool } = editor.view.getState()
      // Inside a process is not what the model shows; and nothing may flicker under a hand.
      if (canvas !== scenario || tool !== 'idle' || editor.scene.count === 0) return null
      const ran = hasRun(run.getState())
      // The picture of a sample says more than a copy of it that has not run.
      if (!ran && (await device.files.get([session.target.user.id, session.docId]))?.sample !== undefined) return null
      return (await import('../export.ts')).drawnCover(editor, wordsNow, ran)
    }
    const cover = keepCover(session, draw, () => queries.invalidateQueries({ queryKey: ['files'] }))
    cover.soon()
    const stopModel = session.model.subscribe(cover.soon)
    const stopRun = run.subscribe((view, before) => {
      const begins = (view.frame !== null && before.frame === null) || (hasRun(view) && !hasRun(before))
      if (begins || (view.status !== before.status && standsStill.has(view.status))) cover.soon()
    })
    return () => {
      stopModel()
      stopRun()
      cover.close()
    }
  }, [editor, run, session, shown, queries])
}
