// The types of all variables together. Every formula is inferred; what is written to a variable joins its type; again,
// until no type grows. Types only grow and are few, so this ends; a variable that keeps growing becomes `any`.
//
// What a formula gives follows from its text, from the symbols its names mean and from the types those have. With each
// inference is kept what it looked at, so that after an edit (and in the next round) it is made again only when one of
// these is different. The outcome is the same as without a memory.
import type { Element, Id } from '../../model-schema/model.ts'
import { inferFormula, join, parseFormula } from '../formula.ts'
import type { Inferred, Parsed, Scope, Symbol, Type } from '../formula.ts'
import { any, dictOf, listOf, never, none, sameType, setOf, stored } from '../formula/types.ts'
import { crossings, returns } from './crossings.ts'
import type { Crossing, Return } from './crossings.ts'
import { findBytes } from './bytes.ts'
import { specsOf, writtenIn } from './formulas.ts'
import { keyOf, temporaryKey } from './keys.ts'
import type { Known, Spec } from './formulas.ts'
import type { FormulaPart, FunctionPart, Parts, StepPart, Storage, VariablePart } from './parts.ts'
import { cellText, rowsOf, textOf } from './resolve.ts'
import { Scopes } from './scopes.ts'

export type Typed = { formulas: Map<string, FormulaPart>; scopes: Scopes }

