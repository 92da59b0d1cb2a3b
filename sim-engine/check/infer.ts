// The types of all variables together. Every formula is inferred; what is written to a variable joins its type; again,
// until no type grows. Types only grow and are few, so this ends; a variable that keeps growing becomes `any`.
//
// What a formula gives follows from its text, from the symbols its names mean and from the types those have. With each
// inference is kept what it looked at, so that after an edit (and in the next round) it is made again only when one of
// these is different. The outcome is the same as without a memory.
import type { Element, Id } from '../../model-schema/model.ts'
import { join, parseFormula } from '../formula.ts'
import type { Inferred, Parsed, Scope, Type } from '../formula.ts'
import { any, dictOf, listOf, never, none, sameType, setOf, stored } from '../formula/types.ts'
import { findBytes, largeIn } from './bytes.ts'
import { findWords, textsGiven, type GivenTexts } from './names/words.ts'
import { cellOf, Gifts, newVariables, Replay } from './again.ts'
import type { Changes } from './again.ts'
import { knownOf, tell } from './course.ts'
import type { Known, Round, Taker } from './course.ts'
import { Formulas } from './found.ts'
import { specsOf, writtenIn } from './formulas.ts'
import type { Spec } from './formulas.ts'
import type { FormulaPart, FunctionPart, Parts, Storage, VariablePart } from './parts.ts'
import { Scopes } from './scopes.ts'
import type { FormulaPosition } from './scopes.ts'
import { forget, isSameTargets, keptIn, noTargets, rowOf, sourcesOf, startType, wayAt } from './rows.ts'
import type { Row, Sources } from './rows.ts'
import { anyName, argumentsOf, effectsOf, isNow, isSame, mostWays, sameEffects, Watched, wayOf } from './ways.ts'
import type { Cell, Way } from './ways.ts'

/** `again`: the only elements with formulas that may be inferred differently than last time; null when all may. */
export type Typed = {
  formulas: ReadonlyMap<string, FormulaPart>
  /** Those with something wrong, in order. */
  faulty: readonly FormulaPart[]
  scopes: Scopes
  again: ReadonlySet<Id> | null
}

const rounds = 20
/** With more changed formulas than these, all are inferred again. */
const mostChanges = 200
/** Times the rounds are gone through with ever more formulas. */
const mostTries = 12
/** More formulas remembered than these times those there are: the others are forgotten. */
const maxFormulasKeptRatio = 4

/** The rounds of an inference, from the start. */
type Course = {
  readonly types: Map<VariablePart, Type>
  readonly told: readonly Known[]
  readonly rounds: Round[]
  sources: Sources
  /** It was broken off: what grew last was made `any`. */
  capped: boolean
}

/** What was inferred again; `areTypes`: types of variables or functions were inferred from scratch. */
type Gone = Changes & { readonly areTypes: boolean }
/** What a change affects: the variables that receive types from it, and the formulas that read it. */
type Wider = { readonly cells: Set<Cell>; readonly rows: Set<Row> }

