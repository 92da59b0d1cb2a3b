// Copies of documents to try changes on, in this thread or another.
import * as Y from 'yjs'
import type { Id } from '../model.ts'
import { LOAD } from './layout.ts'
import { liveOf, shareLive } from './live.ts'

/** All that a document holds, for another thread: `documentFrom` makes it one again. */
export const contentOf = (doc: Y.Doc): Uint8Array => Y.encodeStateAsUpdate(doc)

/** The document that a content describes. */
export function documentFrom(content: Uint8Array): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, content, LOAD)
  return doc
}

/** How far a document is, for `contentSince`. */
export const reached = (doc: Y.Doc): Uint8Array => Y.encodeStateVector(doc)

/** The updates of a document since the state `before` of a copy; `follow` applies them to the copy. */
export const contentSince = (doc: Y.Doc, before: Uint8Array): Uint8Array => Y.encodeStateAsUpdate(doc, before)

export const follow = (copy: Y.Doc, content: Uint8Array): void => Y.applyUpdate(copy, content, LOAD)

/** What a fork was made of, and when, by the counts of both. */
const forks = new WeakMap<Y.Doc, { readonly original: Y.Doc; readonly there: number; readonly here: number }>()

/** A private copy of a document, to try changes on. Its client id is never sent to a relay. The parsed Model is shared. */
export function forkDocument(original: Y.Doc): Y.Doc {
  const fork = documentFrom(contentOf(original))
  shareLive(original, fork)
  forks.set(fork, { original, there: liveOf(original).revision, here: liveOf(fork).revision })
  return fork
}

/** The elements that may differ between a document and a fork of it, as either changed them since; null when it is no fork of it, or more is different. */
export function touchedApart(original: Y.Doc, fork: Y.Doc): ReadonlySet<Id> | null {
  const known = forks.get(fork)
  if (known?.original !== original) return null
  const [theirs, own] = [liveOf(original).touchedSince(known.there), liveOf(fork).touchedSince(known.here)]
  return theirs && own && theirs.union(own)
}
