// A document shown by an embed code: the state comes over HTTP, there is no line and nothing is sent. What an earlier visit left on
// this device is thrown away first: a code that was closed shows nothing, and one that is open shows what is there now.
import { api } from '../api.ts'
import { device } from '../local/device.ts'
import { forgetDocument } from '../local/files.ts'
import { SessionError, openSession } from '../session.ts'
import type { Session } from '../session.ts'

/** The user of all embedded pages of this browser. */
const EMBED_USER = 'embed'

export async function openEmbed(code: string, docId: string): Promise<Session> {
  await forgetDocument(EMBED_USER, docId).catch((error: unknown) => console.warn('an embedded page without a disk', error))
  return openSession(
    { docId, local: false, user: { id: EMBED_USER, name: '' }, shareCode: code },
    {
      device,
      remote: () => ({
        url: '',
        state: () => api.embedState(code),
        ticket: () => Promise.reject(new SessionError('no-access')),
      }),
    },
  )
}
