// Individuals as formulas of processes with tokens see them: columns, handles, where they stand, all of a population.
import type { EntityPart, SpacePart } from '../../check/parts.ts'
import type { Symbol } from '../../formula/scope.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import * as populations from '../../runtime/populations.ts'
import * as rt from '../../runtime/processes.ts'
import { flag } from '../people.ts'
import { queryOf } from '../queries.ts'
import type { Surroundings } from '../queries.ts'
import type { FormulaLowering } from '../formula.ts'
import { NotLowered } from '../scope.ts'
import type { People, Position, Query, Someone, VariablePlace, WorldCall } from '../scope.ts'
import type { Actor, ProcessMemory } from './memory.ts'
import { say } from '../../../model-schema/words.ts'

const inJavaScript = (name: string): never => {
  throw new NotLowered(say('{name}() is worked out in JavaScript', { name }))
}

/** The memory of processes, as queries see it. */
function lookedAt(memory: ProcessMemory): Surroundings['memory'] {
  const refuse = (): never => {
    throw new NotLowered(say('it goes through something that is found out while running'))
  }
  return {
    local: (prefix, type) => memory.local(prefix, type),
    place: place => memory.place(place),
    population: entity => memory.record(entity),
    residents: entity => memory.residentsOf(entity),
    space: space => memory.spaceAt(space),
    array: refuse,
    element: refuse,
    list: refuse,
    numberAt: refuse,
  }
}

/** Queries that need no list. */
const queries: ReadonlySet<string> = new Set(['individuals', 'neighbors'])

export class TokenPeople implements People, Surroundings {
  readonly self: Someone | null
  readonly actor = null
  readonly memory: Surroundings['memory']
  readonly world: Surroundings['world']
  readonly where: Surroundings['where']
  readonly #memory: ProcessMemory

  /** `owner` is the handle of who acts, where it is at hand. */
  constructor(memory: ProcessMemory, { entity, slot }: Actor, owner: Expr | null, where: Surroundings['where']) {
    this.#memory = memory
    this.memory = lookedAt(memory)
    this.world = { checked: memory.checked, immortal: false }
    this.where = where
    this.self = entity && slot ? (owner ? { entity, slot, handle: owner } : this.someone(entity, slot)) : null
  }

  /** Agents of one population: what is derived from it has slots of its own. */
  entity(id: string | null): EntityPart | undefined {
    const entity = this.#memory.checked.scopes.entity(id)
    return entity?.kind === 'agent' && entity.derived.length === 0 ? entity : undefined
  }

  handleType(): 'f64' {
    return 'f64'
  }

  someone(entity: EntityPart, slot: Expr): Someone {
    const memory = this.#memory
    return {
      entity,
      slot,
      get handle() {
        return ir.call('handleIn', 'f64', memory.population(entity), slot)
      },
    }
  }

  slotOf(_entity: EntityPart, handle: Expr): Expr {
    return ir.call('slotIn', 'i32', handle)
  }

  lives(entity: EntityPart, handle: Expr): Expr {
    return ir.call('isAlive', 'i32', this.#memory.population(entity), handle)
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
    if (name === 'age') return ir.binary('sub', ir.load('f64', ir.i32(rt.TIME)), column('born'))
    if (name === 'x' || name === 'y' || name === 'heading') return entity.space && !entity.space.three ? column(name) : undefined
    const place = name === 'id' ? this.#memory.ofEveryAgent(entity, name, slot) : undefined
    return place && ir.load(place.mem, place.address, place.offset)
  }

  bucketAddress(entity: EntityPart, slot: Expr): Expr {
    return this.#memory.bucketAddress(entity, slot)
  }

  bucket({ entity, slot }: Someone): Expr {
    return this.#memory.bucket(entity, slot)
  }

  cellOf(): Expr {
    throw new NotLowered(say('it looks at other individuals'))
  }

  between(how: 'distanceIn' | 'directionIn', space: SpacePart, from: Position, to: Position): Expr {
    const at = ir.i32(this.#memory.spaceAt(space))
    if (how === 'directionIn') this.#memory.import({ name: 'atan2Far', params: ['f64', 'f64'], result: 'f64' })
    return ir.call(how, 'f64', at, from.x, from.y, to.x, to.y, flag(space.wrapX), flag(space.wrapY))
  }

  link(): null {
    return null
  }

  linkAt(): never {
    return inJavaScript('link_between')
  }

  degree(): null {
    return null
  }

  observed(entity: EntityPart | null | undefined, name: string): Expr | undefined {
    if (name === 'time') return ir.load('f64', ir.i32(rt.TIME))
    if (name !== 'count' || entity?.kind !== 'agent' || entity.derived.length > 0) return undefined
    return ir.unary('toF', ir.load('i32', this.#memory.population(entity), populations.COUNT))
  }

  residents(): readonly EntityPart[] {
    return []
  }

  query(e: FormulaLowering, call: WorldCall, ordered: boolean): Query | null {
    return queries.has(call.name) ? queryOf(this, e, call, ordered) : null
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

  listAt(): null {
    return null
  }

  cellAt(): null {
    return null
  }

  anyOf(entity: EntityPart, stream: Expr, place: number): Expr | null {
    const record = this.#memory.population(entity)
    const slot = this.#memory.local('any', 'i32')
    const nobody = ir.not(ir.load('i32', record, populations.COUNT))
    return ir.seq(
      [ir.when(nobody, [{ kind: 'fail', place }]), ir.set(slot, ir.call('anyOf', 'i32', record, stream))],
      this.someone(entity, ir.get(slot, 'i32')).handle,
    )
  }
}
