// The position of a peer's text cursor inside a formula, in a form that survives concurrent typing: positions refer to characters, not to
// offsets. Peers' data is untrusted.
import { fromBase64, toBase64 } from 'lib0/buffer'
import * as Y from 'yjs'
import { textOf } from '../../model-schema/document.ts'
import type { Id } from '../../model-schema/model.ts'

/** A selection in the shared text of a field; both ends are base64 of Yjs' relative positions. */
export type Caret = { readonly id: Id; readonly field: string; readonly anchor: string; readonly head: string }

/** Longest encoded position that is taken from others, in characters. */
const maxPositionLength = 100

/** The caret between letters `anchor` and `head` of a field's text; null when the field has no shared text. */
export function caretAt(doc: Y.Doc, id: Id, field: string, anchor: number, head: number): Caret | null {
  const text = textOf(doc, id, field)
  if (text === null) return null
  const encoded = (at: number): string =>
    toBase64(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, Math.max(0, Math.min(at, text.length)))))
  return { id, field, anchor: encoded(anchor), head: encoded(head) }
}

/** The current position of the caret; null if its field or text is gone, or it is malformed. */
export function spanOf(doc: Y.Doc, caret: Caret): { anchor: number; head: number } | null {
  const text = textOf(doc, caret.id, caret.field)
  if (text === null) return null
  const decoded = (end: string): number | null => {
    try {
      const at = Y.createAbsolutePositionFromRelativePosition(Y.decodeRelativePosition(fromBase64(end)), doc)
      return at !== null && at.type === text ? at.index : null
    } catch {
      return null // malformed bytes: another client is broken, not the document
    }
  }
  const anchor = decoded(caret.anchor)
  const head = decoded(caret.head)
  return anchor === null || head === null ? null : { anchor, head }
}

/** A caret from what a peer shows; null when there is none. */
export function readCaret(value: unknown): Caret | null {
  if (value === null || typeof value !== 'object') return null
  const { id, field, anchor, head } = { id: null, field: null, anchor: null, head: null, ...value }
  const fits = (text: unknown): text is string => typeof text === 'string' && text.length <= maxPositionLength
  return fits(id) && fits(field) && fits(anchor) && fits(head) ? { id, field, anchor, head } : null
}
