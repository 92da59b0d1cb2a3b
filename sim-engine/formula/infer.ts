// Tree -> types. Finds what each expression gives, which names are read and written, and what cannot be right.
import type { Expr } from './ast.ts'
import type { FormulaProblem } from './mistakes.ts'
import type { Parsed } from './parse.ts'
import type { Scope, Symbol } from './scope.ts'
import type { Type } from './types.ts'

/** A write to a model variable. `type` is what is stored, for the variable's own type: join over all writes. */
export type Write = { symbol: Symbol; type: Type; from: number; to: number; /** The entity whose property is set; absent = own. */ of?: Type }

/** A call of a function block, with the types of its arguments in the order of its parameters (null = left out). */
export type FunctionUse = { symbol: Symbol; args: readonly (Type | null)[]; from: number; to: number }

/** A name in the text that means a symbol: for references, rename and hover. */
export type Use = { symbol: Symbol; from: number; to: number; writes: boolean }

export type Inferred = {
  parsed: Parsed
  /** Type of the value: the expression's, or the join of a function's returns. */
  type: Type
  /** Type of what emitted code yields: `expects` when given, else `stored(type)`; bool for conditions. */
  result: Type
  /** Syntax problems included. Nothing may be emitted unless it is empty. */
  problems: FormulaProblem[]
  reads: Symbol[]
  writes: Write[]
  uses: Use[]
  functions: FunctionUse[]
  /** Names of library functions called. */
  calls: string[]
  /** Draws random numbers. */
  draws: boolean
  /** May create or destroy entities, so columns may move. */
  mayCreate: boolean
  types: ReadonlyMap<Expr, Type>
  locals: ReadonlyMap<string, Type>
}

/** `expects`: the type the place wants; a certain clash is a problem, a possible one is checked at run time. */
export function inferFormula(_parsed: Parsed, scope: Scope, expects?: Type): Inferred {
  throw new Error("formula: not built yet")
}
