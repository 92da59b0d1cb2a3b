// Worker thread: merges a document's updates into one, through a document, so that deleted content is dropped.
import { parentPort } from 'node:worker_threads'
import * as Y from 'yjs'
import { readModel } from '../../model-schema/document.ts'
import { takenBy } from '../../model-schema/business/taken.ts'
import type { Taken } from '../../model-schema/business/taken.ts'
import { sweep } from './orphans.ts'
import type { Orphans } from './orphans.ts'
import { searchTextOf } from './search-text.ts'

export type MergeTask = { id: number; updates: readonly Uint8Array[]; orphans: Orphans; now: number }

/** One update, the texts in it for the search, how much it holds, what is left of deleted elements and what removes the oldest of it. */
export type Merged = { merged: Uint8Array; text: string; taken: Taken; orphans: Orphans; swept: Uint8Array | null }

parentPort?.on('message', (task: MergeTask) => {
  const { id } = task
  try {
    parentPort?.postMessage({ id, ...merged(task) }, [])
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, [])
  }
})

/** Throws when the result does not load to the same state: the rows must not be deleted then. */
function merged({ updates, orphans, now }: MergeTask): Merged {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update)
  })
  if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) throw new Error('rows are missing from this log')
  const snapshot = Y.encodeStateAsUpdate(doc)
  const copy = new Y.Doc()
  Y.applyUpdate(copy, snapshot)
  if (!Y.equalSnapshots(Y.snapshot(doc), Y.snapshot(copy))) throw new Error('the merged document differs')
  const text = searchTextOf(copy)
  const taken = takenBy(readModel(copy))
  // The rows are kept as they are: what is swept goes through the log like any other change, so that all members receive it.
  const { orphans: found, update } = sweep(copy, orphans, now)
  return { merged: snapshot, text, taken, orphans: found, swept: update }
}
