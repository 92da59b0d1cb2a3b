// The ways a formula was inferred: each with what it looked at, so that it is used again while that is the same.
import type { Effects, FunctionUse, Inferred, Parsed, Scope, Symbol, Type } from '../formula.ts'
import { inferFormula } from '../formula.ts'
import { sameType, stored } from '../formula/types.ts'
import { mentionOf } from './names/names.ts'
import type { FunctionPart, StepPart, VariablePart } from './parts.ts'
import type { Scopes } from './scopes.ts'

/** Mentioned by formulas for which all names were searched. */
export const anyName = '#'

/** Ways one formula was inferred, most remembered. */
export const mostWays = 24

/** One inference and the types it depends on. */
export type Way = {
  expects: Type | undefined
  variables: readonly VariablePart[]
  types: readonly Type[]
  functions: readonly FunctionPart[]
  signatures: readonly FunctionPart['signature'][]
  outputs: readonly StepPart[]
  inferred: Inferred
  /** It read something that had no type yet. */
  open: boolean
}

/** A formula's scope that notes which names were looked up, to see later whether they still mean the same. */
export class Watched implements Scope {
  readonly parsed: Parsed
  readonly scope: Scope
  ways: Way[] = []
  #version: number
  #noting = false
  /** All names were searched, to suggest one. */
  #listed = false
  /** It was inferred since its names were last asked for. */
  isFresh = false
  #alone: string | undefined
  #asked = false
  readonly #cells = new Map<string | null, string | null>()
  readonly #finds = new Map<string, Symbol | undefined>()
  readonly #members = new Map<string, { of: Type; name: string; symbol: Symbol | undefined }>()

  constructor(parsed: Parsed, scope: Scope, version: number) {
    this.parsed = parsed
    this.scope = scope
    this.#version = version
  }

  find(name: string): Symbol | undefined {
    const symbol = this.scope.find(name)
    if (this.#noting) this.#finds.set(name, symbol)
    return symbol
  }

  member(of: Type, name: string): Symbol | undefined {
    const symbol = this.scope.member(of, name)
    if (this.#noting) this.#members.set(`${of.is} ${'of' in of && typeof of.of === 'string' ? of.of : ''}.${name}`, { of, name, symbol })
    return symbol
  }

  names(): Iterable<Symbol> {
    if (this.#noting) this.#listed = true
    return this.scope.names()
  }

  members(of: Type): Iterable<Symbol> {
    if (this.#noting) this.#listed = true
    return this.scope.members(of)
  }

  get onlyAgents(): string | undefined {
    const alone = this.scope.onlyAgents
    if (this.#noting) [this.#asked, this.#alone] = [true, alone]
    return alone
  }

  cellsOf(population: string | null): string | null {
    const cells = this.scope.cellsOf?.(population) ?? null
    if (this.#noting) this.#cells.set(population, cells)
    return cells
  }

  infer(expects: Type | undefined): Inferred {
    this.#noting = this.isFresh = true
    try {
      return inferFormula(this.parsed, this, expects)
    } finally {
      this.#noting = false
    }
  }

  /** The names it depends on, and ids of elements it asks for something without naming them. */
  *mentions(): Generator<string> {
    this.isFresh = false
    if (this.#listed) yield anyName
    yield* this.#finds.keys()
    for (const { of, name } of this.#members.values()) {
      yield name
      if (of.is === 'element') yield mentionOf(of.of)
    }
  }

  /** Forgets what does not hold in this version of the model; false when that is so. */
  meet(scopes: Scopes): boolean {
    const since = this.#version
    if (since === scopes.version) return true
    this.#version = scopes.version
    if (this.#holds(scopes.changedAt(this.scope) > since, scopes.membersChangedAt > since)) return true
    this.ways = []
    this.#listed = this.#asked = false
    this.#finds.clear()
    this.#members.clear()
    this.#cells.clear()
    return false
  }

  #holds(changed: boolean, members: boolean): boolean {
    if (this.#listed || (this.#asked && this.#alone !== this.scope.onlyAgents)) return false
    if (changed) for (const [name, symbol] of this.#finds) if (this.scope.find(name) !== symbol) return false
    for (const { of, name, symbol } of this.#members.values())
      if ((members || of.is === 'element') && this.scope.member(of, name) !== symbol) return false
    for (const [population, cells] of this.#cells) if ((this.scope.cellsOf?.(population) ?? null) !== cells) return false
    return true
  }
}

export type Cell = VariablePart | FunctionPart

export const isSame = (a: Type | undefined, b: Type | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameType(a, b))

/** The inference of the formula with types as they are now; `read` receives the dependencies of a new one. */
export function wayOf(watched: Watched, expects: Type | undefined, scopes: Scopes, read: (cell: Cell) => void): Way {
  const { ways } = watched
  for (const way of ways) if (isNow(way) && isSame(way.expects, expects)) return way
  const reading = { cells: new Set<Cell>(), outputs: new Set<StepPart>() }
  scopes.reading = reading
  const inferred = watched.infer(expects)
  scopes.reading = null
  const variables: VariablePart[] = []
  const functions: FunctionPart[] = []
  for (const cell of reading.cells) {
    if ('signature' in cell) functions.push(cell)
    else variables.push(cell)
    read(cell)
  }
  const way: Way = {
    expects,
    variables,
    types: variables.map(variable => variable.type),
    functions,
    signatures: functions.map(fn => fn.signature),
    outputs: [...reading.outputs],
    inferred,
    open: inferred.reads.some(symbol => isOpen(symbol.type)),
  }
  if (ways.length >= mostWays) ways.shift()
  ways.push(way)
  return way
}

export function isNow({ variables, types, functions, signatures }: Way): boolean {
  for (let k = 0; k < variables.length; k++) if (variables[k]!.type !== types[k]) return false
  for (let k = 0; k < functions.length; k++) if (functions[k]!.signature !== signatures[k]) return false
  return true
}

const isOpen = (type: Type): boolean => type.is === 'never' || (type.is === 'function' && type.result.is === 'never')

/**
 * The types a call gives to the parameters of a function. While its formula is passed over, only those that come of nothing
 * without a type: the function's own result may wait for them. `defaultAt`: the default of a parameter.
 */
export function* argumentsOf(
  { args, open }: FunctionUse,
  { parameters }: FunctionPart,
  isPassedOver: boolean,
  defaultAt: (i: number) => Way | undefined | null,
): Generator<[FunctionPart['parameters'][number], Type]> {
  for (const [i, parameter] of parameters.entries()) {
    const given = args[i]
    const byDefault = given ? null : defaultAt(i)
    const isOpenHere = given ? open[i] : byDefault?.open
    const type = given ?? byDefault?.inferred.type
    if (type && !(isPassedOver && isOpenHere)) yield [parameter, stored(type)]
  }
}

export const sameEffects = (a: Effects, b: Effects): boolean =>
  (a.writes === true) === (b.writes === true) && (a.draws === true) === (b.draws === true) && (a.creates === true) === (b.creates === true)

/** What calling a function with this body may do, besides what was known. */
export function effectsOf(body: Way, before: Effects): Effects {
  const { writes, draws, mayCreate, functions } = body.inferred
  return {
    writes: before.writes === true || writes.length > 0 || mayCreate || functions.some(({ symbol }) => symbol.effects?.writes === true),
    draws: before.draws === true || draws,
    creates: before.creates === true || mayCreate,
  }
}
