// Types -> JavaScript. No text of the author reaches the generated code: names are renamed, strings are JSON.
import type { Inferred } from './infer.ts'
import type { EmitTarget } from './scope.ts'

/** A JavaScript expression giving `f.result`. */
export function emitExpression(_f: Inferred, target: EmitTarget): string {
  throw new Error("formula: not built yet")
}
/** JavaScript statements; locals are declared inside, a function block's `return` gives `f.result`. */
export function emitProgram(_f: Inferred, target: EmitTarget): string {
  throw new Error("formula: not built yet")
}
