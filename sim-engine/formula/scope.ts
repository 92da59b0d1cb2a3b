// The contract between the formula language and the compiler of models: which names a formula may use and how they are read and written in
// generated JavaScript (Scope), and the surroundings of the emitted code (EmitTarget).
//
// Values in generated code: number -> number, bool -> boolean, text -> string, None -> null, list -> Array, tuple -> Tuple, set -> FormulaSet,
// dict -> FormulaDict, date -> FormulaDate, range -> FormulaRange (runtime/values.ts).
// An entity of known population is a *handle* (slot + generation * 2^24; slot = handle & 0xffffff; None = -1).
// An entity of unknown population, of type `any`, or inside a list, set, dict or tuple is an interned Ref (or null).
import type { Type } from './types.ts'
import type { Words } from '../../model-schema/words.ts'

export type SymbolKind =
  | 'local'
  | 'variable'
  | 'builtin'
  | 'container'
  | 'process'
  | 'function'
  | 'population'
  | 'step'
  | 'statistic'
  | 'message'
  | 'parameter'

/** One name a formula may use. */
export type Symbol = {
  name: string
  kind: SymbolKind
  type: Type
  /** Element id: for references, rename, go to definition. */
  id?: string
  /** Help shown in completion and on hover. */
  words?: Words
  /** JavaScript expression reading it; `self` is the owner's handle expression (`target.self` for bare names). */
  read(self: string): string
  /** JavaScript expression of the code of its text, where it is stored as one; undefined where it isn't. */
  code?(self: string): string | undefined
  /**
   * JavaScript statement writing `value`, which is already of the symbol's type, or the code of one where it is stored as such; `at` is where
   * the formula says so, `own` the handle expression of the individual that the formula runs as. Absent = read-only.
   */
  write?(self: string, value: string, at?: string, isCode?: boolean, own?: string): string
  readOnlyBecause?: Words
  /** Not public: set by its owner alone, by dot only through `self` (`self`), or not at all (`owner`). */
  privateTo?: 'self' | 'owner'
  /** JavaScript statement giving a newborn its value; `create` may do this even for values that are otherwise read-only. */
  first?(self: string, value: string, isCode?: boolean): string
  /** Function blocks: JavaScript expression of a call. Missing optional arguments are passed as `undefined`. */
  call?(self: string, args: readonly string[]): string
  /** What reading or calling it may do, beyond giving a value. */
  effects?: Effects
}

export type Effects = { writes?: boolean; draws?: boolean; creates?: boolean }

export type Scope = {
  /** Innermost first, as the engine resolves names. Library functions need not be known here. */
  find(name: string): Symbol | undefined
  /** `cell.grass`, `Wolf.count`, `nurses.level`. */
  member(of: Type, name: string): Symbol | undefined
  /** For completion and did-you-mean. */
  names(): Iterable<Symbol>
  members(of: Type): Iterable<Symbol>
  /** The population that alone has individuals in space, so that a query over all of them has a known type. */
  readonly onlyAgents?: string | undefined
  /** The cells of a population's space, or itself when it is cells; of the only space with cells where it has none or is unknown. */
  cellsOf?(population: string | null): string | null
}

/** A query over entities, before it runs: the engine may turn it into a loop of its own. */
export type EntityQuery = {
  /** A library function (`neighbors`, `agents_on`, ...), or 'read' for a symbol such as `Wolf.individuals`. */
  name: string
  symbol?: Symbol
  /** Population of the items; null = mixed (items are Refs then). */
  of: string | null
  self: string
  args: readonly string[]
  /** JavaScript expression giving the items as an array; what is iterated when there is no loop form. */
  value: string
}

export type EntityLoop = {
  query: EntityQuery
  /** Identifier the loop declares for each item: a handle, or a Ref when `query.of` is null. */
  item: string
  /** Label the outermost loop must carry: the body leaves by `break label`. It never uses a bare break or continue. */
  label: string
  body: string
  /** False when the order of items does not matter (sums, counts, any, all): the engine may skip sorting. */
  ordered: boolean
}

/** The surroundings of emitted code. Inside one closure with the parameters `F` (formula runtime) and `W` (world runtime). */
export type EmitTarget = {
  /** Expression of the owner's handle; owners without one (observers) may use '0'. */
  self: string
  /** Expression of this component's random stream; must be visible at the closure's top level. */
  stream: string
  /** An identifier that is unique in the generated code. */
  fresh(prefix: string): string
  /** Places a declaration (helper function, constant) at the closure's top level. */
  declare(js: string): void
  /** Expression of a population object, visible at the closure's top level; null = "of any population". */
  population(id: string | null): string
  /** Expression of the same handle, checked: throws 10014 for None and 10053 for the dead. Default: `W.live(population, handle, from, to)`. */
  live?(of: string, handle: string, from: number, to: number): string
  /** Identifiers local to the function around the emitted code which `self` and symbol reads may mention (`self`, `token`). */
  captured?: readonly string[]
  /** A loop statement for the query, or undefined to iterate `query.value`. */
  entityLoop?(loop: EntityLoop): string | undefined
  /** Around the call of a function block: what fails from then on fails in this formula again. */
  back?(js: string): string
  /**
   * A list of numbers that never changes and is only looked up by position: a typed array at the closure's top level, how many it holds, and what
   * to call with any other position. undefined for all other variables.
   */
  constantList?(
    id: string,
  ): { readonly name: string; readonly length: number; at(position: string, from: number, to: number): string } | undefined
  /** JavaScript of the code of a text, where some are stored as codes; undefined where none is left. */
  word?(text: string): string | undefined
  /** Debug build: a statement to put before the formula's statement that begins at `from`; `locals` are its variables. */
  line?(from: number, locals: readonly { name: string; js: string; type: Type }[]): string
}
