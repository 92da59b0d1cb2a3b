// The origin of an element: copies of a block's elements store block, copy and element in a field that no kind has, so that they can be
// compared with their source. Like all unknown fields it is stored, copied and undone with the element.
import type * as Y from 'yjs'
import { edit, putValue } from './edit/write.ts'
import type { Id } from './model.ts'

/** The field: `block/copy/element`. */
export const ORIGIN = 'fromBlock'

/** Marks an element as a copy. */
export function setOrigin(doc: Y.Doc, id: Id, origin: string): void {
  edit(doc, layout => putValue(layout, id, ORIGIN, origin, false))
}
