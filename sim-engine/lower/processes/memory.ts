// Where lowered processes look for what: the words of the head of the memory that hold streams, shared variables, and the addresses of
// columns, containers and populations; and the formulas over them.
import type { CheckedModel } from '../../check/checked.ts'
import type { ContainerPart, EntityPart, ProcessPart, SpacePart, VariablePart } from '../../check/parts.ts'
import type { Symbol } from '../../formula/scope.ts'
import { constantLists } from '../../compile/constant-lists.ts'
import * as ir from '../../ir.ts'
import type { Expr } from '../../ir.ts'
import type { ProblemCode } from '../../problems.ts'
import { AHEAD_SIZE } from '../../runtime/chance.ts'
import * as rt from '../../runtime/processes.ts'
import * as populations from '../../runtime/populations.ts'
import * as spaces from '../../runtime/spaces.ts'
import { FormulaLowering } from '../formula.ts'
import { Functions } from '../functions.ts'
import type { MoveMemory } from '../moves.ts'
import { listOf, NotLowered } from '../scope.ts'
import type { FormulaScope, Given, VariablePlace } from '../scope.ts'
import { TokenPeople } from './people.ts'
import { WorldWords } from './world-words.ts'
import { say } from '../../../model-schema/words.ts'

/** Where an error is: a part of a formula, or an element's field. */
export type FailurePlace = {
  readonly code: ProblemCode
  readonly id: string
  readonly field: string
  readonly from?: number
  readonly to?: number
}
/** A library function that is called as JavaScript; `given` says which of its arguments are handed over, the others being null. */
export type LibraryCall = {
  readonly name: string
  readonly draws: number | null
  readonly given: readonly boolean[]
  readonly at: Omit<FailurePlace, 'code'>
}
/** Where a newborn stands at first, or that one who dies leaves; `draws` are the words of the streams of its heading and place. */
export type Settling = {
  readonly entity: EntityPart
  readonly place: 'nowhere' | 'random' | 'cell' | 'leave'
  readonly heading: number | null
  readonly draws: number | null
}
/** Whose formula it is: the process whose token `t` is, or none; the individual, and its slot. */
export type Actor = {
  readonly process: ProcessPart | null
  readonly entity: EntityPart | null
  readonly slot: Expr | null
}
/** Units of a container that are requested or given back, below 0 for all that are held; as a local where they are worked out. */
export type Resource = { readonly part: ContainerPart; readonly record: Expr; readonly units: Expr }
/** Units of several resources that are requested together: of all of them, or of one. */
export type Bundle = { readonly parts: readonly { readonly part: ContainerPart; readonly units: number }[]; readonly isAny: boolean }
/** A column of a population beside those of its variables. */
export type BuiltinColumn = { readonly entity: EntityPart; readonly name: string }

export const token = ir.get('t', 'i32')
/** An element of a token's column. */
export const column = (word: number, shift: number, of: Expr = token): Expr =>
  ir.binary('add', ir.load('i32', ir.i32(word)), ir.binary('shl', of, ir.i32(shift)))

/** Columns of a population that stands in a space, and where their addresses are in the record of its residents. */
const residentColumns: readonly (readonly [name: string, offset: number])[] = [
  ['x', spaces.X],
  ['y', spaces.Y],
  ['heading', spaces.HEADING],
  ['#bucket', spaces.BUCKET],
  ['#next', spaces.NEXT],
  ['#previous', spaces.PREVIOUS],
]

