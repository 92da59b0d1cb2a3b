// What every control of the inspector is given: the elements it edits (several when the selection agrees on the field),
// the value they share, and how to change it.
import type { Field, Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Id } from '../../../model-schema/model.ts'

/** The cell of a table: the element and field the table is of, and which of its rows. */
export type Within = { readonly element: Element; readonly field: Field; readonly row: number }

export type ControlProps = {
  readonly id: string
  readonly field: Field
  /** The first of the edited elements; its siblings get the same changes. */
  readonly element: Element
  readonly elements: readonly Id[]
  /** Undefined while the selection disagrees. */
  readonly value: Json | undefined
  readonly disabled: boolean
  /** The meaning of a blank field, if its help is not suitable. */
  readonly blank?: string | undefined
  /** The table that contains it, in an element. */
  readonly within?: Within | undefined
  /** Writes the value into all edited elements, as one undo step. */
  readonly set: (value: Json) => void
}
