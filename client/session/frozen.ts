// A read-only document: no connection, no disk, no peers. Used by an embedded page, a publication or an exported page - also where the
// browser denies storage.
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { createUndo } from '../../model-schema/edit.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import type { Access, Lamps, Peer, Session } from '../session.ts'
import type { DocumentTarget } from './target.ts'

/** The document of a file, or of an update; it stays as it is. */
export function frozenSession(target: DocumentTarget, content: Uint8Array | HoloFile): Session {
  const doc = new Y.Doc()
  if (content instanceof Uint8Array) Y.applyUpdate(doc, content)
  else loadFile(doc, content)
  const undo = createUndo(doc)
  let closed = false
  const companions: (() => void)[] = []
  return {
    docId: target.docId,
    doc,
    target,
    role: 'viewer',
    writable: false,
    access: createStore<Access>(() => ({ role: 'viewer', writable: false })),
    ready: Promise.resolve(),
    shown: Promise.resolve(),
    drawn: () => undefined,
    model: createStore<ReturnType<Session['model']['getState']>>(() => ({ model: modelOf(doc) })),
    lamps: createStore<Lamps>(() => ({ device: 'saved', server: 'none', others: 0 })),
    peers: createStore<{ peers: Peer[] }>(() => ({ peers: [] })),
    presence: () => undefined,
    undo,
    watchControl: () => () => undefined,
    whenClosed: run => void (closed ? run() : companions.push(run)),
    close() {
      if (closed) return
      closed = true
      for (const run of companions) run()
      doc.destroy()
    },
  }
}
