// What is opened, where from, and why it may end.
import type { Role } from '../../sync-server/protocol.ts'

export type DocumentTarget = {
  docId: string
  /** On this device alone: no server is asked. */
  local: boolean
  user: { id: string; name: string; /** Id of their picture. */ avatar?: string | null }
  /** Code of the link the document was reached by. */
  shareCode?: string
}

/** Why a document was given up for good; each has words for people in `ui/notices.ts`. */
export type Ending = 'no-access' | 'no-document' | 'epoch' | 'upgrade' | 'too-large' | 'refused'

/** Why a document can't be shown, or its line is over. `unreachable`: not on this device, and no server to ask. */
export class SessionError extends Error {
  readonly code: 'unreachable' | Ending
  constructor(code: 'unreachable' | Ending) {
    super(`document cannot be opened: ${code}`)
    this.code = code
  }
}

/** What a connection needs of the world. */
export type ConnectionInput = {
  /** Websocket address without the document, as in `wss://host/yjs`. */
  url: string
  /** A ticket for one connection. Throws `SessionError` when trying again is useless, anything else when it is not. */
  ticket(): Promise<string>
  Socket?: typeof WebSocket
  /** In [0, 1). */
  random?: () => number
}

/** The server, as one document sees it. `state` throws `SessionError` when asking again is useless. */
export type Remote = ConnectionInput & { state(): Promise<{ epoch: string; role: Role; update: Uint8Array }> }
