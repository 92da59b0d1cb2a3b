// Model -> CheckedModel, or what is wrong with it. Everything an author can get wrong is found here, so that the
// compiler can't fail on what a person wrote.
import type { Id, Model } from '../model-schema/model.ts'
import type { FormulaPart, Parts } from './check/parts.ts'
import type { Problem } from './problems.ts'

/** A model without errors, resolved and typed: what `compile` takes. */
export type CheckedModel = {
  readonly parts: Parts
  readonly formulas: ReadonlyMap<string, FormulaPart>
  /** Warnings only. */
  readonly problems: readonly Problem[]
}

export type Checked = { ok: true; checked: CheckedModel; problems: readonly Problem[] } | { ok: false; checked: null; problems: readonly Problem[] }

/** Remembers parsed and inferred formulas between checks, so that an edit costs what it touches. */
export type Checker = { check(model: Model, scenario: Id): Checked }

export declare function createChecker(): Checker
/** Checks from scratch. Never throws, whatever the model. */
export declare function check(model: Model, scenario: Id): Checked
