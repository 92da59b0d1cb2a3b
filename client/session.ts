// An open document. The document lives here first: it is read from this device, shown and editable, and then the line to the
// server is opened. Three lamps say where each edit is: on this device, on the server, with others.
//
//   disk ──rows──▶ Y.Doc ──watchModel──▶ model store ──▶ React, canvas
//                   │ ▲
//                   ▼ │ updates
//                 relay (connection), or other tabs when there is no server between them
import type * as Y from 'yjs'
import type { StoreApi } from 'zustand/vanilla'
import type { createUndo } from '../model-schema/edit.ts'
import type { Id, Model } from '../model-schema/model.ts'
import type { Control, Role } from '../sync-server/protocol.ts'
import { device } from './local/device.ts'
import type { Device } from './local/device.ts'
import { OpenedSession } from './session/opened.ts'
import { browserRemote } from './session/remote.ts'
import type { Peer, Showing } from './session/presence.ts'
import type { Ending, Remote, DocumentTarget } from './session/target.ts'

export type { Peer } from './session/presence.ts'
export { readAhead } from './session/ahead.ts'
export { caretAt, spanOf } from './session/carets.ts'
export { frozenSession } from './session/frozen.ts'
export { viewOnly } from './session/viewOnly.ts'
export { SessionError } from './session/target.ts'
export type { DocumentTarget as Target } from './session/target.ts'

/** What happened to the session that a person must know; words for each are in `ui/notices.ts`. */
export type NoticeCode = Ending | 'disk-failed' | 'disk-damaged' | 'read-only-edits' | 'server-full'

export type Lamps = {
  /** On this device: being written, written, or only in memory. */
  device: 'saving' | 'saved' | 'failed'
  /** On the server; `none` for a document that lives on this device alone. */
  server: 'none' | 'connecting' | 'saving' | 'saved' | 'offline' | 'refused'
  /** How many other peers are here. */
  others: number
  notice?: { code: NoticeCode } | undefined
}

/** The model now. `since`: the one before, where nothing was added to it or removed, and what changed. */
export type Modelled = { model: Model; since?: { readonly model: Model; readonly changed: readonly Id[] } | undefined }

export type Access = { role: Role; writable: boolean }

export type Session = {
  docId: string
  doc: Y.Doc
  /** The user, and whether the document is on this device only; the code of the link it was opened by. */
  target: DocumentTarget
  /** The role now; it may change while the document is open, see `access`. */
  readonly role: Role
  readonly writable: boolean
  access: StoreApi<Access>
  /** The content is here. Rejects with `SessionError` when it can't be had. */
  ready: Promise<void>
  /** There is something to see: the content, or a sketch of it that can't be edited yet. Rejects as `ready` does. */
  shown: Promise<void>
  /** Says that the sketch is on the screen: time to read the content. */
  drawn(): void
  model: StoreApi<Modelled>
  lamps: StoreApi<Lamps>
  peers: StoreApi<{ peers: Peer[] }>
  /** Shows the others where we are. */
  presence(patch: Showing): void
  undo: ReturnType<typeof createUndo>
  /** Listens to what the server says about the document (comments, versions); returns how to stop. */
  watchControl(run: (message: Control) => void): () => void
  /** Calls `run` when the document is closed; at once when it is. */
  whenClosed(run: () => void): void
  close(): void
}

/** What a session needs of the world; given by tests. */
export type World = { device: Device; remote(target: DocumentTarget): Remote }

/**
 * Opens a document. Returns at once; `shown` resolves when there is something to see. With `sketched`, a large one is shown before it is
 * read.
 */
export function openSession(target: DocumentTarget, world: World = { device, remote: browserRemote }, sketched = false): Session {
  return new OpenedSession(target, world, sketched)
}
