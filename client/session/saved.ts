// Waiting until the server has what was edited.
import type { Session } from '../session.ts'

/** Settles when the server has stored all edits: true; or when it cannot be reached now, refuses, or there is none: false. */
export function untilSaved({ lamps }: Pick<Session, 'lamps'>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const look = (): boolean => {
    const { server } = lamps.getState()
    const waits = server === 'saving' || server === 'connecting'
    if (!waits) resolve(server === 'saved')
    return !waits
  }
  if (!look()) {
    const stop = lamps.subscribe(() => look() && stop())
  }
  return promise
}