const rounds = 20
/** Ways one formula was inferred, most remembered. */
const mostWays = 6
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

  infer(expects: Type | undefined): Inferred {
    this.#noting = true
    try {
      return inferFormula(this.parsed, this, expects)
    } finally {
      this.#noting = false
    }
  }

  /** Forgets what does not hold in this version of the model. */
  meet(version: number): void {
    if (this.#version === version) return
    this.#version = version
    if (!this.#holds()) {
      this.ways = []
      this.#listed = this.#asked = false
      this.#finds.clear()
      this.#members.clear()
    }
  }

  #holds(): boolean {
    if (this.#listed || (this.#asked && this.#alone !== this.scope.onlyAgents)) return false
    for (const [name, symbol] of this.#finds) if (this.scope.find(name) !== symbol) return false
    for (const { of, name, symbol } of this.#members.values()) if (this.scope.member(of, name) !== symbol) return false
    return true
  }
}

/** A formula of this check. */
type Row = {
  spec: Spec
  parsed: Parsed
  remembered: Watched[]
  /** Its scope, when that is always the same. */
  fixed: Watched | null
  /** As it was inferred last, in this round once it was its turn. */
  way: Way | null
  /** Not what it was in the round before. */
  fresh: boolean
}

/** Where types come from in this check, worked out once: positions are those of the rows. */
type Sources = {
  variables: readonly VariablePart[]
  byId: ReadonlyMap<string, readonly VariablePart[]>
  functions: ReadonlyMap<string, Sources['bodies']>
  initials: readonly { row: Row | undefined; variable: VariablePart; feeds: boolean }[]
  crossings: readonly (Crossing & { row: Row | undefined })[]
  returns: readonly Return[]
  bodies: readonly { fn: FunctionPart; body: Row | undefined; defaults: readonly (Row | undefined)[] }[]
  /** What the place of a formula wants it to give in the end. */
  wanted: ReadonlyMap<Row, () => Type>
}

/** Infers a model again and again while it is edited. */
export class Inferring {
  readonly #parses = new Map<string, Parsed>()
  readonly #seen = new WeakMap<VariablePart, Type[]>()
  readonly #said = new WeakMap<FunctionPart, FunctionPart['signature'][]>()
  #remembered = new Map<string, Watched[]>()
  #scopes: Scopes | null = null
  #rows: { all: Row[]; sources: Sources; of: Map<Id, Row[]> } | null = null

  /** `edited`: the elements whose formulas' texts alone are not what they were; null when anything may be. */
  infer(parts: Parts, edited: ReadonlyMap<Id, Element> | null): Typed {
    const scopes = (this.#scopes ??= new Scopes(parts))
    if (!edited) scopes.renew(parts)
    scopes.pending.clear()
    scopes.outputs.clear()
    if (!edited || !this.#reread(edited, scopes)) {
      const all = this.#rowsOf(parts, scopes)
      this.#rows = { all, sources: sourcesOf(parts, all), of: Map.groupBy(all, row => row.spec.id) }
    }
    const { all: rows, sources } = this.#rows ?? { all: [], sources: sourcesOf(parts, []) }
    for (const variable of sources.variables) this.#setType(variable, startType(variable))
    for (const fn of parts.functions) {
      fn.result = never
      fn.effects = {}
      for (const parameter of fn.parameters) parameter.type = never
      this.#sign(fn)
    }
    // While types are still coming in, formulas that read what has none yet are passed over: what they would say is too wide.
    let patient = true
    let all = true
    for (let round = 0; ; round++) {
      const last = round >= rounds
      this.#round(rows, scopes, row => row.spec.expects)
      const grown = this.#grow(sources, rows, patient, last, all)
      all = !grown && patient
      if (all) patient = false
      else if (!grown || last) break
    }
    return { formulas: this.#settle(parts, rows, sources, scopes), scopes }
  }

  /** Formulas that give a variable a value must give the variable's own type. */
  #settle(
    parts: Parts,
    rows: readonly Row[],
    { variables, crossings: crossed, wanted }: Sources,
    scopes: Scopes,
  ): Map<string, FormulaPart> {
    for (const variable of variables) variable.storage = storageOf(variable.type)
    this.#round(rows, scopes, row => {
      const { spec, way } = row
      // A range of entities stays a query: its items come as handles, not as references in a list.
      const range = spec.field === 'range' ? way?.inferred.type : undefined
      const query = range?.is === 'entities' || range?.is === 'observer' || range?.is === 'entity' ? range : undefined
      return query ?? wanted.get(row)?.() ?? spec.expects
    })
    const formulas = new Map<string, FormulaPart>()
    for (const { spec, way } of rows) {
      if (!way) continue
      const { key, id, field, text } = spec
      formulas.set(key, { key, id, field, text, inferred: way.inferred })
      for (const step of way.outputs) scopes.outputs.add(step)
    }
    findBytes(parts, formulas, crossed)
    return formulas
  }

  /** Takes the new texts of these elements; false when other formulas are blank than were. */
  #reread(edited: ReadonlyMap<Id, Element>, scopes: Scopes): boolean {
    if (!this.#rows) return false
    for (const [id, element] of edited) {
      const written = writtenIn(element)
      const rows = this.#rows.of.get(id) ?? []
      if (new Set(rows.map(row => row.spec.field)).size !== written.length) return false
      for (const row of rows) {
        const now = written.find(one => one.field === row.spec.field)
        if (!now) return false
        row.spec.text = now.text
        row.parsed = this.#parse(row.spec)
        row.way = null
        if (row.fixed) row.fixed = watchedIn(row, row.fixed.scope, scopes.version)
      }
    }
    return true
  }

  #rowsOf(parts: Parts, scopes: Scopes): Row[] {
    const specs = specsOf(parts)
    if (this.#remembered.size > slack * (specs.length + 100)) {
      const lasting = new Set(specs.map(spec => spec.lasting))
      for (const key of this.#remembered.keys()) if (!lasting.has(key)) this.#remembered.delete(key)
    }
    if (this.#parses.size > slack * (specs.length + 1000)) this.#parses.clear()
    const scopeOf = new Map<object, Scope>()
    return specs.map(spec => {
      const parsed = this.#parse(spec)
      let remembered = this.#remembered.get(spec.lasting)
      if (!remembered) this.#remembered.set(spec.lasting, (remembered = []))
      const row: Row = { spec, parsed, remembered, fixed: null, way: null, fresh: true }
      if (typeof spec.standing !== 'function') {
        let scope = scopeOf.get(spec.standing)
        if (!scope) scopeOf.set(spec.standing, (scope = scopes.at(spec.standing)))
        row.fixed = watchedIn(row, scope, scopes.version)
      }
      return row
    })
  }

  #parse({ context, text }: Spec): Parsed {
    const key = `${context}\n${text}`
    let parsed = this.#parses.get(key)
    if (!parsed) this.#parses.set(key, (parsed = parseFormula(text, context)))
    return parsed
  }

  #round(rows: readonly Row[], scopes: Scopes, expects: (row: Row) => Type | undefined): void {
    const ranges = new Map<string, Type>()
    const known: Known = {
      type: key => ranges.get(key),
      entity: id => scopes.entity(id),
      parameter: (fn, i) => scopes.parameterSymbol(fn, i),
    }
    for (const row of rows) {
      const { spec, way: before } = row
      const wants = expects(row)
      if (!before || !row.fixed || !isNow(before) || !isSame(before.expects, wants)) {
        const watched =
          row.fixed ?? watchedIn(row, scopes.at(typeof spec.standing === 'function' ? spec.standing(known) : spec.standing), scopes.version)
        row.way = wayOf(watched, wants, scopes)
      }
      row.fresh = row.way !== before
      if (spec.field === 'range' && row.way) ranges.set(spec.key, row.way.inferred.type)
    }
  }

  /** Equal types are the same object, so that they are told apart at a glance. */
  #setType(variable: VariablePart, type: Type): void {
    let seen = this.#seen.get(variable)
    if (!seen) this.#seen.set(variable, (seen = []))
    const known = seen.find(one => sameType(one, type))
    if (!known) seen.push(type)
    variable.type = known ?? type
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
    fn.signature = known ?? { type: { is: 'function', params, result }, effects }
    if (!known) said.push(fn.signature)
  }

  /**
   * Joins what was found into the variables' types; true when one grew. What was joined in an earlier round is in them
   * already: only what is fresh counts, or `all` of it. Mutates the parts.
   */
  #grow(sources: Sources, rows: readonly Row[], patient: boolean, last: boolean, all: boolean): boolean {
    const { byId, functions, initials, crossings: crossed, returns: returned, bodies } = sources
    let grown = false
    const counts = (row: Row): boolean => row.way !== null && (all || last || row.fresh) && (!patient || !row.way.open)
    const widen = (variable: VariablePart, type: Type): void => {
      const before = variable.type
      if (before === type) return
      const next = last ? any : join(before, forget(stored(type)))
      if (sameType(before, next)) return
      this.#setType(variable, last && (before.is === 'list' || before.is === 'dict' || before.is === 'set') ? widest(before) : next)
      grown = true
    }
    for (const { row, variable, feeds } of initials) {
      if (feeds) widen(variable, any)
      if (!row) widen(variable, startType(variable).is === 'never' ? none : never)
      else if (row.way && counts(row)) widen(variable, row.way.inferred.type)
    }
    for (const { row, variable } of crossed) if (row?.way && counts(row)) widen(variable, row.way.inferred.type)
    for (const { from, to } of returned) widen(to, from.type)
    for (const row of rows) {
      if (!row.way || !counts(row)) continue
      const { writes, functions: uses } = row.way.inferred
      for (const { symbol, type } of writes) for (const variable of byId.get(symbol.id ?? '') ?? []) widen(variable, type)
      for (const { symbol, args } of uses)
        for (const used of functions.get(symbol.id ?? '') ?? []) if (widenParameters(used.fn, args, used.defaults)) grown = true
    }
    for (const { fn, body } of bodies) {
      if (widenEffects(fn, body?.way)) grown = true
      if (body?.way && !counts(body)) continue
      const result = join(fn.result, body?.way ? stored(body.way.inferred.type) : none)
      if (sameType(result, fn.result)) continue
      fn.result = last ? any : result
      grown = true
    }
    if (grown) for (const { fn } of bodies) this.#sign(fn)
    return grown
  }
}