/** Infers a model again and again while it is edited. */
export class Inferring {
  readonly #parses = new Map<string, Parsed>()
  readonly #seen = new WeakMap<VariablePart, Type[]>()
  readonly #said = new WeakMap<FunctionPart, FunctionPart['signature'][]>()
  readonly #readers = new WeakMap<Cell, Set<Row>>()
  /** The formulas that write or call the element with this id, or did at some time. */
  readonly #givers = new Map<string, Set<Row>>()
  readonly #known = new Map<string, Row>()
  /** The formulas that mention a name, without those inferred since the last query. */
  readonly #mentions = new Map<string, Set<Row>>()
  readonly #unread = new Set<Row>()
  #scopes: Scopes | null = null
  readonly #formulas = new Formulas()
  /** Made when it is asked for. */
  #byElement: Map<Id, readonly Row[]> | null = null
  #sources: Sources = {
    variables: [],
    initialised: new Set(),
    byId: new Map(),
    functions: new Map(),
    crossings: [],
    returns: [],
    fed: new Set(),
  }
  #checks = 0
  #course: Course | null = null
  readonly #faulty = new Set<Row>()
  /** Those that may give variables other numbers than small ones, and which. */
  readonly #large = new Map<Row, readonly string[]>()
  readonly #texts = new Map<Row, GivenTexts>()
  #led = new Map<string, Row[]>()
  readonly #ranges = new Map<string, Type>()
  /** What grew since the last round. */
  readonly #grown = new Set<Cell>()

  /** `edited`: the elements of which only the text of formulas changed; null when anything may have. */
  infer(parts: Parts, edited: ReadonlyMap<Id, Element> | null): Typed {
    const scopes = (this.#scopes ??= new Scopes(parts))
    if (!edited) scopes.renew(parts)
    scopes.pending.clear()
    const reread = edited && this.#reread(edited)
    const changes = reread ? { rows: reread, gone: [] } : this.#read(parts, scopes)
    const gone = this.#goAgain(changes, parts, scopes)
    if (gone) {
      this.#settleAgain(gone, parts, scopes, reread !== null)
      const again = new Set([...(edited?.keys() ?? []), ...[...gone.rows, ...gone.gone].map(row => row.spec.id)])
      return { formulas: this.#formulas, faulty: this.#faultyParts(), scopes, again }
    }
    for (const variable of this.#sources.variables) this.#setType(variable, startType(variable))
    for (const fn of parts.functions) {
      fn.result = never
      fn.effects = {}
      for (const parameter of fn.parameters) parameter.type = never
      this.#sign(fn)
    }
    const types = new Map(this.#sources.variables.map(variable => [variable, variable.type] as const))
    const course: Course = { types, told: parts.functions.map(knownOf), rounds: [], capped: false, sources: this.#sources }
    this.#course = course
    for (const row of this.#formulas.rows) row.gave = row.targets
    const begin = (patient: boolean, opens: boolean): Round => {
      const round = { n: course.rounds.length, patient, opens, ranges: [], grown: [], told: [] }
      course.rounds.push(round)
      return round
    }
    // While types are still coming in, formulas that read what has none yet are passed over: what they would say is too wide.
    let round = begin(true, false)
    let fresh = this.#round(scopes, null, round)
    for (;;) {
      course.capped = round.n >= rounds
      this.#grow(course.capped ? this.#formulas.rows : fresh, round, course.capped)
      if (course.capped || (this.#grown.size === 0 && !round.patient)) break
      round = begin(round.patient && this.#grown.size > 0, this.#grown.size === 0)
      if (round.opens) {
        fresh = this.#formulas.rows.filter(row => row.way?.open)
        for (const { history, way, led } of fresh) if (way) history.push({ round, way, led })
      } else fresh = this.#round(scopes, this.#grown, round)
    }
    this.#settle(parts, scopes)
    return { formulas: this.#formulas, faulty: this.#faultyParts(), scopes, again: null }
  }

  /**
   * Replays the rounds with what changed and all that depends on it. Returns what was inferred again; null when that is too much, or when the
   * log of the rounds does not decide it.
   */
  #goAgain({ rows: changed, gone }: Changes, parts: Parts, scopes: Scopes): Gone | null {
    const course = this.#course
    if (!course || course.capped || changed.length + gone.length > mostChanges) return null
    const { sources: before } = course
    const isSameStructure = before === this.#sources
    if (isSameStructure && changed.length === 0) return { rows: changed, gone, areTypes: false }
    if (gone.some(row => row.gave.bodyOf) || changed.some(row => row.gave.bodyOf !== row.targets.bodyOf)) return null
    const anew = new Set<Cell>()
    const rows = new Set(changed)
    const widen = (cells: Iterable<Cell>): void => {
      for (const cell of cells) {
        anew.add(cell)
        for (const row of this.#dependents(cell)) rows.add(row)
      }
    }
    const fresh = isSameStructure ? [] : newVariables(course.types, course.told, parts.functions, before, this.#sources)
    if (!fresh) return null
    widen(fresh)
    for (const row of gone) for (const follower of this.#led.get(row.spec.key) ?? []) rows.add(follower)
    const gifts = new Gifts(taker => this.#giversOf(taker), this.#sources)
    for (let tries = 0; tries < mostTries; tries++) {
      if (rows.size + gone.length > mostChanges || this.#sources.returns.some(({ from, to }) => anew.has(from) || anew.has(to))) return null
      const all = { rows: [...rows], gone }
      const wider = this.#replay(all, anew, course, gifts, scopes)
      if (!wider) return null
      if (wider.cells.size + wider.rows.size === 0) return { ...all, areTypes: anew.size > 0 }
      widen(wider.cells)
      for (const row of wider.rows) rows.add(row)
    }
    return null
  }

  /** The formulas that read it, and those that must have its type. */
  *#dependents(cell: Cell): Generator<Row> {
    for (const row of this.#readers.get(cell) ?? []) if (row.seen === this.#checks) yield row
    if ('signature' in cell) {
      for (const { fn, body, defaults } of this.#sources.functions.get(cell.id) ?? [])
        if (fn === cell) for (const row of [body, ...defaults]) if (row) yield row
      return
    }
    for (const key of [cell.initialKey, ...this.#sources.crossings.flatMap(({ key, variable }) => (variable === cell ? [key] : []))]) {
      const row = this.#formulas.byKey.get(key)
      if (row) yield row
    }
  }

  /** The formulas that may give it something. */
  *#giversOf(taker: Taker): Generator<Row> {
    const cell = cellOf(taker, this.#sources)
    if (!cell) return
    yield* this.#dependents(cell)
    for (const row of this.#givers.get(cell.id) ?? []) if (row.seen === this.#checks) yield row
  }

  /** Records the variables and functions to which the formula contributes types, by the ids of what it writes and calls. */
  #noteGiver(row: Row, { inferred: { writes, functions } }: Way): void {
    for (const list of [writes, functions])
      for (const { symbol } of list) {
        const id = symbol.id ?? ''
        const rows = this.#givers.get(id)
        if (rows) rows.add(row)
        else this.#givers.set(id, new Set([row]))
      }
  }

  /**
   * Replays the rounds with these rows changed, inferring the types of the cells in `anew` from scratch. Returns the further cells and rows
   * that change: if there are none, the log is valid again. Null if other rounds are needed.
   */
  #replay(changes: Changes, anew: ReadonlySet<Cell>, course: Course, gifts: Gifts, scopes: Scopes): Wider | null {
    const altered = new Set(changes.rows)
    const wider = { cells: new Set<Cell>(), rows: new Set<Row>() }
    for (const [variable, type] of course.types) variable.type = type
    const started: [VariablePart, Type][] = []
    for (const cell of anew) {
      if ('signature' in cell) continue
      this.#setType(cell, startType(cell))
      started.push([cell, cell.type])
    }
    course.told.forEach(tell)
    const replay = new Replay(changes, course.sources, this.#sources, anew, gifts)
    this.#ranges.clear()
    for (const row of changes.rows) row.way = null
    for (const round of course.rounds) {
      for (const [key, type] of round.ranges) if (!replay.keys.has(key)) this.#ranges.set(key, type)
      for (const row of replay.ordered) {
        const { spec, targets } = row
        const way = round.opens ? row.way : this.#visit(row, row.way ?? row.first, spec.expects, scopes)
        if (!way) return null
        const isFresh = round.opens ? way.open : way !== row.way
        row.way = way
        if (round.n === 0) row.first = way
        const { type } = way.inferred
        const isOther = !isSame(type, wayAt(row.history, round)?.inferred.type)
        if (spec.field === 'range') {
          if (isOther) for (const follower of this.#led.get(spec.key) ?? []) if (!altered.has(follower)) wider.rows.add(follower)
          this.#ranges.set(spec.key, type)
          replay.noteRange(round, spec.key, type)
        }
        if (targets.defaultOf && isOther && !anew.has(targets.defaultOf)) wider.cells.add(targets.defaultOf)
        replay.take(row, isFresh ? way : null, round)
      }
      replay.repeat(round)
      this.#grown.clear()
      for (const [variable, type] of replay.widened(round)) this.#setType(variable, type)
      for (const fn of replay.widenFunctions(round)) this.#sign(fn)
      for (const cell of replay.unlike(round)) wider.cells.add(cell)
      if (wider.cells.size + wider.rows.size > 0) return wider
      // What is new would need more rounds than there were.
      if (this.#grown.size > 0 && (course.rounds[round.n + 1]?.opens ?? true)) return null
      replay.note(round, this.#grown)
    }
    replay.commit(course)
    for (const [variable, type] of started) course.types.set(variable, type)
    if (course.sources === this.#sources) return wider
    const alive = new Set(this.#sources.variables)
    for (const variable of course.sources.variables) if (!alive.has(variable)) course.types.delete(variable)
    course.sources = this.#sources
    return wider
  }

  /** These rows alone may have come to another outcome. */
  #settleAgain({ rows, gone, areTypes }: Gone, parts: Parts, scopes: Scopes, isSameStructure: boolean): void {
    let outputs = !isSameStructure
    let bytes = !isSameStructure || areTypes
    for (const row of rows) {
      const before = row.part
      outputs ||= row.heeds.length > 0
      this.#conclude(row, scopes)
      outputs ||= row.heeds.length > 0
      bytes ||= row.targets.initialOf.length > 0 || !before || gives(before.inferred) !== gives(row.part!.inferred)
    }
    for (const row of gone) {
      this.#faulty.delete(row)
      this.#large.delete(row)
      this.#texts.delete(row)
    }
    if (outputs) this.#notice(scopes)
    if (bytes) this.#store(parts)
  }

  /** Formulas that give a variable a value must give the variable's own type. */
  #settle(parts: Parts, scopes: Scopes): void {
    this.#faulty.clear()
    this.#large.clear()
    this.#texts.clear()
    for (const row of this.#formulas.rows) this.#conclude(row, scopes)
    this.#notice(scopes)
    this.#store(parts)
  }

  #faultyParts(): readonly FormulaPart[] {
    return [...this.#faulty].sort((a, b) => a.place - b.place).flatMap(({ part }) => part ?? [])
  }

  #conclude(row: Row, scopes: Scopes): void {
    const { spec } = row
    // A range of entities stays a query: its items come as handles, not as references in a list.
    const range = spec.field === 'range' ? row.way?.inferred.type : undefined
    const query = range?.is === 'entities' || range?.is === 'observer' || range?.is === 'entity' ? range : undefined
    const way = this.#visit(row, row.settled, query ?? row.targets.wanted?.type ?? spec.expects, scopes)
    row.settled = way
    row.heeds = way.outputs
    if (spec.field === 'range') this.#ranges.set(spec.key, way.inferred.type)
    if (row.part?.inferred !== way.inferred || row.part.key !== spec.key || row.part.text !== spec.text)
      row.part = { key: spec.key, id: spec.id, field: spec.field, text: spec.text, inferred: way.inferred }
    const large = largeIn(way.inferred)
    if (large.length > 0) this.#large.set(row, large)
    else this.#large.delete(row)
    const texts = textsGiven(way.inferred)
    if (texts.given.length > 0) this.#texts.set(row, texts)
    else this.#texts.delete(row)
    if (way.inferred.problems.length > 0) this.#faulty.add(row)
    else this.#faulty.delete(row)
  }

  #notice(scopes: Scopes): void {
    scopes.outputs.clear()
    for (const { heeds } of this.#formulas.rows) for (const step of heeds) scopes.outputs.add(step)
  }

  #store(parts: Parts): void {
    const { variables, crossings: crossed } = this.#sources
    for (const variable of variables) variable.storage = storageOf(variable.type)
    findBytes(parts, this.#formulas, this.#large.values(), crossed)
    findWords(parts, this.#formulas, this.#texts.values(), crossed)
  }

  /** Takes the new texts of these elements, and gives the rows with another; null when other formulas are blank than were. */
  #reread(edited: ReadonlyMap<Id, Element>): Row[] | null {
    const byElement = (this.#byElement ??= Map.groupBy(this.#formulas.rows, row => row.spec.id))
    const changed: Row[] = []
    for (const [id, element] of edited) {
      const written = writtenIn(element)
      const rows = byElement.get(id) ?? []
      if (new Set(rows.map(row => row.spec.field)).size !== written.length) return null
      for (const row of rows) {
        const now = written.find(one => one.field === row.spec.field)
        if (!now) return null
        row.spec = { ...row.spec, text: now.text }
        row.parsed = this.#parse(row.spec)
        if (row.parsed === row.watched?.parsed) continue
        row.watched = row.way = row.first = row.settled = null
        changed.push(row)
      }
    }
    return changed
  }

  /** Finds all formulas, and where else types come from. */
  #read(parts: Parts, scopes: Scopes): Changes {
    const specs = specsOf(parts)
    const before = this.#formulas.rows
    this.#checks++
    if (this.#known.size > maxFormulasKeptRatio * (specs.length + 100)) {
      this.#known.clear()
      this.#mentions.clear()
      this.#givers.clear()
      for (const row of before) {
        this.#unread.add(row)
        for (const watched of row.remembered) {
          watched.isFresh = true
          for (const way of watched.ways) this.#noteGiver(row, way)
        }
        for (const { way } of row.history) this.#noteGiver(row, way)
      }
    }
    if (this.#parses.size > maxFormulasKeptRatio * (specs.length + 1000)) this.#parses.clear()
    this.#suspect(scopes.changed)
    const rows: Row[] = []
    let at = 0
    this.#led = new Map()
    for (const spec of specs) {
      let row = before[at]
      // The object keeps its identity only while neither its contents nor its context changed.
      const isAsBefore =
        row?.spec === spec && scopes.changed !== null && row.suspected !== this.#checks && row.watched && row.history.length > 0
      if (row && isAsBefore) {
        at++
        row.seen = this.#checks
        row.altered = false
        row.targets = noTargets
      } else {
        if (row?.spec !== spec) row = this.#known.get(spec.lasting)
        const known = row && before[row.place] === row ? row : undefined
        if (known) at = known.place + 1
        const key = row?.spec.key
        row = this.#readRow(spec, row, scopes)
        if (row !== known) this.#byElement?.set(spec.id, [...(this.#byElement.get(spec.id) ?? []), row])
        if (key !== undefined && key !== spec.key && this.#formulas.byKey.get(key) === row) this.#formulas.byKey.delete(key)
        this.#formulas.byKey.set(spec.key, row)
      }
      row.place = rows.length
      rows.push(row)
      if (row.leader === null) continue
      const led = this.#led.get(row.leader)
      if (led) led.push(row)
      else this.#led.set(row.leader, [row])
    }
    this.#formulas.rows = rows
    const gone = before.filter(row => row.seen !== this.#checks)
    for (const row of gone) {
      const { key, id } = row.spec
      if (this.#formulas.byKey.get(key) === row) this.#formulas.byKey.delete(key)
      const others = this.#byElement?.get(id)?.filter(one => one !== row) ?? []
      if (others.length > 0) this.#byElement?.set(id, others)
      else this.#byElement?.delete(id)
    }
    this.#sources = sourcesOf(parts, this.#formulas.byKey, this.#course?.sources ?? null)
    return { rows: rows.filter(row => row.altered || !isSameTargets(row.targets, row.gave)), gone }
  }

  /** The current formula; `known`: the one of the version before. */
  #readRow(spec: Spec, known: Row | undefined, scopes: Scopes): Row {
    const isSameSpec = known?.spec === spec
    const parsed =
      known && (isSameSpec || (known.spec.text === spec.text && known.spec.context === spec.context)) ? known.parsed : this.#parse(spec)
    const row = known && known.seen !== this.#checks ? known : rowOf(spec, parsed)
    if (row !== known) this.#known.set(spec.lasting, row)
    else if (row.seen !== this.#checks - 1) [row.history, row.gave] = [[], noTargets]
    const { leader, watched } = row
    const isSameText = row.parsed === parsed && isSame(row.spec.expects, spec.expects)
    row.seen = this.#checks
    row.spec = spec
    if (row.part && row.part.key !== spec.key) row.part = { ...row.part, key: spec.key }
    row.parsed = parsed
    row.targets = noTargets
    row.leader = null
    const standing = standingNow(spec, scopes, key => {
      row.leader = key
      return undefined
    })
    const holds =
      watched?.parsed === parsed &&
      (row.leader !== null ? holdsWhereLed(row, scopes) : watched.scope === scopes.at(standing) && watched.meet(scopes))
    if (!holds) row.watched = row.way = row.first = row.settled = null
    row.altered = !holds || !isSameText || leader !== row.leader || row.history.length === 0
    return row
  }

  /** Marks the formulas that mention one of these names. */
  #suspect(changed: ReadonlySet<string> | null): void {
    if (!changed) return
    for (const row of this.#unread)
      for (const watched of row.remembered)
        if (watched.isFresh)
          for (const name of watched.mentions()) {
            const rows = this.#mentions.get(name)
            if (rows) rows.add(row)
            else this.#mentions.set(name, new Set([row]))
          }
    this.#unread.clear()
    for (const name of [anyName, ...changed]) for (const row of this.#mentions.get(name) ?? []) row.suspected = this.#checks
  }

  #parse({ context, text }: Spec): Parsed {
    const key = `${context}\n${text}`
    let parsed = this.#parses.get(key)
    if (!parsed) this.#parses.set(key, (parsed = parseFormula(text, context)))
    return parsed
  }

  /** Infers what may be different than in the round before: all, or what reads what grew. Gives what is. */
  #round(scopes: Scopes, grown: ReadonlySet<Cell> | null, round: Round): readonly Row[] {
    if (!grown) this.#ranges.clear()
    const rows = grown ? new Set([...grown].flatMap(cell => [...(this.#readers.get(cell) ?? [])])) : this.#formulas.rows
    const fresh: Row[] = []
    const take = (row: Row): void => {
      const { spec } = row
      const way = this.#visit(row, grown ? row.way : row.first, spec.expects, scopes)
      if (!grown) {
        row.first = way
        if (row.history.length > 0) row.history = []
      } else if (way === row.way) return
      row.way = way
      row.history.push({ round, way, led: row.led })
      fresh.push(row)
      if (spec.field !== 'range') return
      this.#ranges.set(spec.key, way.inferred.type)
      round.ranges.push([spec.key, way.inferred.type])
    }
    const led = new Set<Row>()
    for (const row of rows) {
      if (row.seen !== this.#checks) continue
      if (row.leader === null) take(row)
      else led.add(row)
    }
    // Formulas with a scope that depends on a range with a changed type.
    if (grown) for (const row of fresh) for (const follower of this.#led.get(row.spec.key) ?? []) led.add(follower)
    for (const row of led) take(row)
    return fresh
  }

  /** The inference of a formula with types as they are now; `hint` may be it. */
  #visit(row: Row, hint: Way | null, expects: Type | undefined, scopes: Scopes): Way {
    const { leader } = row
    const range = leader === null ? undefined : this.#ranges.get(leader)
    const stays = row.watched !== null && row.led === range
    // A range that determines the individual meant may have referred to another one.
    const isHere = leader === null || (hint !== null && row.watched?.ways.includes(hint))
    if (hint && isHere && stays && isNow(hint) && isSame(hint.expects, expects)) return hint
    if (!row.watched || !stays) {
      const standing = standingNow(row.spec, scopes, () => range)
      row.watched = watchedIn(row, scopes.at(standing), scopes)
      row.led = range
    }
    const way = wayOf(row.watched, expects, scopes, cell => {
      const readers = this.#readers.get(cell)
      if (readers) readers.add(row)
      else this.#readers.set(cell, new Set([row]))
    })
    if (row.watched.isFresh) {
      this.#unread.add(row)
      this.#noteGiver(row, way)
    }
    return way
  }

  /** Equal types are interned, so that they are compared by identity. */
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
  #grow(rows: readonly Row[], round: Round, last: boolean): void {
    const { variables, initialised, fed, byId, functions, returns: returned } = this.#sources
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
    if (round.n === 0) {
      for (const variable of variables) {
        if (fed.has(variable)) widen(variable, any)
        if (!initialised.has(variable)) widen(variable, startType(variable).is === 'never' ? none : never)
      }
      for (const { fn, body } of [...functions.values()].flat()) if (!body) result(fn, none)
    }
    for (const { from, to } of returned) widen(to, from.type)
    for (const { way, targets } of rows) {
      if (!way) continue
      const { initialOf, crossesTo, bodyOf } = targets
      const { type, writes, functions: uses } = way.inferred
      if (bodyOf && widenEffects(bodyOf, way)) called.add(bodyOf)
      const isPassedOver = round.patient && way.open
      for (const use of uses)
        for (const { fn, defaults } of functions.get(use.symbol.id ?? '') ?? [])
          for (const [parameter, given] of argumentsOf(use, fn, isPassedOver, i => defaults[i]?.way)) {
            const next = join(parameter.type, forget(given))
            if (sameType(next, parameter.type)) continue
            parameter.type = next
            called.add(fn)
          }
      if (isPassedOver) continue
      for (const variable of initialOf) widen(variable, type)
      for (const variable of crossesTo) widen(variable, type)
      for (const write of writes) for (const variable of byId.get(write.symbol.id ?? '') ?? []) widen(variable, write.type)
      if (bodyOf) result(bodyOf, stored(type))
    }
    for (const fn of called) this.#sign(fn)
    for (const cell of this.#grown) {
      if ('signature' in cell) round.told.push(knownOf(cell))
      else round.grown.push([cell, cell.type])
    }
  }
}

/** The scope of a formula, given the types of the ranges that it depends on. */
const standingNow = ({ standing }: Spec, scopes: Scopes, range: (key: string) => Type | undefined): FormulaPosition =>
  typeof standing === 'function'
    ? standing({ type: range, entity: id => scopes.entity(id), parameter: (fn, i) => scopes.parameterSymbol(fn, i) })
    : standing

/** Whether all names keep their meaning in every scope that the types of the leading range gave. If not, the formula is inferred again. */
function holdsWhereLed({ spec, parsed, remembered, history, watched, led }: Row, scopes: Scopes): boolean {
  const scopeWith = (range: Type | undefined): Scope => scopes.at(standingNow(spec, scopes, () => range))
  if (watched?.scope !== scopeWith(led) || !watched.meet(scopes)) return false
  for (const range of new Set(history.map(one => one.led))) {
    const scope = scopeWith(range)
    if (!remembered.find(one => one.scope === scope && one.parsed === parsed)?.meet(scopes)) return false
  }
  return true
}

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

function widenEffects(fn: FunctionPart, body: Way): boolean {
  const found = effectsOf(body, fn.effects)
  if (sameEffects(found, fn.effects)) return false
  fn.effects = found
  return true
}

function widest(type: Type): Type {
  if (type.is === 'list') return listOf(any)
  if (type.is === 'set') return setOf(any)
  return dictOf(any, any)
}

/** The same for formulas that give variables values of the same storage. */
const gives = (inferred: Inferred): string => `${largeIn(inferred).join()} ${textsGiven(inferred).key}`

function storageOf(type: Type): Storage {
  if (type.is === 'number') return 'number'
  if (type.is === 'bool') return 'bool'
  if (type.is === 'entity' && type.of !== null) return 'entity'
  return 'any'
}