export class ProcessMemory {
  readonly checked: CheckedModel
  readonly #words: readonly (string | null)[]
  /** Processes that run without tokens. */
  readonly #rows: ReadonlySet<number>
  readonly #lists: ReadonlyMap<string, readonly number[]>
  /** Functions of the model that formulas call. */
  readonly functions: Functions
  locals = new Map<string, ir.Type>()
  readonly places: FailurePlace[] = []
  readonly libraries: LibraryCall[] = []
  readonly imports: ir.Import[] = []
  readonly streams = new Map<string, number>()
  /** Records of draws made ahead, of streams by component. */
  readonly #ahead = new Map<string, number>()
  readonly shared = new Map<VariablePart, number>()
  readonly fired = new Map<number, number>()
  readonly containers = new Map<ContainerPart, number>()
  readonly bundles = new Map<number, Bundle>()
  readonly tokenColumns = new Map<number, number>()
  readonly properties = new Map<VariablePart, number>()
  readonly builtins = new Map<string, BuiltinColumn & { readonly word: number }>()
  readonly populations = new Map<EntityPart, number>()
  /** Records of cells, which are neither born nor die: nothing but how many there are. */
  readonly cells = new Map<EntityPart, number>()
  /** Words with the addresses of next values of cells that are updated all at once. */
  readonly nexts = new Map<VariablePart, number>()
  /** Surroundings, links, kept lists. */
  readonly around: WorldWords
  /** Records of those who are looked for by where they stand: who is the first in each bucket, and who follows. */
  readonly residents = new Map<EntityPart, number>()
  /** Records of spaces: how wide they and their buckets are. */
  readonly spaces = new Map<SpacePart, number>()
  /** Numbers that never change, and where they stand. */
  readonly tables: { readonly at: number; readonly numbers: readonly number[] }[] = []
  readonly settlings: Settling[] = []
  #top: number = rt.HEAD_SIZE

  /** `isSearched`: a breakpoint is looked for in programs. */
  constructor(checked: CheckedModel, words: readonly (string | null)[], rows: ReadonlySet<number>, isSearched: boolean) {
    this.checked = checked
    this.#words = words
    this.#rows = rows
    this.around = new WorldWords({
      checked,
      room: bytes => this.room(bytes),
      columnWord: (entity, name) => this.#columnWord(entity, name),
    })
    this.#lists = constantLists(checked)
    this.functions = new Functions({
      checked,
      memory: this,
      hasHandles: () => false,
      formula: (key, { self, entity, component, id, field, parameters }) => {
        if (isSearched) throw new NotLowered(say('a breakpoint is set in a program'))
        const formula = checked.formulas.get(key)
        const actor = { process: null, entity, slot: self?.slot ?? null }
        return formula ? new FormulaLowering(formula.inferred, this.scope(actor, component, id, field, parameters)) : null
      },
    })
  }

  /** Bytes of the head, in words of eight; returns their address. */
  room(bytes: number): number {
    const at = this.#top
    this.#top += (bytes + 7) & ~7
    return at
  }

  known<K>(map: Map<K, number>, key: K, bytes: number): number {
    let at = map.get(key)
    if (at === undefined) map.set(key, (at = this.room(bytes)))
    return at
  }

  stream(component: string): Expr {
    return ir.i32(this.known(this.streams, component, 16))
  }

  /** The record of a population whose individuals are born, die or have tokens here. */
  population(entity: EntityPart): Expr {
    if (entity.kind !== 'agent') throw new NotLowered(say('tokens of cells and links run as JavaScript'))
    return ir.i32(this.record(entity))
  }

  /** The record of a population that is looked at. */
  record(entity: EntityPart): number {
    if (entity.kind === 'cell') return this.known(this.cells, entity, populations.POPULATION_SIZE)
    if (entity.order === 'simultaneous') throw new NotLowered(say('its population is updated all at once'))
    return this.known(this.populations, entity, populations.POPULATION_SIZE)
  }

  spaceAt(space: SpacePart): number {
    return this.known(this.spaces, space, spaces.SPACE_SIZE)
  }

  /** What moves ask for. */
  get ground(): MoveMemory {
    return {
      local: (prefix, type) => this.local(prefix, type),
      place: place => this.place(place),
      stream: component => this.stream(component),
      residents: entity => this.residentsOf(entity),
      space: space => this.spaceAt(space),
    }
  }

  residentsOf(entity: EntityPart): number {
    if (entity.order === 'simultaneous') throw new NotLowered(say('its population is updated all at once'))
    let at = this.residents.get(entity)
    if (at === undefined) {
      this.residents.set(entity, (at = this.room(spaces.RESIDENTS_SIZE)))
      for (const [name, offset] of residentColumns) this.builtins.set(`${entity.index} ${name}`, { entity, name, word: at + offset })
    }
    return at
  }

