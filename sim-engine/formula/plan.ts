// What the checker inferred about each part of a tree: the contract between infer.ts and emit.ts.
import type { CallNode, Expr, LambdaNode, MemberNode, NameNode } from './ast.ts'
import type { Method } from './library/methods.ts'
import type { Row } from './library/row.ts'
import type { Symbol } from './scope.ts'
import type { Type } from './types.ts'

/** A name of the formula itself: assigned in it, or the variable of a loop, comprehension or lambda. */
export type Local = {
  name: string
  type: Type
  /** Read somewhere before it is certainly assigned: the read is checked. */
  unsure: boolean
}

export type Meaning =
  | { is: 'local'; local: Local; /** This read needs the check. */ unsure: boolean }
  | { is: 'symbol'; symbol: Symbol }
  | { is: 'constant'; js: string }

/** Arguments in the order of the parameters; null = left out. */
export type CallPlan =
  | {
      is: 'row'
      row: Row
      args: readonly (Expr | null)[]
      rest: readonly Expr[]
      populations: ReadonlyMap<string, string | null>
      extra: readonly Setting[]
    }
  | { is: 'method'; method: Method; receiver: Expr; args: readonly (Expr | null)[] }
  | { is: 'function'; symbol: Symbol; owner: Expr | null; args: readonly (Expr | null)[] }
  /** A method of a value of a type known only at run time. */
  | { is: 'dynamic'; name: string; receiver: Expr; args: readonly Expr[] }

/** A property set on a new individual: `create(Wolf, energy=5)`. */
export type Setting = { symbol: Symbol; value: Expr }

export type Plan = {
  types: Map<Expr, Type>
  names: Map<NameNode, Meaning>
  members: Map<MemberNode, Symbol>
  calls: Map<CallNode, CallPlan>
  /** Library functions given by name, as the lambdas they are short for. */
  lambdas: Map<Expr, LambdaNode>
}
