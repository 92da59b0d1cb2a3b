// Worker thread: merges a document's updates into one, through a document, so that deleted content is dropped.
import { parentPort } from 'node:worker_threads'
import * as Y from 'yjs'
import { searchTextOf } from './search-text.ts'

parentPort?.on('message', ({ id, updates }: { id: number; updates: Uint8Array[] }) => {
  try {
    parentPort?.postMessage({ id, ...merged(updates) }, [])
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, [])
  }
})

/** Throws when the result does not load to the same state: the rows must not be deleted then. */
function merged(updates: readonly Uint8Array[]): { merged: Uint8Array; text: string } {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update)
  })
  if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) throw new Error('rows are missing from this log')
  const snapshot = Y.encodeStateAsUpdate(doc)
  const copy = new Y.Doc()
  Y.applyUpdate(copy, snapshot)
  if (!Y.equalSnapshots(Y.snapshot(doc), Y.snapshot(copy))) throw new Error('the merged document differs')
  return { merged: snapshot, text: searchTextOf(copy) }
}
