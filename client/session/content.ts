// Contents of documents that are not open in an editor: made new, from a file, copied, written out.
import * as Y from 'yjs'
import { fileOf, loadFile, newDocument } from '../../model-schema/document.ts'
import { createUndo, type Undo } from '../../model-schema/edit.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import { say } from '../../model-schema/words.ts'
import { wordsNow } from '../i18n/locale.ts'
import { device, diskName } from '../local/device.ts'
import { readDisk, writeDisk } from './disk.ts'

/** The content of a new, empty document: a model, unless another kind of root is asked for. */
export function emptyContent(title: string, root?: string): Uint8Array {
  return encoded(newDocument(title, root, wordsNow(say('Scenario {number}', { number: 1 }))))
}

/** The content that a file describes. Only the creator of a document may do this, once. */
export function contentOfFile(file: HoloFile): Uint8Array {
  const doc = new Y.Doc()
  loadFile(doc, file)
  return encoded(doc)
}

/** Stores the content of a document made here, so that it opens without a network. */
export async function storeContent(user: string, id: string, epoch: string, update: Uint8Array): Promise<void> {
  await writeDisk(diskName(user, id, epoch), update)
}

/** The content stored on this device, as one update; null when there is none. */
export async function storedContent(user: string, id: string): Promise<Uint8Array | null> {
  const row = await device.docs.get([user, id])
  return row === undefined ? null : readDisk(diskName(user, id, row.epoch))
}

/** The target of an editor's writes in a read-only view: an empty document that is never read. */
export function nowhere(): { doc: Y.Doc; undo: Undo } {
  const doc = new Y.Doc()
  return { doc, undo: createUndo(doc) }
}

/** A content as the file that describes it. Several updates of one document may be given. */
export function fileOfContent(updates: readonly Uint8Array[]): HoloFile {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  try {
    return fileOf(doc)
  } finally {
    doc.destroy()
  }
}

function encoded(doc: Y.Doc): Uint8Array {
  try {
    return Y.encodeStateAsUpdate(doc)
  } finally {
    doc.destroy()
  }
}
