// A session for as long as a page shows its document.
import { useEffect, useState } from 'react'
import { SessionError, openSession } from '../session.ts'
import type { Session, Target } from '../session.ts'

type Opening = { state: 'opening' } | { state: 'open'; session: Session } | { state: 'failed'; code: SessionError['code'] }

/**
 * Opens the document of a target as long as the component is mounted. Remount it (by `key`) for another document. `sketched`: its editor
 * can show a sketch.
 */
export function useSession({ docId, local, user, shareCode }: Target, sketched = false): Opening {
  const [opening, setOpening] = useState<Opening>({ state: 'opening' })
  const { id, name } = user
  useEffect(() => {
    const target = { docId, local, user: { id, name }, ...(shareCode === undefined ? {} : { shareCode }) }
    const session = openSession(target, undefined, sketched)
    let shown = true
    session.shown.then(
      () => shown && setOpening({ state: 'open', session }),
      () => undefined,
    )
    session.ready.catch((error: unknown) => {
      if (!shown) return
      if (!(error instanceof SessionError)) console.error(error)
      setOpening({ state: 'failed', code: error instanceof SessionError ? error.code : 'refused' })
    })
    return () => {
      shown = false
      session.close()
    }
  }, [docId, local, id, name, shareCode, sketched])
  return opening
}
