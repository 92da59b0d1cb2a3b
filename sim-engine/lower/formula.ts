// Checked formula trees -> the intermediate representation: numbers and truths over variables that stand in memory. What a
// formula does is what formula/emit/expressions.ts says of it, in the same order. What cannot be lowered says so by name.
import type { ArithmeticOp, CompareOp, Expr as Node, Span, Statement } from '../formula/ast.ts'
import type { EntityPart, VariablePart } from '../check/parts.ts'
import type { Inferred } from '../formula.ts'
import { choiceLocals } from '../formula/constant-choices.ts'
import { constantIndex, walk } from '../formula/walk.ts'
import type { Local } from '../formula/plan.ts'
import { any } from '../formula/types.ts'
import type { Type } from '../formula/types.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import { loweredCall } from './calls.ts'
import { asFlag, isCheap, isList, looks, NotLowered } from './scope.ts'
import type { FormulaScope, Leaving, LinkEntry, Numbering, OwnList, Placed, Someone, VariablePlace, WorldCall } from './scope.ts'
import { Lists } from './lists.ts'
import { forLoop, worldCall } from './loops.ts'
import { numberingOf, Texts } from './texts.ts'
import { say } from '../../model-schema/words.ts'

const isNone = (node: Node): boolean => node.is === 'constant' && node.value === null
const numberOf = (type: Type): 'i32' | 'f64' | null => (type.is === 'number' ? 'f64' : type.is === 'bool' ? 'i32' : null)
const constants: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E, tau: 2 * Math.PI, inf: Infinity }
const comparisons: Readonly<Partial<Record<CompareOp, ir.BinaryOp>>> = {
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  '==': 'eq',
  '!=': 'ne',
}
const hostNames: Readonly<Partial<Record<ArithmeticOp, string>>> = {
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '&': 'bitand',
  '|': 'bitor',
  '^': 'bitxor',
  '<<': 'shl',
  '>>': 'shr',
}
/** Of a container's books: where the numbers of its members are, by name. */
const bookOf: Readonly<Record<string, number>> = {
  in_use: 408,
  capacity: 416,
  served: 384,
  gave_up: 392,
  waited: 256,
  mean_wait: 264,
  max_wait: 280,
  max_queue: 136,
}

export class FormulaLowering {
  readonly f: Inferred
  readonly scope: FormulaScope
  readonly #locals = new Map<Local, string>()
  /** Locals that stand for an item of a loop, or for a place among constant tuples. */
  readonly #items = new Map<Local, Someone>()
  readonly #tuples = new Map<Local, { readonly tables: readonly Expr[]; readonly count: number; readonly name: string }>()
  /** Of calls that choose among who is linked, and of locals that hold what one of them gave: the entry. */
  readonly #chosen = new Map<Node, LinkEntry>()
  readonly #entries = new Map<Local, LinkEntry>()
  readonly lists = new Lists(this)
  readonly texts = new Texts(this)
  /** The loops around a statement, innermost last, and where `return` of a function goes. */
  readonly #loops: Leaving[] = []

  constructor(f: Inferred, scope: FormulaScope) {
    this.f = f
    this.scope = scope
  }

