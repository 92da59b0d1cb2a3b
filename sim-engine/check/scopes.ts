// Which names a formula may use at its position, and how generated code reads and writes them. Innermost first: local,
// temporary and interface (of this process and those around it), own property, own observer, global, built-in.
//
// Names in generated code: `p3_v2` column 2 of population 3 (`p3_n2`: its next values, for simultaneous updates),
// `p3_x` and so on its built-in columns, `P3` the population, `R3` its residents, `L3` its links, `S1` a space; `G`, `B`
// and `A` the shared numbers, flags and other values; `tc4` a token column; `fn5` a function; `C6` a container. The
// compiler declares whichever of them the text mentions.
import type { Scope, Symbol } from '../formula.ts'
import { any, entityOf, number, text } from '../formula/types.ts'
import type { Type } from '../formula/types.ts'
import { chainOf } from '../chain/parts.ts'
import type { ChainPart, ContractPart } from '../chain/parts.ts'
import { outputType } from '../chain/output.ts'
import { faceOf } from '../chain/parts.ts'
import { accountSymbol, chainMembers } from './names/chain-names.ts'
import { contractMembers } from './names/contract-names.ts'
import { headsOf, Names, namesOf } from './names/names.ts'
import { isSameList } from './rows.ts'
import {
  always,
  bounds,
  builtins,
  common,
  containerMembers,
  counter,
  localSymbol,
  networkMembers,
  observerBuiltins,
  outputSymbol,
  slotOf,
} from './names/builtins.ts'
import type {
  ContainerPart,
  EntityPart,
  FunctionPart,
  Level,
  MessagePart,
  NetworkPart,
  Parts,
  ProcessPart,
  SpacePart,
  StatisticPart,
  StepPart,
  VariablePart,
} from './parts.ts'
import type { Words } from '../../model-schema/words.ts'

/** The scope of a formula. */
export type FormulaPosition = {
  level: Level
  entity: EntityPart | null
  /** The process with the token that carries the temporaries; null outside processes. */
  process: ProcessPart | null
  /** The population with the simultaneous update that this is part of: writes to it appear in phase 5. */
  buffered: EntityPart | null
  /** The actor is an individual of unknown population: `self` is a Ref. */
  mixed?: boolean
  /** Names that exist here only. */
  locals?: readonly Symbol[]
  /** Distinguishes scopes with other locals of the same names. */
  of?: string
}

/** The dependencies found while a formula was inferred: the variables of which it uses types, and the steps of which it reads the output. */
type Reading = { readonly cells: Set<VariablePart | FunctionPart>; readonly outputs: Set<StepPart> }

/**
 * Scopes of a model through its edits. A name that means the same part in the same way is the same symbol, before and
 * after: what was inferred with it holds on. Symbols say types and places when asked, so they are never out of date.
 */
