// The typed value of a model file: what every later stage reads. Made only by `readFacets` (in integrity.ts), which is
// total: any document yields the same Model on every peer, with what is wrong listed and nothing dropped.
import type { Json } from './kinds/kind.ts'

/** Element id: made on the client, URL-safe, never reused. */
export type Id = string

/** Canvas-absolute box: x, y, width, height in canvas units. */
export type Geo = readonly [x: number, y: number, w: number, h: number]

/** One end of a connector: the element it holds on to, an optional port, and its last known point. */
export type End = { id: Id | null; port?: string; x: number; y: number }

export type Element = {
  readonly id: Id
  /** A kind of the metamodel, or an unknown one from a newer version (kept, shown as a box, never run). */
  readonly kind: string
  /** The element with the canvas that holds this one; null for a root. Always an existing element or null. */
  readonly parent: Id | null
  /** Children in canvas order (order key, then id). */
  readonly children: readonly Id[]
  readonly geo: Geo
  /** Connectors only; `id` is null where the end no longer exists. */
  readonly ends: { readonly from: End; readonly to: End } | null
  /** Manual bends of a connector, canvas-absolute. */
  readonly bends: readonly (readonly [number, number])[]
  /** Every field of the kind, defaults filled in, formulas as text; unknown fields unchanged. */
  readonly fields: Readonly<Record<string, Json>>
  /** Canvas edits don't move or change it until it is unlocked. */
  readonly locked?: true
  /** Colour of the tag people put on it, #rrggbb; absent: none. */
  readonly tint?: string
  /** The groups it is in, outermost first; each has at least one more member on the same canvas. Absent: none. Connectors go along with what they join. */
  readonly groups?: readonly Id[]
}

/** A structural fault found while reading a document; shown as a warning and mended by the next edit. */
export type ReadNote = {
  kind: 'unknown-kind' | 'invalid-value' | 'orphan' | 'cycle' | 'dangling-end' | 'duplicate-order' | 'missing-scenario'
  id: Id
  field?: string
}

export type Model = {
  /** File schema version the document was written with. */
  readonly schema: number
  readonly elements: ReadonlyMap<Id, Element>
  /** Everything without a parent, in order: the scenarios of a model; the one experiment, chart or dashboard of a file of that kind. */
  readonly roots: readonly Id[]
  /** Those of the roots that are scenarios. */
  readonly scenarios: readonly Id[]
  readonly notes: readonly ReadNote[]
}

/** The Model as plain data, as it may be stored or sent to another thread: that of an open document shares what edits left alone. */
export const plainModel = (model: Model): Model => (model.elements instanceof Map ? model : { ...model, elements: new Map(model.elements) })

/** The plain-data form of a document: what the Yjs maps and a .holo file both hold, before anything is checked. */
export type Facets = {
  meta: Record<string, Json>
  kind: Record<Id, Json>
  geo: Record<Id, Json>
  tree: Record<Id, Json>
  conn: Record<Id, Json>
  style: Record<Id, Json>
  /** Keyed `id/field`. */
  data: Record<string, Json>
  /** Formula texts, keyed `id/field`. */
  text: Record<string, string>
  /** Rich texts in their normal form (rich.ts), keyed `id/field`. */
  rich: Record<string, Json>
}

/** What one transaction changed of a Model. Untouched elements keep their identity from one Model to the next. */
export type ModelDiff = {
  readonly added: readonly Id[]
  readonly removed: readonly Id[]
  /** Anything of the element: also its place in a parent, its children's order, the point of a connector's end. */
  readonly changed: readonly Id[]
  /** Whether this person's own edit (or undo) did it. */
  readonly local: boolean
}
