// Browser events on the page of an open document: online and offline, visibility, leaving the page.
import type * as Y from 'yjs'
import type { StoreApi } from 'zustand/vanilla'
import { keepStorage } from '../local/device.ts'
import type { Lamps } from '../session.ts'

type Heard = {
  /** There is a network, or the page is seen again. */
  wake(): void
  /** The network is gone. */
  cut(): void
  /** The page is hidden: another tab or program is in front. */
  hide(): void
  /** The page is left. */
  leave(): void
  /** The page comes back from the browser's cache. */
  back(): void
}

/** Listens until the returned function is called. */
export function listen(doc: Y.Doc, lamps: StoreApi<Lamps>, heard: Heard): () => void {
  const onEdit = (transaction: Y.Transaction): void => {
    if (transaction.local && transaction.changed.size > 0) keepStorage()
  }
  doc.on('afterTransaction', onEdit)
  const done = new AbortController()
  const stop = (): void => {
    doc.off('afterTransaction', onEdit)
    done.abort()
  }
  if (typeof window === 'undefined') return stop
  const { signal } = done
  window.addEventListener('online', () => heard.wake(), { signal })
  window.addEventListener('offline', () => heard.cut(), { signal })
  window.addEventListener('pagehide', () => heard.leave(), { signal })
  window.addEventListener('pageshow', event => event.persisted && heard.back(), { signal })
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'visible' ? heard.wake() : heard.hide()), { signal })
  window.addEventListener(
    'beforeunload',
    event => {
      const { device, server } = lamps.getState()
      if (device === 'saving' || (device === 'failed' && server !== 'saved')) event.preventDefault()
    },
    { signal },
  )
  return stop
}
