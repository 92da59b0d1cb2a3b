// Breakpoints as a person sets them: on an element, a variable or an individual. The editor's menus toggle them with these
// functions; the canvas draws `useBreakpointMarks` and `usePausedAt`.
import { useMemo } from 'react'
import type { Id } from '../../model-schema/model.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Breakpoint, Stop } from '../../sim-engine/messages.ts'
import { useRunView } from './RunProvider.tsx'
import type { Run } from './run.ts'

/** Kinds of elements a run can stop at. */
const steps = new Set(['start', 'end', 'gateway', 'task', 'intermediate', 'boundary'])

/** What a breakpoint on an element of this kind would stop for, or null. */
export function breakableAs(kind: string): 'element' | 'change' | null {
  if (kind === 'variable') return 'change'
  return steps.has(kindOf(kind)?.shape ?? '') ? 'element' : null
}

const isAt =
  (element: Id) =>
  (one: Breakpoint): boolean =>
    (one.on === 'element' && one.element === element) || (one.on === 'change' && one.variable === element)

export const hasBreakpoint = (run: Run, element: Id): boolean => run.getState().breakpoints.some(isAt(element))

/** Sets a breakpoint on a step or a variable, or takes it away. */
export function toggleBreakpoint(run: Run, element: Id): void {
  const { breakpoints } = run.getState()
  const kept = breakpoints.filter(one => !isAt(element)(one))
  const as = breakableAs(run.model.getState().model.elements.get(element)?.kind ?? '')
  if (kept.length < breakpoints.length) run.setBreakpoints(kept)
  else if (as === 'element')
    run.setBreakpoints([...breakpoints, { id: `element ${element}`, enabled: true, on: 'element', element, condition: '' }])
  else if (as === 'change')
    run.setBreakpoints([...breakpoints, { id: `change ${element}`, enabled: true, on: 'change', variable: element }])
}

type LineBreakpoint = Extract<Breakpoint, { on: 'line' }>

/** Breakpoints on lines of one formula, in no order. */
export const linesOf = (breakpoints: readonly Breakpoint[], element: Id, field: string): LineBreakpoint[] =>
  breakpoints.filter((one): one is LineBreakpoint => one.on === 'line' && one.element === element && one.field === field)

/** Sets a breakpoint on a line of a formula, from 0, or takes it away. */
export function toggleLine(run: Run, element: Id, field: string, line: number): void {
  const { breakpoints } = run.getState()
  const found = linesOf(breakpoints, element, field).find(one => one.line === line)
  if (found) run.setBreakpoints(breakpoints.filter(one => one !== found))
  else {
    const id = `line ${crypto.randomUUID()}`
    run.setBreakpoints([...breakpoints, { id, enabled: true, on: 'line', element, field, line, condition: '' }])
  }
}

/** Breakpoints go with their lines while the text around them is edited; two that meet on one become one. */
export function moveLines(run: Run, element: Id, field: string, lines: ReadonlyMap<string, number>): void {
  const taken = new Set<number>()
  const { breakpoints } = run.getState()
  const moved = breakpoints.flatMap(one => {
    if (one.on !== 'line' || one.element !== element || one.field !== field) return [one]
    const line = lines.get(one.id) ?? one.line
    if (taken.has(line)) return []
    taken.add(line)
    return [line === one.line ? one : { ...one, line }]
  })
  if (moved.length !== breakpoints.length || moved.some((one, k) => one !== breakpoints[k])) run.setBreakpoints(moved)
}

export function toggleIndividual(run: Run, population: Id, entity: number): void {
  const { breakpoints } = run.getState()
  const id = `entity ${population} ${entity}`
  const kept = breakpoints.filter(one => one.id !== id)
  run.setBreakpoints(kept.length < breakpoints.length ? kept : [...breakpoints, { id, enabled: true, on: 'entity', population, entity }])
}

export function toggleErrors(run: Run): void {
  const { breakpoints } = run.getState()
  const kept = breakpoints.filter(one => one.on !== 'error')
  run.setBreakpoints(kept.length < breakpoints.length ? kept : [...breakpoints, { id: 'error', enabled: true, on: 'error' }])
}

export function changeBreakpoint(run: Run, id: string, change: { enabled?: boolean; condition?: string }): void {
  run.setBreakpoints(
    run.getState().breakpoints.map(one => {
      if (one.id !== id) return one
      const made = { ...one, enabled: change.enabled ?? one.enabled }
      return (made.on === 'element' || made.on === 'line') && change.condition !== undefined
        ? { ...made, condition: change.condition }
        : made
    }),
  )
}

export const removeBreakpoint = (run: Run, id: string): void => run.setBreakpoints(run.getState().breakpoints.filter(one => one.id !== id))

/** The position of the stopped run in this formula: the line, whether it is the innermost call, and the values of its variables. */
type StandsAt = { readonly line: number; readonly innermost: boolean; readonly locals: Stop['stack'][number]['locals'] }

export function standsIn(stop: Stop | null, element: Id, field: string): StandsAt | null {
  const k = stop?.stack.findIndex(one => one.formula?.element === element && one.formula.field === field) ?? -1
  const at = stop?.stack[k]
  const line = at?.formula?.line ?? null
  return at && line !== null ? { line, innermost: k === 0, locals: at.locals } : null
}

/** The step before which the run is stopped, while it is. */
export const usePausedAt = (): Id | null => useRunView(view => view.stop?.stack[0]?.step.id ?? null)

/** Elements with a breakpoint, and whether it is on. */
export function useBreakpointMarks(): ReadonlyMap<Id, boolean> {
  const breakpoints = useRunView(view => view.breakpoints)
  return useMemo(
    () =>
      new Map(
        breakpoints.flatMap((one): [Id, boolean][] =>
          one.on === 'element' || one.on === 'line'
            ? [[one.element, one.enabled]]
            : one.on === 'change'
              ? [[one.variable, one.enabled]]
              : [],
        ),
      ),
    [breakpoints],
  )
}
