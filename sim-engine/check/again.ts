// Whether a few changed formulas leave all others' types as they are: what they give in each round is compared with what
// those before them gave. What is lost must be given by others, what is new must have been there by then.
import type { Effects, Type } from '../formula.ts'
import { any, join, none, sameType, stored } from '../formula/types.ts'
import { Given, knownOf, tell } from './course.ts'
import type { Known, Round, Taker } from './course.ts'
import type { FunctionPart, VariablePart } from './parts.ts'
import { forget, isSameList, keptIn, startType, wayAt, wayIn } from './rows.ts'
import type { Row, Sources, Targets } from './rows.ts'
import { argumentsOf, effectsOf, sameEffects } from './ways.ts'
import type { Cell, Way } from './ways.ts'

/** Formulas that are not what they were, or new; and those that are no more. */
export type Changes = { readonly rows: readonly Row[]; readonly gone: readonly Row[] }

type Path = { readonly history: Row['history']; effects: Effects }
/** What one formula that did not change gave in a round. */
type Gift = { readonly row: Row; readonly n: number; readonly type: Type }

/** The types that formulas contributed, computed for each receiver on demand. */
export class Gifts {
  readonly #givers: (taker: Taker) => Iterable<Row>
  readonly #sources: Sources
  readonly #byTaker = new Map<Taker, readonly Gift[]>()

  /** `givers`: all formulas that may give it something, and perhaps others. */
  constructor(givers: (taker: Taker) => Iterable<Row>, sources: Sources) {
    this.#givers = givers
    this.#sources = sources
  }

  to(taker: Taker): readonly Gift[] {
    let gifts = this.#byTaker.get(taker)
    if (!gifts) this.#byTaker.set(taker, (gifts = this.#find(taker)))
    return gifts
  }

  #find(taker: Taker): Gift[] {
    const found: Gift[] = []
    for (const row of new Set(this.#givers(taker)))
      for (const { round, way } of row.history)
        give(row.gave, way, round, this.#sources, historyOf, {
          add(one, type) {
            if (one === taker) found.push({ row, n: round.n, type })
          },
        })
    return found
  }
}

const historyOf = (row: Row): Row['history'] => row.history

/** The rounds, replayed with a few changed formulas. */
export class Replay {
  /** Defaults before the formulas that call them; ranges before the formulas with names that depend on them. */
  readonly ordered: readonly Row[]
  readonly keys: ReadonlySet<string>
  readonly #gone: readonly Row[]
  readonly #sourcesBefore: Sources
  readonly #sources: Sources
  readonly #anew: ReadonlySet<Cell>
  readonly #gifts: Gifts
  readonly #paths: ReadonlyMap<Row, Path>
  readonly #before = new Given()
  readonly #now = new Given()
  readonly #grown: { readonly round: Round; readonly variable: VariablePart; readonly type: Type }[] = []
  readonly #told: { readonly round: Round; readonly known: Known }[] = []
  readonly #ranges: { readonly round: Round; readonly key: string; readonly type: Type }[] = []
  readonly #history = (row: Row): Row['history'] => this.#paths.get(row)?.history ?? row.history

  /**
   * `anew`: variables to infer from scratch, because all formulas that read them changed; `gifts`: the types that all formulas gave to
   * variables before.
   */
  constructor({ rows, gone }: Changes, before: Sources, now: Sources, anew: ReadonlySet<Cell>, gifts: Gifts) {
    this.ordered = rows.toSorted((a, b) => rank(a) - rank(b))
    this.keys = new Set([...rows, ...gone].map(row => row.spec.key))
    this.#gone = gone
    this.#sourcesBefore = before
    this.#sources = now
    this.#anew = anew
    this.#gifts = gifts
    this.#paths = new Map(rows.map(row => [row, { history: [], effects: {} }]))
  }

