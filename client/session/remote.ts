// The server as an open document sees it in a browser: tickets and the committed state, over the API.
import { ApiError, api } from '../api.ts'
import { flushOutbox, isUntold } from '../local/outbox.ts'
import { SessionError } from './target.ts'
import type { Ending, Remote, DocumentTarget } from './target.ts'

/** A document's server, reached from this page's own address. */
export function browserRemote({ docId, user, shareCode }: DocumentTarget): Remote {
  return {
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/yjs`,
    async ticket() {
      await toldOf(user.id, docId)
      try {
        return await api.ticket(docId, shareCode)
      } catch (error) {
        const ending = endingOf(error)
        if (ending === null) throw error
        throw new SessionError(ending)
      }
    },
    async state() {
      await toldOf(user.id, docId)
      try {
        return await api.docState(docId, shareCode)
      } catch (error) {
        const ending = endingOf(error)
        if (ending === null) throw error
        throw new SessionError(ending)
      }
    },
  }
}

/** A document made here exists on the server only after the outbox said so. */
async function toldOf(user: string, docId: string): Promise<void> {
  if (!(await isUntold(user, docId))) return
  await flushOutbox(user)
  if (await isUntold(user, docId)) throw new ApiError('network', 0, 'the server does not know this document yet')
}

function endingOf(error: unknown): Ending | null {
  if (!(error instanceof ApiError) || !error.final) return null
  if (error.code === 'not-found') return 'no-document'
  if (error.code === 'epoch-changed') return 'epoch'
  if (error.code === 'too-large') return 'too-large'
  return 'no-access'
}