/** The formula in this scope, as it was met before or new. */
function watchedIn({ parsed, remembered }: Row, scope: Scope, version: number): Watched {
  let watched = remembered.find(one => one.scope === scope && one.parsed === parsed)
  if (!watched) {
    watched = new Watched(parsed, scope, version)
    remembered.push(watched)
    if (remembered.length > mostWays) remembered.shift()
  }
  watched.meet(version)
  return watched
}

const isSame = (a: Type | undefined, b: Type | undefined): boolean => a === b || (a !== undefined && b !== undefined && sameType(a, b))

/** The inference of the formula with types as they are now. */
function wayOf(watched: Watched, expects: Type | undefined, scopes: Scopes): Way {
  const { ways } = watched
  for (const way of ways) if (isNow(way) && isSame(way.expects, expects)) return way
  const reading = { cells: new Set<VariablePart | FunctionPart>(), outputs: new Set<StepPart>() }
  scopes.reading = reading
  const inferred = watched.infer(expects)
  scopes.reading = null
  const variables: VariablePart[] = []
  const functions: FunctionPart[] = []
  for (const cell of reading.cells) {
    if ('signature' in cell) functions.push(cell)
    else variables.push(cell)
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

function sourcesOf(parts: Parts, rows: readonly Row[]): Sources {
  const variables = [...parts.shared, ...parts.entities.flatMap(entity => entity.variables), ...parts.tokenColumns]
  const initials = initialKeys(parts, variables)
  const rowOf = new Map(rows.map(row => [row.spec.key, row]))
  const crossed = crossings(parts).map(crossing => ({ ...crossing, row: rowOf.get(crossing.key) }))
  const bodies = parts.functions.map(fn => ({
    fn,
    body: rowOf.get(keyOf(fn, 'body')),
    defaults: fn.parameters.map(({ key }) => (key ? rowOf.get(defaultKey(fn, key)) : undefined)),
  }))
  const wanted = new Map<Row, () => Type>()
  for (const { row, variable } of crossed) if (row) wanted.set(row, () => variable.type)
  for (const { fn, defaults } of bodies)
    defaults.forEach((row, i) => {
      if (row) wanted.set(row, () => fn.parameters[i]?.type ?? any)
    })
  for (const [key, variable] of initials) {
    const row = rowOf.get(key)
    if (row) wanted.set(row, () => variable.type)
  }
  return {
    variables,
    byId: Map.groupBy(variables, variable => variable.id),
    functions: Map.groupBy(bodies, ({ fn }) => fn.id),
    initials: variables.map(variable => ({ row: rowOf.get(variable.initialKey), variable, feeds: messageFed(variable) })),
    crossings: crossed,
    returns: returns(parts),
    bodies,
    wanted,
  }
}

const defaultKey = (fn: FunctionPart, key: string): string => keyOf(fn, key.slice(key.indexOf('/') + 1))

function widenEffects(fn: FunctionPart, body: Way | null | undefined): boolean {
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
