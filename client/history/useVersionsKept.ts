// A document that lives on this device alone has no server to keep versions of it by itself: this device does.
import { useEffect } from 'react'
import type { Session } from '../session.ts'

/** As often as the server does it, in milliseconds. */
const everyMs = 10 * 60_000

/** Keeps a version after changes, at most every ten minutes, and when the document is left. */
export function useVersionsKept(session: Session): void {
  useEffect(() => {
    if (!session.target.local) return undefined
    let last = Date.now()
    let changed = false
    const keep = (): void => {
      if (!changed) return
      changed = false
      last = Date.now()
      import('./versions.ts')
        .then(({ Versions }) => new Versions(session).keepHere('auto', null))
        .catch((error: unknown) => console.warn('no version was kept', error))
    }
    const stop = session.model.subscribe(() => {
      changed = true
      if (Date.now() - last >= everyMs) keep()
    })
    return () => {
      stop()
      keep()
    }
  }, [session])
}
