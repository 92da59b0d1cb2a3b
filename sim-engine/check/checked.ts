// A model that passed: what the compiler takes.
import type { Problem } from '../problems.ts'
import type { FormulaPart, Parts } from './parts.ts'
import type { Scopes } from './scopes.ts'

/** A model without errors, resolved and typed: what `compile` takes. */
export type CheckedModel = {
  readonly parts: Parts
  readonly formulas: ReadonlyMap<string, FormulaPart>
  readonly scopes: Scopes
  /** Warnings only. */
  readonly problems: readonly Problem[]
}
