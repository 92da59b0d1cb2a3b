// Choosing individuals by processes without tokens: what steps/selection.ts does, in the same order. The chosen stand in a list, one for
// all steps, since none chooses while another goes through its own.
import { chosenPopulation, stepKey } from '../check/names/keys.ts'
import type { EntityPart, StepPart } from '../check/parts.ts'
import { componentOf, isWritten } from '../compile/emitter.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import * as choices from '../runtime/choices.ts'
import * as pops from '../runtime/populations.ts'
import type { FormulaLowering } from './formula.ts'
import { worldCall } from './loops.ts'
import { RowPeople } from './people.ts'
import type { Actor, RowsLowering } from './rows.ts'
import { NotLowered } from './scope.ts'
import type { Someone } from './scope.ts'
import { say } from '../../model-schema/words.ts'

type Local = Expr & { readonly kind: 'get' }
/** The chosen: what finds them, and a loop over those of them who live. */
export type Chosen = {
  readonly entity: EntityPart
  readonly found: readonly Stmt[]
  each(body: (one: Someone) => Stmt[]): Stmt[]
}

const one = ir.i32(1)

export class Choosing {
  readonly #rows: RowsLowering

  constructor(rows: RowsLowering) {
    this.#rows = rows
  }

  #int(prefix: string): Local {
    return ir.get(this.#rows.memory.local(prefix, 'i32'), 'i32') as Local
  }