export class Scopes {
  #parts: Parts
  #globals: ReadonlyMap<string, Symbol> = new Map()
  #onlyAgents: string | undefined
  #own = new Map<EntityPart, Tables>()
  #observers = new Map<EntityPart, ReadonlyMap<string, Symbol>>()
  #observersBefore = new Map<EntityPart, ReadonlyMap<string, Symbol>>()
  #anyBefore: ReadonlyMap<string, Symbol> | null = null
  readonly #changes = new WeakMap<Scope, () => number>()
  #members = new Map<string, ReadonlyMap<string, Symbol>>()
  #steps = new Map<string, StepPart>()
  #byId: ReadonlyMap<string, EntityPart> = new Map()
  #any: ReadonlyMap<string, Symbol> | null = null
  /** Members of individuals of unknown population, by whether the population of `self` is known. */
  #public = new Map<boolean, ReadonlyMap<string, Symbol>>()
  readonly #kept = new WeakMap<object, Map<string, Symbol>>()
  readonly #tables = new WeakMap<object, { as: string; symbols: Symbol[] }>()
  readonly #mixed = new Map<string, { of: readonly Symbol[]; symbol: Symbol }>()
  readonly #ofTokens = new WeakMap<
    ProcessPart,
    {
      reading: object
      repeats: boolean
      before: ReadonlyMap<string, ReadonlyMap<string, Symbol>>
      now: Map<string, ReadonlyMap<string, Symbol>>
    }
  >()
  readonly #standing = new WeakMap<FormulaPosition, Scope>()
  readonly #scopes = new Map<string, { scope: Scope; entity: EntityPart | null; process: ProcessPart | null; locals: readonly Symbol[] }>()
  /** Columns of simultaneous populations that are written in their own update. Filled while emitting. */
  readonly pending = new Set<VariablePart>()
  /** Whether the code being generated may run between ticks; it then lists the agents that have next values. */
  isBetweenTicks = false
  /** Steps of which the output is read. */
  readonly outputs = new Set<StepPart>()
  #heads: readonly unknown[] = []
  #named: ReadonlyMap<EntityPart | null, Names> = new Map()
  /** Names, and ids of elements as `mentionOf` writes them, that may have changed meaning since the version before; null for all. */
  changed: ReadonlySet<string> | null = null
  /** The version in which names behind a dot last came to mean something else, but for those of steps. */
  membersChangedAt = 0
  /** Counts the structures seen. */
  version = 0
  /** Where looks are noted, while a formula is being inferred. */
  reading: Reading | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.renew(parts)
  }

  /** Takes another structure. Parts that are still there must be the same objects. */
  renew(parts: Parts): void {
    this.version++
    this.#parts = parts
    const heads = headsOf(parts)
    const areHeads = isSameList(heads, this.#heads)
    this.#heads = heads
    const named = namesOf(parts)
    const before = this.#named
    this.#named = named
    const changed = new Set<string>()
    const others = new Set<EntityPart | null>()
    for (const [owner, names] of named) if (names.compare(before.get(owner) ?? new Names(), changed)) others.add(owner)
    this.changed = areHeads ? changed : null
    // Steps that were absent and came back have other objects for their outputs.
    for (const key of this.#steps.keys()) this.#members.delete(key)
    this.#steps = new Map()
    if (!areHeads || others.size > 0) {
      this.membersChangedAt = this.version
      this.#members = new Map()
      this.#anyBefore = this.#any ?? this.#anyBefore
      this.#any = null
      this.#public = new Map()
      // Heirs have names of those they inherit from.
      const areAll = !areHeads || [...others].some(owner => owner !== null && owner.derived.length > 0)
      if (areAll) this.#renewTables(parts.entities)
      else for (const owner of others) if (owner) this.#renewTablesOf(owner, this.#own, this.#observers)
    }
    this.#byId = new Map(parts.entities.map(entity => [entity.id, entity]))
    if (!areHeads || others.has(null)) this.#globals = asBefore(this.#globals, this.#globalSymbols())
    const placed = parts.entities.filter(entity => entity.kind === 'agent' && entity.form !== 'observer' && entity.space)
    this.#onlyAgents = placed.length === 1 ? placed[0]?.id : undefined
    if (this.#scopes.size > mostScopes) this.#scopes.clear()
  }

  #renewTables(entities: readonly EntityPart[]): void {
    const [own, observers] = [this.#own, this.#observers]
    this.#own = new Map()
    this.#observers = new Map()
    for (const entity of entities) this.#renewTablesOf(entity, own, observers)
  }

  /** The tables are made again when they are asked for. */
  #renewTablesOf(entity: EntityPart, own: ReadonlyMap<EntityPart, Tables>, observers: ReadonlyMap<EntityPart, Table>): void {
    const tables = own.get(entity)
    if (tables) this.#own.set(entity, { before: new Map([...tables.before, ...tables.now]), now: new Map() })
    const table = observers.get(entity)
    if (table) this.#observersBefore.set(entity, table)
    this.#observers.delete(entity)
  }

  entity(id: string | null): EntityPart | undefined {
    return id === null ? undefined : this.#byId.get(id)
  }

  #cellsOf(id: string | null): string | null {
    const entity = this.entity(id)
    if (entity?.kind === 'cell') return entity.id
    if (entity?.space?.cells) return entity.space.cells.id
    const tiled = this.#parts.spaces.filter(space => space.cells)
    return tiled.length === 1 ? (tiled[0]?.cells?.id ?? null) : null
  }

  typeOf(variable: VariablePart): Type {
    this.reading?.cells.add(variable)
    return variable.type
  }

  signatureOf(fn: FunctionPart): FunctionPart['signature'] {
    this.reading?.cells.add(fn)
    return fn.signature
  }

  /** The symbol of a part, made once for each way it is used. */
  #keep(part: object, as: string, make: () => Symbol): Symbol {
    let known = this.#kept.get(part)
    if (!known) this.#kept.set(part, (known = new Map()))
    let symbol = known.get(as)
    if (!symbol) known.set(as, (symbol = make()))
    return symbol
  }

  /** Symbols that belong together, made again only when what they are made from (`as`) is another. */
  #keepAll(part: object, as: string, make: () => Symbol[]): Symbol[] {
    const known = this.#tables.get(part)
    if (known?.as === as) return known.symbols
    const symbols = make()
    this.#tables.set(part, { as, symbols })
    return symbols
  }

  at(standing: FormulaPosition): Scope {
    let scope = this.#standing.get(standing)
    if (!scope) this.#standing.set(standing, (scope = this.#scopeAt(standing)))
    return scope
  }

  #scopeAt(standing: FormulaPosition): Scope {
    const { level, entity, process, buffered, mixed, locals = [], of = '' } = standing
    const key = `${level} ${entity?.id} ${process?.key} ${buffered?.id} ${mixed} ${of} ${locals.map(local => local.name).join(' ')}`
    let known = this.#scopes.get(key)
    // What was deleted and came back is another part.
    if (known?.entity !== entity || known.process !== process || (of !== '' && !isSameList(known.locals, locals)))
      this.#scopes.set(key, (known = { scope: this.#makeScope(standing), entity, process, locals }))
    return known.scope
  }

  /** The version in which names in the scope last came to mean something else. */
  changedAt(scope: Scope): number {
    return this.#changes.get(scope)?.() ?? this.version
  }

  #layersOf(standing: FormulaPosition, locals: ReadonlyMap<string, Symbol>): ReadonlyMap<string, Symbol>[] {
    const layers: ReadonlyMap<string, Symbol>[] = []
    if (locals.size > 0) layers.push(locals)
    let token = 't'
    for (let process = standing.process; process; process = process.holder?.process ?? null) {
      layers.push(this.#tokenSymbols(process, token))
      token = `T_outer[${token}]`
    }
    if (standing.entity) {
      if (standing.level === 'individual') layers.push(this.#ownSymbols(standing.entity, standing.buffered))
      layers.push(this.#observerSymbols(standing.entity))
    } else if (standing.mixed) layers.push(this.#anySymbols())
    layers.push(this.#globals)
    return layers
  }

  #makeScope(standing: FormulaPosition): Scope {
    let version = 0
    let changed = 0
    let known: readonly ReadonlyMap<string, Symbol>[] = []
    const locals = table(standing.locals ?? [])
    const layers = (): readonly ReadonlyMap<string, Symbol>[] => {
      if (version === this.version) return known
      version = this.version
      const now = this.#layersOf(standing, locals)
      if (now.length !== known.length || now.some((layer, i) => layer !== known[i])) changed = version
      known = now
      return known
    }
    const own = standing.level === 'individual' ? standing.entity : null
    const keys = new WeakMap<Type, string>()
    const members = (of: Type): ReadonlyMap<string, Symbol> => {
      let key = keys.get(of)
      if (key === undefined) keys.set(of, (key = membersKey(of, own, standing)))
      return this.#membersOf(key, of, own, standing)
    }
    const only = (): string | undefined => this.#onlyAgents
    const scope: Scope = {
      find: name => {
        for (const layer of layers()) {
          const symbol = layer.get(name)
          if (symbol) return symbol
        }
        return undefined
      },
      member: (of, name) => members(of).get(name),
      names: function* () {
        for (const layer of layers()) yield* layer.values()
      },
      members: function* (of) {
        yield* members(of).values()
      },
      get onlyAgents() {
        return only()
      },
      cellsOf: id => this.#cellsOf(id),
    }
    this.#changes.set(scope, () => {
      layers()
      return changed
    })
    return scope
  }

  /** The members after a dot. */
  #membersOf(key: string, of: Type, own: EntityPart | null, standing: FormulaPosition): ReadonlyMap<string, Symbol> {
    let table = this.#members.get(key)
    if (!table) this.#members.set(key, (table = this.#makeMembers(key, of, own, standing)))
    const step = this.#steps.get(key)
    if (step) this.reading?.outputs.add(step)
    return table
  }

  #makeMembers(key: string, of: Type, own: EntityPart | null, standing: FormulaPosition): ReadonlyMap<string, Symbol> {
    if (of.is === 'entity') {
      const entity = this.entity(of.of)
      if (entity) return this.#foreignSymbols(entity, own, standing.buffered)
      return this.#publicSymbols(standing.mixed === true)
    }
    if (of.is === 'entities') return this.#families()
    if (of.is === 'observer') {
      const entity = this.entity(of.of)
      return entity ? this.#observerSymbols(entity) : this.#globals
    }
    if (of.is === 'element') {
      const container = this.#parts.containers.find(one => one.id === of.of)
      if (container) {
        const keyed = container.element.fields['contents'] === 'keyed'
        return table(this.#keepAll(container, `${keyed}`, () => containerMembers(keyed)))
      }
      const message = this.#parts.messages.find(one => one.id === of.of)
      if (message)
        return table(
          (['sent', 'received', 'lost'] as const).map(name =>
            this.#keep(message, name, () => counter(name, () => `W.mail.${name}[M${message.index}]`)),
          ),
        )
      const network = this.#parts.networks.find(one => one.id === of.of)
      if (network) return table(this.#keepAll(network, 'asked', () => networkMembers(network)))
      const chain = this.#parts.chains.find(one => one.id === of.of)
      if (chain) return table(this.#keepAll(chain, 'chain', () => chainMembers(chain)))
      const contract = this.#parts.contracts.find(one => one.id === of.of)
      if (contract) return table(contractMembers(contract))
      let around = 't'
      for (let process = standing.process; process; process = process.holder?.process ?? null) {
        const token = around
        const step = process.steps.find(one => one.id === of.of)
        if (step) {
          this.#steps.set(key, step)
          const contract = this.#parts.contracts.find(one => one.id === step.element.fields['interface'])
          const type = outputType(step.element, contract && !contract.isTerra ? faceOf(contract) : null)
          return table([this.#keep(step, `output ${token} ${JSON.stringify(type)}`, () => outputSymbol(step, token, type))])
        }
        around = `T_outer[${token}]`
      }
      const tagset = this.#parts.tags.find(one => one.id === of.of)
      if (tagset) return table(tagset.tags.map(tag => this.#keep(tagset, `tag ${tag}`, () => localSymbol(tag, text, JSON.stringify(tag)))))
      const space = this.#parts.spaces.find(one => one.id === of.of)
      if (space) return table(this.#keepAll(space, 'bounds', () => bounds(space)))
    }
    return new Map()
  }

  #tokenSymbols(process: ProcessPart, token: string): ReadonlyMap<string, Symbol> {
    const { reading, holder } = process
    const repeats = holder?.element.fields['repeat'] === 'each'
    let tables = this.#ofTokens.get(process)
    if (tables?.reading !== reading || tables.repeats !== repeats) {
      tables = { reading, repeats, before: tables?.now ?? new Map(), now: new Map() }
      this.#ofTokens.set(process, tables)
    }
    const known = tables.now.get(token)
    if (known) return known
    const made = table(
      process.temporaries.map(variable => this.#keep(variable, `${variable.name} ${token}`, () => this.#tokenSymbol(variable, token))),
    )
    for (const step of process.steps)
      if (step.name !== '' && !made.has(step.name))
        made.set(
          step.name,
          this.#keep(step, step.name, () => ({
            name: step.name,
            kind: 'step',
            type: { is: 'element', of: step.id },
            id: step.id,
            read: () => 'null',
          })),
        )
    if (repeats) {
      made.set(
        'item',
        this.#keep(process, `item ${token}`, () => localSymbol('item', any, `K.item(${token})`)),
      )
      made.set(
        'index',
        this.#keep(process, `index ${token}`, () => localSymbol('index', number, `T_index[${token}]`)),
      )
    }
    const kept = asBefore(tables.before.get(token), made)
    tables.now.set(token, kept)
    return kept
  }

  /** An individual's own names. */
  #ownSymbols(entity: EntityPart, buffered: EntityPart | null): ReadonlyMap<string, Symbol> {
    let tables = this.#own.get(entity)
    if (!tables) this.#own.set(entity, (tables = { before: new Map(), now: new Map() }))
    const known = tables.now.get(buffered)
    if (known) return known
    const { space, source, target } = entity
    const as = [entity.kind, space?.id, space?.three, space?.topology, space?.cells?.id, ...ends(source), ...ends(target)].join(' ')
    const made = table(this.#keepAll(entity, as, () => builtins(entity)))
    if (entity.kind === 'agent' && chainOf(this.#parts, entity) >= 0)
      made.set(
        'account',
        this.#keep(entity, 'account', () =>
          accountSymbol(
            () => chainOf(this.#parts, entity),
            () => entity.index,
          ),
        ),
      )
    for (const variable of entity.variables)
      if (variable.name !== '') made.set(variable.name, this.#columnSymbol(variable, entity, buffered))
    for (const container of entity.containers)
      if (container.level === 'individual') made.set(container.name, this.#containerSymbol(container))
    for (const fn of entity.functions) if (fn.level === 'individual') made.set(fn.name, this.#functionSymbol(fn))
    for (const process of entity.processes) if (process.level === 'individual') made.set(process.name, this.#processSymbol(process))
    const kept = asBefore(tables.before.get(buffered), made)
    tables.now.set(buffered, kept)
    return kept
  }

  /** Another individual's names: all may be read, public ones set; those of the own population only through `self`. */
  #foreignSymbols(entity: EntityPart, own: EntityPart | null, buffered: EntityPart | null): ReadonlyMap<string, Symbol> {
    const made = new Map(this.#ownSymbols(entity, buffered))
    for (const variable of entity.variables) {
      const symbol = made.get(variable.name)
      if (!symbol?.write || variable.public) continue
      const { write } = symbol
      const mine = entity === own
      const guarded = (self: string, value: string, at = '', isCode = false, own = 'self') =>
        self === own
          ? write(self, value, at, isCode)
          : `if(${self}!==${own})X.fail(10033,[]${at === '' ? '' : `,${at}`});${write(self, value, at, isCode)}`
      made.set(
        variable.name,
        this.#keep(symbol, mine ? 'through self' : 'not public', () =>
          mine ? Object.assign(withWrite(symbol, guarded), { privateTo: 'self' as const }) : closed(symbol),
        ),
      )
    }
    return made
  }

  #columnSymbol(variable: VariablePart, entity: EntityPart, buffered: EntityPart | null): Symbol {
    return this.#keep(variable, `${variable.name} ${buffered?.id}`, () => {
      const typeOf = (): Type => this.typeOf(variable)
      const column = (): string => `p${entity.index}_v${variable.index}`
      return {
        name: variable.name,
        kind: 'variable',
        id: variable.id,
        get type() {
          return typeOf()
        },
        read: self => readOf(variable, `${column()}[${slotOf(entity, self)}]`),
        code: self => (variable.storage === 'word' ? `${column()}[${slotOf(entity, self)}]` : undefined),
        write: (self, value, _at, isCode) => {
          const next = `p${entity.index}_n${variable.index}`
          const slot = slotOf(entity, self)
          const js = isCode ? value : stored(variable, value)
          if (entity.order !== 'simultaneous') return `${column()}[${slot}]=${js};`
          if (buffered !== entity) return `${column()}[${slot}]=${next}[${slot}]=${js};`
          this.pending.add(variable)
          return `${next}[${slot}]=${js};${this.isBetweenTicks ? `late${entity.index}.push(${slot});` : ''}`
        },
        first: (self, value, isCode) => {
          const slot = slotOf(entity, self)
          const js = isCode ? value : stored(variable, value)
          return `${column()}[${slot}]=${entity.order === 'simultaneous' ? `p${entity.index}_n${variable.index}[${slot}]=` : ''}${js};`
        },
      }
    })
  }

  #observerSymbols(entity: EntityPart): ReadonlyMap<string, Symbol> {
    const known = this.#observers.get(entity)
    if (known) return known
    const { space, source, target, derived } = entity
    const as = [entity.kind, space?.id, derived.length > 0, source === target, ...ends(source)].join(' ')
    const made = table(this.#keepAll(this.#observerKey(entity), as, () => observerBuiltins(entity)))
    // The base's observer is reached by the derived population's names, too.
    if (entity.base) for (const [name, symbol] of this.#observerSymbols(entity.base)) if (!made.has(name)) made.set(name, symbol)
    for (const variable of entity.observed) if (variable.name !== '') made.set(variable.name, this.#sharedSymbol(variable))
    for (const container of entity.containers)
      if (container.level === 'observer') made.set(container.name, this.#containerSymbol(container))
    for (const fn of entity.functions) if (fn.level === 'observer') made.set(fn.name, this.#functionSymbol(fn))
    for (const process of entity.processes) if (process.level === 'observer') made.set(process.name, this.#processSymbol(process))
    for (const statistic of this.#parts.statistics)
      if (statistic.entity === entity && !made.has(statistic.name)) made.set(statistic.name, this.#statisticSymbol(statistic))
    const kept = asBefore(this.#observersBefore.get(entity), made)
    this.#observers.set(entity, kept)
    return kept
  }

  readonly #observerKeys = new WeakMap<EntityPart, object>()
  /** The population's observer, as distinct from its individuals. */
  #observerKey(entity: EntityPart): object {
    let key = this.#observerKeys.get(entity)
    if (!key) this.#observerKeys.set(entity, (key = {}))
    return key
  }

  #globalSymbols(): ReadonlyMap<string, Symbol> {
    const { entities, messages, networks, chains, contracts, tags, spaces, statistics, globals, containers, functions, processes } =
      this.#parts
    const made = table(always)
    for (const entity of entities)
      made.set(
        entity.name,
        this.#keep(entity, `${entity.name} ${entity.derived.length > 0}`, () =>
          entity.derived.length > 0
            ? this.#family(entity)
            : {
                name: entity.name,
                kind: 'population',
                type: { is: 'observer', of: entity.id },
                id: entity.id,
                read: () => `P${entity.index}`,
              },
        ),
      )
    const element = (
      part: MessagePart | NetworkPart | ChainPart | ContractPart | SpacePart | Parts['tags'][number],
      kind: 'message' | 'builtin',
      read: () => string,
    ): void => {
      made.set(
        part.name,
        this.#keep(part, part.name, () => ({ name: part.name, kind, type: { is: 'element', of: part.id }, id: part.id, read })),
      )
    }
    for (const message of messages) element(message, 'message', () => `M${message.index}`)
    for (const network of networks) element(network, 'builtin', () => `N${network.index}`)
    for (const chain of chains) element(chain, 'builtin', () => 'null')
    for (const contract of contracts) element(contract, 'builtin', () => 'null')
    for (const tagset of tags) element(tagset, 'builtin', () => 'null')
    for (const space of spaces) element(space, 'builtin', () => `S${space.index}`)
    for (const statistic of statistics) if (!statistic.entity) made.set(statistic.name, this.#statisticSymbol(statistic))
    for (const variable of globals) made.set(variable.name, this.#sharedSymbol(variable))
    for (const container of containers) if (container.level === 'global') made.set(container.name, this.#containerSymbol(container))
    for (const fn of functions) if (fn.level === 'global') made.set(fn.name, this.#functionSymbol(fn))
    for (const process of processes) if (process.level === 'global' && !process.holder) made.set(process.name, this.#processSymbol(process))
    made.delete('')
    return made
  }

  /**
   * The same by dot. What is public in no population is set by its owner alone: never where the population of `self` is known, and through `self`
   * where it is not (`mixed`). What is public in some populations only is judged by the individual, while running (10033).
   */
  #publicSymbols(mixed: boolean): ReadonlyMap<string, Symbol> {
    const known = this.#public.get(mixed)
    if (known) return known
    const named = Map.groupBy(
      this.#parts.entities.flatMap(entity => entity.variables),
      variable => variable.name,
    )
    const made = table(
      [...this.#anySymbols().values()].map(symbol => {
        const { write } = symbol
        const variables = named.get(symbol.name)
        if (!write || !variables) return symbol
        const isPublic = variables.some(variable => variable.public)
        if (!isPublic && !mixed) return this.#keep(symbol, 'not public', () => closed(symbol))
        const byDot: typeof write = (of, value, at, _isCode, own = 'self') => {
          const foreign = `W.set(${of},${JSON.stringify(symbol.name)},${value},${at ?? '0,0'});`
          return !mixed ? foreign : of === own ? write(of, value, at) : `if(${of}===${own})${write(of, value, at)}else ${foreign}`
        }
        return this.#keep(symbol, `by dot ${isPublic} ${mixed}`, () =>
          isPublic ? withWrite(symbol, byDot) : Object.assign(withWrite(symbol, byDot), { privateTo: 'self' as const }),
        )
      }),
    )
    this.#public.set(mixed, made)
    return made
  }

  /** What any observer of a population with heirs may be asked: the names they have in common. */
  #families(): ReadonlyMap<string, Symbol> {
    return table([
      ...common,
      ...this.#parts.entities
        .filter(entity => entity.derived.length > 0)
        .flatMap(entity => entity.observed.map(variable => this.#sharedSymbol(variable))),
    ])
  }

  /** A population others inherit from: its individuals are of several populations, so they are references. */
  #family(entity: EntityPart): Symbol {
    return {
      name: entity.name,
      kind: 'population',
      type: { is: 'entities', of: null },
      id: entity.id,
      read: () => `X.mixed([${[entity, ...entity.derived].map(one => `P${one.index}`).join(',')}])`,
    }
  }

  /** Properties of an entity of unknown population: those that any population has, read by name at run time. */
  #anySymbols(): ReadonlyMap<string, Symbol> {
    if (this.#any) return this.#any
    const named = new Map<string, Symbol[]>()
    for (const entity of this.#parts.entities) {
      for (const [name, symbol] of this.#ownSymbols(entity, null)) {
        if (symbol.kind !== 'variable' && symbol.kind !== 'builtin') continue
        const known = named.get(name)
        if (known) known.push(symbol)
        else named.set(name, [symbol])
      }
    }
    this.#any = asBefore(this.#anyBefore, new Map([...named].map(([name, of]) => [name, this.#mixedSymbol(name, of)])))
    return this.#any
  }

  #mixedSymbol(name: string, of: readonly Symbol[]): Symbol {
    const known = this.#mixed.get(name)
    if (known && known.of.length === of.length && known.of.every((one, i) => one === of[i])) return known.symbol
    const because = of.find(one => one.readOnlyBecause)?.readOnlyBecause
    const symbol: Symbol = {
      name,
      kind: of.at(-1)?.kind ?? 'builtin',
      get type() {
        return of.map(one => (one.type.is === 'entity' ? entityOf(null) : one.type)).reduce((a, b) => (a.is === b.is ? b : any))
      },
      read: self => `W.get(${self},${JSON.stringify(name)},0,0)`,
      // What no population lets be set is a problem found by the checker; what some let is judged while running.
      ...(of.some(one => one.write)
        ? { write: (self: string, value: string, at = '0,0') => `W.setOwn(${self},${JSON.stringify(name)},${value},${at});` }
        : because && { readOnlyBecause: because }),
    }
    this.#mixed.set(name, { of, symbol })
    return symbol
  }

  #sharedSymbol(variable: VariablePart): Symbol {
    return this.#keep(variable, variable.name, () => this.#placeSymbol(variable, () => `${shelf(variable)}[${variable.index}]`))
  }

  #tokenSymbol(variable: VariablePart, token: string): Symbol {
    return this.#placeSymbol(variable, () => `tc${variable.index}[${token}]`)
  }

  #placeSymbol(variable: VariablePart, place: () => string): Symbol {
    const typeOf = (): Type => this.typeOf(variable)
    return {
      name: variable.name,
      kind: 'variable',
      id: variable.id,
      get type() {
        return typeOf()
      },
      read: () => readOf(variable, place()),
      code: () => (variable.storage === 'word' ? place() : undefined),
      write: (_self, value, _at, isCode) => `${place()}=${isCode ? value : stored(variable, value)};`,
    }
  }

  #containerSymbol(container: ContainerPart): Symbol {
    return this.#keep(container, container.name, () => ({
      name: container.name,
      kind: 'container',
      type: { is: 'element', of: container.id },
      id: container.id,
      read: self => containerJs(container, self),
    }))
  }

  #functionSymbol(fn: FunctionPart): Symbol {
    return this.#keep(fn, fn.name, () => {
      const signature = (): FunctionPart['signature'] => this.signatureOf(fn)
      return {
        name: fn.name,
        kind: 'function',
        id: fn.id,
        read: () => `fn${fn.index}`,
        get type() {
          return signature().type
        },
        call: (self, args) => `fn${fn.index}(${[fn.level === 'individual' ? self : '0', ...args].join(',')})`,
        get effects() {
          return signature().effects
        },
      }
    })
  }

  /** A parameter of a function, inside it. */
  parameterSymbol(fn: FunctionPart, i: number): Symbol {
    const { name } = fn.parameters[i] ?? { name: '' }
    return this.#keep(fn, `${i} ${name}`, () => {
      const typeOf = (): Type => {
        this.reading?.cells.add(fn)
        return fn.parameters[i]?.type ?? any
      }
      return {
        name,
        kind: 'parameter',
        get type() {
          return typeOf()
        },
        read: () => `a${i}`,
      }
    })
  }

  #processSymbol(process: ProcessPart): Symbol {
    return this.#keep(process, process.name, () => ({
      name: process.name,
      kind: 'process',
      type: { is: 'process', of: process.id },
      id: process.id,
      read: () => String(process.index),
    }))
  }

  #statisticSymbol(statistic: StatisticPart): Symbol {
    return this.#keep(statistic, statistic.name, () => ({
      name: statistic.name,
      kind: 'statistic',
      type: any,
      id: statistic.id,
      read: () => `X.statistic(${statistic.index})`,
    }))
  }
}

