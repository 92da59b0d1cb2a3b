// Model -> CheckedModel, or what is wrong with it. Everything an author can get wrong is found here, so that the
// compiler can't fail on what a person wrote.
import type { Id, Model } from '../model-schema/model.ts'
import type { CheckedModel } from './check/checked.ts'
import { inferAll } from './check/infer.ts'
import type { ParseCache } from './check/infer.ts'
import { resolve } from './check/resolve.ts'
import { checkAll, createChecking } from './check/rules.ts'
import { formulaProblem } from './formula/mistakes.ts'
import type { Problem } from './problems.ts'
import { problem } from './problems.ts'

export type { CheckedModel }

export type Checked =
  | { ok: true; checked: CheckedModel; problems: readonly Problem[] }
  | { ok: false; checked: null; problems: readonly Problem[] }

/** Remembers parsed formulas between checks, so that an edit costs what it touches. */
export type Checker = { check(model: Model, scenario: Id): Checked }

/** Most formulas remembered; beyond it a checker starts afresh. */
const cacheLimit = 50_000

export function createChecker(): Checker {
  const cache: ParseCache = new Map()
  return {
    check(model, scenario) {
      if (cache.size > cacheLimit) cache.clear()
      return checkWith(model, scenario, cache)
    },
  }
}

/** Checks from scratch. Never throws, whatever the model. */
export const check = (model: Model, scenario: Id): Checked => checkWith(model, scenario, new Map())

function checkWith(model: Model, scenarioId: Id, cache: ParseCache): Checked {
  const scenario = model.elements.get(scenarioId)
  if (scenario?.kind !== 'scenario') return { ok: false, checked: null, problems: [problem(9022, { id: scenarioId })] }
  const problems: Problem[] = []
  const parts = resolve(model, scenario, problems)
  const { formulas, scopes } = inferAll(parts, cache)
  const checking = createChecking(parts, formulas, problems)
  checkAll(checking, model, scenario)
  for (const formula of formulas.values()) {
    for (const found of formula.inferred.problems) problems.push(formulaProblem({ id: formula.id, field: formula.field }, found))
  }
  const ordered = distinct(problems)
  if (ordered.some(one => one.severity === 'error')) return { ok: false, checked: null, problems: ordered }
  return { ok: true, checked: { parts, formulas, scopes, problems: ordered }, problems: ordered }
}

/** A process inherited by several populations says what is wrong with it once. */
function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ code, at, message }) => {
    const key = `${code} ${at.id} ${at.field} ${at.from} ${at.to} ${message.en}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
