// The cover of a model follows what it shows: drawn when it is first shown, when a run stops and when edits have settled; kept on this device or told to the server a little later, at the latest on leaving.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '../../session.ts'
import { api } from '../../api.ts'
import { device } from '../../local/device.ts'
import { useRun } from '../../run/RunProvider.tsx'
import { wordsNow } from '../../i18n/locale.ts'
import { useEditor } from '../useEditor.ts'

/** Milliseconds: until what is new has settled, and at least between two covers sent. */
const settles = 3000
const between = 30_000

/** States of a run in which it shows something that stays. */
const standsStill: ReadonlySet<string> = new Set(['paused', 'ended'])

/** `shown`: the canvas is on the page. Only whoever may change the file gives it a cover. */
export function useCover(session: Session, shown: boolean): void {
  const editor = useEditor()
  const run = useRun()
  const queries = useQueryClient()
  useEffect(() => {
    const { local, user, shareCode } = session.target
    if (!shown || shareCode !== undefined) return undefined
    let draws: ReturnType<typeof setTimeout> | undefined
    let sends: ReturnType<typeof setTimeout> | undefined
    let waiting: Blob | null = null
    const send = async (): Promise<void> => {
      sends = undefined
      const picture = waiting
      waiting = null
      if (picture === null) return
      if (local) return void (await device.covers.put({ user: user.id, id: session.docId, picture }))
      await api.drawCover(session.docId, picture)
      await queries.invalidateQueries({ queryKey: ['files'] })
    }
    // A cover is nothing anybody waits for: what goes wrong with it is no reason to disturb.
    const quietly = (work: Promise<void>): void => void work.catch((error: unknown) => console.warn('cover', error))
    const draw = async (): Promise<void> => {
      const { canvas, scenario, tool } = editor.view.getState()
      // Inside a process is not what the model shows; and nothing may flicker under a hand.
      if (canvas !== scenario || tool !== 'idle' || !session.writable || editor.scene.count === 0 || document.hidden) return
      const ran = (run.getState().frame?.tick ?? 0) > 0
      waiting = (await (await import('../export.ts')).drawnCover(editor, wordsNow, ran)) ?? waiting
      if (waiting === null) return
      sends ??= setTimeout(() => quietly(send()), sent && !local ? between : 0)
      sent = true
    }
    let sent = false
    const soon = (): void => {
      clearTimeout(draws)
      draws = setTimeout(() => quietly(draw()), settles)
    }
    soon()
    const stopModel = session.model.subscribe(soon)
    const stopRun = run.subscribe((view, before) => {
      if ((view.frame !== null && before.frame === null) || (view.status !== before.status && standsStill.has(view.status))) soon()
    })
    return () => {
      stopModel()
      stopRun()
      clearTimeout(draws)
      clearTimeout(sends)
      quietly(send())
    }
  }, [editor, run, session, shown, queries])
}