  /** The record of the list that formulas keep theirs in. */
  list(): number {
    return this.around.list()
  }

  import(one: ir.Import): void {
    if (!this.imports.some(({ name }) => name === one.name)) this.imports.push(one)
  }

  place(place: FailurePlace): number {
    const same = (one: FailurePlace): boolean =>
      one.code === place.code && one.id === place.id && one.field === place.field && one.from === place.from && one.to === place.to
    const known = this.places.findIndex(same)
    return known >= 0 ? known : this.places.push(place) - 1
  }

  local(prefix: string, type: ir.Type): string {
    const name = `${prefix}${this.locals.size}`
    this.locals.set(name, type)
    return name
  }

  /** The actor of a process's token. */
  actorOf(process: ProcessPart): Actor {
    const isIndividual = process.level === 'individual'
    return { process, entity: process.entity, slot: isIndividual ? ir.call('slotOf', 'i32', token) : null }
  }

  table(numbers: readonly number[]): Expr {
    const known = this.tables.find(one => one.numbers === numbers)
    if (known) return ir.i32(known.at)
    const at = this.room(8 * numbers.length)
    this.tables.push({ at, numbers })
    return ir.i32(at)
  }

  /** A variable of a token, which is `t` if nothing else is said. */
  tokenPlace(variable: VariablePart, of: Expr = token): VariablePlace | undefined {
    const holds = this.#holds(variable)
    if (holds !== 'number' && holds !== 'bool' && holds !== 'word' && holds !== 'entity' && holds !== 'slot') return undefined
    const word = this.known(this.tokenColumns, variable.index, 8)
    const isNumber = holds === 'number' || holds === 'entity' || holds === 'slot'
    return { mem: isNumber ? 'f64' : 'u8', address: column(word, isNumber ? 3 : 0, of), offset: 0, holds }
  }

