// The versions of a document in React: read again when one was made, and when the server is back.
import { useCallback, useEffect, useState } from 'react'
import type { Session } from '../session.ts'
import { complain } from '../ui/toast.ts'
import type { Known, Versions } from './versions.ts'

export function useKnown(session: Session, versions: Versions): { known: Known | null; refresh: () => void } {
  const [known, setKnown] = useState<Known | null>(null)
  const refresh = useCallback(() => void versions.list().then(setKnown, complain), [versions])
  useEffect(() => {
    refresh()
    const stopControl = session.watchControl(message => message.type === 'version-created' && refresh())
    const stopLamps = session.lamps.subscribe((state, before) => {
      if (state.server === 'saved' && before.server === 'offline') refresh()
    })
    return () => {
      stopControl()
      stopLamps()
    }
  }, [session, refresh])
  return { known, refresh }
}
