// Formulas of a debugging person - conditions, watches - inferred where they are to be answered. They may only look.
import type { CheckedModel } from '../check.ts'
import { standingOf } from '../check/formulas.ts'
import type { FormulaPart, StepPart } from '../check/parts.ts'
import type { AtLine } from '../compile/emitter.ts'
import { inferFormula, parseFormula, type Inferred, type Scope, type Symbol, type Type } from '../formula.ts'
import { boundBefore } from '../formula/lines.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** Characters of such a formula. */
const longestLook = 1_000

type Look = AtLine | { readonly refused: Words }

/** As seen from a step; from nowhere (null): the names every formula knows. */
export function lookAtStep(text: string, checked: CheckedModel, step: StepPart | null, expects?: Type): Look {
  const standing = step ? standingOf(step.process) : ({ level: 'global', entity: null, process: null, buffered: null } as const)
  return looking(text, checked.scopes.at(standing), new Map(), expects)
}

/** As seen from a statement of a program or a function: its variables come first. */
export function lookAtLine(text: string, formula: FormulaPart, from: number, expects?: Type): Look {
  const { inferred } = formula
  const { ast } = inferred.parsed
  const bound = ast.is === 'program' ? boundBefore(ast.body, from) : new Set<string>()
  const names = new Map<string, string>()
  const locals = new Map<string, Symbol>()
  for (const { name, type } of inferred.locals.values())
    if (bound.has(name)) locals.set(name, { name, kind: 'local', type, read: () => names.get(name) ?? 'null' })
  const outer = inferred.scope
  const scope: Scope = {
    find: name => locals.get(name) ?? outer.find(name),
    member: (of, name) => outer.member(of, name),
    names: () => [...locals.values(), ...outer.names()],
    members: of => outer.members(of),
    ...(outer.onlyAgents === undefined ? {} : { onlyAgents: outer.onlyAgents }),
    cellsOf: population => outer.cellsOf?.(population) ?? null,
  }
  return looking(text, scope, names, expects)
}

function looking(text: string, scope: Scope, names: Map<string, string>, expects: Type | undefined): Look {
  const parsed = parseFormula(text.slice(0, longestLook), expects ? 'condition' : 'expression')
  const inferred = expects ? inferFormula(parsed, scope, expects) : inferFormula(parsed, scope)
  const wrong = inferred.problems[0]
  if (wrong) return { refused: wrong.words }
  if (changesState(inferred))
    return {
      refused: say('It may only look: it draws no random numbers and changes nothing.'),
    }
  return { inferred, names }
}

function changesState({ draws, mayCreate, writes, functions }: Inferred): boolean {
  if (draws || mayCreate || writes.length > 0) return true
  return functions.some(({ symbol: { effects } }) => effects?.writes === true || effects?.draws === true || effects?.creates === true)
}