  choose(step: StepPart, actor: Actor): Chosen {
    const rows = this.#rows
    const range = rows.value(step, actor, 'range')
    const of = chosenPopulation(rows.emitter.typeOf(stepKey(step, 'range')))
    const entity = rows.program.checked.scopes.entity(of ?? null)
    if (!entity || entity.derived.length > 0) throw new NotLowered(say('whom it chooses is found out while running'))
    const people = new RowPeople(rows.world, rows.standing(this.#at(step, actor, 'range')))
    const [n, first] = [this.#int('n'), this.#int('first')]
    const { nobody, pick } = step.element.fields
    const fails: Stmt[] = nobody === 'error' ? [ir.when(ir.not(n), [{ kind: 'fail', place: rows.place(10054, step.id, 'range') }])] : []
    const found = [ir.set(first.name, ir.i32(0)), ...this.#found(step, actor, entity, range, people, n)]
    const picked =
      this.#isDrawn(step, entity) || pick === 'all' || typeof pick !== 'string' ? [] : this.#picked(step, actor, pick, n, first)
    const taken = ir.store('i32', ir.binary('add', this.#list(), ir.i32(choices.TOP_ENTRY)), 0, n)
    return { entity, found: [...found, taken, ...picked, ...fails], each: body => this.#each(people, entity, first, n, body) }
  }

  #at(step: StepPart, actor: Actor, field: string) {
    return { process: step.process, actor, component: step.id, id: step.id, field }
  }

  /** Whether some of all are drawn, for which nobody has to be listed. */
  #isDrawn(step: StepPart, entity: EntityPart): boolean {
    const range = this.#rows.emitter.typeOf(stepKey(step, 'range'))
    return step.element.fields['pick'] === 'random' && range.is === 'observer' && entity.kind !== 'cell' && !isWritten(step, 'filter')
  }

  #list(): Expr {
    return ir.i32(this.#rows.memory.list())
  }

  #stream(step: StepPart): Expr {
    return this.#rows.memory.stream(componentOf(step.process, step.id))
  }

  /** A whole number from 0 on. */
  #limit(step: StepPart, actor: Actor): { readonly before: readonly Stmt[]; readonly value: Expr } {
    const limit = ir.get(this.#rows.memory.local('limit', 'f64'), 'f64') as Local
    const isWhole = ir.binary('eq', ir.binary('sub', ir.unary('floor', limit), limit), ir.f64(0))
    const fail = (code: 10023 | 10039): Stmt => ({ kind: 'fail', place: this.#rows.place(code, step.id, 'limit') })
    const before = [
      ir.set(limit.name, this.#rows.value(step, actor, 'limit').number()),
      ir.when(ir.not(isWhole), [fail(10023)]),
      ir.when(ir.binary('lt', limit, ir.f64(0)), [fail(10039)]),
    ]
    return { before, value: limit }
  }

  /** Lists those in question; `n` is how many there are. */
  #found(step: StepPart, actor: Actor, entity: EntityPart, range: FormulaLowering, people: RowPeople, n: Local): Stmt[] {
    const rows = this.#rows
    if (this.#isDrawn(step, entity)) {
      const { before, value } = this.#limit(step, actor)
      const p = ir.i32(rows.memory.population(entity))
      return [...before, ir.set(n.name, ir.call('someOf', 'i32', p, this.#list(), value, this.#stream(step)))]
    }
    const call = worldCall(range, range.root)
    const query = call && people.query(range, { ...call, use: 'list' }, true)
    if (!query) throw new NotLowered(say('whom it chooses is found out while running'))
    const listed = query.each(who => {
      const handle = who.handle.type === 'i32' ? ir.unary('toF', who.handle) : who.handle
      const add: Stmt[] = [ir.run(ir.call('enlist', 'void', this.#list(), n, handle)), ir.set(n.name, ir.binary('add', n, one))]
      const filter = rows.asTarget(step, actor, 'filter', who)
      return filter ? [ir.when(filter.truth(), add)] : add
    })
    const ids = ir.load('i32', ir.i32(rows.memory.population(entity) + pops.IDS))
    const sorted = query.isByBirth ? [ir.run(ir.call('sortByBirth', 'void', this.#list(), n, ids))] : []
    return [ir.set(n.name, ir.i32(0)), ...listed, ...sorted]
  }

  #picked(step: StepPart, actor: Actor, pick: string, n: Local, first: Local): Stmt[] {
    if (pick !== 'random' && pick !== 'first' && pick !== 'last') throw new NotLowered(say('it chooses by a value or a distance'))
    const { before, value } = this.#limit(step, actor)
    if (pick === 'random') return [...before, ir.set(n.name, ir.call('pickRandom', 'i32', this.#list(), n, value, this.#stream(step)))]
    const most = ir.call('atMost', 'i32', value, n)
    return [...before, pick === 'first' ? ir.set(n.name, most) : ir.set(first.name, ir.binary('sub', n, most))]
  }

  #each(people: RowPeople, entity: EntityPart, first: Local, n: Local, body: (one: Someone) => Stmt[]): Stmt[] {
    const isSlot = people.handleType(entity) === 'i32'
    const [k, slot] = [this.#int('k'), this.#int('s')]
    const handle = ir.get(this.#rows.memory.local('h', people.handleType(entity)), people.handleType(entity)) as Local
    const [label, next] = [this.#rows.memory.local('chosen', 'i32'), this.#rows.memory.local('next', 'i32')]
    const entries = ir.load('i32', this.#list(), choices.ENTRIES)
    const entry = ir.load('f64', ir.binary('add', entries, ir.binary('shl', k, ir.i32(3))))
    const alive: Stmt[] = isSlot ? [] : [ir.when(ir.not(people.lives(entity, handle)), [{ kind: 'break', label: next }])]
    const round: Stmt[] = [
      ir.set(handle.name, isSlot ? ir.unary('toI', entry) : entry),
      ...alive,
      ir.set(slot.name, people.slotOf(entity, handle)),
      ...body({ entity, slot, handle }),
    ]
    return [
      ir.set(k.name, first),
      {
        kind: 'loop',
        label,
        body: [
          ir.when(ir.binary('ge', k, n), [{ kind: 'break', label }]),
          { kind: 'block', label: next, body: round },
          ir.set(k.name, ir.binary('add', k, one)),
        ],
      },
    ]
  }
}
