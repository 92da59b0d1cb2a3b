// A document shown by an embed code: the state comes over HTTP, there is no connection, nothing is sent and nothing is stored here - a page
// inside one of others may have no storage at all.
import { createStore } from 'zustand/vanilla'
import type { Model } from '../../model-schema/model.ts'
import { api } from '../api.ts'
import { frozenSession } from '../session.ts'
import type { Session, World } from '../session.ts'

/** The user of all embedded pages. */
const EMBED_USER = { id: 'embed', name: '' }

export const openEmbed = (code: string, docId: string): Promise<Session> => openState(code, docId, () => api.embedState(code))

/** A document with a state from any source. */
export async function openState(code: string, docId: string, state: ReturnType<World['remote']>['state']): Promise<Session> {
  const { update } = await state()
  return frozenSession({ docId, local: false, user: EMBED_USER, shareCode: code }, update)
}

/** A model that the embedded dashboard runs; it stays as it was when the page was opened. */
export const openEmbeddedModel = (code: string, docId: string) => still(openState(code, docId, () => api.embedModelState(code, docId)))

/** The model of a document that is being opened, as it is then. */
export function still(opening: Promise<Session>) {
  const model = createStore<{ model: Model }>(() => ({ model: { schema: 0, elements: new Map(), roots: [], scenarios: [], notes: [] } }))
  const ready = opening.then(async session => {
    await session.ready
    model.setState(session.model.getState())
  })
  return {
    model,
    ready,
    close: () => void opening.then(session => session.close()).catch((error: unknown) => console.warn('an embedded model', error)),
  }
}