  /** The row in this round; `way`: how it was inferred, when it is taken account of. */
  take(row: Row, way: Way | null, round: Round): void {
    this.#lose(row, round)
    const path = this.#paths.get(row)
    if (!way || !path) return
    path.history.push({ round, way, led: row.led })
    give(row.targets, way, round, this.#sources, this.#history, this.#now)
    if (row.targets.bodyOf) path.effects = effectsOf(way, path.effects)
  }

  /** What a range gives since this round. */
  noteRange(round: Round, key: string, type: Type): void {
    if (this.#ranges.findLast(one => one.key === key)?.type !== type) this.#ranges.push({ round, key, type })
  }

  #lose(row: Row, round: Round): void {
    const way = wayIn(row.history, round)
    if (way) give(row.gave, way, round, this.#sourcesBefore, historyOf, this.#before)
  }

  /** The state of this round for all variables that are not inferred from scratch. */
  repeat(round: Round): void {
    for (const [variable, type] of round.grown) if (!this.#anew.has(variable)) variable.type = type
    for (const known of round.told) if (!this.#anew.has(known.fn)) tell(known)
  }

  /** The types in this round of the variables inferred from scratch. */
  widened({ n }: Round): [variable: VariablePart, type: Type][] {
    const { fed, initialised } = this.#sources
    const found: [VariablePart, Type][] = []
    for (const variable of this.#anew) {
      if ('signature' in variable) continue
      let next = join(variable.type, this.#givenTo(variable, n))
      if (n === 0 && fed.has(variable)) next = any
      if (n === 0 && !initialised.has(variable) && startType(variable).is === 'never') next = join(next, none)
      if (!sameType(next, variable.type)) found.push([variable, next])
    }
    return found
  }

  /** Widens the functions inferred from scratch as this round does; returns those that changed. Mutates them. */
  widenFunctions({ n }: Round): FunctionPart[] {
    const grown: FunctionPart[] = []
    for (const fn of this.#anew) {
      if (!('signature' in fn)) continue
      const callable = this.#sources.functions.get(fn.id)?.find(one => one.fn === fn)
      const path = callable?.body && this.#paths.get(callable.body)
      let result = join(fn.result, this.#givenTo(fn, n))
      if (n === 0 && !callable?.body) result = join(result, none)
      let isGrown = !sameType(result, fn.result)
      if (isGrown) fn.result = result
      if (path && !sameEffects(path.effects, fn.effects)) {
        fn.effects = path.effects
        isGrown = true
      }
      for (const parameter of fn.parameters) {
        const next = join(parameter.type, this.#givenTo(parameter, n))
        if (sameType(next, parameter.type)) continue
        parameter.type = next
        isGrown = true
      }
      if (isGrown) grown.push(fn)
    }
    return grown
  }

  note(round: Round, grown: ReadonlySet<Cell>): void {
    for (const cell of grown) {
      if ('signature' in cell) this.#told.push({ round, known: knownOf(cell) })
      else this.#grown.push({ round, variable: cell, type: cell.type })
    }
  }

  /** The formulas that would receive other types in this round; types are as they are after it. */
  unlike(round: Round): Set<Cell> {
    for (const row of this.#gone) this.#lose(row, round)
    const found = new Set<Cell>()
    const note = (taker: Taker): void => {
      const cell = this.#cellOf(taker)
      if (cell && !this.#anew.has(cell)) found.add(cell)
    }
    for (const [{ targets }, { effects }] of this.#paths)
      if (targets.bodyOf && !sameEffects(effects, targets.bodyOf.effects)) note(targets.bodyOf)
    for (const [taker, type] of this.#now.all()) if (!isWithin(type, typeOf(taker))) note(taker)
    for (const [taker, type] of this.#before.all())
      if (!isWithin(type, this.#now.typeOf(taker)) && !isWithin(type, this.#givenTo(taker, round.n))) note(taker)
    return found
  }

  #alive: ReadonlySet<Taker> | null = null

  /** The receiver of a type; none for one that no longer exists. */
  #cellOf(taker: Taker): Cell | undefined {
    const cell = cellOf(taker, this.#sources)
    if (!cell || 'signature' in cell) return cell
    return (this.#alive ??= new Set(this.#sources.variables)).has(cell) ? cell : undefined
  }

  /** What all formulas gave it up to this round. */
  #givenTo(taker: Taker, n: number): Type {
    let type = this.#now.typeOf(taker)
    for (const gift of this.#gifts.to(taker)) if (gift.n <= n && !this.#paths.has(gift.row)) type = join(type, gift.type)
    return type
  }

  /** Stores the replayed rounds as the log of the inference. */
  commit({ rounds }: { readonly rounds: readonly Round[] }): void {
    for (const [row, { history }] of this.#paths) {
      row.history = history
      row.gave = row.targets
    }
    for (const row of this.#gone) row.history = []
    for (const round of rounds) {
      if (round.ranges.some(([key]) => this.keys.has(key))) round.ranges = round.ranges.filter(([key]) => !this.keys.has(key))
      if (this.#anew.size === 0) continue
      round.grown = round.grown.filter(([variable]) => !this.#anew.has(variable))
      round.told = round.told.filter(({ fn }) => !this.#anew.has(fn))
    }
    for (const { round, key, type } of this.#ranges) round.ranges.push([key, type])
    for (const { round, variable, type } of this.#grown) round.grown.push([variable, type])
    for (const { round, known } of this.#told) round.told.push(known)
  }
}

const rank = ({ targets, leader }: Row): number => (targets.defaultOf ? 0 : leader === null ? 1 : 2)

const typeOf = (taker: Taker): Type => ('signature' in taker ? taker.result : taker.type)

const isWithin = (type: Type, wider: Type): boolean => sameType(join(wider, type), wider)

/** The receiver: a variable, or a function by itself or by a parameter. */
export function cellOf(taker: Taker, { functions }: Sources): Cell | undefined {
  if ('element' in taker) return taker
  for (const callables of functions.values()) for (const { fn } of callables) if (fn.parameters.includes(taker)) return fn
  return undefined
}

/** What a formula gives in this round when it is inferred in this way. `history`: how the formulas of defaults were inferred. */
function give(
  { initialOf, crossesTo, bodyOf }: Targets,
  way: Way,
  round: Round,
  { byId, functions }: Sources,
  history: (row: Row) => Row['history'],
  given: { add(taker: Taker, type: Type): void },
): void {
  const { type, writes, functions: uses } = way.inferred
  const isPassedOver = round.patient && way.open
  for (const use of uses)
    for (const { fn, defaults } of functions.get(use.symbol.id ?? '') ?? [])
      for (const [parameter, one] of argumentsOf(use, fn, isPassedOver, i => defaults[i] && wayAt(history(defaults[i]), round)))
        given.add(parameter, forget(one))
  if (isPassedOver) return
  const take = (variable: VariablePart, one: Type): void => given.add(variable, forget(keptIn(variable, one)))
  for (const variable of initialOf) take(variable, type)
  for (const variable of crossesTo) take(variable, type)
  for (const write of writes) for (const variable of byId.get(write.symbol.id ?? '') ?? []) take(variable, write.type)
  if (bodyOf) given.add(bodyOf, stored(type))
}

/**
 * The variables that are new since the inference logged in `types`, `told` and `before`, or have another initial type; null
 * when more than variables and formulas came, went or changed.
 */
export function newVariables(
  types: ReadonlyMap<VariablePart, Type>,
  told: readonly Known[],
  functions: readonly FunctionPart[],
  before: Sources,
  now: Sources,
): VariablePart[] | null {
  if (functions.length !== told.length || !functions.every((fn, i) => isSameFunction(fn, told[i]))) return null
  for (const [id, callables] of now.functions) {
    const others = before.functions.get(id) ?? []
    if (callables.length !== others.length) return null
    if (!callables.every((one, i) => one.body === others[i]?.body && isSameList(one.defaults, others[i]?.defaults ?? []))) return null
  }
  if (now.returns.length !== before.returns.length) return null
  if (!now.returns.every((one, i) => one.from === before.returns[i]?.from && one.to === before.returns[i]?.to)) return null
  const fresh: VariablePart[] = []
  for (const variable of now.variables) {
    const type = types.get(variable)
    if (type) {
      const isSame =
        before.initialised.has(variable) === now.initialised.has(variable) && before.fed.has(variable) === now.fed.has(variable)
      if (!isSame || !sameType(type, startType(variable))) fresh.push(variable)
    } else fresh.push(variable)
  }
  return fresh
}

function isSameFunction(fn: FunctionPart, known: Known | undefined): boolean {
  if (known?.fn !== fn || known.signature.type.is !== 'function') return false
  const { params } = known.signature.type
  return (
    params.length === fn.parameters.length &&
    fn.parameters.every(({ name, key }, i) => params[i]?.name === name && params[i].optional === (key !== null))
  )
}
