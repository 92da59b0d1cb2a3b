// A document opened for as long as a page shows it.
import { useEffect, useState } from 'react'
import type { Session } from '../session.ts'

/**
 * The session that `open` returns, once it is ready, or the reason of its failure; closed when `open` changes or the component is
 * unmounted. Null opens nothing.
 */
export function useOpened(open: (() => Promise<Session>) | null): { session: Session | null; failed: unknown } {
  const [session, setSession] = useState<Session | null>(null)
  const [failed, setFailed] = useState<unknown>(null)
  useEffect(() => {
    if (open === null) return undefined
    let shown = true
    let opened: Session | null = null
    open()
      .then(async next => {
        opened = next
        if (!shown) return next.close()
        await next.ready
        if (shown) setSession(next)
      })
      .catch((error: unknown) => shown && setFailed(error))
    return () => {
      shown = false
      opened?.close()
    }
  }, [open])
  return { session, failed }
}