  /** How a variable's values stand in the memory: cells, which neither are born nor die, are their slots. */
  #holds({ storage, type }: VariablePart): VariablePlace['holds'] | null {
    if (storage === 'any') return null
    const kept = storage === 'entity' && type.is === 'entity' ? this.checked.scopes.entity(type.of) : undefined
    return kept?.kind === 'cell' ? 'slot' : storage
  }

  /** A variable of the individual in a slot. */
  property(entity: EntityPart | null, variable: VariablePart, slot: Expr): VariablePlace | undefined {
    const holds = this.#holds(variable)
    if (!entity || holds === null) return undefined
    const isNumber = holds === 'number' || holds === 'entity' || holds === 'slot'
    const isHandle = holds === 'entity' || holds === 'slot'
    if (entity.kind === 'cell' && entity.order === 'simultaneous') {
      const place = this.#element(this.known(this.properties, variable, 8), slot, isNumber)
      const next = (): Expr[] => this.#nextOf(entity, variable).map(word => this.#element(word, slot, isNumber).address)
      return {
        ...place,
        holds,
        // Asked for by who writes.
        get targets() {
          return [place.address, ...next()]
        },
      }
    }
    if (entity.order === 'simultaneous') throw new NotLowered(say('its population is updated all at once'))
    if (isHandle) return { ...this.builtin(entity, `v${variable.index}`, slot, true), holds }
    return { ...this.#element(this.known(this.properties, variable, 8), slot, isNumber), holds }
  }

  /** Next values that are kept of a variable of cells: who writes to it writes to these as well. */
  #nextOf(cells: EntityPart, variable: VariablePart): number[] {
    if (cells.processes.some(({ level, index }) => level === 'individual' && !this.#rows.has(index)))
      throw new NotLowered(say('its population is updated all at once'))
    return this.checked.scopes.pending.has(variable) ? [this.known(this.nexts, variable, 8)] : []
  }

  #columnWord(entity: EntityPart, name: string): number {
    if (entity.order === 'simultaneous') throw new NotLowered(say('its population is updated all at once'))
    if (entity.space && entity.kind === 'agent' && residentColumns.some(([column]) => column === name)) this.residentsOf(entity)
    const key = `${entity.index} ${name}`
    const word = this.builtins.get(key)?.word ?? this.room(8)
    this.builtins.set(key, { entity, name, word })
    return word
  }

  /** A column every population may have: when somebody was born, its size. Where it is laid out anew, next values would begin anew as well. */
  builtin(entity: EntityPart, name: string, slot: Expr, isNumber: boolean): Pick<VariablePlace, 'mem' | 'address' | 'offset'> {
    return this.#element(this.#columnWord(entity, name), slot, isNumber)
  }

  /** The function of the host for a place. */
  settling(settling: Settling): string {
    const name = `settling${this.settlings.push(settling) - 1}`
    this.imports.push({ name, params: ['i32'], result: 'void' })
    return name
  }

  #element(at: number, slot: Expr, isNumber: boolean): Pick<VariablePlace, 'mem' | 'address' | 'offset'> {
    const word = ir.load('i32', ir.i32(at))
    return {
      mem: isNumber ? 'f64' : 'u8',
      address: ir.binary('add', word, isNumber ? ir.binary('shl', slot, ir.i32(3)) : slot),
      offset: 0,
    }
  }

  /** What every agent has: its size and number. */
  ofEveryAgent(entity: EntityPart, name: string, slot: Expr): VariablePlace | undefined {
    if (entity.kind === 'cell' || entity.order === 'simultaneous') return undefined
    if (name === 'weight' && entity.kind === 'link') return { ...this.builtin(entity, name, slot, true), holds: 'number' }
    if (name === 'size') return { ...this.builtin(entity, name, slot, true), holds: 'number' }
    if (name !== 'id') return undefined
    const ids = ir.load('i32', this.population(entity), populations.IDS)
    return { mem: 'f64', address: ir.binary('add', ids, ir.binary('shl', slot, ir.i32(3))), offset: 0, holds: 'number' }
  }

  #variable({ process, entity, slot }: Actor, symbol: Symbol): VariablePlace | undefined {
    if (symbol.kind === 'builtin' && symbol.name === 'tick' && this.checked.parts.scenario.fields['ticking'] !== false)
      return { mem: 'f64', address: ir.i32(rt.TICK), offset: 0, holds: 'number' }
    if (symbol.kind === 'builtin' && entity && slot) return this.ofEveryAgent(entity, symbol.name, slot)
    if (!symbol.id || symbol.kind === 'container') return undefined
    // Those of the token outside, too, where a process is inside a step.
    for (let [at, of]: [ProcessPart | null, Expr] = [process, token]; at; at = at.holder?.process ?? null) {
      const mine = at.temporaries.find(one => one.id === symbol.id)
      if (mine) return this.tokenPlace(mine, of)
      of = ir.load('i32', column(rt.T_OUTER, 2, of))
    }
    const own = slot ? entity?.variables.find(one => one.id === symbol.id) : undefined
    if (own) return this.property(entity, own, slot!)
    const all = this.checked.parts.shared.filter(one => one.id === symbol.id)
    const shared = all.length === 1 ? all[0] : all.find(one => one.entity === entity)
    if (!shared || (shared.storage !== 'number' && shared.storage !== 'bool')) return undefined
    const isBool = shared.storage === 'bool'
    const address = ir.i32(this.known(this.shared, shared, 8))
    return { mem: isBool ? 'i32' : 'f64', address, offset: 0, holds: isBool ? 'bool' : 'number' }
  }

  /** The formula with a key, as the actor sees it; `component` is what draws. */
  value(actor: Actor, key: string, component: string, id: string, field: string): FormulaLowering {
    const formula = this.checked.formulas.get(key)
    if (!formula) throw new NotLowered(say('its {field} is blank', { field }))
    return new FormulaLowering(formula.inferred, this.scope(actor, component, id, field))
  }

  scope(actor: Actor, component: string, id: string, field: string, parameters?: ReadonlyMap<string, Given>): FormulaScope {
    const owner = actor.process ? ir.load('f64', column(rt.T_OWNER, 3)) : null
    const people = new TokenPeople(this, actor, owner, { id, field }, parameters !== undefined)
    return {
      variable: symbol => this.#variable(actor, symbol),
      parameter: name => parameters?.get(name),
      call: (symbol, owner, args) => this.functions.call(symbol, owner ?? people.self, args),
      code: (text, as) => {
        const known = as === 'word' ? this.#words.indexOf(text) : -1
        return known < 0 ? undefined : known
      },
      container: containerId => this.#looked(containerId),
      stream: () => this.stream(component),
      ahead: () => ir.i32(this.known(this.#ahead, component, AHEAD_SIZE)),
      place: (code, { from, to }) => this.place({ code, id, field, from, to }),
      local: (prefix, type) => this.local(prefix, type),
      fuelAt: rt.LOOP_FUEL,
      table: numbers => this.table(numbers),
      constantList: listId =>
        listOf(this.checked, this.#lists, listId, this.imports, (code, { from, to }) => this.place({ code, id, field, from, to })),
      people,
      library: (name, draws, args, result, { from, to }) => {
        const given = args.filter(arg => arg !== null)
        const host = `library${this.libraries.length}`
        const address = draws ? this.known(this.streams, component, 16) : null
        this.libraries.push({ name, draws: address, given: args.map(arg => arg !== null), at: { id, field, from, to } })
        this.imports.push({ name: host, params: given.map(() => 'f64' as const), result })
        return ir.call(host, result, ...given)
      },
    }
  }

  // --- containers

  #looked(id: string): { record: Expr; isGoods: boolean } | undefined {
    const [part, other] = this.checked.parts.containers.filter(one => one.id === id)
    if (!part || other) return undefined
    const isGoods = part.element.fields['reusable'] !== true
    return { record: isGoods ? this.goodsOf(part) : this.unitsOf(part), isGoods }
  }

  /** The record of a container of goods. */
  goodsOf(part: ContainerPart): Expr {
    const { contents, reusable, negative } = part.element.fields
    const areItems = this.checked.parts.containers.some(one => one.element.fields['contents'] === 'items')
    if (part.level === 'individual' || contents !== 'amount' || reusable === true || negative === true || areItems)
      throw new NotLowered(say('its container does not hold a plain amount of goods'))
    return ir.i32(this.known(this.containers, part, rt.RECORD_SIZE))
  }

  /** That of one of units. */
  unitsOf(part: ContainerPart): Expr {
    const { contents, reusable } = part.element.fields
    if (part.level === 'individual' || contents !== 'amount' || reusable !== true)
      throw new NotLowered(say('its container does not hold plain units that exist once'))
    return ir.i32(this.known(this.containers, part, rt.RECORD_SIZE))
  }

  /** Whether formulas ask what steps were given. */
  get tells(): boolean {
    const { parts, scopes } = this.checked
    return parts.steps.some(step => step.kind.id === 'operate' && scopes.outputs.has(step))
  }

  /** Words that never change in a run of this model: containers are looked at once more only for who waits at several for one. */
  get constants(): [number, number][] {
    const looksAgain = [...this.bundles.values()].some(({ isAny }) => isAny)
    const limits = this.checked.parts.processes.some(({ index }) => this.checked.formulas.has(`q${index}/concurrency`))
    return [
      [rt.TELLS, Number(this.tells)],
      [rt.LIMITS, Number(limits)],
      ...(looksAgain ? [] : [[rt.FIRST_DIRTY, 0] satisfies [number, number]]),
    ]
  }

  /** Where resources that are requested together are listed, see runtime/containers.ts. */
  bundle(resources: readonly Resource[], isAny: boolean): number {
    const parts = resources.map(({ part, units }) => {
      if (units.kind !== 'const') throw new NotLowered(say('its amount is worked out'))
      return { part, units: Number(units.value) }
    })
    const isSame = (other: Bundle): boolean =>
      other.isAny === isAny &&
      other.parts.length === parts.length &&
      other.parts.every(({ part, units }, k) => part === parts[k]!.part && units === parts[k]!.units)
    for (const [at, other] of this.bundles) if (isSame(other)) return at
    const at = this.room(8 + 16 * parts.length)
    this.bundles.set(at, { parts, isAny })
    return at
  }
}
