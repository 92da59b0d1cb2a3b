// What is left of deleted elements: one user moves an element while another deletes it, and its place stays behind without it. It is not shown,
// and it may be wanted again: undoing the deletion within a day brings the element back where it was put. Then it is swept, here and nowhere
// else, so that no two tidy against each other. Run on the worker thread, where documents are merged.
import * as Y from 'yjs'
import { isId } from '../../model-schema/ids.ts'

/** Ids of elements, and when they were first found to be orphaned. */
export type Orphans = Record<string, number>

const ORPHAN_MS = 24 * 3_600_000
/** Of one document; the rest has its turn later. */
const maxOrphansPerDocument = 10_000
/** Maps keyed by element, and those keyed by `element/field`. `kind` says which elements there are. */
const FACETS = ['geo', 'tree', 'conn', 'style', 'data', 'text', 'rich'] as const

/**
 * The orphans of a document, given those known before, and the update (deletions alone) that removes those that have been ones for a
 * day; null when there are none.
 */
export function sweep(doc: Y.Doc, known: Orphans, now: number): { orphans: Orphans; update: Uint8Array | null } {
  const kinds = doc.getMap('kind')
  const orphans: Orphans = {}
  const old: [Y.Map<unknown>, string][] = []
  let count = 0
  for (const name of FACETS) {
    const map = doc.getMap(name)
    for (const key of map.keys()) {
      const slash = key.indexOf('/')
      const element = slash < 0 ? key : key.slice(0, slash)
      // Keys that are no element's may mean something to a newer version.
      if (!isId(element) || kinds.has(element)) continue
      const since = known[element] ?? now
      if (now - since >= ORPHAN_MS) old.push([map, key])
      else if (orphans[element] !== undefined || ++count <= maxOrphansPerDocument) orphans[element] = since
    }
  }
  if (old.length === 0) return { orphans, update: null }
  let update: Uint8Array | null = null
  const collect = (change: Uint8Array): void => {
    update = change
  }
  doc.on('update', collect)
  doc.transact(() => {
    for (const [map, key] of old) map.delete(key)
  })
  doc.off('update', collect)
  return { orphans, update }
}