type Table = ReadonlyMap<string, Symbol>

/** Tables of an individual's own names, by the population that is being updated, with their previous contents. */
type Tables = { readonly before: ReadonlyMap<EntityPart | null, Table>; readonly now: Map<EntityPart | null, Table> }

/** Distinguishes the tables of members after a dot. */
const membersKey = (of: Type, own: EntityPart | null, { buffered, process, mixed }: FormulaPosition): string =>
  `${of.is} ${'of' in of && typeof of.of === 'string' ? of.of : ''} ${own?.id} ${buffered?.id} ${of.is === 'element' ? process?.key : ''} ${mixed}`

/** The table as it was, when it says the same in the same order: properties are listed in it. */
function asBefore(before: ReadonlyMap<string, Symbol> | null | undefined, now: ReadonlyMap<string, Symbol>): ReadonlyMap<string, Symbol> {
  if (!before || before.size !== now.size) return now
  const known = before.entries()
  for (const [name, symbol] of now) {
    const { value } = known.next()
    if (value?.[0] !== name || value[1] !== symbol) return now
  }
  return before
}

/** Most scopes remembered; beyond it they are made afresh. */
const mostScopes = 20_000

/** What built-ins of a link depend on. */
const ends = (node: EntityPart | null): readonly unknown[] => [node?.id, node?.derived.length === 0]

