// Formulas across edits, and the receivers of the types that each gives.
import type { Element } from '../../model-schema/model.ts'
import type { Type, Parsed } from '../formula.ts'
import { dictOf, listOf, never, number, setOf, stored } from '../formula/types.ts'
import type { Round } from './course.ts'
import { crossings, returns } from './crossings.ts'
import type { Crossing, Return } from './crossings.ts'
import type { Spec } from './formulas.ts'
import { keyOf, temporaryKey } from './names/keys.ts'
import type { EntityPart, FormulaPart, FunctionPart, Parts, StepPart, VariablePart } from './parts.ts'
import { cellText, rowsOf, textOf } from './resolve.ts'
import type { Watched, Way } from './ways.ts'

/** A formula, through its edits. */
export type Row = {
  spec: Spec
  parsed: Parsed
  remembered: Watched[]
  /** Its scope, once it was inferred. */
  watched: Watched | null
  /** Key of the formula with the type that determines the individual that this one is about, and that type. */
  leader: string | null
  led: Type | undefined
  /** As it was inferred last; in the first round of a check; in the end. */
  way: Way | null
  first: Way | null
  settled: Way | null
  part: FormulaPart | null
  /** Where it was taken account of, how it was inferred there, and with which type of its leader. */
  history: { readonly round: Round; readonly way: Way; readonly led: Type | undefined }[]
  /** The check that saw it last. */
  seen: number
  /** The last one in which names it mentions had come to mean something else. */
  suspected: number
  /** Whether it, or the meaning of its names, changed since its history was logged. */
  altered: boolean
  /** Its number among all. */
  place: number
  /** Steps of which it reads the output. */
  heeds: readonly StepPart[]
  targets: Targets
  /** As they were when its history was logged. */
  gave: Targets
}

export type Targets = {
  /** The variables that it gives initial values (also those of newborns and called processes); and the function of which it is the body. */
  readonly initialOf: readonly VariablePart[]
  readonly crossesTo: readonly VariablePart[]
  readonly bodyOf: FunctionPart | null
  /** The function with the parameter of which it is the default. */
  readonly defaultOf: FunctionPart | null
  /** What it gives in the end is of the type of this. */
  readonly wanted: { readonly type: Type } | null
}

export const noTargets: Targets = { initialOf: [], crossesTo: [], bodyOf: null, defaultOf: null, wanted: null }

export const isSameTargets = (a: Targets, b: Targets): boolean =>
  a === b ||
  (a.bodyOf === b.bodyOf &&
    a.defaultOf === b.defaultOf &&
    a.wanted === b.wanted &&
    isSameList(a.initialOf, b.initialOf) &&
    isSameList(a.crossesTo, b.crossesTo))

export const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i])

/** Where else types come from, worked out once for a structure. */
export type Sources = {
  variables: readonly VariablePart[]
  /** Those with a first value. */
  initialised: ReadonlySet<VariablePart>
  /** Interfaces that take what a message holds. */
  fed: ReadonlySet<VariablePart>
  byId: ReadonlyMap<string, readonly VariablePart[]>
  functions: ReadonlyMap<string, readonly Callable[]>
  crossings: readonly Crossing[]
  returns: readonly Return[]
}

type Callable = { readonly fn: FunctionPart; readonly body: Row | undefined; readonly defaults: readonly (Row | undefined)[] }

export const rowOf = (spec: Spec, parsed: Parsed): Row => ({
  spec,
  parsed,
  remembered: [],
  watched: null,
  leader: null,
  led: undefined,
  way: null,
  first: null,
  settled: null,
  part: null,
  history: [],
  seen: 0,
  suspected: 0,
  altered: true,
  place: 0,
  heeds: [],
  targets: noTargets,
  gave: noTargets,
})

