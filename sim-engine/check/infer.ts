// The types of all variables together. Every formula is inferred; what is written to a variable joins its type; again,
// until no type grows. Types only grow and are few, so this ends; a variable that keeps growing becomes `any`.
import { inferFormula, join, parseFormula } from '../formula.ts'
import type { Inferred, Parsed, Type } from '../formula.ts'
import { any, dictOf, listOf, never, none, sameType, setOf, stored } from '../formula/types.ts'
import { crossings, returns } from './crossings.ts'
import { findBytes } from './bytes.ts'
import { specsOf } from './formulas.ts'
import { keyOf, temporaryKey } from './keys.ts'
import type { Known, Spec } from './formulas.ts'
import type { FormulaPart, FunctionPart, Parts, Storage, VariablePart } from './parts.ts'
import { cellText, rowsOf, textOf } from './resolve.ts'
import { Scopes } from './scopes.ts'

export type Typed = { formulas: Map<string, FormulaPart>; scopes: Scopes }

/** Parsed formulas of earlier checks, by text and context. */
export type ParseCache = Map<string, Parsed>

const rounds = 20

export function inferAll(parts: Parts, cache: ParseCache): Typed {
  const specs = specsOf(parts)
  const parsed = specs.map(spec => parseOnce(spec, cache))
  const variables = [...parts.shared, ...parts.entities.flatMap(entity => entity.variables), ...parts.tokenColumns]
  for (const variable of variables) variable.type = startType(variable)
  for (const fn of parts.functions) {
    fn.result = never
    fn.effects = {}
    for (const parameter of fn.parameters) parameter.type = never
  }
  const initials = initialKeys(parts, variables)
  // While types are still coming in, formulas that read what has none yet are passed over: what they would say is too wide.
  let patient = true
  for (let round = 0; ; round++) {
    const last = round >= rounds
    const scopes = new Scopes(parts)
    const found = inferRound(specs, parsed, scopes, initials, parts)
    const grown = grow(parts, variables, found, patient, last)
    if (!grown && patient) patient = false
    else if (!grown || last) {
      for (const variable of variables) variable.storage = storageOf(variable.type)
      findBytes(parts, found)
      // Formulas that give a variable its first value must give the variable's own type.
      const final = new Scopes(parts)
      return { formulas: inferRound(specs, parsed, final, initials, parts, found), scopes: final }
    }
  }
}

/**
 * The same for a model in which only texts of formulas changed: unchanged formulas stay as they were. null when a change
 * reaches further than its own formula (it writes something else, gives another type ...): then all must be inferred.
 */
export function inferAgain(parts: Parts, before: Typed, cache: ParseCache): Typed | null {
  const specs = specsOf(parts)
  if (specs.length !== before.formulas.size) return null
  const variables = [...parts.shared, ...parts.entities.flatMap(entity => entity.variables), ...parts.tokenColumns]
  const keys = variables.map(variable => variable.initialKey)
  const initials = initialKeys(parts, variables)
  if (variables.some((variable, k) => variable.initialKey !== keys[k])) return null
  const formulas = new Map<string, FormulaPart>()
  const known: Known = { type: key => formulas.get(key)?.inferred.type, entity: id => before.scopes.entity(id) }
  const wanted = wantedTypes(parts)
  for (const spec of specs) {
    const old = before.formulas.get(spec.key)
    if (!old || old.id !== spec.id) return null
    if (old.text === spec.text) {
      formulas.set(spec.key, old)
      continue
    }
    const expects = initials.get(spec.key)?.type ?? (spec.field === 'range' ? undefined : (wanted.get(spec.key) ?? spec.expects))
    if (spec.field === 'range') return null
    const inferred = inferFormula(parseOnce(spec, cache), before.scopes.at(spec.standing(known)), expects)
    if (reachOf(inferred) !== reachOf(old.inferred)) return null
    formulas.set(spec.key, { ...old, text: spec.text, inferred })
  }
  const storages = variables.map(variable => variable.storage)
  for (const variable of variables) variable.storage = storageOf(variable.type)
  findBytes(parts, formulas)
  return variables.some((variable, k) => variable.storage !== storages[k]) ? null : { formulas, scopes: before.scopes }
}

