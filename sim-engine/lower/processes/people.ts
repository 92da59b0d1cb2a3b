// Individuals as formulas of processes with tokens see them: columns, handles, where they stand, all of a population.
import type { EntityPart, SpacePart } from '../../check/parts.ts'
import type { Symbol } from '../../formula/scope.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import * as populations from '../../runtime/populations.ts'
import * as rt from '../../runtime/processes.ts'
import { queryOf } from '../queries.ts'
import type { Surroundings } from '../queries.ts'
import type { FormulaLowering } from '../formula.ts'
import { NotLowered } from '../scope.ts'
import type { LinkEntry, People, Position, Query, Someone, VariablePlace, WorldCall } from '../scope.ts'
import { bucketAddress, cellAt, cellOf, degreeOf, endOf, flag, linkAtEntry, linkFromTo, placeOf } from '../surroundings.ts'
import type { Actor, ProcessMemory } from './memory.ts'
import { say } from '../../../model-schema/words.ts'

const inJavaScript = (name: string): never => {
  throw new NotLowered(say('{name}() is worked out in JavaScript', { name }))
}

/** The memory of processes, as queries see it. */
function lookedAt(memory: ProcessMemory): Surroundings['memory'] {
  const { around } = memory
  return {
    local: (prefix, type) => memory.local(prefix, type),
    place: place => memory.place(place),
    population: entity => memory.record(entity),
    residents: entity => memory.residentsOf(entity),
    space: space => memory.spaceAt(space),
    array: path => around.array(path),
    element: (path, mem, index) => around.element(path, mem, index),
    list: () => memory.list(),
    numberAt: path => around.numberAt(path),
  }
}

export class TokenPeople implements People, Surroundings {
  readonly self: Someone | null
  readonly actor = null
  readonly memory: Surroundings['memory']
  readonly world: Surroundings['world']
  readonly where: Surroundings['where']
  readonly #memory: ProcessMemory
  /** Whether it is the formula of a function. */
  readonly #isCalled: boolean

  /** `owner` is the handle of who acts, where it is at hand. */
  constructor(memory: ProcessMemory, { entity, slot }: Actor, owner: Expr | null, where: Surroundings['where'], isCalled: boolean) {
    this.#isCalled = isCalled
    this.#memory = memory
    this.memory = lookedAt(memory)
    this.world = { checked: memory.checked, immortal: false }
    this.where = where
    this.self = entity && slot ? (owner ? { entity, slot, handle: owner } : this.someone(entity, slot)) : null
  }

  /** A population by itself: what is derived from it has slots of its own. */
  entity(id: string | null): EntityPart | undefined {
    const entity = this.#memory.checked.scopes.entity(id)
    return entity && entity.derived.length === 0 ? entity : undefined
  }

  handleType({ kind }: EntityPart): 'i32' | 'f64' {
    return kind === 'cell' ? 'i32' : 'f64'
  }

  someone(entity: EntityPart, slot: Expr): Someone {
    if (entity.kind === 'cell') return { entity, slot, handle: slot }
    const memory = this.#memory
    return {
      entity,
      slot,
      get handle() {
        return ir.call('handleIn', 'f64', ir.i32(memory.record(entity)), slot)
      },
    }
  }

  slotOf(entity: EntityPart, handle: Expr): Expr {
    return entity.kind === 'cell' ? handle : ir.call('slotIn', 'i32', handle)
  }

  lives(entity: EntityPart, handle: Expr): Expr {
    if (entity.kind === 'cell') return ir.binary('ge', handle, ir.i32(0))
    return ir.call('isAlive', 'i32', ir.i32(this.#memory.record(entity)), handle)
  }

  property(entity: EntityPart, symbol: Symbol, slot: Expr): VariablePlace | undefined {
    if (symbol.kind === 'builtin') return this.#memory.ofEveryAgent(entity, symbol.name, slot)
    const variable = entity.variables.find(one => one.id === symbol.id)
    return variable && this.#memory.property(entity, variable, slot)
  }

  builtin(one: Someone, name: string): Expr | undefined {
    if (name === 'self') return one.handle
    const { entity, slot } = one
    const column = (of: string): Expr => {
      const { mem, address, offset } = this.#memory.builtin(entity, of, slot, true)
      return ir.load(mem, address, offset)
    }
    if (name === 'age') return entity.kind === 'cell' ? undefined : ir.binary('sub', ir.load('f64', ir.i32(rt.TIME)), column('born'))
    if (name === 'source' || name === 'target') {
      const end = endOf(this.memory, entity, name, slot)
      return end ? this.someone(end.node, end.slot).handle : undefined
    }
    if (name !== 'id') return placeOf(this.memory, one, name)
    const place = this.#memory.ofEveryAgent(entity, name, slot)
    return place && ir.load(place.mem, place.address, place.offset)
  }

  bucketAddress(entity: EntityPart, slot: Expr): Expr {
    return bucketAddress(this.memory, entity, slot)
  }

  bucket({ entity, slot }: Someone): Expr {
    return ir.load('i32', this.bucketAddress(entity, slot))
  }

  cellOf({ entity, slot }: Someone): Expr {
    return cellOf(this.memory, entity, slot)
  }

  between(how: 'distanceIn' | 'directionIn', space: SpacePart, from: Position, to: Position): Expr {
    const at = ir.i32(this.#memory.spaceAt(space))
    if (how === 'directionIn') this.#memory.import({ name: 'atan2Far', params: ['f64', 'f64'], result: 'f64' })
    return ir.call(how, 'f64', at, from.x, from.y, to.x, to.y, flag(space.wrapX), flag(space.wrapY))
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

  observed(entity: EntityPart | null | undefined, name: string): Expr | undefined {
    if (name === 'time') return ir.load('f64', ir.i32(rt.TIME))
    if (name !== 'count' || !entity || entity.derived.length > 0) return undefined
    return ir.unary('toF', ir.load('i32', ir.i32(this.#memory.record(entity)), populations.COUNT))
  }

  residents(): readonly EntityPart[] {
    return []
  }

  query(e: FormulaLowering, call: WorldCall, ordered: boolean): Query | null {
    return queryOf(this, e, call, ordered)
  }

  die(): Stmt[] {
    return inJavaScript('die')
  }

  born(): { readonly body: readonly Stmt[]; readonly one: Someone } {
    return inJavaScript('create')
  }

  linked(): null {
    return null
  }

  unlinked(): null {
    return null
  }

  first(): undefined {
    return undefined
  }

  /** Functions are called while others go through their lists, and filters while those who fit are listed. */
  listAt(): number | null {
    return this.#isCalled || this.where.field === 'filter' ? null : this.#memory.list()
  }

  cellAt(cells: EntityPart, x: Expr, y: Expr, z: Expr, place: number): Expr | null {
    return cellAt(this.memory, cells, x, y, z, place)
  }

  anyOf(entity: EntityPart, stream: Expr, place: number): Expr | null {
    const record = ir.i32(this.#memory.record(entity))
    const slot = this.#memory.local('any', 'i32')
    const count = ir.load('i32', record, populations.COUNT)
    const drawn =
      entity.kind === 'cell'
        ? ir.unary('toI', ir.call('belowAny', 'f64', stream, ir.unary('toF', count)))
        : ir.call('anyOf', 'i32', record, stream)
    return ir.seq(
      [ir.when(ir.not(count), [{ kind: 'fail', place }]), ir.set(slot, drawn)],
      this.someone(entity, ir.get(slot, 'i32')).handle,
    )
  }
}
