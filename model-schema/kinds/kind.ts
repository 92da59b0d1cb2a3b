// What a kind of element is: the row type of the metamodel. Inspector, palette, checker, file format, docs and
// copilot tools are drawn from these rows; adding a kind touches no switch.

import type { Words } from '../words.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** How a formula field is used: read-only value, read-only truth, statements that must write, or a body with return. */
export type FormulaContext = 'expression' | 'condition' | 'program' | 'function'

/** What a field holds and which control edits it. */
export type FieldType =
  /** A name usable in formulas; unique in its scope. */
  | { as: 'name' }
  /** `most`: characters that may be typed, where a text of the usual length is too short. */
  /** `files`: endings of the files that it may be filled from, such as `.json,.wasm`. */
  | { as: 'text'; long?: boolean; most?: number; files?: string }
  | { as: 'number'; integer?: boolean | undefined; min?: number | undefined; max?: number | undefined; unit?: Words | undefined }
  | { as: 'boolean' }
  | { as: 'choice'; options: Readonly<Record<string, Words>> }
  | { as: 'color' }
  /** The id of one element of the named kinds. */
  | { as: 'ref'; to: readonly string[] }
  /** Ids of several elements of the named kinds. */
  | { as: 'refs'; to: readonly string[] }
  /** Source text in the formula language, kept as collaborative text. */
  | { as: 'formula'; context: FormulaContext; result?: 'number' | 'boolean' | 'text' | 'entity' | 'list' }
  /** A table of small records; formulas in cells are plain strings. */
  | { as: 'rows'; columns: readonly Field[] }
  /** Rich text (tiptap), kept as a shared fragment. */
  | { as: 'rich' }
  /** A jpeg or png as a data URL, at most 5 MB. */
  | { as: 'image' }
  /** Base64 of bytes that people don't write themselves, such as the weights of a network. Never shown as it is. */
  | { as: 'data' }

export type Field = {
  id: string
  label: Words
  /** One or two sentences: meaning, unit, what blank means. */
  help: Words
  type: FieldType
  /** Value of a new element and of a blank field. Formula fields: source text. */
  initial: Json
  /** Shown (and checked) only while each named field has one of the values. */
  when?: Readonly<Record<string, readonly Json[]>> | undefined
  /** Shown only if the element is on one of these canvases; absent: on all. */
  on?: readonly CanvasKind[]
  /** Called otherwise on these canvases, where it means something else. */
  there?: Readonly<Partial<Record<CanvasKind, { label: Words; help: Words }>>>
  /** Called otherwise with a value of another field: what it then means. */
  called?: { readonly by: string; readonly words: Readonly<Record<string, Words>> }
  /** Inspector section; absent = basics. */
  section?: 'basics' | 'timing' | 'selection' | 'changes' | 'appearance' | 'advanced'
}

/** The sorts of canvases an element may be on. */
export type CanvasKind = 'file' | 'root' | 'entity' | 'process' | 'experiment' | 'dashboard' | 'cards'

export type Shape =
  | 'entity'
  | 'cells'
  | 'link'
  | 'process'
  | 'variable'
  | 'container'
  | 'message'
  | 'function'
  | 'statistic'
  | 'chart'
  | 'controller'
  | 'space'
  | 'tagset'
  | 'network'
  | 'chain'
  | 'note'
  | 'image'
  | 'frame'
  | 'block'
  | 'interface'
  | 'start'
  | 'intermediate'
  | 'boundary'
  | 'end'
  | 'task'
  | 'gateway'
  | 'connector'
  | 'none'

export type Kind = {
  id: string
  label: Words
  help: Words
  family: 'scenario' | 'entity' | 'data' | 'flow' | 'observation' | 'learning' | 'drawing' | 'experiment' | 'dashboard'
  shape: Shape
  /** Width and height on the canvas, in canvas units. Unused by connectors. */
  size: readonly [number, number]
  /** The canvases it may be placed on. */
  on: readonly CanvasKind[]
  /** The canvas it opens, when it can be entered. */
  opens?: CanvasKind
  fields: readonly Field[]
  /** Which kinds a connector may join, and whether a second of the same kind between the same two is refused (always). */
  joins?: { from: readonly string[]; to: readonly string[] }
  /** Ready-made variants offered by the palette, each with its own label and preset field values. */
  presets?: readonly { id: string; label: Words; values: Readonly<Record<string, Json>> }[]
  /** Icon of a task or event, by field value or fixed: a name of the canvas's icon set. */
  icon?: string
  /** Declared in the file format but without steps yet; the checker says so. */
  planned?: boolean
}
