// Copies of documents to try changes on, in this thread or another.
import * as Y from 'yjs'
import { LOAD } from './layout.ts'

/** All that a document holds, for another thread: `documentFrom` makes it one again. */
export const contentOf = (doc: Y.Doc): Uint8Array => Y.encodeStateAsUpdate(doc)

/** The document that a content describes. */
export function documentFrom(content: Uint8Array): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, content, LOAD)
  return doc
}

/** A copy of a document that nobody else has: to try changes on. Its client id is never sent to a relay. */
export const forkDocument = (doc: Y.Doc): Y.Doc => documentFrom(contentOf(doc))
