// Individuals as formulas of processes without tokens see them: their columns, their built-in values, who stands where, births and deaths.
import type { CheckedModel } from '../check/checked.ts'
import type { EntityPart, ProcessPart, SpacePart, VariablePart } from '../check/parts.ts'
import type { Span } from '../formula/ast.ts'
import type { Symbol } from '../formula/scope.ts'
import { isListed } from '../compile/listed.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import type { ProblemCode } from '../problems.ts'
import * as network from '../runtime/links.ts'
import * as pops from '../runtime/populations.ts'
import { FormulaLowering } from './formula.ts'
import { queryOf } from './queries.ts'
import { noText } from './row-memory.ts'
import type { RowMemory } from './row-memory.ts'
import { listOf, looks, NotLowered } from './scope.ts'
import type { FormulaScope, Given, LinkEntry, OwnList, People, Position, Query, Someone, VariablePlace, WorldCall } from './scope.ts'
import { areNodes, bucketAddress, cellAt, cellOf, degreeOf, endOf, flag, linkAtEntry, linkFromTo, placeOf } from './surroundings.ts'
import { say } from '../../model-schema/words.ts'

/** What is the same for all formulas of a program. */
export type RowWorld = {
  readonly checked: CheckedModel
  readonly memory: RowMemory
  readonly words: readonly (string | null)[]
  /** Processes that run without tokens. */
  readonly rows: ReadonlySet<number>
  /** Columns the program mentions, as `p3_color`; there are no others. */
  readonly mentions: ReadonlySet<string>
  /** Nobody dies: handles are slots, and whoever is listed lives. */
  readonly immortal: boolean
  /** Lists of numbers that never change, by the id of their variable. */
  readonly lists: ReadonlyMap<string, readonly number[]>
  /** Variables of individuals that hold lists nothing else stands for, by id. */
  readonly ownLists: ReadonlySet<string>
  /** Whether a simultaneous population's next values of a variable are kept. */
  hasNext(variable: VariablePart): boolean
  /** The address of a temporary variable of a process. */
  temporary(variable: VariablePart): number
  /** What says that a search has come to the statement of a formula that begins at `from`. */
  line(key: string, from: number, standing: Standing, program: FormulaLowering): Stmt[]
  /** A birth by a formula, whose place is told where there is no room for one more. */
  born(
    entity: EntityPart,
    where: { readonly id: string; readonly field: string },
  ): { readonly body: readonly Stmt[]; readonly one: Someone }
  /** A link from one node to another, both of which live. */
  linked(
    links: EntityPart,
    from: Someone,
    to: Someone,
    weight: Expr,
    where: { readonly id: string; readonly field: string },
  ): { readonly body: readonly Stmt[]; readonly one: Someone }
  /** Calls a function of the model. */
  call(symbol: Symbol, owner: Someone | null, args: readonly (Given | null)[]): Expr | undefined
}

/** Where a formula stands: who acts, in whose own simultaneous update, and what draws. */
export type Standing = {
  readonly self: Someone | null
  /** Who chose `self`, whose formula it is. */
  readonly actor?: Someone | null
  readonly process: ProcessPart | null
  /** Whose own simultaneous update this is. */
  readonly buffered: EntityPart | null
  /** Where names of observers are looked up. */
  readonly entity: EntityPart | null
  readonly component: string
  readonly id: string
  readonly field: string
  /** Parameters of a function, by name. */
  readonly parameters?: ReadonlyMap<string, Given>
}

export const fuelAt = 64

export class RowPeople implements People {
  readonly self: Someone | null
  readonly world: RowWorld
  readonly #standing: Standing

  constructor(world: RowWorld, standing: Standing) {
    this.world = world
    this.self = standing.self
    this.#standing = standing
  }

  get actor(): Someone | null {
    return this.#standing.actor ?? null
  }

  /** Where errors are that tell no part of a formula. */
  get where(): { readonly id: string; readonly field: string } {
    const { id, field } = this.#standing
    return { id, field }
  }

