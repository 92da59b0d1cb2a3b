// A document that lives on this device alone has no server to keep versions of it by itself: this device does. Versions that were kept
// here while a server was out of reach go there when it is back.
import { useEffect } from 'react'
import { ApiError } from '../api.ts'
import { shelf } from '../local/shelf.ts'
import type { Session } from '../session.ts'
import { whenIdle } from '../ui/loading/idle.ts'

/** As often as the server does it, in milliseconds. */
const everyMs = 10 * 60_000

/** Saves a version after changes, at most every ten minutes, and when the document is left; or uploads those saved without the server. */
export function useVersionsKept(session: Session): void {
  useEffect(() => (session.target.local ? keeping(session) : bringing(session)), [session])
}

function keeping(session: Session): () => void {
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
}

function bringing(session: Session): () => void {
  const { docId, user } = session.target
  const bring = async (): Promise<void> => {
    if ((await shelf.versions.where('[user+doc]').equals([user.id, docId]).count()) === 0) return
    const { Versions } = await import('./versions.ts')
    await new Versions(session).bring()
  }
  // From being away until all is stored, edits are being sent.
  let away = true
  let forget = (): void => {}
  const look = (): void => {
    const { server } = session.lamps.getState()
    if (server === 'offline' || server === 'connecting') away = true
    else if (server === 'saved' && away) {
      away = false
      forget()
      forget = whenIdle(() => {
        // They stay here, and are tried again when the line is next back.
        bring().catch((error: unknown) => error instanceof ApiError || console.warn('versions kept on this device', error))
      })
    }
  }
  look()
  const stop = session.lamps.subscribe(look)
  return () => {
    stop()
    forget()
  }
}