/** The same symbol, its type asked when asked for. */
function withWrite(symbol: Symbol, write: NonNullable<Symbol['write']>): Symbol {
  // Not spread into another object, which would ask for the type now.
  return Object.assign(readOnly(symbol, null), { write })
}

/** Only its owner may set it. */
const closed = (symbol: Symbol): Symbol => Object.assign(readOnly(symbol, null), { privateTo: 'owner' as const })

function readOnly(symbol: Symbol, because: Words | null): Symbol {
  const { name, kind, id, words, read, first, code } = symbol
  return {
    name,
    kind,
    ...(first === undefined ? {} : { first }),
    ...(code === undefined ? {} : { code }),
    ...(id === undefined ? {} : { id }),
    ...(words === undefined ? {} : { words }),
    get type() {
      return symbol.type
    },
    read,
    ...(because ? { readOnlyBecause: because } : {}),
  }
}

const table = (symbols: Iterable<Symbol>): Map<string, Symbol> => new Map([...symbols].map(symbol => [symbol.name, symbol]))

const stored = ({ storage }: VariablePart, value: string): string =>
  storage === 'bool' ? `+(${value})` : storage === 'word' ? `codeOf(${value})` : value

/** The value of what a column holds. */
const readOf = ({ storage }: VariablePart, js: string): string =>
  storage === 'bool' ? `(${js}!==0)` : storage === 'word' ? `words[${js}]` : js

export const shelf = (variable: VariablePart): string => (variable.storage === 'any' ? 'A' : variable.storage === 'bool' ? 'B' : 'G')

/** JavaScript of a container object; `self` is the owner's handle. */
export const containerJs = (container: ContainerPart, self: string): string =>
  container.level === 'individual' && container.entity ? `C${container.index}[${slotOf(container.entity, self)}]` : `C${container.index}`
