// Lists that a program keeps in its own variables, or chooses from: of individuals of one population, or of numbers. They stand behind each
// other in the list of runtime/choices.ts, until their activation is over or, in a loop, the next round begins.
import type { EntityPart } from '../check/parts.ts'
import type { CallNode, CompareOp, Expr as Node, Span, Statement } from '../formula/ast.ts'
import type { CallPlan, Local } from '../formula/plan.ts'
import type { Type } from '../formula/types.ts'
import { constantIndex, walk } from '../formula/walk.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import * as choices from '../runtime/choices.ts'
import type { FormulaLowering } from './formula.ts'
import { eachItem, worldCall } from './loops.ts'
import type { Item, Value } from './loops.ts'
import { isList, NotLowered } from './scope.ts'
import type { LinkEntry, OwnList, Query } from './scope.ts'
import { maxSequenceLength } from '../formula/runtime/operators.ts'
import { say } from '../../model-schema/words.ts'

/**
 * A list: where it begins and how long it is, and what it holds. `isRow`: it is the address of slots that stand in a row, to which
 * `links` may lead from who acts.
 */
export type Kept = {
  /** The address of the record of the list it is in. */
  readonly record: number
  readonly from: Expr
  readonly count: Expr
  readonly of: Type
  readonly isRow: boolean
  readonly links?: EntityPart | null
  /** What has to be done before it is looked at. */
  readonly before?: readonly Stmt[]
  /** Of a list that a variable of an individual holds. */
  readonly own?: OwnList
}

type Get = Expr & { kind: 'get' }
/** A list that a variable of the program holds. */
type Held = Kept & { readonly from: Get; readonly count: Get }

type Loop = { readonly node: Statement; isLeft: boolean; lists: boolean }

const get = (name: string): Get => ir.get(name, 'i32') as Get
const plus = (a: Expr, b: Expr): Expr => ir.binary('add', a, b)

export class Lists {
  readonly #e: FormulaLowering
  readonly #kept = new Map<Local, Held>()
  /** Variables of individuals whose lists the loops around what is lowered go through. */
  readonly #walked: string[] = []
  /** The loops around what is lowered; whether a list is made in them, and one that is still there behind them. */
  readonly #loops: Loop[] = []

  /** What loops go through that leave lists behind. */
  readonly #lasting = new Set<Span>()

  constructor(e: FormulaLowering) {
    this.#e = e
  }

