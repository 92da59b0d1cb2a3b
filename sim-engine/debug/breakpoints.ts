// Breakpoints against a model: their conditions inferred where they stand, and which of them a step meets.
import type { CheckedModel } from '../check.ts'
import { standingOf } from '../check/formulas.ts'
import { inferFormula, parseFormula, type Inferred } from '../formula.ts'
import { bool } from '../formula/types.ts'
import type { Breakpoint } from '../messages.ts'
import { say, type Words } from '../../model-schema/kinds/kind.ts'

/** Most breakpoints, and characters of a condition. */
const limits = { breakpoints: 500, condition: 1_000 }

export type Armed = {
  readonly list: readonly Breakpoint[]
  /** By step number. */
  readonly elements: ReadonlyMap<number, Breakpoint>
  readonly conditions: ReadonlyMap<number, Inferred>
  readonly entities: readonly Extract<Breakpoint, { on: 'entity' }>[]
  readonly changes: readonly Extract<Breakpoint, { on: 'change' }>[]
  readonly error: Breakpoint | null
  /** Conditions that can't be used: these breakpoints stop always. */
  readonly refused: readonly { id: string; words: Words }[]
}

export function arm(breakpoints: readonly Breakpoint[], checked: CheckedModel): Armed {
  const list = breakpoints.filter(one => one.enabled).slice(0, limits.breakpoints)
  const elements = new Map<number, Breakpoint>()
  const conditions = new Map<number, Inferred>()
  const refused = new Map<string, Words>()
  for (const breakpoint of list) {
    if (breakpoint.on !== 'element') continue
    for (const step of checked.parts.steps) {
      if (step.id !== breakpoint.element) continue
      elements.set(step.index, breakpoint)
      if (breakpoint.condition.trim() === '') continue
      const parsed = parseFormula(breakpoint.condition.slice(0, limits.condition), 'condition')
      const inferred = inferFormula(parsed, checked.scopes.at(standingOf(step.process)), bool)
      const wrong =
        inferred.problems[0]?.words ??
        (changesState(inferred)
          ? say(
              'A condition may only look: it draws no random numbers and changes nothing.',
              '条件只能读取：不能抽取随机数，也不能改变任何内容。',
            )
          : null)
      if (wrong) refused.set(breakpoint.id, wrong)
      else conditions.set(step.index, inferred)
    }
  }
  return {
    list,
    elements,
    conditions,
    entities: list.filter(one => one.on === 'entity'),
    changes: list.filter(one => one.on === 'change'),
    error: list.find(one => one.on === 'error') ?? null,
    refused: [...refused].map(([id, words]) => ({ id, words })),
  }
}

function changesState({ draws, mayCreate, writes, functions }: Inferred): boolean {
  if (draws || mayCreate || writes.length > 0) return true
  return functions.some(({ symbol: { effects } }) => effects?.writes === true || effects?.draws === true || effects?.creates === true)
}