/** What a formula does to the rest of the model, as text. */
const reachOf = ({ type, writes, functions, draws, mayCreate }: Inferred): string =>
  JSON.stringify([
    type,
    draws,
    mayCreate,
    writes.map(write => [write.symbol.id, write.type]),
    functions.map(use => [use.symbol.id, use.args]),
  ])

function parseOnce(spec: Spec, cache: ParseCache): Parsed {
  const key = `${spec.context}\n${spec.text}`
  const known = cache.get(key)
  if (known) return known
  const made = parseFormula(spec.text, spec.context)
  cache.set(key, made)
  return made
}

/** A list, dict or set never becomes another kind; a value is what is written to it. */
function startType(variable: VariablePart): Type {
  const type = variable.element.fields['type']
  if (type === 'list') return listOf(never)
  if (type === 'set') return setOf(never)
  if (type === 'dict') return dictOf(never, never)
  return never
}

/** Which formula gives which variable its first value. */
function initialKeys(parts: Parts, variables: readonly VariablePart[]): Map<string, VariablePart> {
  const initials = new Map<string, VariablePart>()
  for (const variable of variables) variable.initialKey = ''
  const overridden = new Map<string, string>()
  for (const [i, row] of rowsOf(parts.scenario, 'overrides').entries()) {
    const id = row['variable']
    if (typeof id === 'string' && cellText(row, 'value').trim() !== '')
      overridden.set(id, keyOf({ id: parts.scenario.id, entity: null }, `overrides/${i}/value`))
  }
  for (const variable of variables) {
    const own = (field: string) => (variable.level === 'token' ? temporaryKey(variable, field) : keyOf(variable, field))
    const field = textOf(variable.element, 'initial').trim() !== '' ? 'initial' : 'default'
    variable.initialKey = overridden.get(variable.id) ?? own(field)
    initials.set(variable.initialKey, variable)
  }
  return initials
}

function inferRound(
  specs: readonly Spec[],
  parsed: readonly Parsed[],
  scopes: Scopes,
  initials: ReadonlyMap<string, VariablePart>,
  parts: Parts,
  before: ReadonlyMap<string, FormulaPart> | null = null,
): Map<string, FormulaPart> {
  const found = new Map<string, FormulaPart>()
  const known: Known = { type: key => found.get(key)?.inferred.type, entity: id => scopes.entity(id) }
  const final = before !== null
  const wanted = final ? wantedTypes(parts) : null
  specs.forEach((spec, i) => {
    const tree = parsed[i]
    if (!tree) return
    const variable = initials.get(spec.key)
    // A range of entities stays a query: its items come as handles, not as references in a list.
    const range = spec.field === 'range' ? before?.get(spec.key)?.inferred.type : undefined
    const query = range?.is === 'entities' || range?.is === 'observer' || range?.is === 'entity' ? range : undefined
    const expects = final && variable ? variable.type : (query ?? wanted?.get(spec.key) ?? spec.expects)
    const inferred = inferFormula(tree, scopes.at(spec.standing(known)), expects)
    found.set(spec.key, { key: spec.key, id: spec.id, field: spec.field, text: spec.text, inferred })
  })
  return found
}

/** Types of what crosses from one formula into another variable: properties of newborns, inputs of calls, parameters. */
function wantedTypes(parts: Parts): Map<string, Type> {
  const wanted = new Map<string, Type>()
  for (const { key, variable } of crossings(parts)) wanted.set(key, variable.type)
  for (const fn of parts.functions)
    for (const parameter of fn.parameters)
      if (parameter.key) wanted.set(keyOf(fn, parameter.key.slice(parameter.key.indexOf('/') + 1)), parameter.type)
  return wanted
}

