// What `resolve.ts` makes of a function: names are locals, globals and arrays, and every kind of assignment is one of three.
import type { Parsed } from './parse.ts'

export type Element = 'u8' | 'u16' | 'i32' | 'f64'
export type Scalar = 'i32' | 'f64'

/**
 * What is known of a value. `int` is a whole number other than -0 within [low, high] of at most 2^53; `real` any number between
 * the bounds, and NaN if `isNaN`; `truth` true or false.
 */
export type Type = { readonly is: 'truth' | 'int' | 'real'; readonly low: number; readonly high: number; readonly isNaN: boolean }

export type Local = {
  /** null: nothing was found yet that it gets. */
  type: Type | null
  /** How often the text reads it. */
  reads: number
  /** Whose types have to be found again when this one grows. */
  readonly users: Instance[]
  /** How often the type grew. */
  growths: number
  /** What it gets but for being counted up and down by one at a time. */
  origin: Type | null
  isCountedUp: boolean
  isCountedDown: boolean
  /** A parameter that is never written to is what it was given. */
  isWritten: boolean
  /** Of a parameter, where its function is written within another and is given a number. */
  constant: number | null
  /** Where it lies in the function; -1: not yet given out. */
  index: number
}

export type Label = {
  isBroken: boolean
  isContinued: boolean
  /** Of the blocks to leave, while code is written. */ end: number
  again: number
}

/** A function for one combination of objects and arrays given to it. */
export type Instance = {
  readonly name: string
  readonly parsed: Parsed
  /** By parameter: the path given for it, or null where it is a number. */
  readonly paths: readonly (string | null)[]
  readonly parameters: Local[]
  readonly locals: Local[]
  body: readonly Act[]
  /** null: `return` without a value, or none. */
  result: Local | null
  /** Hardly ever called. */
  readonly isRare: boolean
  /** How many nodes and statements it has. */
  size: number
  /** What it calls. */
  readonly calls: Set<Instance>
  /** Whether its types have to be found again. */
  isOpen: boolean
  /** Whether arrays may move while it runs. */
  moves: boolean
}

type Typed = { type: Type | null }

export type Node = Typed &
  (
    | { readonly is: 'number'; readonly value: number }
    | { readonly is: 'truth'; readonly value: boolean }
    | { readonly is: 'local'; readonly local: Local }
    | { readonly is: 'global'; readonly path: string; readonly of: Scalar }
    | { readonly is: 'load'; readonly path: string; readonly of: Element; readonly at: Node }
    | { readonly is: 'unary'; readonly op: '-' | '+' | '~'; readonly of: Node }
    | { readonly is: 'not'; readonly of: Node }
    /** Whether a number is other than 0 and NaN. */
    | { readonly is: 'test'; readonly of: Node }
    | { readonly is: 'binary'; readonly op: string; readonly left: Node; readonly right: Node }
    | { readonly is: 'compare'; readonly op: string; readonly left: Node; readonly right: Node }
    | { readonly is: 'logical'; readonly op: '&&' | '||'; readonly left: Node; readonly right: Node }
    | { readonly is: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node }
    | { readonly is: 'sequence'; readonly first: readonly Node[]; readonly last: Node }
    /** `by` of a counter: the value is the local's own plus this. */
    | { readonly is: 'set'; readonly local: Local; readonly value: Node; readonly by: Node | null }
    | { readonly is: 'setGlobal'; readonly path: string; readonly of: Scalar; readonly value: Node }
    | { readonly is: 'store'; readonly path: string; readonly of: Element; readonly at: Node; readonly value: Node }
    | { readonly is: 'call'; readonly of: Instance; readonly args: readonly Node[]; readonly extra: readonly Node[] }
    | {
        readonly is: 'import'
        readonly path: string
        readonly parameters: readonly Scalar[]
        readonly result: Scalar | null
        readonly args: readonly Node[]
        readonly moves: boolean
        /** It never comes back. */ readonly fails: boolean
      }
    | { readonly is: 'math'; readonly name: string; readonly args: readonly Node[] }
  )

export type Act =
  | { readonly is: 'do'; readonly value: Node }
  | { readonly is: 'if'; readonly test: Node; readonly yes: readonly Act[]; readonly no: readonly Act[] }
  /** With `test` before each round, or after it. */
  | {
      readonly is: 'loop'
      readonly test: Node | null
      readonly isTestedLast: boolean
      readonly next: Node | null
      readonly body: readonly Act[]
      readonly label: Label
    }
  | { readonly is: 'block'; readonly body: readonly Act[]; readonly label: Label }
  | { readonly is: 'leave'; readonly label: Label; readonly isAgain: boolean }
  | { readonly is: 'return'; readonly value: Node | null }
