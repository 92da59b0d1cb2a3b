// Questions to the copilot in threads of comments, and their states. A module of its own, because the list of comments imports it; answering.ts is
// loaded when a question is asked.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { asksCopilot, type Comment, type Thread } from '../comments/threads.ts'
import type { Session } from '../session.ts'

/** The state of answers in the threads of a document, by thread id: answering, or why there is no answer. */
export type Answering = Readonly<Record<string, { readonly stop: () => void } | { readonly failed: string }>>

const stores = new WeakMap<Session, StoreApi<Answering>>()

export function answeringIn(session: Session): StoreApi<Answering> {
  const known = stores.get(session)
  if (known) return known
  const store = createStore<Answering>(() => ({}))
  stores.set(session, store)
  session.whenClosed(() => {
    for (const now of Object.values(store.getState())) if ('stop' in now) now.stop()
  })
  return store
}

/** The last question of this person in a thread that has no answer yet; null when there is none. */
export function askedIn({ comments }: Thread, me: string): Comment | null {
  const own = comments.filter(({ author }) => author?.id === me)
  const last = own.findLastIndex(asksCopilot)
  return last < 0 || own.slice(last).some(({ copilot }) => copilot) ? null : (own[last] ?? null)
}