  get memory(): RowMemory {
    return this.world.memory
  }

  entity(id: string | null): EntityPart | undefined {
    return this.world.checked.scopes.entity(id)
  }

  handleType(entity: EntityPart): 'i32' | 'f64' {
    return entity.kind === 'cell' || this.world.immortal ? 'i32' : 'f64'
  }

  someone(entity: EntityPart, slot: Expr): Someone {
    return someone(this.world, entity, slot)
  }

  slotOf(entity: EntityPart, handle: Expr): Expr {
    return this.handleType(entity) === 'i32' ? handle : ir.call('slotIn', 'i32', handle)
  }

  lives(entity: EntityPart, handle: Expr): Expr {
    if (this.handleType(entity) === 'i32') return ir.binary('ge', handle, ir.i32(0))
    return ir.call('isAlive', 'i32', ir.i32(this.memory.population(entity)), handle)
  }

  residents(space: SpacePart): readonly EntityPart[] {
    return this.world.checked.parts.entities.filter(one => one.kind === 'agent' && one.space === space)
  }

  property(entity: EntityPart, symbol: Pick<Symbol, 'kind' | 'name' | 'id'>, slot: Expr): VariablePlace | undefined {
    if (symbol.kind === 'builtin') return this.look(entity, symbol.name, slot)
    const variable = entity.variables.find(one => one.id === symbol.id)
    return variable && this.#column(entity, variable, slot)
  }

