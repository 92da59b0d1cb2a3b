// The shape of a .holo file.
import type { Geo, Id } from '../model.ts'
import type { Words } from '../words.ts'

/** One end of a connector in a file: an element's id, or more exactly; without an id the end hangs at the point. */
export type FileEnd = Id | { id?: Id; port?: string; x?: number; y?: number }

/**
 * One element in a file. `parent` may be omitted (the first scenario), `rank` too (order of the file), `geo` too (placed automatically).
 * The element's fields are on the same level, by their ids; a field with the name of one of these words gets a `_` at its end (`kind_`).
 */
export type HoloElement = {
  kind: string
  parent?: Id
  rank?: string
  geo?: Geo
  from?: FileEnd
  to?: FileEnd
  bends?: readonly (readonly [number, number])[]
  [field: string]: unknown
}

export type HoloFile = { format: 'holo'; version: number; title?: string; elements: Record<Id, HoloElement> }

/** What is wrong with a file and where: a path such as `elements.wolf.geo`. */
export type FileProblem = { path: string; words: Words }