/** Sets the targets of the rows, and returns the rest. Mutates the rows. */
export function sourcesOf(parts: Parts, byKey: ReadonlyMap<string, Row>, before: Sources | null): Sources {
  const found = [...parts.shared, ...parts.entities.flatMap(entity => entity.variables), ...parts.tokenColumns]
  const variables = before && isSameList(found, before.variables) ? before.variables : found
  const overridden = overrides(parts)
  const crossed = crossings(parts)
  for (const { key, variable } of crossed) {
    const row = byKey.get(key)
    if (row) row.targets = { ...row.targets, crossesTo: [...row.targets.crossesTo, variable], wanted: variable }
  }
  const callables = parts.functions.map((fn): Callable => {
    const body = byKey.get(keyOf(fn, 'body'))
    if (body) body.targets = { ...body.targets, bodyOf: fn }
    const defaults = fn.parameters.map(({ key }, i) => {
      const row = key ? byKey.get(defaultKey(fn, key)) : undefined
      if (row) row.targets = { ...row.targets, defaultOf: fn, wanted: fn.parameters[i] ?? null }
      return row
    })
    return { fn, body, defaults }
  })
  const initialised = new Set<VariablePart>()
  for (const variable of variables) {
    variable.initialKey = overridden.get(variable.id) ?? ownInitialKey(variable)
    const row = byKey.get(variable.initialKey)
    if (!row) continue
    initialised.add(variable)
    const { gave } = row
    const isAsBefore =
      gave.initialOf.length === 1 && gave.initialOf[0] === variable && gave.wanted === variable && gave.crossesTo.length === 0
    if (isAsBefore && row.targets === noTargets) row.targets = gave
    else row.targets = { ...row.targets, initialOf: [...row.targets.initialOf, variable], wanted: variable }
  }
  return {
    variables,
    initialised,
    fed: new Set(parts.tokenColumns.filter(messageFed)),
    byId: before?.variables === variables ? before.byId : Map.groupBy(variables, variable => variable.id),
    functions: Map.groupBy(callables, ({ fn }) => fn.id),
    crossings: crossed,
    returns: returns(parts),
  }
}

const defaultKey = (fn: FunctionPart, key: string): string => keyOf(fn, key.slice(key.indexOf('/') + 1))

/** Formulas of the scenario that give variables their first values, by the variables' ids. */
function overrides(parts: Parts): Map<string, string> {
  const overridden = new Map<string, string>()
  for (const [i, row] of rowsOf(parts.scenario, 'overrides').entries()) {
    const id = row['variable']
    if (typeof id === 'string' && cellText(row, 'value').trim() !== '')
      overridden.set(id, keyOf({ id: parts.scenario.id, entity: null }, `overrides/${i}/value`))
  }
  return overridden
}

const initialBefore = new WeakMap<Element, { entity: EntityPart | null; key: string }>()

function ownInitialKey(variable: VariablePart): string {
  const { element, entity } = variable
  const known = initialBefore.get(element)
  if (known?.entity === entity) return known.key
  const field = textOf(element, 'initial').trim() !== '' ? 'initial' : 'default'
  const key = variable.level === 'token' ? temporaryKey(variable, field) : keyOf(variable, field)
  initialBefore.set(element, { entity, key })
  return key
}

/** A list, dict or set never becomes another kind; a value is what is written to it. */
export function startType(variable: VariablePart): Type {
  const type = variable.element.fields['type']
  if (type === 'list') return listOf(never)
  if (type === 'set') return setOf(never)
  if (type === 'dict') return dictOf(never, never)
  return never
}

/** A variable that is a list keeps the numbers of a range. */
export const keptIn = (variable: VariablePart, type: Type): Type =>
  type.is === 'range' && variable.element.fields['type'] === 'list' ? listOf(number) : stored(type)

/** A kept reference may have become dead or None: it is not sure any more. */
export function forget(type: Type): Type {
  return type.is === 'entity' && type.sure ? { is: 'entity', of: type.of } : type
}

/** Interfaces of a process started by a message take its payload, whatever it holds. */
const messageFed = (variable: VariablePart): boolean =>
  variable.direction !== null && variable.process?.start?.element.fields['trigger'] === 'message'

/** How a formula was inferred last, up to this round. */
export function wayAt(history: Row['history'], { n }: Round): Way | undefined {
  return history.findLast(({ round }) => round.n <= n)?.way
}

/** How a formula was inferred when it was taken account of in this round. */
export function wayIn(history: Row['history'], at: Round): Way | undefined {
  return history.find(({ round }) => round === at)?.way
}
