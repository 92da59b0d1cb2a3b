// Model -> CheckedModel, or what is wrong with it. Everything an author can get wrong is found here, so that the
// compiler can't fail on what a person wrote.
import type { Element, Id, Model } from '../model-schema/model.ts'
import type { CheckedModel } from './check/checked.ts'
import { editOf, isOfTexts, replaceElements } from './check/edits.ts'
import type { Edit } from './check/edits.ts'
import { Inferring } from './check/infer.ts'
import type { Typed } from './check/infer.ts'
import { KeptParts } from './check/kept.ts'
import type { Parts } from './check/parts.ts'
import { resolve } from './check/resolve.ts'
import { Rules } from './check/rules.ts'
import { formulaProblem } from './formula/mistakes.ts'
import type { ModelEdit } from './model-edit.ts'
import type { Problem } from './problems.ts'
import { problem } from './problems.ts'
import { english } from '../model-schema/words.ts'

export type { CheckedModel }

export type Checked =
  | { ok: true; checked: CheckedModel; problems: readonly Problem[] }
  | { ok: false; checked: null; problems: readonly Problem[] }

/**
 * Caches what it found out about a model, so that an edit costs what it touches. The outcome is that of `check`; a check invalidates the previous
 * result: parts are updated in place. `edit`: the difference from the model checked last; it is computed when absent.
 */
export type Checker = { check(model: Model, scenario: Id, edit?: ModelEdit): Checked }

export function createChecker(): Checker {
  let last: Looked | null = null
  return {
    check(model, scenario, edit) {
      const before = last
      // Should it fail, nothing is known any more.
      last = null
      const looked = look(model, scenario, before, edit ?? null)
      const checked = looked ? judge(looked) : unknownScenario(scenario)
      last = looked
      return checked
    },
  }
}

/** Checks from scratch. Never throws, whatever the model. */
export function check(model: Model, scenario: Id): Checked {
  const looked = look(model, scenario, null, null)
  return looked ? judge(looked) : unknownScenario(scenario)
}

/** A model resolved and typed, not yet judged, and what of it helps to look at the next. */
type Looked = {
  model: Model
  scenario: Element
  parts: Parts
  typed: Typed
  problems: readonly Problem[]
  kept: KeptParts
  inferring: Inferring
  rules: Rules
  /** Since the look before; null when there was none. */
  edit: Edit | null
  /** Elements are what they were in it, but for texts of formulas. */
  onlyTexts: boolean
}

const unknownScenario = (id: Id): Checked => ({ ok: false, checked: null, problems: [problem(9022, { id })] })

function look(given: Model, scenarioId: Id, before: Looked | null, told: ModelEdit | null): Looked | null {
  const last = before?.scenario.id === scenarioId ? before : null
  const edit = last && editOf(last.model, given, told)
  const model = edit?.model ?? given
  const scenario = model.elements.get(scenarioId)
  if (scenario?.kind !== 'scenario') return null
  if (last && edit && isOfTexts(edit, last.model)) {
    replaceElements(last.parts, model, scenario, edit.changed)
    last.kept.forget(edit.stirred)
    return { ...last, model, scenario, typed: last.inferring.infer(last.parts, edit.changed), edit, onlyTexts: true }
  }
  const { kept, inferring, rules } = last ?? { kept: new KeptParts(), inferring: new Inferring(), rules: new Rules() }
  kept.stirred = edit && edit.stirred
  const problems: Problem[] = []
  const parts = resolve(model, scenario, problems, kept)
  return { model, scenario, parts, typed: inferring.infer(parts, null), problems, kept, inferring, rules, edit, onlyTexts: false }
}

function judge({ model, scenario, parts, typed, problems: found, rules, edit, onlyTexts }: Looked): Checked {
  const { formulas, faulty, scopes, again } = typed
  const problems = [...found, ...rules.judge({ parts, formulas, model, scenario, edit, onlyTexts }, again)]
  for (const formula of faulty)
    for (const one of formula.inferred.problems) problems.push(formulaProblem({ id: formula.id, field: formula.field }, one))
  const ordered = softened(distinct(problems), parts)
  if (ordered.some(one => one.severity === 'error')) return { ok: false, checked: null, problems: ordered }
  return { ok: true, checked: { parts, formulas, scopes, problems: ordered }, problems: ordered }
}

/** A test that is wrong keeps no run from being made. */
function softened(problems: Problem[], { tests }: Parts): Problem[] {
  if (tests.length === 0) return problems
  const ids = new Set(tests.map(({ id }) => id))
  return problems.map(one => (one.severity === 'error' && ids.has(one.at.id) ? { ...one, severity: 'warning' } : one))
}

/** A process inherited by several populations says what is wrong with it once. */
function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ code, at, message }) => {
    const key = `${code} ${at.id} ${at.field} ${at.from} ${at.to} ${english(message)}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
