// Background work: sending the outbox and the edits of documents that are not open.
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountPlace, useIdentity } from '../account/identity.ts'
import { onNudge } from './nudge.ts'
import { pushDirty } from './push.ts'
import { shelf } from './shelf.ts'

const everyMs = 60_000

/** The name of a copy that holds edits which could not be merged. */
export const copyName = (name: string): string => t`${name} (recovered copy)`

/** Sends the waiting changes: now, after each change, when the network returns, when the page becomes visible, and every minute. */
export function BackgroundSync(): null {
  const { me } = useIdentity()
  const queries = useQueryClient()
  useEffect(() => {
    if (me === null) return
    const place = accountPlace(me)
    const run = (): void => {
      if (document.visibilityState === 'hidden') return
      pushDirty(place, copyName)
        .then(() => tellComments(me.id))
        .then(() => queries.invalidateQueries({ queryKey: ['files'] }))
        .catch((error: unknown) => console.warn('background sync', error))
    }
    run()
    const timer = setInterval(run, everyMs)
    const stop = onNudge(run)
    window.addEventListener('online', run)
    document.addEventListener('visibilitychange', run)
    return () => {
      clearInterval(timer)
      stop()
      window.removeEventListener('online', run)
      document.removeEventListener('visibilitychange', run)
    }
  }, [me, queries])
  return null
}

/** Comments on documents that are closed again. */
async function tellComments(user: string): Promise<void> {
  if ((await shelf.unsent.where('user').equals(user).count()) === 0) return
  const { tellUnsent } = await import('../comments/comments.ts')
  await tellUnsent(user)
}
