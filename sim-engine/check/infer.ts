// The types of all variables together. Every formula is inferred; what is written to a variable joins its type; again,
// until no type grows. Types only grow and are few, so this ends; a variable that keeps growing becomes `any`.
//
// What a formula gives follows from its text, from the symbols its names mean and from the types those have. With each
// inference is kept what it looked at, so that after an edit (and in the next round) it is made again only when one of
// these is different. The outcome is the same as without a memory.
import type { Element, Id } from '../../model-schema/model.ts'
import { inferFormula, join, parseFormula } from '../formula.ts'
import type { Inferred, Parsed, Scope, Symbol, Type } from '../formula.ts'
import { any, dictOf, listOf, never, none, number, sameType, setOf, stored } from '../formula/types.ts'
import { crossings, returns } from './crossings.ts'
import type { Crossing, Return } from './crossings.ts'
import { findBytes } from './bytes.ts'
import { specsOf, writtenIn } from './formulas.ts'
import { keyOf, temporaryKey } from './keys.ts'
import type { Spec } from './formulas.ts'
import type { FormulaPart, FunctionPart, Parts, StepPart, Storage, VariablePart } from './parts.ts'
import { cellText, rowsOf, textOf } from './resolve.ts'
import { Scopes } from './scopes.ts'
import type { Standing } from './scopes.ts'

export type Typed = { formulas: Map<string, FormulaPart>; scopes: Scopes }

const rounds = 20
/** Ways one formula was inferred, most remembered. */
const mostWays = 24
/** More formulas remembered than these times those there are: the others are forgotten. */
const slack = 4

