// What is in a document, for those who do not speak Yjs: its committed state, the file it makes, the texts to search in.
import * as Y from 'yjs'
import { dashboardOf } from '../../model-schema/dashboard.ts'
import { fileOf, readModel } from '../../model-schema/document.ts'
import { printFile } from '../../model-schema/file.ts'
import { Refusal } from '../http.ts'
import type { Rooms } from './rooms.ts'

export type State = { update: Uint8Array; epoch: string; seq: number }

/** The committed document as one update; null when the file has none. Throws `unavailable` when it cannot be read just now. */
export async function stateOf(rooms: Rooms, docId: string): Promise<State | null> {
  const room = await rooms.open(docId)
  if (room === null) return null
  const state = await new Promise<State | null>(done => room.state(done))
  if (state === null) throw new Refusal('unavailable')
  return state
}

/** The document as the text of a `.holo` file. */
export function holoOf(update: Uint8Array): string {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  try {
    return printFile(fileOf(doc))
  } finally {
    doc.destroy()
  }
}

/** The models that a dashboard or chart runs. */
export function modelsOf(update: Uint8Array): string[] {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  try {
    const associations = dashboardOf(readModel(doc))?.associations ?? []
    return [...new Set(associations.map(({ modelFile }) => modelFile).filter(file => file !== ''))]
  } finally {
    doc.destroy()
  }
}