  /** The value of an expression, as a number. */
  number(): Expr {
    return this.real(this.#root())
  }

  /** The truth of a condition. */
  truth(): Expr {
    return this.test(this.#root())
  }

  /** The individual an expression gives, as a handle. */
  handle(): Expr {
    return this.natural(this.#root())
  }

  /** The individual an expression gives, or none, as variables keep it. */
  reference(): Expr {
    const node = this.#root()
    return isNone(node) ? ir.f64(-1) : this.#asNumber(this.as(node, this.typeOf(node)))
  }

  /** The value of an expression that is written as `[a, b]` or `(a, b)`, as numbers; null where it is anything else. */
  coordinates(): Expr[] | null {
    const node = this.#root()
    return node.is === 'list' || node.is === 'tuple' ? node.items.map(item => this.real(item)) : null
  }

  /** The expression itself. */
  get root(): Node {
    return this.#root()
  }

  /** A program's statements. */
  statements(): Stmt[] {
    const { ast } = this.f.parsed
    if (ast.is !== 'program') throw new NotLowered(say('it is no program'))
    for (const [local, choices] of choiceLocals(this.f)) {
      const tables = choices[0]!.map((_, place) => this.scope.table(choices.map(choice => choice[place]!)))
      this.#tuples.set(local, { tables, count: choices.length, name: this.scope.local('d', 'i32') })
    }
    const body = this.block(ast.body)
    this.texts.check()
    return [...this.blanks(), ...body]
  }

  /** What locals hold before anything is given to them. */
  blanks(): Stmt[] {
    return [...this.#locals].map(([local, name]) => ir.set(name, this.#blank(local.type)))
  }

  #blank(type: Type): Expr {
    const is = this.irType(type)
    return is === 'f64' ? ir.f64(type.is === 'entity' ? -1 : 0) : ir.i32(type.is === 'entity' ? -1 : 0)
  }

  #root(): Node {
    const { ast } = this.f.parsed
    if (ast.is !== 'expression' || this.f.problems.length > 0) throw new NotLowered(say('it is no expression'))
    return ast.value
  }

  typeOf(node: Node): Type {
    if (node.is === 'name') {
      const meaning = this.f.plan.names.get(node)
      if (meaning?.is === 'local') return meaning.local.type
      if (meaning?.is === 'symbol') return meaning.symbol.type
    }
    if (node.is !== 'member') return this.f.plan.types.get(node) ?? any
    return (this.#ofSeveral(node)?.variable ?? this.f.plan.members.get(node))?.type ?? this.f.plan.types.get(node) ?? any
  }

  /** How a value of a type stands in the program: numbers, truths, and individuals of one population. */
  irType(type: Type): 'i32' | 'f64' | null {
    const entity = type.is === 'entity' ? this.scope.people.entity(type.of) : undefined
    return entity ? this.scope.people.handleType(entity) : numberOf(type)
  }

  // --- statements

  block(body: readonly Statement[]): Stmt[] {
    return body.flatMap(statement => [...(this.scope.line?.(this, statement.from) ?? []), ...this.#statement(statement)])
  }

  #statement(node: Statement): readonly Stmt[] {
    switch (node.is) {
      case 'assign':
        return this.#assign(node)
      case 'augment':
        return this.#augment(node)
      case 'if': {
        const [first, ...others] = node.branches
        const rest = others.length > 0 ? this.#statement({ ...node, branches: others }) : this.block(node.otherwise)
        return [ir.when(this.test(first!.test), this.block(first!.body), rest)]
      }
      case 'for':
        return this.#withElse(node.otherwise, leaving => forLoop(this, node, leaving))
      case 'while':
        return this.#withElse(node.otherwise, leaving =>
          this.lists.loop(node, round => [
            {
              kind: 'loop',
              label: leaving.out,
              body: round(() => [
                ir.when(ir.not(this.test(node.test)), [{ kind: 'break', label: leaving.out }]),
                ...this.charge(ir.f64(1), node.test),
                this.within(leaving, () => this.block(node.body)),
              ]),
            },
          ]),
        )
      case 'break':
        return [{ kind: 'break', label: this.#around().out }]
      case 'continue':
        return [{ kind: 'break', label: this.#around().next }]
      case 'do':
        return [ir.run(this.natural(node.value))]
      case 'pass':
        return []
      case 'return':
        return this.#returned(node.value)
      default:
        throw new NotLowered(say('it has a “{is}” statement', { is: node.is }))
    }
  }

  /** Takes from the steps of loops that are left to an instant. */
  charge(steps: Expr, span: Span): Stmt[] {
    const at = ir.i32(this.scope.fuelAt)
    const fuel = ir.load('f64', at)
    return [
      ir.store('f64', at, 0, ir.binary('sub', fuel, steps)),
      ir.when(ir.binary('lt', fuel, ir.f64(0)), [{ kind: 'fail', place: this.scope.place(10034, span) }]),
    ]
  }

  /** Leaves a function, with its value where it gives one. */
  #returned(value: Node | null): Stmt[] {
    const { result } = this.f
    if (result.is === 'none') return [...(value && !isNone(value) ? [ir.run(this.natural(value))] : []), { kind: 'return', value: null }]
    if (!value) throw new NotLowered(say('it uses None'))
    return [{ kind: 'return', value: this.as(value, result) }]
  }

  #around(): Leaving {
    const around = this.#loops.at(-1)
    if (!around) throw new NotLowered(say('it leaves a loop from outside'))
    return around
  }

  /** A loop's `else` runs when no `break` left it: those go past it. */
  #withElse(otherwise: readonly Statement[], loop: (leaving: Leaving) => Stmt[]): Stmt[] {
    if (otherwise.length > 0) throw new NotLowered(say('a loop has an “else”'))
    return loop({ out: this.scope.local('loop', 'i32'), next: this.scope.local('next', 'i32') })
  }

  /** The body of a loop, which `continue` leaves. */
  within(leaving: Leaving, body: () => Stmt[]): Stmt {
    this.#loops.push(leaving)
    const made = body()
    this.#loops.pop()
    return { kind: 'block', label: leaving.next, body: made }
  }

  #assign({ targets, value }: Statement & { is: 'assign' }): Stmt[] {
    const [only, second] = targets
    if (!only || second) throw new NotLowered(say('it assigns to several names at once'))
    const local = only.is === 'name' ? this.f.plan.names.get(only) : undefined
    const tuple = local?.is === 'local' ? this.#tuples.get(local.local) : undefined
    if (tuple) {
      const drawn = ir.call('below', 'f64', this.scope.stream(), ir.f64(tuple.count))
      return [ir.set(tuple.name, ir.unary('toI', drawn))]
    }
    if ((only.is === 'tuple' || only.is === 'list') && value.is === 'tuple' && value.items.length === only.items.length) {
      // All values are worked out before the first is stored: `a, b = b, a`.
      const values = value.items.map(item => this.keep(this.natural(item)))
      return [...values.map(({ set }) => set), ...only.items.map((item, k) => this.#store(item, values[k]!.get, value, null))].flat()
    }
    if (local?.is === 'local' && local.local.type.is === 'text') return this.texts.give(local.local, value)
    const listed = local?.is === 'local' ? this.lists.give(local.local, value) : null
    if (listed) return listed
    const own = this.lists.assigned(only, value)
    if (own) return own
    const found = this.placed(only)
    const as = found && numberingOf(found.place)
    if (as) return [...found.before, ...this.#written(found.place, this.texts.code(value, as))]
    if (only.is !== 'member') {
      const stored = this.#store(only, this.#valueFor(only, value), value, value)
      const entry = this.#chosen.get(value)
      if (entry && local?.is === 'local' && this.isGivenOnce(local.local)) this.#entries.set(local.local, entry)
      return stored
    }
    // The value is evaluated before the object whose property is set.
    const kept = this.keep(this.#valueFor(only, value))
    return [...kept.set, ...this.#store(only, kept.get, value, value.is === 'number' || value.is === 'constant' ? value : null)]
  }

  isGivenOnce(local: Local): boolean {
    let times = 0
    walk(this.f.parsed.ast, (node, role) => {
      const meaning = role === 'target' && node.is === 'name' ? this.f.plan.names.get(node) : undefined
      if (meaning?.is === 'local' && meaning.local === local) times++
    })
    return times === 1
  }

  /** A call chooses among those who act is linked to: the local that holds the address of the entry. */
  chose(call: Node, links: EntityPart): string {
    const name = this.scope.local('entry', 'i32')
    this.#chosen.set(call, { links, address: ir.get(name, 'i32') })
    return name
  }

  /** Of somebody who acts is linked to, where that is known. */
  entryOf(node: Node): LinkEntry | undefined {
    const meaning = node.is === 'name' ? this.f.plan.names.get(node) : undefined
    return (meaning?.is === 'local' ? this.#entries.get(meaning.local) : undefined) ?? this.known(node)?.entry
  }

  /** None is no value by itself: it depends on where it goes. */
  #valueFor(target: Node, value: Node): Expr {
    const type = this.typeOf(target)
    return type.is === 'entity' ? this.as(value, type) : this.natural(value)
  }

  #augment(node: Statement & { is: 'augment' }): Stmt[] {
    const { target, op, value } = node
    const item = target.is === 'index' ? this.lists.item(target) : null
    if (item) {
      if (this.#changesLists(value)) throw new NotLowered(say('it changes a list while it looks at it'))
      return [...item.before, ...item.put(this.#combined(op, item.get, value, node), node)]
    }
    const found = target.is === 'member' ? this.placed(target) : undefined
    if (!found || found.before.length === 0) return this.#store(target, this.#arithmetic(op, target, value, node), node, null)
    // The object is evaluated once, for reading and for writing.
    const held = { ...found, before: [] }
    const read = this.#read(held)
    return [...found.before, ...this.#put(held, this.#combined(op, read, value, node), node, null)]
  }

  #changesLists(value: Node): boolean {
    let does = false
    walk({ is: 'expression', value }, node => {
      const plan = node.is === 'call' ? this.f.plan.calls.get(node) : undefined
      does ||= plan?.is === 'method' && plan.method.writes
    })
    return does
  }

  #store(target: Node, value: Expr, at: Span, source: Node | null): Stmt[] {
    if (target.is === 'name') {
      const meaning = this.f.plan.names.get(target)
      if (meaning?.is === 'local') return this.give(meaning.local, value)
    }
    const found = this.placed(target)
    if (!found) throw new NotLowered(say('it changes something that is no number of its own process'))
    return this.#put(found, value, at, source)
  }

  #put({ before, place }: Placed, value: Expr, at: Span, source: Node | null): Stmt[] {
    const { holds, mem } = place
    if (holds === 'word' || holds === 'text') throw new NotLowered(say('it gives a text to something else'))
    if (holds === 'byte') return [...before, ...this.#written(place, ir.unary('toI', this.#asNumber(value)))]
    if (holds === 'entity' || holds === 'slot') return [...before, ...this.#written(place, this.#asNumber(value))]
    const isFloat = mem === 'f64'
    const stored = isFloat ? this.#asNumber(value) : this.#asTruth(value)
    const checked = isFloat && !(source && this.#isFinite(source)) ? ir.check(stored, this.scope.place(10015, at)) : stored
    return [...before, ...this.#written(place, checked)]
  }

  /** A value written to a place, and to each other one that holds the same. It is worked out once: it may look at those places. */
  #written(place: VariablePlace, value: Expr): Stmt[] {
    const { mem, offset } = place
    const all = place.targets ?? [place.address]
    if (all.length < 2) return all.map(to => ir.store(mem, to, offset, value))
    const kept = this.keep(value)
    return [...kept.set, ...all.map(to => ir.store(mem, to, offset, kept.get))]
  }

  /** Gives a value to a local. */
  give(local: Local, value: Expr): Stmt[] {
    const type = this.irType(local.type)
    return [ir.set(this.localName(local), type === 'f64' ? this.#asNumber(value) : this.#asTruth(value))]
  }

  /** A local stands for an item of a loop from now on. */
  bind(local: Local, one: Someone): void {
    this.#items.set(local, one)
  }

  /** Where a name or a property stands, and what has to be done before it is looked at. */
  placed(node: Node): Placed | undefined {
    if (node.is === 'name') {
      const meaning = this.f.plan.names.get(node)
      const place = meaning?.is === 'symbol' ? this.scope.variable(meaning.symbol) : undefined
      return place && { before: [], place }
    }
    if (node.is !== 'member') return undefined
    const several = this.#ofSeveral(node)
    if (several) {
      const { one, variable } = several
      const place = this.scope.people.property(one.entity, { kind: 'variable', name: variable.name, id: variable.id }, one.slot)
      return place && { before: [], place }
    }
    const symbol = this.f.plan.members.get(node)
    if (!symbol) return undefined
    if (node.of.is === 'name' && node.of.name === 'self') {
      const place = this.scope.variable(symbol)
      return place && { before: [], place }
    }
    const { people } = this.scope
    const type = this.typeOf(node.of)
    if (type.is === 'observer') {
      const place = this.scope.variable(symbol)
      return place && { before: [], place }
    }
    const entity = type.is === 'entity' ? people.entity(type.of) : undefined
    if (!entity || (symbol.kind === 'builtin' && !looks.has(symbol.name))) return undefined
    const { before, one } = this.owner(node.of)
    const place = people.property(entity, symbol, one.slot)
    return place && { before, place }
  }

  /** The list that a variable of somebody holds, and what has to be done before it is looked at. */
  ownList(node: Node): { readonly before: readonly Stmt[]; readonly list: OwnList } | undefined {
    const { people } = this.scope
    if (!people.list || this.typeOf(node).is !== 'list') return undefined
    if (node.is === 'name') {
      const meaning = this.f.plan.names.get(node)
      const list = meaning?.is === 'symbol' && people.self ? people.list(people.self, meaning.symbol) : undefined
      return list && { before: [], list }
    }
    const symbol = node.is === 'member' ? this.f.plan.members.get(node) : undefined
    if (node.is !== 'member' || !symbol || this.typeOf(node.of).is !== 'entity') return undefined
    const { before, one } = this.owner(node.of)
    // The expression of the owner may change its value while the items are read: the slot is kept.
    const slot = ir.get(this.scope.local('s', 'i32'), 'i32') as Expr & { kind: 'get' }
    const list = people.list({ ...one, slot }, symbol)
    return list && { before: [...before, ir.set(slot.name, one.slot)], list }
  }

  /** A number of somebody of one of several populations, and which it is here. */
  #ofSeveral({ of, name }: Node & { is: 'member' }): { one: Someone; variable: VariablePart } | undefined {
    if (of.is !== 'name') return undefined
    const type = this.typeOf(of)
    const one = type.is === 'entity' && type.of === null ? this.known(of) : undefined
    const variable = one?.entity.variables.find(other => other.name === name && other.public && other.storage === 'number')
    return one && variable && { one, variable }
  }

  /** The individual before a dot: None and the dead fail. */
  owner(node: Node): { before: readonly Stmt[]; one: Someone } {
    const { people } = this.scope
    const type = this.typeOf(node)
    const entity = type.is === 'entity' ? people.entity(type.of) : undefined
    if (type.is !== 'entity' || !entity) throw new NotLowered(say('whose it is is found out while running'))
    const known = this.known(node)
    const isSelf = known !== undefined && known === people.self
    if (type.sure && known && (isSelf || !this.f.mayCreate)) return { before: [], one: known }
    const handle = this.keep(this.natural(node))
    const isSure = type.sure && !this.f.mayCreate
    const slot = this.keep(people.slotOf(entity, handle.get))
    const fails: Stmt = ir.when(ir.binary('lt', handle.get, handle.get.type === 'f64' ? ir.f64(0) : ir.i32(0)), [
      { kind: 'fail', place: this.scope.place(10014, node) },
    ])
    const isDead: Stmt = ir.when(ir.not(people.lives(entity, handle.get)), [{ kind: 'fail', place: this.scope.place(10053, node) }])
    const checks = isSure ? [] : people.handleType(entity) === 'i32' ? [fails] : [fails, isDead]
    return { before: [...handle.set, ...checks, ...slot.set], one: { entity, slot: slot.get, handle: handle.get } }
  }

  /** Of a name: the individual it certainly stands for. */
  known(node: Node): Someone | undefined {
    const meaning = node.is === 'name' ? this.f.plan.names.get(node) : undefined
    if (meaning?.is === 'local') return this.#items.get(meaning.local)
    if (meaning?.is === 'symbol' && meaning.symbol.kind === 'builtin' && meaning.symbol.name === 'self')
      return this.scope.people.self ?? undefined
    if (meaning?.is === 'symbol' && meaning.symbol.kind === 'local' && meaning.symbol.name === 'actor')
      return this.scope.people.actor ?? undefined
    return undefined
  }

  localName(local: Local): string {
    const type = local.type.is === 'text' ? 'i32' : this.irType(local.type)
    if (!type || local.unsure) throw new NotLowered(say('its variable “{name}” is not always a number', { name: local.name }))
    let name = this.#locals.get(local)
    if (name === undefined) this.#locals.set(local, (name = this.scope.local('v', type)))
    return name
  }

  /** As `storable` of emit-expr.ts: what is certainly finite is not checked. */
  #isFinite(node: Node): boolean {
    if (node.is === 'number') return Number.isFinite(node.value)
    if (node.is === 'name') return this.f.plan.names.get(node)?.is === 'symbol'
    if (node.is === 'member') return this.f.plan.members.has(node)
    if (node.is === 'unary') return node.op !== '~' && this.#isFinite(node.of)
    if (node.is === 'choose') return this.#isFinite(node.value) && this.#isFinite(node.otherwise)
    if (node.is === 'index' && node.of.is === 'name') {
      const meaning = this.f.plan.names.get(node.of)
      return meaning?.is === 'local' && this.#tuples.has(meaning.local)
    }
    return node.is === 'compare' || node.is === 'constant'
  }

  // --- expressions

  #asNumber(e: Expr): Expr {
    return e.type === 'i32' ? ir.unary('toF', e) : e
  }

  #asTruth(e: Expr): Expr {
    if (e.type === 'i32') return e
    throw new NotLowered(say('a number stands where a truth value is wanted'))
  }

  /** A value as one of another type. */
  as(node: Node, type: Type): Expr {
    if (type.is === 'entity' && node.is === 'constant' && node.value === null) return this.#blank(type)
    const e = type.is === 'entity' && node.is === 'choose' ? this.#choose(node, type) : this.natural(node)
    const want = this.irType(type)
    if (want === null) throw new NotLowered(say('it works with values that are no numbers'))
    if (type.is === 'entity' && this.typeOf(node).is !== 'entity') throw new NotLowered(say('whose population is found out while running'))
    if (type.is === 'bool' && e.type === 'f64') return ir.binary('ne', e, ir.f64(0))
    return want === 'f64' ? this.#asNumber(e) : this.#asTruth(e)
  }

  #choose(node: Node & { is: 'choose' }, type: Type): Expr {
    return ir.cond(this.test(node.test), this.as(node.value, type), this.as(node.otherwise, type))
  }

  /** A number. */
  real(node: Node): Expr {
    if (this.typeOf(node).is === 'entity') throw new NotLowered(say('it calculates with individuals'))
    return this.#asNumber(this.natural(node))
  }

  /** Whether a value counts as true: 0 or 1. */
  test(node: Node): Expr {
    if (node.is === 'and' || node.is === 'or') {
      const [left, right] = [this.test(node.left), this.test(node.right)]
      // A cheap right side is always evaluated: that costs less than a branch that is predicted badly.
      if (isCheap(right)) return ir.binary(node.is === 'and' ? 'and' : 'or', asFlag(left), asFlag(right))
      return ir.binary(node.is === 'and' ? 'land' : 'lor', left, right)
    }
    if (node.is === 'unary' && node.op === 'not') return ir.not(this.test(node.of))
    const kept = this.lists.of(node)
    if (kept) return ir.binary('gt', this.lists.length(kept), ir.f64(0))
    const e = this.natural(node)
    if (this.typeOf(node).is === 'entity') return ir.binary('ne', e, e.type === 'f64' ? ir.f64(-1) : ir.i32(-1))
    if (this.typeOf(node).is === 'list') throw new NotLowered(say('a list is put together while running'))
    return e.type === 'f64' ? ir.binary('ne', e, ir.f64(0)) : e
  }

  /** A number as f64, a truth as i32, an individual as its handle. */
  natural(node: Node): Expr {
    switch (node.is) {
      case 'number':
        return ir.f64(Number.isFinite(node.value) ? node.value : Infinity)
      case 'constant':
        if (node.value === null) throw new NotLowered(say('it uses None'))
        return ir.i32(Number(node.value))
      case 'name':
        return this.#name(node)
      case 'member':
        return this.#member(node)
      case 'index':
        return this.#index(node)
      case 'unary':
        if (node.op === 'not') return ir.not(this.test(node.of))
        if (node.op === '-') return ir.unary('neg', this.real(node.of))
        if (node.op === '+') return this.real(node.of)
        throw new NotLowered(say('it uses ~'))
      case 'binary':
        return this.#arithmetic(node.op, node.left, node.right, node)
      case 'compare':
        return this.#compare(node)
      case 'and':
      case 'or': {
        if (this.typeOf(node).is === 'bool') return this.test(node)
        throw new NotLowered(say('“and” and “or” stand between numbers'))
      }
      case 'choose':
        return this.#choose(node, this.typeOf(node))
      case 'call':
        return loweredCall(this, node)
      default:
        throw new NotLowered(say('it uses values that are no numbers ({is})', { is: node.is }))
    }
  }

  /** The value of a variable of the program, by its name. */
  bound(name: string): Expr {
    const local = [...this.f.locals.values()].find(one => one.name === name)
    if (!local) throw new NotLowered(say('“{name}” is no number of the process', { name }))
    return this.#valueOf(local)
  }

  #valueOf(local: Local): Expr {
    return this.#items.get(local)?.handle ?? ir.get(this.localName(local), this.irType(local.type)!)
  }

  #name(node: Node & { is: 'name' }): Expr {
    const meaning = this.f.plan.names.get(node)
    if (meaning?.is === 'local') {
      if (meaning.unsure && !this.#items.has(meaning.local))
        throw new NotLowered(say('“{name}” may have no value yet', { name: node.name }))
      return this.#valueOf(meaning.local)
    }
    if (meaning?.is === 'constant' && Object.hasOwn(constants, node.name)) return ir.f64(constants[node.name]!)
    if (meaning?.is === 'symbol') {
      const { symbol } = meaning
      const { people } = this.scope
      const parameter = symbol.kind === 'parameter' ? this.scope.parameter?.(symbol.name) : undefined
      if (parameter && !isList(parameter)) return parameter
      if (symbol.kind === 'local' && this.scope.bound) return this.scope.bound(symbol.name)
      const actor = symbol.kind === 'local' ? this.known(node) : undefined
      if (actor) return actor.handle
      const place = this.scope.variable(symbol)
      if (place) return this.#read({ before: [], place })
      const own = symbol.kind === 'builtin' && people.self ? people.builtin(people.self, symbol.name) : undefined
      const given = own ?? (symbol.kind === 'builtin' ? people.observed(people.self?.entity ?? null!, symbol.name) : undefined)
      if (given) return given
    }
    throw new NotLowered(say('“{name}” is no number of the process', { name: node.name }))
  }

  #read({ before, place }: Placed): Expr {
    const { holds } = place
    if (holds === 'word' || holds === 'text') throw new NotLowered(say('it does more with a text than to hand it on or compare it'))
    const value = ir.load(place.mem, place.address, place.offset)
    const natural =
      holds === 'byte'
        ? ir.unary('toF', value)
        : holds === 'slot'
          ? ir.unary('toI', value)
          : holds === 'bool'
            ? ir.binary('ne', value, ir.i32(0))
            : value
    return before.length > 0 ? ir.seq(before, natural) : natural
  }

  /** The code of the text it gives. */
  code(as: Numbering): Expr {
    return this.texts.code(this.#root(), as)
  }

  #member(node: Node & { is: 'member' }): Expr {
    const placed = this.placed(node)
    if (placed) return this.#read(placed)
    const { people } = this.scope
    const symbol = this.f.plan.members.get(node)
    const type = this.typeOf(node.of)
    if (symbol?.kind === 'builtin') {
      if (type.is === 'entity' && people.entity(type.of)) {
        const { before, one } = this.owner(node.of)
        const value = people.builtin(one, node.name)
        if (value) return before.length > 0 ? ir.seq(before, value) : value
      }
      const seen = type.is === 'observer' ? people.entity(type.of) : undefined
      const value = seen && people.observed(seen, node.name)
      if (value) return value
    }
    const of = node.of.is === 'name' ? this.f.plan.names.get(node.of) : undefined
    const container = of?.is === 'symbol' && of.symbol.kind === 'container' && of.symbol.id ? this.scope.container(of.symbol.id) : undefined
    if (!container) throw new NotLowered(say('“.{name}” is looked up while running', { name: node.name }))
    const { record, isGoods } = container
    if (node.name === 'queue') {
      const marks = ir.load('i32', record, 4)
      return ir.unary('toF', ir.binary('sub', ir.load('i32', marks, 8), ir.load('i32', marks, 4)))
    }
    const book = ir.load('i32', record, 0)
    if (isGoods && node.name === 'level') return ir.load('f64', book, 408)
    if (node.name === 'level') return ir.binary('sub', ir.load('f64', book, 416), ir.load('f64', book, 408))
    const at = bookOf[node.name]
    if (at === undefined || (isGoods && node.name === 'in_use'))
      throw new NotLowered(say('“.{name}” of a container is worked out in JavaScript', { name: node.name }))
    return ir.load('f64', book, at)
  }

  /** A place of a tuple that was chosen, or an item of a list that never changes. */
  #index(node: Node & { is: 'index' }): Expr {
    const meaning = node.of.is === 'name' ? this.f.plan.names.get(node.of) : undefined
    const tuple = meaning?.is === 'local' ? this.#tuples.get(meaning.local) : undefined
    if (tuple) {
      const index = ir.get(tuple.name, 'i32')
      return ir.load('f64', ir.binary('add', tuple.tables.at(constantIndex(node.index)!)!, ir.binary('shl', index, ir.i32(3))))
    }
    const kept = this.lists.of(node.of)
    if (kept) return this.lists.at(kept, node.index, node)
    const among = worldCall(this, node.of)
    if (among) return this.#individual(among, node)
    const id = meaning?.is === 'symbol' ? meaning.symbol.id : undefined
    const list = id === undefined ? undefined : this.scope.constantList(id)
    if (!list) throw new NotLowered(say('it looks something up in a list'))
    const { items } = list
    const known = constantIndex(node.index)
    if (known !== null && Number.isInteger(known) && known >= 0 && known < items.length) return ir.f64(items[known]!)
    const table = this.scope.table(items)
    const at = this.keep(this.real(node.index))
    const isInside = ir.binary(
      'land',
      ir.binary('and', ir.binary('ge', at.get, ir.f64(0)), ir.binary('lt', at.get, ir.f64(items.length))),
      ir.binary('eq', ir.unary('floor', at.get), at.get),
    )
    const item = ir.load('f64', ir.binary('add', table, ir.binary('shl', ir.unary('toI', at.get), ir.i32(3))))
    return ir.seq(at.set, ir.cond(isInside, item, list.at(at.get, node)))
  }

  /** One of all of a population where nobody dies, by the place among them. */
  #individual({ name, of }: WorldCall, { index, from, to }: Node & { is: 'index' }): Expr {
    const count = name === 'individuals' && this.irType({ is: 'entity', of: of.id }) === 'i32' && this.scope.people.observed(of, 'count')
    if (!count) throw new NotLowered(say('it looks something up in a list'))
    const place = this.lists.place(count, index, { from, to })
    return ir.seq(place.set, place.get)
  }

  /** A value that is looked at more than once. */
  keep(e: Expr): { set: readonly Stmt[]; get: Expr } {
    if (e.kind === 'const' || e.kind === 'get') return { set: [], get: e }
    const name = this.scope.local('k', e.type as 'i32' | 'f64')
    return { set: [ir.set(name, e)], get: ir.get(name, e.type) }
  }

  #arithmetic(op: ArithmeticOp, left: Node, right: Node, at: Span): Expr {
    const isNumber = [left, right].every(one => numberOf(this.typeOf(one)) !== null)
    const areTruths = this.typeOf(left).is === 'bool' && this.typeOf(right).is === 'bool'
    if (!isNumber || (areTruths && (op === '&' || op === '|' || op === '^')))
      throw new NotLowered(say('it calculates with values that are no numbers'))
    return this.#combined(op, this.real(left), right, at)
  }

  #combined(op: ArithmeticOp, left: Expr, right: Node, at: Span): Expr {
    if (numberOf(this.typeOf(right)) === null) throw new NotLowered(say('it calculates with values that are no numbers'))
    const number = this.#asNumber(left)
    if (op === '+') return ir.binary('add', number, this.real(right))
    if (op === '-') return ir.binary('sub', number, this.real(right))
    if (op === '*') return ir.binary('mul', number, this.real(right))
    if (op === '/' && right.is === 'number' && right.value !== 0) return ir.binary('div', number, this.real(right))
    const a = this.keep(number)
    if (op === '**' && right.is === 'number' && right.value === 2) return ir.seq(a.set, ir.binary('mul', a.get, a.get))
    const b = this.keep(this.real(right))
    if (op === '/') {
      const zero: Stmt = ir.when(ir.binary('eq', b.get, ir.f64(0)), [{ kind: 'fail', place: this.scope.place(10018, at) }])
      return ir.seq([...a.set, ...b.set, zero], ir.binary('div', a.get, b.get))
    }
    const far = this.scope.library(hostNames[op]!, false, [a.get, b.get], 'f64', at)
    if (op !== '%' && op !== '//') return ir.seq([...a.set, ...b.set], far)
    const whole = ir.call(op === '%' ? 'wholeRest' : 'wholeQuotient', 'f64', a.get, b.get)
    const divided = ir.cond(ir.call('areWhole', 'i32', a.get, b.get), whole, far)
    if (op === '//') return ir.seq([...a.set, ...b.set], divided)
    // What is near costs no division: 0 <= a < b, or once around.
    const isPlain = ir.binary('land', ir.binary('ge', a.get, ir.f64(0)), ir.binary('lt', a.get, b.get))
    const less = ir.binary('sub', a.get, b.get)
    const isNext = ir.binary(
      'land',
      ir.binary('land', ir.binary('ge', a.get, b.get), ir.binary('gt', b.get, ir.f64(0))),
      ir.binary('lt', less, b.get),
    )
    return ir.seq([...a.set, ...b.set], ir.cond(isPlain, a.get, ir.cond(isNext, less, divided)))
  }

  #compare(node: Node & { is: 'compare' }): Expr {
    let left = node.first
    const links: Expr[] = []
    const [only] = node.rest
    if (node.rest.length === 1 && this.typeOf(left).is === 'text') return this.texts.compare(left, only!.op, only!.right)
    if (node.rest.length === 1) {
      const someone = this.lists.holds(left, only!.op, only!.right) ?? this.#compareIndividuals(left, only!.op, only!.right)
      if (someone) return someone
    }
    for (const { op, right } of node.rest) {
      const by = comparisons[op]
      // What stands between two signs is evaluated once: only what has no effects may be written twice.
      const isSimple = right.is === 'number' || right.is === 'name'
      if (!by || (right !== node.rest.at(-1)!.right && !isSimple)) throw new NotLowered(say('it asks “{op}”', { op }))
      links.push(ir.binary(by, this.real(left), this.real(right)))
      left = right
    }
    return links.reduce((a, b) => ir.binary('land', a, b))
  }

  /** Whether two are the same individual, or one is none; null where neither is an individual. */
  #compareIndividuals(left: Node, op: CompareOp, right: Node): Expr | null {
    const types = [left, right].map(one => this.typeOf(one)).filter(type => type.is === 'entity')
    const [type, other] = types
    if (!type) return null
    const isNot = op === '!=' || op === 'is not'
    if (!isNot && op !== '==' && op !== 'is') throw new NotLowered(say('it asks “{op}”', { op }))
    if (types.length < 2 && !isNone(left) && !isNone(right)) throw new NotLowered(say('it compares an individual with something else'))
    const [one, two] = [this.known(left), this.known(right)]
    if (one && two && one.entity !== two.entity) return ir.i32(Number(isNot))
    if (one && two) return ir.binary(isNot ? 'ne' : 'eq', one.handle, two.handle)
    if (type.of === null || (other && other.of !== type.of)) throw new NotLowered(say('it compares individuals of several populations'))
    return ir.binary(isNot ? 'ne' : 'eq', this.as(left, type), this.as(right, type))
  }
}
