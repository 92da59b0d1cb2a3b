// Ticks of processes with tokens -> a function `ticks`: who acts, in their order, each with a token that runs until it waits or is gone.
// Woken tokens run afterwards. It does what compile/{program,populations}.ts say of it.
import type { EntityPart, ProcessPart } from '../../check/parts.ts'
import type { Emitter } from '../../compile/emitter.ts'
import { isTicked, placeOf } from '../../compile/process.ts'
import * as ir from '../../ir.ts'
import type { Expr, Stmt } from '../../ir.ts'
import * as pops from '../../runtime/populations.ts'
import * as rt from '../../runtime/processes.ts'
import { token } from './memory.ts'
import type { ProcessMemory } from './memory.ts'
import { NotLowered } from '../scope.ts'
import type { Starts } from './starts.ts'
import { say } from '../../../model-schema/words.ts'

type Local = Expr & { readonly kind: 'get' }

const int = (value: number): Expr => ir.i32(value)
const word = (address: number): Expr => ir.load('i32', int(address))
const element = (base: Expr, offset: number, mem: 'i32' | 'f64', slot: Expr): Expr =>
  ir.load(mem, ir.binary('add', ir.load('i32', base, offset), ir.binary('shl', slot, int(mem === 'f64' ? 3 : 2))))

export class Ticks {
  readonly #memory: ProcessMemory
  readonly #starts: Starts
  /** Processes that every tick starts. */
  readonly processes: readonly ProcessPart[]
  readonly #rows: ReadonlySet<number>

  constructor(memory: ProcessMemory, starts: Starts, emitter: Emitter, rows: ReadonlySet<number>) {
    this.#memory = memory
    this.#starts = starts
    this.#rows = rows
    this.processes = memory.checked.parts.processes.filter(process => isTicked(process, placeOf(emitter, process)))
  }

  /** Populations whose individuals a tick gives a token, once for each process. */
  get populations(): number[] {
    return this.processes.flatMap(({ level, entity }) => (level === 'individual' && entity ? [entity.index] : []))
  }

  /** One tick. Throws NotLowered. */
  tick(isKnown: (position: number) => boolean): Stmt[] {
    const { checked } = this.#memory
    if (this.#rows.size > 0) throw new NotLowered(say('processes without tokens act in its ticks, too'))
    if (checked.scopes.pending.size > 0) throw new NotLowered(say('a population is updated all at once'))
    const of = (level: ProcessPart['level'], entity: EntityPart | null): ProcessPart[] =>
      this.processes.filter(process => process.level === level && (entity === null || process.entity === entity))
    const nobody = (process: ProcessPart): Stmt[] => this.#spawn(process, isKnown, ir.f64(-1))
    return [
      ...of('global', null).flatMap(nobody),
      ...checked.parts.entities.flatMap(entity => [
        ...of('observer', entity).flatMap(nobody),
        ...this.#individuals(entity, of('individual', entity), isKnown),
      ]),
    ]
  }

  #individuals(entity: EntityPart, processes: readonly ProcessPart[], isKnown: (position: number) => boolean): Stmt[] {
    if (processes.length === 0) return []
    if (entity.order === 'key') throw new NotLowered(say('a key orders them'))
    const isShuffled = entity.order === 'shuffled'
    const record = this.#memory.population(entity)
    const local = (prefix: string, type: 'i32' | 'f64'): Local => ir.get(this.#memory.local(prefix, type), type) as Local
    const [k, n, slot] = [local('k', 'i32'), local('n', 'i32'), local('slot', 'i32')]
    const owner = local('owner', 'f64')
    const [label, next] = [`tick${entity.index}`, `next${entity.index}`]
    const handle = element(record, pops.HANDLES, 'f64', slot)
    const count = isShuffled
      ? ir.call('shuffled', 'i32', record, this.#memory.stream(`${entity.id} order`))
      : ir.load('i32', record, pops.SETTLED)
    const round: Stmt[] = [
      ir.set(slot.name, element(record, isShuffled ? pops.ORDER : pops.LIVING, 'i32', k)),
      ir.set(owner.name, handle),
      ir.when(ir.binary('lt', owner, ir.f64(0)), [{ kind: 'break', label: next }]),
      ir.store('i32', int(rt.ACTING_SLOT), 0, slot),
      ...processes.flatMap((process, at) => [
        // Who died in the first of several processes doesn't go on to the next.
        ...(at > 0 ? [ir.when(ir.binary('ne', handle, owner), [{ kind: 'break' as const, label: next }])] : []),
        ...this.#spawn(process, isKnown, owner),
      ]),
    ]
    return [
      ir.store('i32', int(rt.ACTING), 0, int(entity.index)),
      ir.set(n.name, count),
      ir.set(k.name, int(0)),
      {
        kind: 'loop',
        label,
        body: [
          ir.when(ir.binary('ge', k, n), [{ kind: 'break', label }]),
          { kind: 'block', label: next, body: round },
          ir.set(k.name, ir.binary('add', k, int(1))),
        ],
      },
    ]
  }

  /** A new token runs; the general way makes it where there is no room, or while all goes that way. */
  #spawn(process: ProcessPart, isKnown: (position: number) => boolean, owner: Expr): Stmt[] {
    const isElsewhere = ir.binary('lor', word(rt.GENERAL), ir.binary('le', word(rt.FUEL), int(0)))
    return [
      ir.when(
        ir.binary('lor', isElsewhere, ir.not(ir.call('hasToken', 'i32'))),
        [ir.run(ir.call('spawnOutside', 'void', int(process.index), owner))],
        [...this.#starts.spawned(process, isKnown, owner), ir.run(ir.call('runOut', 'i32', token))],
      ),
    ]
  }
}
