// Model -> CheckedModel, or what is wrong with it. Everything an author can get wrong is found here, so that the
// compiler can't fail on what a person wrote.
import type { Element, Id, Model } from '../model-schema/model.ts'
import type { CheckedModel } from './check/checked.ts'
import { onlyTexts, replaceElements } from './check/edits.ts'
import { inferAgain, inferAll } from './check/infer.ts'
import type { ParseCache, Typed } from './check/infer.ts'
import type { Parts } from './check/parts.ts'
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
  let last: Looked | null = null
  return {
    check(model, scenario) {
      if (cache.size > cacheLimit) cache.clear()
      last = look(model, scenario, cache, last)
      return last ? judge(model, last) : unknownScenario(scenario)
    },
  }
}

/** Checks from scratch. Never throws, whatever the model. */
export function check(model: Model, scenario: Id): Checked {
  const looked = look(model, scenario, new Map(), null)
  return looked ? judge(model, looked) : unknownScenario(scenario)
}

/** A model resolved and typed, not yet judged. */
type Looked = { model: Model; scenario: Element; parts: Parts; typed: Typed; problems: readonly Problem[] }

const unknownScenario = (id: Id): Checked => ({ ok: false, checked: null, problems: [problem(9022, { id })] })

function look(model: Model, scenarioId: Id, cache: ParseCache, last: Looked | null): Looked | null {
  const scenario = model.elements.get(scenarioId)
  if (scenario?.kind !== 'scenario') return null
  const edited = last?.scenario.id === scenarioId ? onlyTexts(last.model, model) : null
  if (last && edited) {
    replaceElements(last.parts, model, scenario, edited)
    const typed = inferAgain(last.parts, last.typed, cache)
    if (typed) return { ...last, model, scenario, typed }
  }
  const problems: Problem[] = []
  const parts = resolve(model, scenario, problems)
  return { model, scenario, parts, typed: inferAll(parts, cache), problems }
}

function judge(model: Model, { scenario, parts, typed, problems: found }: Looked): Checked {
  const problems = [...found]
  const { formulas, scopes } = typed
  checkAll(createChecking(parts, formulas, problems), model, scenario)
  for (const formula of formulas.values()) {
    for (const one of formula.inferred.problems) problems.push(formulaProblem({ id: formula.id, field: formula.field }, one))
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