/** Joins what was found into the variables' types; true when one grew. Mutates the parts. */
function grow(
  parts: Parts,
  variables: readonly VariablePart[],
  found: ReadonlyMap<string, FormulaPart>,
  patient: boolean,
  last: boolean,
): boolean {
  const byId = new Map<string, VariablePart[]>()
  for (const variable of variables) {
    const known = byId.get(variable.id)
    if (known) known.push(variable)
    else byId.set(variable.id, [variable])
  }
  let grown = false
  const ready = (formula: FormulaPart): boolean => !patient || !formula.inferred.reads.some(symbol => isOpen(symbol.type))
  const widen = (variable: VariablePart, type: Type): void => {
    const before = variable.type
    const next = last ? any : join(before, forget(stored(type)))
    if (sameType(before, next)) return
    variable.type = last && (before.is === 'list' || before.is === 'dict' || before.is === 'set') ? widest(before) : next
    grown = true
  }
  for (const variable of variables) {
    const initial = found.get(variable.initialKey)
    if (initial && !ready(initial)) continue
    widen(variable, initial ? initial.inferred.type : startType(variable).is === 'never' ? none : never)
    if (messageFed(variable)) widen(variable, any)
  }
  for (const { key, variable } of crossings(parts)) {
    const value = found.get(key)
    if (value && ready(value)) widen(variable, value.inferred.type)
  }
  for (const { from, to } of returns(parts)) widen(to, from.type)
  for (const formula of found.values()) {
    if (!ready(formula)) continue
    for (const write of formula.inferred.writes) {
      for (const variable of byId.get(write.symbol.id ?? '') ?? []) widen(variable, write.type)
    }
    for (const use of formula.inferred.functions) {
      for (const fn of parts.functions) if (fn.id === use.symbol.id) grown = widenParameters(fn, use.args, found) || grown
    }
  }
  for (const fn of parts.functions) grown = widenEffects(fn, found.get(keyOf(fn, 'body'))) || grown
  for (const fn of parts.functions) {
    const body = found.get(keyOf(fn, 'body'))
    if (body && !ready(body)) continue
    const result = join(fn.result, body ? stored(body.inferred.type) : none)
    if (!sameType(result, fn.result)) {
      fn.result = last ? any : result
      grown = true
    }
  }
  return grown
}

function widenEffects(fn: FunctionPart, body: FormulaPart | undefined): boolean {
  if (!body) return false
  const { writes, draws, mayCreate, functions } = body.inferred
  const before = fn.effects
  const found = {
    writes: before.writes === true || writes.length > 0 || mayCreate || functions.some(({ symbol }) => symbol.effects?.writes === true),
    draws: before.draws === true || draws,
    creates: before.creates === true || mayCreate,
  }
  if (found.writes === (before.writes === true) && found.draws === (before.draws === true) && found.creates === (before.creates === true))
    return false
  fn.effects = found
  return true
}

function widenParameters(fn: FunctionPart, args: readonly (Type | null)[], found: ReadonlyMap<string, FormulaPart>): boolean {
  let grown = false
  fn.parameters.forEach((parameter, i) => {
    const given =
      args[i] ?? (parameter.key ? found.get(keyOf(fn, parameter.key.slice(parameter.key.indexOf('/') + 1)))?.inferred.type : undefined)
    if (!given) return
    const next = join(parameter.type, forget(stored(given)))
    if (sameType(next, parameter.type)) return
    parameter.type = next
    grown = true
  })
  return grown
}

const isOpen = (type: Type): boolean => type.is === 'never' || (type.is === 'function' && type.result.is === 'never')

/** A kept reference may come to be dead or None: it is not sure any more. */
function forget(type: Type): Type {
  return type.is === 'entity' && type.sure ? { is: 'entity', of: type.of } : type
}

function widest(type: Type): Type {
  if (type.is === 'list') return listOf(any)
  if (type.is === 'set') return setOf(any)
  return dictOf(any, any)
}

/** Interfaces of a process started by a message take its payload, whatever it holds. */
const messageFed = (variable: VariablePart): boolean =>
  variable.direction !== null && variable.process?.start?.element.fields['trigger'] === 'message'

function storageOf(type: Type): Storage {
  if (type.is === 'number') return 'number'
  if (type.is === 'bool') return 'bool'
  if (type.is === 'entity' && type.of !== null) return 'entity'
  return 'any'
}