  #recordAt(): number {
    const at = this.#e.scope.people.listAt()
    if (at === null) throw new NotLowered(say('it keeps a list'))
    return at
  }

  #record(): Expr {
    return ir.i32(this.#recordAt())
  }

  #top(): Expr {
    return ir.load('i32', this.#record(), choices.TOP_ENTRY)
  }

  #setTop(to: Expr): Stmt {
    for (const loop of this.#loops) loop.lists = true
    return ir.store('i32', this.#record(), choices.TOP_ENTRY, to)
  }

  #local(node: Node): Local | null {
    const meaning = node.is === 'name' ? this.#e.f.plan.names.get(node) : undefined
    return meaning?.is === 'local' && !meaning.unsure ? meaning.local : null
  }

  /** Whether a value is kept as an entry of a list. */
  #isEntry(type: Type): boolean {
    return type.is === 'number' || (type.is === 'entity' && this.#e.irType(type) !== null)
  }

  /** The list that a name stands for. */
  of(node: Node): Kept | null {
    const local = this.#local(node)
    const meaning = node.is === 'name' ? this.#e.f.plan.names.get(node) : undefined
    const given =
      meaning?.is === 'symbol' && meaning.symbol.kind === 'parameter' ? this.#e.scope.parameter?.(meaning.symbol.name) : undefined
    return (local && this.#kept.get(local)) ?? (given && isList(given) ? given : this.#ownOf(node))
  }

  /** The list that a variable of an individual holds: what is asked of it is asked anew each time. */
  #ownOf(node: Node): Kept | null {
    const found = this.#e.ownList(node)
    if (!found) return null
    const { before, list } = found
    const word = (offset: number): Expr => ir.load('i32', list.at, offset)
    const [from, count] = [word(choices.LIST_FROM), word(choices.LIST_COUNT)]
    return { record: list.heap, from, count, of: list.of, isRow: false, before, own: list }
  }

  length({ count, before = [] }: Kept): Expr {
    const length = ir.unary('toF', count)
    return before.length > 0 ? ir.seq(before, length) : length
  }

  // --- making them

  /** Gives a list to a variable; null where that holds none. */
  give(local: Local, value: Node): Stmt[] | null {
    const { type } = local
    if (type.is !== 'list') return null
    if (!this.#isEntry(type.of))
      throw new NotLowered(say('“{name}” is a list of other things than individuals or numbers', { name: local.name }))
    let kept = this.#kept.get(local)
    const row = this.#rowOf(value)
    const isRow = row !== null
    const links = row && this.#e.isGivenOnce(local) ? row.links : null
    kept ??= { record: this.#recordAt(), from: get(this.#new('from')), count: get(this.#new('count')), of: type.of, isRow, links }
    if (kept.isRow !== isRow) throw new NotLowered(say('“{name}” is a list that is made in several ways', { name: local.name }))
    this.#kept.set(local, kept)
    this.#stays(local)
    const { from, count } = kept
    if (value.is === 'list' && value.items.length === 0) return [ir.set(from.name, ir.i32(0)), ir.set(count.name, ir.i32(0))]
    if (this.#isAdded(local)) throw new NotLowered(say('“{name}” is a list that is made in several ways', { name: local.name }))
    // Both names would stand for one list: what is added to it would be missing in the other.
    const other = this.#local(value)
    if (other && this.#isAdded(other))
      throw new NotLowered(say('“{name}” may stand for the same list as something else', { name: local.name }))
    if (row) return [...row.before, ir.set(from.name, row.first), ir.set(count.name, row.count)]
    const made = this.gathered(value, type.of)
    return [...made.set, ir.set(from.name, made.kept.from), ir.set(count.name, made.kept.count)]
  }

  /** What `list()` is given, or the source itself. */
  #unwrapped(source: Node): Node {
    const plan = source.is === 'call' ? this.#e.f.plan.calls.get(source) : undefined
    const [given] = plan?.is === 'row' && plan.row.signature.name === 'list' ? plan.args : []
    return given ?? source
  }

  /** Slots that stand in a row already, and stay there: nobody is born, dies or is linked in this program. */
  #rowOf(value: Node): ReturnType<Query['row']> {
    const call = this.#e.f.mayCreate ? null : worldCall(this.#e, this.#unwrapped(value))
    return (call && this.#e.scope.people.query(this.#e, { ...call, use: 'list' }, true)?.row()) ?? null
  }

  #new(prefix: string): string {
    return this.#e.scope.local(prefix, 'i32')
  }

  /** Loops that a variable is mentioned outside of do not let go of what is listed in them. */
  #stays(local: Local): void {
    walk(this.#e.f.parsed.ast, node => {
      if (this.#local(node) !== local) return
      for (const loop of this.#loops) if (node.from < loop.node.from || node.to > loop.node.to) loop.isLeft = true
    })
  }

  #isAdded(local: Local): boolean {
    return [...this.#e.f.plan.calls.values()].some(plan => plan.is === 'method' && this.#local(plan.receiver) === local)
  }

  /** A method of a list; null where it is something else. */
  method({ method, receiver, args }: CallPlan & { is: 'method' }, node: CallNode): Expr | null {
    if (method.on !== 'list') return null
    const { name } = method.signature
    const [given] = args
    const nothing = ir.i32(0)
    const local = this.#local(receiver)
    const held = local && this.#kept.get(local)
    if (held && local && name === 'append' && given) {
      this.#stays(local)
      const entry = this.#e.keep(this.#entryOf(given, held.of))
      return ir.seq([...entry.set, ...this.#added(held, entry.get)], nothing)
    }
    const kept = held ?? this.of(receiver)
    if (kept && name === 'index' && given) {
      const found = this.#search(given, kept)
      return found && ir.seq([...found.set, this.#unlessFound(found.isFound, node)], ir.unary('toF', found.place))
    }
    const own = kept?.own
    if (!kept || !own) return null
    const { before = [] } = kept
    if (name === 'append' && given) {
      const entry = this.#e.keep(this.#entryOf(given, own.of))
      return ir.seq([...before, ...entry.set, ...this.#pushed(own, entry.get, node)], nothing)
    }
    if (name === 'pop') {
      const at = given ? constantIndex(given) : -1
      if (at === null) throw new NotLowered(say('it calls a method'))
      const none = ir.when(ir.not(kept.count), [this.#fails(10026, node)])
      const place =
        at === -1 ? { set: [], get: ir.binary('sub', kept.count, ir.i32(1)) } : this.place(ir.unary('toF', kept.count), given!, node)
      return ir.seq([...before, none, ...place.set], this.#taken(own, place.get))
    }
    if (name === 'remove' && given) {
      const found = this.#search(given, kept)
      return found && ir.seq([...found.set, this.#unlessFound(found.isFound, node), ir.run(this.#taken(own, found.place))], nothing)
    }
    return name === 'clear' ? ir.seq([...before, ...this.#emptied(own)], nothing) : null
  }

  #fails(code: 10024 | 10026 | 10034, at: Span): Stmt {
    return { kind: 'fail', place: this.#e.scope.place(code, at) }
  }

  #unlessFound(isFound: Expr, at: Span): Stmt {
    return ir.when(ir.not(isFound), [this.#fails(10024, at)])
  }

  // --- changing those of individuals

  #change({ mayChange, id }: OwnList): void {
    if (!mayChange) throw new NotLowered(say('a function changes a list of an individual'))
    if (this.#walked.includes(id)) throw new NotLowered(say('it changes a list while it looks at it'))
  }

  #pushed(own: OwnList, value: Expr, at: Span): Stmt[] {
    this.#change(own)
    const isFull = ir.binary('ge', ir.load('i32', own.at, choices.LIST_COUNT), ir.i32(maxSequenceLength))
    return [ir.when(isFull, [this.#fails(10034, at)]), ir.run(ir.call('listPush', 'void', ir.i32(own.heap), own.at, value))]
  }

  #taken(own: OwnList, place: Expr): Expr {
    this.#change(own)
    const value = ir.call('listTake', 'f64', ir.i32(own.heap), own.at, place)
    return this.#e.irType(own.of) === 'i32' ? ir.unary('toI', value) : value
  }

  #emptied(own: OwnList): Stmt[] {
    this.#change(own)
    return [ir.store('i32', own.at, choices.LIST_COUNT, ir.i32(0)), ir.store('i32', own.at, choices.LIST_CHANGED, ir.i32(1))]
  }

  /** Gives a variable of an individual another list; null where it holds none. */
  assigned(target: Node, value: Node): Stmt[] | null {
    if (target.is === 'index') return this.#assignedItem(target, value)
    const found = target.is === 'name' || target.is === 'member' ? this.#e.ownList(target) : undefined
    if (!found) return null
    const { before, list } = found
    if (value.is === 'list') {
      const items = value.items.map(item => this.#e.keep(this.#entryOf(item, list.of)))
      const pushed = items.flatMap(item => this.#pushed(list, item.get, value))
      return [...items.flatMap(({ set }) => set), ...before, ...this.#emptied(list), ...pushed]
    }
    const { set, kept } = this.gathered(value, list.of)
    const [k, label] = [this.#new('k'), this.#new('items')]
    const round: Stmt[] = [
      ir.when(ir.binary('ge', get(k), kept.count), [{ kind: 'break', label }]),
      ...this.#pushed(list, this.#real(kept, get(k)), value),
      ir.set(k, plus(get(k), ir.i32(1))),
    ]
    return [...set, ...before, ...this.#emptied(list), ir.set(k, ir.i32(0)), { kind: 'loop', label, body: round }, this.#setTop(kept.from)]
  }

  #assignedItem(target: Node & { is: 'index' }, value: Node): Stmt[] | null {
    const item = this.item(target)
    if (!item) return null
    const kept = this.#e.keep(this.#e.as(value, item.of))
    return [...kept.set, ...item.before, ...item.put(kept.get, value)]
  }

  /** An item of a list of an individual, to be looked at and given; null where it is something else. */
  item({ of: list, index, from, to }: Node & { is: 'index' }) {
    const kept = this.of(list)
    const own = kept?.own
    if (!kept || !own) return null
    this.#change(own)
    const place = this.place(ir.unary('toF', kept.count), index, { from, to })
    const at = get(this.#new('at'))
    return {
      of: kept.of,
      before: [...(kept.before ?? []), ...place.set, ir.set(at.name, place.get)],
      get: this.#entry(kept, at),
      put: (value: Expr, where: Span): Stmt[] => {
        const checked = kept.of.is === 'number' ? ir.check(real(value), this.#e.scope.place(10015, where)) : real(value)
        return [ir.store('f64', this.#address(kept, at), 0, checked), ir.store('i32', own.at, choices.LIST_CHANGED, ir.i32(1))]
      },
    }
  }

  #entryOf(value: Node, of: Type): Expr {
    const e = this.#e.as(value, of)
    return e.type === 'i32' ? ir.unary('toF', e) : e
  }

  #added({ from, count }: Held, value: Expr): Stmt[] {
    for (const loop of this.#loops) loop.lists = true
    return [ir.set(from.name, ir.call('listAdd', 'i32', this.#record(), from, count, value)), ir.set(count.name, plus(count, ir.i32(1)))]
  }

  /** All that a query or a comprehension gives, in order, as a list behind the others. */
  gathered(given: Node, of: Type): { set: Stmt[]; kept: Held } {
    const source = this.#unwrapped(given)
    const kept: Held = { record: this.#recordAt(), from: get(this.#new('from')), count: get(this.#new('count')), of, isRow: false }
    const { from, count } = kept
    const isNested = source.is === 'comprehension' && source.clauses.filter(clause => clause.is === 'for').length > 1
    if (isNested && source.clauses.some(clause => clause.is === 'for' && this.#isStacked(clause.source)))
      throw new NotLowered(say('a list is made of several searches for neighbours'))
    const begin = isNested ? ir.i32(0) : this.#top()
    const add = (entry: Expr): Stmt[] =>
      isNested
        ? this.#added(kept, entry)
        : [ir.run(ir.call('enlistAt', 'void', this.#record(), plus(from, count), entry)), ir.set(count.name, plus(count, ir.i32(1)))]
    const found = this.#found(source, of, add)
    const end = isNested ? [] : [this.#setTop(plus(from, count))]
    return { set: [ir.set(from.name, begin), ir.set(count.name, ir.i32(0)), ...found, ...end], kept }
  }

  /** A list that is handed to a function: what makes it, and what lets go of it once the function is over. */
  handed(node: Node, of: Type): { readonly set: readonly Stmt[]; readonly kept: Kept; readonly after: readonly Stmt[] } {
    const known = this.of(node)
    if (known && !known.own) return { set: [], kept: known, after: [] }
    if (!this.#isEntry(of)) throw new NotLowered(say('a function takes or gives values that are no numbers'))
    const { set, kept } = this.gathered(node, of)
    return { set, kept, after: [this.#setTop(kept.from)] }
  }

  #isStacked(source: Node): boolean {
    return worldCall(this.#e, source)?.name === 'neighbors'
  }

  #found(source: Node, of: Type, add: (entry: Expr) => Stmt[]): Stmt[] {
    const e = this.#e
    if (source.is === 'comprehension') {
      if (source.kind !== 'list' && source.kind !== 'generator') throw new NotLowered(say('it makes a set or a dictionary'))
      const kept = (item: Item): Stmt[] => {
        const entry = e.keep(of.is === 'entity' ? real(item.natural()) : item.number())
        return [...e.charge(ir.f64(1), source), ...entry.set, ...add(entry.get)]
      }
      return eachItem(e, source, true, false, kept)
    }
    const listed = this.of(source)
    if (listed) return this.each(listed, source, item => add(real('one' in item ? item.one.handle : item.number)))
    const call = worldCall(e, source)
    const query = call && e.scope.people.query(e, { ...call, use: 'list' }, true)
    if (!query || query.isByBirth || of.is !== 'entity') throw new NotLowered(say('a list is put together while running'))
    return query.each(one => add(real(one.handle)))
  }

  // --- looking at them

  /** An entry by its place in the list. */
  #entry(kept: Kept, place: Expr): Expr {
    const { people } = this.#e.scope
    const { isRow, from, of } = kept
    const entity = isRow && of.is === 'entity' ? people.entity(of.of) : undefined
    if (entity) return people.someone(entity, ir.load('i32', plus(from, ir.binary('shl', place, ir.i32(2))))).handle
    const value = this.#real(kept, place)
    return this.#e.irType(of) === 'i32' ? ir.unary('toI', value) : value
  }

  /** What stands at a place of a list that is no row. */
  #real(kept: Kept, place: Expr): Expr {
    return ir.load('f64', this.#address(kept, place))
  }

  #address({ record, from }: Kept, place: Expr): Expr {
    return plus(ir.load('i32', ir.i32(record), choices.ENTRIES), ir.binary('shl', plus(from, place), ir.i32(3)))
  }

  #linkEntry({ from, links }: Kept, place: Expr): LinkEntry | null {
    return links ? { links, address: plus(from, ir.binary('shl', place, ir.i32(2))) } : null
  }

  /** Statements for each item; those that are added meanwhile are met as well. `living`: the dead are left out. */
  each(kept: Kept, at: Span, body: (item: Value) => Stmt[], living = false): Stmt[] {
    const e = this.#e
    const [k, label, next] = [this.#new('k'), this.#new('items'), this.#new('next')]
    const { people } = e.scope
    const entity = kept.of.is === 'entity' ? people.entity(kept.of.of) : undefined
    const type = e.irType(kept.of)!
    const item = e.scope.local('item', type)
    const one = ir.get(item, type)
    const slot = ir.get(this.#new('s'), 'i32') as Expr & { kind: 'get' }
    const isGone = entity && living ? [ir.when(ir.not(people.lives(entity, one)), [{ kind: 'break' as const, label: next }])] : []
    const entry = this.#linkEntry(kept, get(k))
    if (kept.own) this.#walked.push(kept.own.id)
    const inner = entity
      ? [...isGone, ir.set(slot.name, people.slotOf(entity, one)), ...body({ one: { entity, slot, handle: one, ...(entry && { entry }) } })]
      : body({ number: one })
    if (kept.own) this.#walked.pop()
    const round: Stmt[] = [...e.charge(ir.f64(1), at), ir.set(item, this.#entry(kept, get(k))), ...inner]
    return [
      ...(kept.before ?? []),
      ir.set(k, ir.i32(0)),
      {
        kind: 'loop',
        label,
        body: [
          ir.when(ir.binary('ge', get(k), kept.count), [{ kind: 'break', label }]),
          { kind: 'block', label: next, body: round },
          ir.set(k, plus(get(k), ir.i32(1))),
        ],
      },
    ]
  }

  /** Whether a value is one of the items; null where it is not asked, or not whether one number or individual is among such. */
  holds(left: Node, op: CompareOp, right: Node): Expr | null {
    const kept = op === 'in' || op === 'not in' ? this.of(right) : null
    const found = kept && this.#search(left, kept)
    return found && ir.seq(found.set, op === 'in' ? found.isFound : ir.not(found.isFound))
  }

  /** The first item that is a number or an individual; null where it is not known to be one of such. */
  #search(item: Node, kept: Kept): { set: Stmt[]; isFound: Expr; place: Expr } | null {
    const type = this.#e.typeOf(item)
    if (type.is !== 'number' && !(type.is === 'entity' && kept.of.is === 'entity' && type.of === kept.of.of)) return null
    const value = this.#e.keep(this.#e.as(item, kept.of))
    const [k, label, found] = [this.#new('k'), this.#new('items'), this.#new('found')]
    const leave: Stmt = { kind: 'break', label }
    const body: Stmt[] = [
      ir.when(ir.binary('ge', get(k), kept.count), [leave]),
      ir.when(ir.binary('eq', this.#entry(kept, get(k)), value.get), [ir.set(found, ir.i32(1)), leave]),
      ir.set(k, plus(get(k), ir.i32(1))),
    ]
    const before = [...value.set, ...(kept.before ?? [])]
    const set: Stmt[] = [...before, ir.set(k, ir.i32(0)), ir.set(found, ir.i32(0)), { kind: 'loop', label, body }]
    return { set, isFound: get(found), place: get(k) }
  }

  /** The item at a position, counted from the end where that is negative. */
  at(kept: Kept, index: Node, node: Span): Expr {
    const place = this.place(ir.unary('toF', kept.count), index, node)
    return ir.seq([...(kept.before ?? []), ...place.set], this.#entry(kept, place.get))
  }

  /** A position among so many. */
  place(length: Expr, index: Node, node: Span): { set: Stmt[]; get: Expr } {
    const e = this.#e
    const fail = (code: 10022 | 10023): Stmt => ({ kind: 'fail', place: e.scope.place(code, node) })
    const at = e.keep(e.real(index))
    const isWhole = Number.isInteger(constantIndex(index))
    const whole: Stmt[] = isWhole
      ? []
      : [ir.when(ir.binary('ne', ir.binary('sub', ir.unary('floor', at.get), at.get), ir.f64(0)), [fail(10023)])]
    const real = e.scope.local('at', 'f64')
    const fromEnd = ir.cond(ir.binary('lt', at.get, ir.f64(0)), ir.binary('add', at.get, length), at.get)
    const isOutside = ir.not(
      ir.binary('land', ir.binary('ge', ir.get(real, 'f64'), ir.f64(0)), ir.binary('lt', ir.get(real, 'f64'), length)),
    )
    const set = [...at.set, ...whole, ir.set(real, fromEnd), ir.when(isOutside, [fail(10022)])]
    return { set, get: ir.unary('toI', ir.get(real, 'f64')) }
  }

  /** One of them, drawn. */
  choice(source: Node, of: Type, node: Node): Expr | null {
    const known = this.of(source)
    if (!known && (source.is !== 'comprehension' || !this.#isEntry(of))) return null
    const { set, kept } = known ? { set: [...(known.before ?? [])], kept: known } : this.gathered(source, of)
    const e = this.#e
    const nobody: Stmt = ir.when(ir.not(kept.count), [{ kind: 'fail', place: e.scope.place(10026, node) }])
    const k = this.#new('drawn')
    const drawn = ir.unary('toI', ir.call('belowAny', 'f64', e.scope.stream(), ir.unary('toF', kept.count)))
    const type = e.irType(of)!
    const chosen = e.scope.local('c', type)
    const letGo = known ? [] : [this.#setTop(kept.from)]
    const entry = this.#linkEntry(kept, get(k))
    const at = entry ? [ir.set(e.chose(node, entry.links), entry.address)] : []
    return ir.seq([...set, nobody, ir.set(k, drawn), ...at, ir.set(chosen, this.#entry(kept, get(k))), ...letGo], ir.get(chosen, type))
  }

  // --- loops

  /** Whether a loop over this, whose body is lowered, leaves lists behind. */
  isLasting(source: Span): boolean {
    return this.#lasting.has(source)
  }

  /** A loop and the body of its rounds: what a round has listed is let go before the next one, unless it is looked at behind the loop. */
  loop(node: Statement, make: (round: (body: () => Stmt[]) => Stmt[]) => Stmt[]): Stmt[] {
    const loop: Loop = { node, isLeft: false, lists: false }
    const mark = this.#new('mark')
    const made = make(body => {
      this.#loops.push(loop)
      const inner = body()
      this.#loops.pop()
      if (!loop.lists) return inner
      if (loop.isLeft) {
        if (node.is === 'for') this.#lasting.add(node.source)
        return inner
      }
      const again = ir.store('i32', this.#record(), choices.TOP_ENTRY, get(mark))
      return [ir.when(ir.binary('lt', get(mark), ir.i32(0)), [ir.set(mark, this.#top())], [again]), ...inner]
    })
    return loop.lists && !loop.isLeft ? [ir.set(mark, ir.i32(-1)), ...made] : made
  }
}

const real = (e: Expr): Expr => (e.type === 'i32' ? ir.unary('toF', e) : e)