/** One inference and the types it depends on. */
type Way = {
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
class Watched implements Scope {
  readonly parsed: Parsed
  readonly scope: Scope
  ways: Way[] = []
  #version: number
  #noting = false
  /** All names were gone through, to suggest one. */
  #listed = false
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
    this.#noting = true
    try {
      return inferFormula(this.parsed, this, expects)
    } finally {
      this.#noting = false
    }
  }

  /** Forgets what does not hold in this version of the model; false when that is so. */
  meet(scopes: Scopes): boolean {
    const since = this.#version
    if (since === scopes.version) return true
    this.#version = scopes.version
    if (this.#holds(scopes.changedAt(this.scope) > since)) return true
    this.ways = []
    this.#listed = this.#asked = false
    this.#finds.clear()
    this.#members.clear()
    this.#cells.clear()
    return false
  }

  #holds(changed: boolean): boolean {
    if (this.#listed || (this.#asked && this.#alone !== this.scope.onlyAgents)) return false
    if (changed) for (const [name, symbol] of this.#finds) if (this.scope.find(name) !== symbol) return false
    for (const { of, name, symbol } of this.#members.values()) if (this.scope.member(of, name) !== symbol) return false
    for (const [population, cells] of this.#cells) if ((this.scope.cellsOf?.(population) ?? null) !== cells) return false
    return true
  }
}

type Cell = VariablePart | FunctionPart

/** A formula, through its edits. */
type Row = {
  spec: Spec
  parsed: Parsed
  remembered: Watched[]
  /** Its scope, once it was inferred. */
  watched: Watched | null
  /** Key of the formula whose type says who is meant in this one, and that type. */
  leader: string | null
  led: Type | undefined
  /** As it was inferred last; in the first round of a check; in the end. */
  way: Way | null
  first: Way | null
  settled: Way | null
  part: FormulaPart | null
  /** The check that saw it last. */
  seen: number
  /** Whose values it gives: their first ones, those of newborns and called processes; and whose body it is. */
  initialOf: VariablePart[]
  crossesTo: VariablePart[]
  bodyOf: FunctionPart | null
  /** What it gives in the end is of the type of this. */
  wanted: { readonly type: Type } | null
}

/** Where else types come from, worked out once for a structure. */
type Sources = {
  variables: readonly VariablePart[]
  /** Those with a first value. */
  initialised: ReadonlySet<VariablePart>
  byId: ReadonlyMap<string, readonly VariablePart[]>
  functions: ReadonlyMap<string, readonly Callable[]>
  crossings: readonly Crossing[]
  returns: readonly Return[]
}

type Callable = { readonly fn: FunctionPart; readonly body: Row | undefined; readonly defaults: readonly (Row | undefined)[] }

/** Infers a model again and again while it is edited. */
export class Inferring {
  readonly #parses = new Map<string, Parsed>()
  readonly #seen = new WeakMap<VariablePart, Type[]>()
  readonly #said = new WeakMap<FunctionPart, FunctionPart['signature'][]>()
  readonly #readers = new WeakMap<Cell, Set<Row>>()
  readonly #known = new Map<string, Row>()
  #scopes: Scopes | null = null
  #rows: readonly Row[] = []
  /** Made when it is asked for. */
  #byElement: ReadonlyMap<Id, readonly Row[]> | null = null
  #sources: Sources = { variables: [], initialised: new Set(), byId: new Map(), functions: new Map(), crossings: [], returns: [] }
  #checks = 0
  #led = new Map<string, Row[]>()
  readonly #ranges = new Map<string, Type>()
  /** What grew since the last round. */
  readonly #grown = new Set<Cell>()

  /** `edited`: the elements whose formulas' texts alone are not what they were; null when anything may be. */
  infer(parts: Parts, edited: ReadonlyMap<Id, Element> | null): Typed {
    const scopes = (this.#scopes ??= new Scopes(parts))
    if (!edited) scopes.renew(parts)
    scopes.pending.clear()
    scopes.outputs.clear()
    if (!edited || !this.#reread(edited)) this.#read(parts, scopes)
    for (const variable of this.#sources.variables) this.#setType(variable, startType(variable))
    for (const fn of parts.functions) {
      fn.result = never
      fn.effects = {}
      for (const parameter of fn.parameters) parameter.type = never
      this.#sign(fn)
    }
    // While types are still coming in, formulas that read what has none yet are passed over: what they would say is too wide.
    let patient = true
    let fresh = this.#round(scopes, null)
    for (let round = 0; ; round++) {
      const last = round >= rounds
      this.#grow(last ? this.#rows : fresh, patient, last, round === 0)
      if (last || (this.#grown.size === 0 && !patient)) break
      if (this.#grown.size === 0) {
        patient = false
        fresh = this.#rows.filter(row => row.way?.open)
      } else fresh = this.#round(scopes, this.#grown)
    }
    return { formulas: this.#settle(parts, scopes), scopes }
  }

  /** Formulas that give a variable a value must give the variable's own type. */
  #settle(parts: Parts, scopes: Scopes): Map<string, FormulaPart> {
    const { variables, crossings: crossed } = this.#sources
    for (const variable of variables) variable.storage = storageOf(variable.type)
    const formulas = new Map<string, FormulaPart>()
    for (const row of this.#rows) {
      const { spec } = row
      // A range of entities stays a query: its items come as handles, not as references in a list.
      const range = spec.field === 'range' ? row.way?.inferred.type : undefined
      const query = range?.is === 'entities' || range?.is === 'observer' || range?.is === 'entity' ? range : undefined
      const way = this.#visit(row, row.settled, query ?? row.wanted?.type ?? spec.expects, scopes)
      row.settled = way
      if (spec.field === 'range') this.#ranges.set(spec.key, way.inferred.type)
      if (row.part?.inferred !== way.inferred || row.part.key !== spec.key || row.part.text !== spec.text)
        row.part = { key: spec.key, id: spec.id, field: spec.field, text: spec.text, inferred: way.inferred }
      formulas.set(spec.key, row.part)
      for (const step of way.outputs) scopes.outputs.add(step)
    }
    findBytes(parts, formulas, crossed)
    return formulas
  }

  /** Takes the new texts of these elements; false when other formulas are blank than were. */
  #reread(edited: ReadonlyMap<Id, Element>): boolean {
    const byElement = (this.#byElement ??= Map.groupBy(this.#rows, row => row.spec.id))
    for (const [id, element] of edited) {
      const written = writtenIn(element)
      const rows = byElement.get(id) ?? []
      if (new Set(rows.map(row => row.spec.field)).size !== written.length) return false
      for (const row of rows) {
        const now = written.find(one => one.field === row.spec.field)
        if (!now) return false
        row.spec.text = now.text
        row.parsed = this.#parse(row.spec)
        if (row.parsed !== row.watched?.parsed) row.watched = row.way = row.first = row.settled = null
      }
    }
    return true
  }

  /** Finds all formulas, and where else types come from. */
  #read(parts: Parts, scopes: Scopes): void {
    const specs = specsOf(parts)
    this.#checks++
    if (this.#known.size > slack * (specs.length + 100)) this.#known.clear()
    if (this.#parses.size > slack * (specs.length + 1000)) this.#parses.clear()
    const scopeOf = new Map<object, Scope>()
    this.#led = new Map()
    this.#rows = specs.map(spec => {
      let row = this.#known.get(spec.lasting)
      const parsed = row && row.spec.text === spec.text && row.spec.context === spec.context ? row.parsed : this.#parse(spec)
      if (!row || row.seen === this.#checks) this.#known.set(spec.lasting, (row = rowOf(spec, parsed)))
      row.seen = this.#checks
      row.spec = spec
      row.parsed = parsed
      row.bodyOf = row.wanted = null
      if (row.initialOf.length > 0) row.initialOf = []
      if (row.crossesTo.length > 0) row.crossesTo = []
      row.leader = null
      const standing =
        typeof spec.standing === 'function'
          ? standingNow(spec, scopes, key => {
              row.leader = key
              return undefined
            })
          : spec.standing
      let scope = row.leader === null ? scopeOf.get(standing) : undefined
      if (!scope && row.leader === null) scopeOf.set(standing, (scope = scopes.at(standing)))
      const { watched } = row
      const holds = watched?.parsed === parsed && (scope === undefined || watched.scope === scope) && watched.meet(scopes)
      if (!holds) row.watched = row.way = row.first = row.settled = null
      // Where a led one stands is found again.
      if (row.leader !== null) {
        row.watched = null
        const led = this.#led.get(row.leader)
        if (led) led.push(row)
        else this.#led.set(row.leader, [row])
      }
      return row
    })
    this.#byElement = null
    this.#sources = sourcesOf(parts, this.#rows)
  }

  #parse({ context, text }: Spec): Parsed {
    const key = `${context}\n${text}`
    let parsed = this.#parses.get(key)
    if (!parsed) this.#parses.set(key, (parsed = parseFormula(text, context)))
    return parsed
  }

  /** Infers what may be different than in the round before: all, or what reads what grew. Gives what is. */
  #round(scopes: Scopes, grown: ReadonlySet<Cell> | null): readonly Row[] {
    if (!grown) this.#ranges.clear()
    const rows = grown ? new Set([...grown].flatMap(cell => [...(this.#readers.get(cell) ?? [])])) : this.#rows
    const fresh: Row[] = []
    const take = (row: Row): void => {
      const { spec } = row
      const way = this.#visit(row, grown ? row.way : row.first, spec.expects, scopes)
      if (!grown) row.first = way
      else if (way === row.way) return
      row.way = way
      fresh.push(row)
      if (spec.field === 'range') this.#ranges.set(spec.key, way.inferred.type)
    }
    const led = new Set<Row>()
    for (const row of rows) {
      if (row.seen !== this.#checks) continue
      if (row.leader === null) take(row)
      else led.add(row)
    }
    // Whose range gives others now stand elsewhere.
    if (grown) for (const row of fresh) for (const follower of this.#led.get(row.spec.key) ?? []) led.add(follower)
    for (const row of led) take(row)
    return fresh
  }

  /** The inference of a formula with types as they are now; `hint` may be it. */
  #visit(row: Row, hint: Way | null, expects: Type | undefined, scopes: Scopes): Way {
    const { leader } = row
    const range = leader === null ? undefined : this.#ranges.get(leader)
    const stays = row.watched !== null && row.led === range
    if (hint && stays && isNow(hint) && isSame(hint.expects, expects)) return hint
    if (!row.watched || !stays) {
      const standing = standingNow(row.spec, scopes, () => range)
      row.watched = watchedIn(row, scopes.at(standing), scopes)
      row.led = range
    }
    return wayOf(row.watched, expects, scopes, cell => {
      const readers = this.#readers.get(cell)
      if (readers) readers.add(row)
      else this.#readers.set(cell, new Set([row]))
    })
  }

  /** Equal types are the same object, so that they are told apart at a glance. */
  #setType(variable: VariablePart, type: Type): void {
    let seen = this.#seen.get(variable)
    if (!seen) this.#seen.set(variable, (seen = []))
    const known = seen.find(one => sameType(one, type))
    if (!known) seen.push(type)
    variable.type = known ?? type
    this.#grown.add(variable)
  }

  #sign(fn: FunctionPart): void {
    let said = this.#said.get(fn)
    if (!said) this.#said.set(fn, (said = []))
    const { effects, result } = fn
    const params = fn.parameters.map(({ name, type, key }) => ({ name, type, optional: key !== null }))
    const known = said.find(
      ({ type, effects: before }) =>
        type.is === 'function' &&
        sameType(type.result, result) &&
        type.params.length === params.length &&
        params.every((one, i) => {
          const other = type.params[i]
          return other?.name === one.name && other.optional === one.optional && sameType(other.type, one.type)
        }) &&
        before.writes === effects.writes &&
        before.draws === effects.draws &&
        before.creates === effects.creates,
    )
    const signature = known ?? { type: { is: 'function', params, result }, effects }
    if (!known) said.push(signature)
    if (signature !== fn.signature) this.#grown.add(fn)
    fn.signature = signature
  }

  /**
   * Joins what rows give into the types of variables and functions, and notes which grew. What was joined in an earlier
   * round is in them already. Mutates the parts.
   */
  #grow(rows: readonly Row[], patient: boolean, last: boolean, first: boolean): void {
    const { variables, initialised, byId, functions, returns: returned } = this.#sources
    this.#grown.clear()
    const called = new Set<FunctionPart>()
    const widen = (variable: VariablePart, type: Type): void => {
      const before = variable.type
      if (before === type) return
      const next = last ? any : join(before, forget(keptIn(variable, type)))
      if (sameType(before, next)) return
      this.#setType(variable, last && (before.is === 'list' || before.is === 'dict' || before.is === 'set') ? widest(before) : next)
    }
    const result = (fn: FunctionPart, type: Type): void => {
      const next = join(fn.result, type)
      if (sameType(next, fn.result)) return
      fn.result = last ? any : next
      called.add(fn)
    }
    if (first) {
      for (const variable of variables) {
        if (messageFed(variable)) widen(variable, any)
        if (!initialised.has(variable)) widen(variable, startType(variable).is === 'never' ? none : never)
      }
      for (const { fn, body } of [...functions.values()].flat()) if (!body) result(fn, none)
    }
    for (const { from, to } of returned) widen(to, from.type)
    for (const { way, initialOf, crossesTo, bodyOf } of rows) {
      if (!way) continue
      const { type, writes, functions: uses } = way.inferred
      if (bodyOf && widenEffects(bodyOf, way)) called.add(bodyOf)
      if (patient && way.open) continue
      for (const variable of initialOf) widen(variable, type)
      for (const variable of crossesTo) widen(variable, type)
      for (const write of writes) for (const variable of byId.get(write.symbol.id ?? '') ?? []) widen(variable, write.type)
      for (const { symbol, args } of uses)
        for (const { fn, defaults } of functions.get(symbol.id ?? '') ?? []) if (widenParameters(fn, args, defaults)) called.add(fn)
      if (bodyOf) result(bodyOf, stored(type))
    }
    for (const fn of called) this.#sign(fn)
  }
}

/** Where a formula stands, given the types of the ranges it asks for. */
const standingNow = ({ standing }: Spec, scopes: Scopes, range: (key: string) => Type | undefined): Standing =>
  typeof standing === 'function'
    ? standing({ type: range, entity: id => scopes.entity(id), parameter: (fn, i) => scopes.parameterSymbol(fn, i) })
    : standing

const rowOf = (spec: Spec, parsed: Parsed): Row => ({
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
  seen: 0,
  initialOf: [],
  crossesTo: [],
  bodyOf: null,
  wanted: null,
})

/** The formula in this scope, as it was met before or new. */
function watchedIn({ parsed, remembered }: Row, scope: Scope, scopes: Scopes): Watched {
  let watched = remembered.find(one => one.scope === scope && one.parsed === parsed)
  if (!watched) {
    watched = new Watched(parsed, scope, scopes.version)
    remembered.push(watched)
    if (remembered.length > mostWays) remembered.shift()
  }
  watched.meet(scopes)
  return watched
}

const isSame = (a: Type | undefined, b: Type | undefined): boolean => a === b || (a !== undefined && b !== undefined && sameType(a, b))

/** The inference of the formula with types as they are now; `read` is told what a new one depends on. */
function wayOf(watched: Watched, expects: Type | undefined, scopes: Scopes, read: (cell: Cell) => void): Way {
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

function isNow({ variables, types, functions, signatures }: Way): boolean {
  for (let k = 0; k < variables.length; k++) if (variables[k]!.type !== types[k]) return false
  for (let k = 0; k < functions.length; k++) if (functions[k]!.signature !== signatures[k]) return false
  return true
}

/** Tells the rows what they give, and gives the rest. Mutates the rows. */
function sourcesOf(parts: Parts, rows: readonly Row[]): Sources {
  const variables = [...parts.shared, ...parts.entities.flatMap(entity => entity.variables), ...parts.tokenColumns]
  const initials = initialKeys(parts, variables)
  const byKey = new Map(rows.map(row => [row.spec.key, row]))
  const crossed = crossings(parts)
  for (const { key, variable } of crossed) {
    const row = byKey.get(key)
    if (!row) continue
    row.crossesTo.push(variable)
    row.wanted = variable
  }
  const callables = parts.functions.map((fn): Callable => {
    const body = byKey.get(keyOf(fn, 'body'))
    if (body) body.bodyOf = fn
    const defaults = fn.parameters.map(({ key }, i) => {
      const row = key ? byKey.get(defaultKey(fn, key)) : undefined
      if (row) row.wanted = fn.parameters[i] ?? null
      return row
    })
    return { fn, body, defaults }
  })
  const initialised = new Set<VariablePart>()
  for (const variable of variables) {
    const row = byKey.get(variable.initialKey)
    if (!row) continue
    initialised.add(variable)
    row.initialOf.push(variable)
  }
  for (const [key, variable] of initials) {
    const row = byKey.get(key)
    if (row) row.wanted = variable
  }
  return {
    variables,
    initialised,
    byId: Map.groupBy(variables, variable => variable.id),
    functions: Map.groupBy(callables, ({ fn }) => fn.id),
    crossings: crossed,
    returns: returns(parts),
  }
}

const defaultKey = (fn: FunctionPart, key: string): string => keyOf(fn, key.slice(key.indexOf('/') + 1))

function widenEffects(fn: FunctionPart, body: Way): boolean {
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

function widenParameters(fn: FunctionPart, args: readonly (Type | null)[], defaults: readonly (Row | undefined)[]): boolean {
  let grown = false
  fn.parameters.forEach((parameter, i) => {
    const given = args[i] ?? defaults[i]?.way?.inferred.type
    if (!given) return
    const next = join(parameter.type, forget(stored(given)))
    if (sameType(next, parameter.type)) return
    parameter.type = next
    grown = true
  })
  return grown
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

const isOpen = (type: Type): boolean => type.is === 'never' || (type.is === 'function' && type.result.is === 'never')

/** A variable that is a list keeps the numbers of a range. */
const keptIn = (variable: VariablePart, type: Type): Type =>
  type.is === 'range' && variable.element.fields['type'] === 'list' ? listOf(number) : stored(type)

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
