// Breakpoints of a model: their conditions inferred at their positions, and which of them a step or a statement meets.
import type { CheckedModel } from '../check.ts'
import { lineKey, type AtLine } from '../compile/emitter.ts'
import type { Inferred } from '../formula.ts'
import { lineOf, statementAt } from '../formula/lines.ts'
import { bool } from '../formula/types.ts'
import type { Breakpoint } from '../messages.ts'
import { lookAtLine, lookAtStep } from './looks.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** Most breakpoints. */
const maxBreakpoints = 500

type AtStatement = Extract<Breakpoint, { on: 'line' }>

export type Armed = {
  readonly list: readonly Breakpoint[]
  /** By step number. */
  readonly elements: ReadonlyMap<number, Breakpoint>
  readonly conditions: ReadonlyMap<number, Inferred>
  /** By element and field, then by where the statement begins. */
  readonly statements: ReadonlyMap<string, ReadonlyMap<number, AtStatement>>
  readonly lines: ReadonlyMap<string, AtLine>
  /** All statements with one, by `lineKey`. */
  readonly stops: ReadonlySet<string>
  /** Whether conditions call functions of the model. */
  readonly calls: boolean
  readonly entities: readonly Extract<Breakpoint, { on: 'entity' }>[]
  readonly changes: readonly Extract<Breakpoint, { on: 'change' }>[]
  readonly error: Breakpoint | null
  /** Breakpoints that can't be used as they are. One with a condition that can't be used stops always. */
  readonly refused: readonly { id: string; words: Words }[]
  /** Lines inside a statement that begins further down. */
  readonly moved: readonly { id: string; line: number }[]
}

const noStatement = say('No statement begins on this line or after it.')

export function arm(breakpoints: readonly Breakpoint[], checked: CheckedModel): Armed {
  const list = breakpoints.filter(one => one.enabled).slice(0, maxBreakpoints)
  const elements = new Map<number, Breakpoint>()
  const conditions = new Map<number, Inferred>()
  const statements = new Map<string, Map<number, AtStatement>>()
  const lines = new Map<string, AtLine>()
  const stops = new Set<string>()
  const refused = new Map<string, Words>()
  const moved = new Map<string, number>()
  for (const breakpoint of list) {
    if (breakpoint.on === 'element')
      for (const step of checked.parts.steps) {
        if (step.id !== breakpoint.element) continue
        elements.set(step.index, breakpoint)
        if (breakpoint.condition.trim() === '') continue
        const look = lookAtStep(breakpoint.condition, checked, step, bool)
        if ('refused' in look) refused.set(breakpoint.id, look.refused)
        else conditions.set(step.index, look.inferred)
      }
    if (breakpoint.on !== 'line') continue
    const { id, element, field, line, condition } = breakpoint
    let found = false
    for (const [key, formula] of checked.formulas) {
      if (formula.id !== element || formula.field !== field) continue
      const { parsed } = formula.inferred
      const from = statementAt(parsed, line)
      if (from === undefined) continue
      found = true
      const place = `${element}/${field}`
      statements.set(place, (statements.get(place) ?? new Map<number, AtStatement>()).set(from, breakpoint))
      stops.add(lineKey(key, from))
      if (lineOf(parsed.text, from) !== line) moved.set(id, lineOf(parsed.text, from))
      if (condition.trim() === '') continue
      const look = lookAtLine(condition, formula, from, bool)
      if ('refused' in look) refused.set(id, look.refused)
      else lines.set(lineKey(key, from), look)
    }
    if (!found) refused.set(id, noStatement)
  }
  return {
    list,
    elements,
    conditions,
    statements,
    lines,
    stops,
    calls: [...conditions.values(), ...Array.from(lines.values(), one => one.inferred)].some(one => one.functions.length > 0),
    entities: list.filter(one => one.on === 'entity'),
    changes: list.filter(one => one.on === 'change'),
    error: list.find(one => one.on === 'error') ?? null,
    refused: [...refused].map(([id, words]) => ({ id, words })),
    moved: [...moved].map(([id, line]) => ({ id, line })),
  }
}
