// A document shown by an embed code: the state comes over HTTP, there is no line and nothing is sent. What an earlier visit left on
// this device is thrown away first: a code that was closed shows nothing, and one that is open shows what is there now.
import { createStore } from 'zustand/vanilla'
import type { Model } from '../../model-schema/model.ts'
import { api } from '../api.ts'
import { device } from '../local/device.ts'
import { forgetDocument } from '../local/files.ts'
import { SessionError, openSession } from '../session.ts'
import type { Session, World } from '../session.ts'

/** The user of all embedded pages of this browser. */
const EMBED_USER = 'embed'

export const openEmbed = (code: string, docId: string): Promise<Session> => openState(code, docId, () => api.embedState(code))

async function openState(code: string, docId: string, state: ReturnType<World['remote']>['state']): Promise<Session> {
  await forgetDocument(EMBED_USER, docId).catch((error: unknown) => console.warn('an embedded page without a disk', error))
  return openSession(
    { docId, local: false, user: { id: EMBED_USER, name: '' }, shareCode: code },
    {
      device,
      remote: () => ({ url: '', state, ticket: () => Promise.reject(new SessionError('no-access')) }),
    },
  )
}

/** A model that the embedded dashboard runs; it stays as it was when the page was opened. */
export function openEmbeddedModel(code: string, docId: string) {
  const model = createStore<{ model: Model }>(() => ({ model: { schema: 0, elements: new Map(), roots: [], scenarios: [], notes: [] } }))
  const opening = openState(code, docId, () => api.embedModelState(code, docId))
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
