// The panel next to the canvas, or over it, for a document: properties or comments, the version history. Any code may open one of them (a
// command, a pin, a notification) without loading it.
import { useEffect, useEffectEvent } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Session } from '../session.ts'

export type Beside = {
  readonly side: 'properties' | 'comments' | 'copilot'
  /** A new comment was requested; the comment view handles it. */
  readonly commenting: boolean
  /** A place for a new comment is being pointed at: the canvas must be free. */
  readonly pointing: boolean
  readonly history: boolean
  /** The version that the history begins with, by its id. */
  readonly version: string | null
  /** The author of the last change of each element is shown with its properties. */
  readonly blame: boolean
}

const all = new WeakMap<Session, StoreApi<Beside>>()

/** The same store as long as the session lives. */
export function besideOf(session: Session): StoreApi<Beside> {
  const known = all.get(session)
  if (known) return known
  const made = createStore<Beside>(() => ({
    side: 'properties',
    commenting: false,
    pointing: false,
    history: false,
    version: null,
    blame: false,
  }))
  all.set(session, made)
  return made
}

export function useBeside<T>(session: Session, pick: (beside: Beside) => T): T {
  return useStore(besideOf(session), pick)
}

/** Calls `show` when comments are asked for: they may be in a panel that is closed. */
export function useCommentsAsked(session: Session, show: () => void): void {
  const asked = useEffectEvent(show)
  useEffect(
    () => besideOf(session).subscribe((now, before) => now.side !== 'properties' && now !== before && !now.history && asked()),
    [session],
  )
}
