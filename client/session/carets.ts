// The position of a peer's text cursor inside a formula, in a form that survives concurrent typing: positions refer to characters, not to
// offsets. Peers' data is untrusted.
import { fromBase64, toBase64 } from 'lib0/buffer'
import * as Y from 'yjs'
import { textOf } from '../../model-schema/document.ts'
import type { Id } from '../../model-schema/model.ts'
import * as z from '../zod.ts'

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

const text = z.string().check(z.maxLength(maxPositionLength))

/** The caret that a peer shows. */
export const caretSchema = z.object({ id: text, field: text, anchor: text, head: text }) satisfies z.ZodMiniType<Caret>