  #column(entity: EntityPart, variable: VariablePart, slot: Expr): VariablePlace | undefined {
    const { storage, index } = variable
    if (storage === 'any') return variable.type.is === 'text' ? this.#textColumn(entity, variable, slot) : undefined
    const mem = storage === 'number' || storage === 'entity' ? 'f64' : 'u8'
    const path = `p${entity.index}_v${index}`
    const { memory } = this
    const isBuffered = this.#standing.buffered === entity
    const kept = storage === 'entity' && variable.type.is === 'entity' ? this.entity(variable.type.of) : undefined
    return {
      mem,
      address: memory.element(path, mem, slot),
      offset: 0,
      holds: kept && this.handleType(kept) === 'i32' ? 'slot' : storage,
      // Asked for by who writes.
      get targets() {
        const next = entity.order === 'simultaneous' ? [memory.element(`p${entity.index}_n${index}`, mem, slot, true)] : []
        return isBuffered ? next : [memory.element(path, mem, slot, true), ...next]
      },
    }
  }

  list({ entity, slot }: Someone, symbol: Symbol): OwnList | undefined {
    const variable = entity.variables.find(one => one.id === symbol.id)
    if (!variable || variable.type.is !== 'list') return undefined
    const { id, name, type } = variable
    const holds = type.of.is === 'entity' ? this.entity(type.of.of) : null
    if (holds === undefined || (holds && holds.derived.length > 0) || (!holds && type.of.is !== 'number'))
      throw new NotLowered(say('“{name}” is a list of other things than individuals or numbers', { name }))
    if (!this.world.ownLists.has(id)) throw new NotLowered(say('“{name}” may stand for the same list as something else', { name }))
    if (entity.order === 'simultaneous' && this.world.hasNext(variable))
      throw new NotLowered(say('“{name}” gets another list at the end of each instant', { name }))
    const { memory } = this
    const at = memory.ownList(entity, variable, holds, slot)
    return { id, of: type.of, heap: memory.heap(), at, mayChange: !this.#standing.parameters }
  }

  /** A column of texts that are not all known: their codes. */
  #textColumn(entity: EntityPart, variable: VariablePart, slot: Expr): VariablePlace {
    const { memory } = this
    const isBuffered = this.#standing.buffered === entity
    const path = `p${entity.index}_v${variable.index}`
    const next = entity.order === 'simultaneous' && this.world.hasNext(variable) ? [`p${entity.index}_n${variable.index}`] : []
    return {
      mem: 'i32',
      offset: 0,
      holds: 'text',
      get address() {
        return memory.textElement(path, slot, 'read')
      },
      get targets() {
        return (isBuffered ? next : [path, ...next]).map(to => memory.textElement(to, slot, 'write'))
      },
    }
  }

  /** What an individual looks like. */
  look(entity: EntityPart, name: string, slot: Expr): VariablePlace | undefined {
    const holds = looks.get(name)
    const path = `p${entity.index}_${name}`
    const { memory, world } = this
    if (!holds || !world.mentions.has(path)) return undefined
    const mem = ({ number: 'f64', bool: 'u8', text: 'i32' } as const)[holds]
    const element = (access: 'read' | 'write'): Expr =>
      holds === 'text' ? memory.textElement(path, slot, access) : memory.element(path, mem, slot, access === 'write')
    return {
      mem,
      offset: 0,
      holds,
      get address() {
        return element('read')
      },
      get targets() {
        return [element('write')]
      },
    }
  }

  builtin(one: Someone, name: string): Expr | undefined {
    const { entity, slot } = one
    const { memory } = this
    const column = (path: string, mem: 'f64' | 'u8' | 'i32' = 'f64'): Expr => ir.load(mem, memory.element(path, mem, slot))
    const own = (path: string): Expr => column(`p${entity.index}_${path}`)
    switch (name) {
      case 'self':
        return one.handle
      case 'id':
        return ir.load('f64', ir.binary('add', this.#ofPopulation(entity, pops.IDS), ir.binary('shl', slot, ir.i32(3))))
      case 'age':
        return ir.binary('sub', memory.number('W.time', 'f64'), own('born'))
      case 'source':
      case 'target':
        return this.#end(entity, name, slot)
      default:
        return placeOf(memory, one, name)
    }
  }

  #ofPopulation(entity: EntityPart, word: number): Expr {
    return ir.load('i32', ir.i32(this.memory.population(entity) + word))
  }

  #end(entity: EntityPart, side: 'source' | 'target', slot: Expr): Expr | undefined {
    const end = endOf(this.memory, entity, side, slot)
    if (!end) return undefined
    return this.handleType(end.node) === 'i32' ? end.slot : this.someone(end.node, end.slot).handle
  }

  cellOf({ entity, slot }: Someone): Expr {
    return cellOf(this.memory, entity, slot)
  }

  bucketAddress(entity: EntityPart, slot: Expr): Expr {
    return bucketAddress(this.memory, entity, slot)
  }

  bucket({ entity, slot }: Someone): Expr {
    return ir.load('i32', this.bucketAddress(entity, slot))
  }

  between(how: 'distanceIn' | 'directionIn', space: SpacePart, from: Position, to: Position): Expr {
    return ir.call(how, 'f64', ir.i32(this.memory.space(space)), from.x, from.y, to.x, to.y, flag(space.wrapX), flag(space.wrapY))
  }

  link(links: EntityPart, from: Someone, to: Someone): Expr | null {
    return linkFromTo(this.memory, links, from, to)
  }

  linkAt(entry: LinkEntry): Expr {
    return linkAtEntry(this.memory, entry)
  }

  degree(links: EntityPart, one: Someone): Expr | null {
    return degreeOf(this.memory, links, one)
  }

  observed(entity: EntityPart, name: string): Expr | undefined {
    if (name === 'time' || name === 'tick') return this.memory.number(`W.${name}`, 'f64')
    if (name !== 'count' || !entity || entity.derived.length > 0) return undefined
    return ir.unary('toF', ir.load('i32', ir.i32(this.memory.population(entity) + pops.COUNT)))
  }

  query(e: FormulaLowering, call: WorldCall, ordered: boolean): Query | null {
    return queryOf(this, e, call, ordered)
  }

  #at(code: ProblemCode, span: Span): number {
    const { id, field } = this.#standing
    return this.memory.place({ code, id, field, from: span.from, to: span.to })
  }

  /** Functions are called while others go through their lists, and filters while those who fit are listed. */
  listAt(): number | null {
    const { parameters, field } = this.#standing
    return parameters || field === 'filter' ? null : this.memory.list()
  }

  born(entity: EntityPart): { readonly body: readonly Stmt[]; readonly one: Someone } {
    return this.world.born(entity, this.where)
  }

  first(entity: EntityPart, symbol: Symbol, slot: Expr): VariablePlace | undefined {
    return new RowPeople(this.world, { ...this.#standing, buffered: null }).property(entity, symbol, slot)
  }

  die(one: Someone): Stmt[] {
    return endLife(this.world, one)
  }

  linked(links: EntityPart, from: Someone, to: Someone, weight: Expr) {
    return areNodes(links, from, to) ? this.world.linked(links, from, to, weight, this.where) : null
  }

  unlinked(links: EntityPart, one: Someone): Stmt[] | null {
    return areNodes(links, one) ? severed(this.world, links, one.entity, one.slot, false) : null
  }

  cellAt(cells: EntityPart, x: Expr, y: Expr, z: Expr, place: number): Expr | null {
    return cellAt(this.memory, cells, x, y, z, place)
  }

  anyOf(entity: EntityPart, stream: Expr, place: number): Expr | null {
    if (entity.derived.length > 0) return null
    const p = this.memory.population(entity)
    const slot = this.memory.local('any', 'i32')
    const nobody = ir.not(ir.load('i32', ir.i32(p + pops.COUNT)))
    const drawn =
      entity.kind === 'cell'
        ? ir.unary('toI', ir.call('belowAny', 'f64', stream, ir.unary('toF', ir.load('i32', ir.i32(p + pops.COUNT)))))
        : ir.call('anyOf', 'i32', ir.i32(p), stream)
    return ir.seq([ir.when(nobody, [{ kind: 'fail', place }]), ir.set(slot, drawn)], this.someone(entity, ir.get(slot, 'i32')).handle)
  }

  // --- scopes

  scope(): FormulaScope {
    const { id, field, component } = this.#standing
    const { memory } = this
    return {
      variable: symbol => this.#variable(symbol),
      parameter: name => this.#standing.parameters?.get(name),
      code: (text, as) => {
        if (as === 'text') return memory.textCode(text)
        const known = this.world.words.indexOf(text)
        return known < 0 ? undefined : known
      },
      container: () => undefined,
      stream: () => memory.stream(component),
      place: (code, { from, to }) => memory.place({ code, id, field, from, to }),
      local: (prefix, type) => memory.local(prefix, type),
      fuelAt,
      table: numbers => memory.table(numbers),
      constantList: id => listOf(this.world.checked, this.world.lists, id, memory.imports, (code, span) => this.#at(code, span)),
      library: (name, draws, args, result, { from, to }) => {
        const given = args.filter(arg => arg !== null)
        const host = `library${memory.calls.length}`
        const address = draws ? memory.inHead(`stream ${component}`, 16, true) : null
        const place = { code: 10000 as ProblemCode, id, field, from, to }
        memory.calls.push({ name, draws: address, given: args.map(arg => arg !== null), place })
        memory.imports.push({ name: host, params: given.map(() => 'f64' as const), result })
        return ir.call(host, result, ...given)
      },
      call: (symbol, owner, args) => this.world.call(symbol, owner ?? this.self, args),
      people: this,
    }
  }

  #variable(symbol: Symbol): VariablePlace | undefined {
    const { process, entity } = this.#standing
    const { self, memory } = this
    if (symbol.kind === 'builtin') return self ? this.look(self.entity, symbol.name, self.slot) : undefined
    if (!symbol.id || symbol.kind !== 'variable') return undefined
    const mine = process?.temporaries.find(one => one.id === symbol.id)
    if (mine) {
      if (mine.storage !== 'number' && mine.storage !== 'bool' && mine.storage !== 'word') return undefined
      const mem = mine.storage === 'number' ? 'f64' : 'u8'
      return { mem, address: ir.i32(this.world.temporary(mine)), offset: 0, holds: mine.storage }
    }
    const own = self?.entity.variables.find(one => one.id === symbol.id)
    if (own) return this.#column(self!.entity, own, self!.slot)
    const all = this.world.checked.parts.shared.filter(one => one.id === symbol.id)
    const shared = all.length === 1 ? all[0] : all.find(one => one.entity === entity)
    if (!shared || (shared.storage !== 'number' && shared.storage !== 'bool')) return undefined
    const count = this.world.checked.parts.shared.length
    const isBool = shared.storage === 'bool'
    const at = memory.inHead(isBool ? 'B' : 'G', isBool ? count : 8 * count, true)
    return isBool
      ? { mem: 'u8', address: ir.i32(at + shared.index), offset: 0, holds: 'bool' }
      : { mem: 'f64', address: ir.i32(at + 8 * shared.index), offset: 0, holds: 'number' }
  }
}

export function someone(world: RowWorld, entity: EntityPart, slot: Expr): Someone {
  if (entity.kind === 'cell' || world.immortal) return { entity, slot, handle: slot }
  const handles = ir.load('i32', ir.i32(world.memory.population(entity) + pops.HANDLES))
  return { entity, slot, handle: ir.load('f64', ir.binary('add', handles, ir.binary('shl', slot, ir.i32(3)))) }
}

/** The formula with a key, seen from where it stands. */
export function formulaAt(world: RowWorld, key: string, standing: Standing): FormulaLowering | null {
  const formula = world.checked.formulas.get(key)
  if (!formula) return null
  const line: FormulaScope['line'] = (program, from) => world.line(key, from, standing, program)
  return new FormulaLowering(formula.inferred, { ...new RowPeople(world, standing).scope(), line })
}

/** Networks whose nodes individuals of a population are; null where more hangs on them than these and a place. */
export function networksOf({ checked: { parts } }: RowWorld, entity: EntityPart): readonly EntityPart[] | null {
  if (entity.kind === 'cell' || parts.chains.length > 0) return null
  if (entity.containers.some(({ level }) => level === 'individual')) return null
  const networks = parts.entities.filter(one => one.kind === 'link' && !isFamily(one))
  if (parts.entities.some(one => one.kind === 'link' && isFamily(one))) return null
  if (networks.length > 0 && isFamily(entity)) return null
  if (entity.kind === 'link' && !isPlain(entity)) return null
  const mine = networks.filter(({ source, target }) => source === entity || target === entity)
  return mine.every(isPlain) ? mine : null
}

/** Whether others are made from a population, or it from others. */
const isFamily = ({ base, derived }: EntityPart): boolean => base !== null || derived.length > 0
/** Whether the populations at both ends of links are known. */
const isPlain = ({ source, target }: EntityPart): boolean =>
  [source, target].every(node => node !== null && node !== undefined && !isFamily(node))

/** Columns of texts of a population. */
export function textPathsOf({ mentions }: RowWorld, { index, variables }: EntityPart): string[] {
  const own = variables.filter(({ storage }) => storage === 'any').map(variable => `p${index}_v${variable.index}`)
  const shown = [...looks].filter(([, holds]) => holds === 'text').map(([name]) => `p${index}_${name}`)
  return [...own, ...shown.filter(path => mentions.has(path))]
}

/** The end of a life: it leaves its space and its links, and columns of what is no number are blank again. */
export function endLife(world: RowWorld, { entity, slot }: Someone): Stmt[] {
  const networks = networksOf(world, entity)
  if (!networks) throw new NotLowered(say('containers or accounts hang on those who die'))
  if (entity.variables.some(({ storage, type }) => storage === 'any' && type.is !== 'text'))
    throw new NotLowered(say('those who die have values that are neither numbers nor texts'))
  const { memory } = world
  const p = memory.population(entity, 'lives')
  const at = ir.get(memory.local('dying', 'i32'), 'i32') as Expr & { kind: 'get' }
  const { handle } = someone(world, entity, at)
  if (entity.processes.some(({ steps }) => steps.some(({ kind }) => kind.id === 'decide')))
    throw new NotLowered(say('what became of the last decisions of those who die is asked'))
  const told = endWith(world, entity) ? [memory.host('dying', ['i32', 'f64'], [ir.i32(entity.index), handle])] : []
  const lost = world.checked.parts.messages.length > 0 ? [memory.host('forgetMail', ['i32', 'f64'], [ir.i32(entity.index), handle])] : []
  const blanks = textPathsOf(world, entity).map(path => ir.store('i32', memory.textElement(path, at, 'write'), 0, ir.i32(noText)))
  return [
    ir.set(at.name, slot),
    ...told,
    ...lost,
    ...networks.flatMap(links => severed(world, links, entity, at, true)),
    ...(entity.kind === 'link' ? [parted(world, entity, at)] : []),
    ...(entity.space ? [leaveSpace(world, entity, entity.space, at)] : []),
    ...blanks,
    ir.run(ir.call('endLife', 'void', ir.i32(p), at)),
  ]
}

function leaveSpace({ memory, checked }: RowWorld, entity: EntityPart, space: SpacePart, at: Expr): Stmt {
  if (space.three) throw new NotLowered(say('it is in three dimensions'))
  const isDiscrete = space.topology === 'discrete'
  const listed = flag(!isDiscrete || isListed(checked, entity))
  const [r, s] = [ir.i32(memory.residents(entity, true)), ir.i32(memory.space(space, true))]
  return ir.run(ir.call('leaveSpace', 'void', r, s, at, listed, flag(isDiscrete), ir.f64(Number.NaN)))
}

const isDirected = ({ element }: EntityPart): boolean => element.fields['directed'] === true

/** A link leaves the blocks of its ends. */
function parted({ memory }: RowWorld, links: EntityPart, at: Expr): Stmt {
  const [n, m] = [links.source!, links.target!].map(node => ir.i32(memory.nodes(links, node)))
  return ir.run(ir.call('partNodes', 'void', ir.i32(memory.links(links)), at, n!, ir.i32(links.source!.index), m!, flag(isDirected(links))))
}

/** All links of a node end, the oldest first: those that leave it, then those that come. */
export function severed(world: RowWorld, links: EntityPart, entity: EntityPart, slot: Expr, forgets: boolean): Stmt[] {
  const { memory } = world
  const [l, n] = [memory.links(links), memory.nodes(links, entity)]
  const entry = (word: number, k: Expr): Expr => ir.call('entryOf', 'i32', ir.i32(word), k)
  const ways = isDirected(links) ? [network.OUT_START, network.IN_START] : [network.OUT_START]
  const ended = ways.map((way): Stmt => {
    const label = memory.local('ends', 'i32')
    const link = ir.get(memory.local('link', 'i32'), 'i32') as Expr & { kind: 'get' }
    const isEmpty = ir.not(entry(n + way + network.OUT_COUNT, slot))
    const body = [
      ir.when(isEmpty, [{ kind: 'break', label }]),
      ir.set(link.name, entry(l + network.LINK_AT, entry(n + way, slot))),
      ...endLife(world, someone(world, links, link)),
    ]
    return { kind: 'loop', label, body }
  })
  const forgotten = ir.run(ir.call('forgetNode', 'void', ir.i32(l), ir.i32(n), slot, flag(isDirected(links))))
  return [...ended, ...(forgets ? [forgotten] : [])]
}

/** Whether timers or tokens of single individuals end with them, which the engine keeps. */
const endWith = ({ rows }: RowWorld, { processes }: EntityPart): boolean =>
  processes.some(({ index, level, start }) => level === 'individual' && start !== null && !rows.has(index))
