// Whether a few changed formulas leave all others' types as they are: what they give in each round is compared with what
// those before them gave. What is lost must be given by others, what is new must have been there by then.
import type { Effects, Type } from '../formula.ts'
import { any, join, never, none, sameType, stored } from '../formula/types.ts'
import { Given } from './course.ts'
import type { Known, Round, Taker } from './course.ts'
import type { FunctionPart, VariablePart } from './parts.ts'
import { forget, isSameList, keptIn, startType, wayAt, wayIn } from './rows.ts'
import type { Row, Sources, Targets } from './rows.ts'
import { effectsOf, sameEffects } from './ways.ts'
import type { Cell, Way } from './ways.ts'

/** Formulas that are not what they were, or new; and those that are no more. */
export type Changes = { readonly rows: readonly Row[]; readonly gone: readonly Row[] }

type Path = { readonly history: Row['history']; effects: Effects }

/** The rounds, gone through again with a few formulas changed. */
export class Replay {
  /** Those whose names depend on a range come after the ranges. */
  readonly ordered: readonly Row[]
  readonly keys: ReadonlySet<string>
  readonly #gone: readonly Row[]
  readonly #sourcesBefore: Sources
  readonly #sources: Sources
  readonly #fresh: readonly VariablePart[]
  readonly #others: () => readonly Row[]
  readonly #paths: ReadonlyMap<Row, Path>
  readonly #before = new Given()
  readonly #now = new Given()
  readonly #grown: { readonly round: Round; readonly variable: VariablePart; readonly type: Type }[] = []
  #support: Map<Taker, { n: number; type: Type }[]> | null = null
  #alive: ReadonlySet<Taker> | null = null

  /** `fresh`: the variables that are new; `others`: all formulas that are what they were. */
  constructor({ rows, gone }: Changes, before: Sources, now: Sources, fresh: readonly VariablePart[], others: () => readonly Row[]) {
    this.ordered = rows.toSorted((a, b) => Number(a.leader !== null) - Number(b.leader !== null))
    this.keys = new Set([...rows, ...gone].map(row => row.spec.key))
    this.#gone = gone
    this.#sourcesBefore = before
    this.#sources = now
    this.#fresh = fresh
    this.#others = others
    this.#paths = new Map(rows.map(row => [row, { history: [], effects: {} }]))
  }

  /** The row in this round; `way`: how it was inferred, when it is taken account of. */
  take(row: Row, way: Way | null, round: Round): void {
    this.#lose(row, round)
    const path = this.#paths.get(row)
    if (!way || !path) return
    path.history.push({ round, way, led: row.led })
    give(row.targets, way, round, this.#sources, this.#now)
    if (row.targets.bodyOf) path.effects = effectsOf(way, path.effects)
  }

  #lose(row: Row, round: Round): void {
    const way = wayIn(row.history, round)
    if (way) give(row.gave, way, round, this.#sourcesBefore, this.#before)
  }

  /** What the new variables come to be in this round. */
  widened({ n }: Round): [variable: VariablePart, type: Type][] {
    const { fed, initialised } = this.#sources
    return this.#fresh.flatMap(variable => {
      let next = join(variable.type, this.#now.typeOf(variable))
      if (n === 0 && fed.has(variable)) next = any
      if (n === 0 && !initialised.has(variable) && startType(variable).is === 'never') next = join(next, none)
      return sameType(next, variable.type) ? [] : [[variable, next] satisfies [VariablePart, Type]]
    })
  }

  note(round: Round, grown: ReadonlySet<Cell>): void {
    for (const cell of grown) if (!('signature' in cell)) this.#grown.push({ round, variable: cell, type: cell.type })
  }

  /** Whether others were told the same in this round; types are as they are after it. */
  isAsBefore(round: Round): boolean {
    for (const row of this.#gone) this.#lose(row, round)
    for (const [{ targets }, { effects }] of this.#paths) if (targets.bodyOf && !sameEffects(effects, targets.bodyOf.effects)) return false
    return this.#now.isTaken() && this.#before.every((taker, type) => this.#isGiven(taker, type, round))
  }

  #isGiven(taker: Taker, type: Type, round: Round): boolean {
    const mine = this.#now.typeOf(taker)
    if (sameType(join(mine, type), mine)) return true
    this.#alive ??= new Set(this.#sources.variables)
    if ('element' in taker && !('signature' in taker) && !this.#alive.has(taker)) return true
    const all = join(mine, this.#supportOf(taker, round))
    return sameType(join(all, type), all)
  }

  /** What formulas that did not change gave up to this round. */
  #supportOf(taker: Taker, { n }: Round): Type {
    if (!this.#support) {
      const support = new Map<Taker, { n: number; type: Type }[]>()
      this.#support = support
      for (const row of this.#others())
        for (const { round, way } of row.history)
          give(row.gave, way, round, this.#sourcesBefore, {
            add(one, type) {
              const known = support.get(one)
              if (known) known.push({ n: round.n, type })
              else support.set(one, [{ n: round.n, type }])
            },
          })
    }
    return (this.#support.get(taker) ?? []).reduce((type, one) => (one.n <= n ? join(type, one.type) : type), never)
  }

  /** From now on this is how types came about. */
  commit(): void {
    for (const [row, { history }] of this.#paths) {
      row.history = history
      row.gave = row.targets
    }
    for (const row of this.#gone) row.history = []
    for (const { round, variable, type } of this.#grown) round.grown.push([variable, type])
  }
}

/** What a formula gives in this round when it is inferred in this way. */
function give(
  { initialOf, crossesTo, bodyOf }: Targets,
  way: Way,
  round: Round,
  { byId, functions }: Sources,
  given: { add(taker: Taker, type: Type): void },
): void {
  if (round.patient && way.open) return
  const { type, writes, functions: uses } = way.inferred
  const take = (variable: VariablePart, one: Type): void => given.add(variable, forget(keptIn(variable, one)))
  for (const variable of initialOf) take(variable, type)
  for (const variable of crossesTo) take(variable, type)
  for (const write of writes) for (const variable of byId.get(write.symbol.id ?? '') ?? []) take(variable, write.type)
  for (const { symbol, args } of uses)
    for (const { fn, defaults } of functions.get(symbol.id ?? '') ?? [])
      fn.parameters.forEach((parameter, i) => {
        const byDefault = defaults[i]
        const one = args[i] ?? (byDefault && wayAt(byDefault.history, round)?.inferred.type)
        if (one) given.add(parameter, forget(stored(one)))
      })
  if (bodyOf) given.add(bodyOf, stored(type))
}

/**
 * The variables that are new since types came about as in `types`, `told` and `before`; null when more than variables and
 * formulas came, went or changed.
 */
export function newVariables(
  types: ReadonlyMap<VariablePart, Type>,
  told: readonly Known[],
  functions: readonly FunctionPart[],
  before: Sources,
  now: Sources,
): readonly VariablePart[] | null {
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
      if (!isSame || !sameType(type, startType(variable))) return null
    } else if (now.byId.get(variable.id)?.some(one => types.has(one))) return null
    else fresh.push(variable)
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
