// Loops of formulas -> the intermediate representation: over ranges and over what a query finds, in statements, comprehensions and
// reductions. What they do is what formula/emit/loops.ts says of it, in the same order.
import type { Clause, ComprehensionNode, Expr as Node, Statement } from '../formula/ast.ts'
import { isConstantItem, isOrderFree } from '../formula/order-free.ts'
import { constantIndex, leaves, walk } from '../formula/walk.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import type { FormulaLowering } from './formula.ts'
import { isCheap, NotLowered } from './scope.ts'
import type { Leaving, Someone, WorldCall } from './scope.ts'
import { say } from '../../model-schema/words.ts'

/** An item of a loop: a number, or somebody. */
export type Value = { readonly number: Expr } | { readonly one: Someone }

/** An item while a reduction runs. */
export type Item = {
  number(): Expr
  test(): Expr
  natural(): Expr
  /** Who it is, where it is somebody who is there. */
  someone(): Someone | null
  /** 0 or 1 without a branch; null where it is another number, or not to be had so. */
  flag(): Expr | null
  /** Whether leaving it out changes nothing. */
  readonly isPlain: boolean
}

type How = { readonly ordered: boolean; readonly exits: boolean; readonly copies: boolean; readonly looks: boolean }

const least = (a: Expr, b: Expr): Expr => ir.binary('max', a, b)

/** The query a source stands for; null where it is none. */
export function worldCall(e: FormulaLowering, source: Node): WorldCall | null {
  const { people } = e.scope
  const type = e.typeOf(source)
  if ((type.is !== 'observer' && type.is !== 'entities') || type.of === null) return null
  const of = people.entity(type.of)
  if (!of) return null
  if (type.is === 'observer') return { name: 'individuals', of, args: [], plan: undefined, span: source }
  const plan = source.is === 'call' ? e.f.plan.calls.get(source) : undefined
  if (plan?.is === 'row' && plan.row.way === 'world') return { name: plan.row.signature.name, of, args: plan.args, plan, span: source }
  if (source.is === 'member' && source.name === 'individuals') return { name: 'individuals', of, args: [], plan: undefined, span: source }
  return null
}

/**
 * Who stands on a cell, of whatever population: a query for each, in the order of the list JavaScript makes first. Null where a source is
 * anything else, or names the cell in a way that may do more than to look.
 */
export function onCell(e: FormulaLowering, source: Node): WorldCall[] | null {
  const type = e.typeOf(source)
  const plan = source.is === 'call' ? e.f.plan.calls.get(source) : undefined
  if (type.is !== 'entities' || type.of !== null || plan?.is !== 'row' || plan.row.signature.name !== 'agents_on') return null
  const [cell] = plan.args
  if (plan.args[1] || (cell && cell.is !== 'name')) return null
  const { people } = e.scope
  const given = cell ? e.typeOf(cell) : null
  const on = given ? (given.is === 'entity' ? people.entity(given.of) : undefined) : people.self?.entity
  if (!on?.space) return null
  return people.residents(on.space).map(of => ({ name: 'agents_on', of, args: plan.args, plan, span: source, use: 'list' }))
}

/** Whether it changes nobody: what is found around somebody stays as it is. */
function isLook(e: FormulaLowering, source: Node): boolean {
  let does = true
  walk({ is: 'expression', value: source }, node => {
    const plan = node.is === 'call' ? e.f.plan.calls.get(node) : undefined
    if (plan) does &&= plan.is === 'row' && !plan.row.creates && !plan.row.writes && plan.row.signature.name !== 'die'
  })
  return does
}

/** Whether a reduction over this source runs without making a list. */
export function isReducible(e: FormulaLowering, source: Node): boolean {
  if (source.is === 'comprehension') return source.kind === 'generator' || source.kind === 'list'
  const type = e.typeOf(source)
  return type.is === 'entities' || type.is === 'observer' || type.is === 'range'
}

/** What a loop in the engine's own form is charged: its length is not known before. */
const queryCharge = 8

function loopOver(e: FormulaLowering, source: Node, { ordered, exits, copies, looks }: How, body: (item: Value) => Stmt[]): Stmt[] {
  const plan = source.is === 'call' ? e.f.plan.calls.get(source) : undefined
  if (plan?.is === 'row' && plan.row.signature.name === 'range') return rangeLoop(e, source, plan.args, exits, body)
  const { people } = e.scope
  const listed = e.lists.of(source)
  if (listed) return e.lists.each(listed, source, body)
  const made = e.typeOf(source)
  if (source.is === 'comprehension' && made.is === 'list') {
    const { set, kept } = e.lists.gathered(source, made.of)
    return [...set, ...e.lists.each(kept, source, body)]
  }
  const several = looks && !copies ? onCell(e, source) : null
  if (several) {
    return several.flatMap(one => {
      const query = people.query(e, one, true)
      if (!query || query.isByBirth) throw new NotLowered(say('it goes through something that is found out while running'))
      return query.each(found => body({ one: found }))
    })
  }
  const call = worldCall(e, source)
  // What is gone through is there from the start: who dies meanwhile is left out, who comes is not met.
  if (call && copies) {
    const { set, kept } = e.lists.gathered(source, { is: 'entity', of: call.of.id, sure: true })
    return [...set, ...e.lists.each(kept, source, body, true)]
  }
  const query = call && people.query(e, call, ordered)
  if (!query) throw new NotLowered(say('it goes through something that is found out while running'))
  return [...(query.isShort ? [] : e.charge(ir.f64(queryCharge), source)), ...query.each(one => body({ one }))]
}

function rangeLoop(
  e: FormulaLowering,
  source: Node,
  args: readonly (Node | null)[],
  exits: boolean,
  body: (item: Value) => Stmt[],
): Stmt[] {
  const [start, stop, step] = args
  const whole = (node: Node): Expr =>
    Number.isInteger(constantIndex(node)) ? e.real(node) : e.scope.library('whole', false, [e.real(node)], 'f64', node)
  const by = step ? constantIndex(step) : 1
  if (by === null || !Number.isInteger(by) || by === 0) throw new NotLowered(say('the stride of a range is worked out'))
  const first = e.keep(start ? whole(start) : ir.f64(0))
  const end = e.keep(stop ? whole(stop) : ir.f64(0))
  const i = e.scope.local('i', 'f64')
  const label = e.scope.local('range', 'i32')
  const at = ir.get(i, 'f64')
  const length = least(ir.f64(0), ir.binary('div', ir.binary('sub', end.get, first.get), ir.f64(by)))
  return [
    ...first.set,
    ...end.set,
    ...(exits ? [] : e.charge(length, source)),
    ir.set(i, first.get),
    {
      kind: 'loop',
      label,
      body: [
        ir.when(ir.not(ir.binary(by > 0 ? 'lt' : 'gt', at, end.get)), [{ kind: 'break', label }]),
        ...(exits ? e.charge(ir.f64(1), source) : []),
        ...body({ number: at }),
        ir.set(i, ir.binary('add', at, ir.f64(by))),
      ],
    },
  ]
}

/** Binds the variable of a loop. */
function bound(e: FormulaLowering, target: Node, item: Value, isConstant: boolean): Stmt[] {
  const meaning = target.is === 'name' ? e.f.plan.names.get(target) : undefined
  if (meaning?.is !== 'local') throw new NotLowered(say('a loop binds several names'))
  if ('one' in item && isConstant) {
    e.bind(meaning.local, item.one)
    return []
  }
  return e.give(meaning.local, 'one' in item ? item.one.handle : item.number)
}

export function forLoop(e: FormulaLowering, node: Statement & { is: 'for' }, leaving: Leaving): Stmt[] {
  const isFree = isOrderFree(e.f, node)
  const isConstant = isFree || isConstantItem(e.f, node)
  const how = { ordered: !isFree, exits: leaves(node.body), copies: e.f.mayCreate, looks: false }
  const body = e.lists.loop(node, round =>
    loopOver(e, node.source, how, item =>
      round(() => [...bound(e, node.target, item, isConstant), e.within(leaving, () => e.block(node.body))]),
    ),
  )
  return [{ kind: 'block', label: leaving.out, body }]
}

/**
 * Statements for each item of a reduction's source, which is a comprehension or a query. `flagged`: the body asks each item for its flag,
 * so that one that counts as 1 is no branch.
 */
export function eachItem(
  e: FormulaLowering,
  source: Node,
  ordered: boolean,
  exits: boolean,
  body: (item: Item) => Stmt[],
  flagged = false,
): Stmt[] {
  const looks = isLook(e, source)
  if (source.is === 'comprehension') return nested(e, source, source.clauses, { ordered, exits, flagged, looks }, body, [])
  return loopOver(e, source, { ordered, exits, copies: false, looks }, value => {
    const own = (): Expr => ('one' in value ? value.one.handle : value.number)
    const number = (): Expr => {
      if ('one' in value) throw new NotLowered(say('it calculates with individuals'))
      return value.number
    }
    const someone = (): Someone | null => ('one' in value ? value.one : null)
    return body({ number, test: () => ir.binary('ne', number(), ir.f64(0)), natural: own, someone, flag: () => null, isPlain: true })
  })
}

function nested(
  e: FormulaLowering,
  source: ComprehensionNode,
  clauses: readonly Clause[],
  how: { readonly ordered: boolean; readonly exits: boolean; readonly flagged: boolean; readonly looks: boolean },
  body: (item: Item) => Stmt[],
  flags: readonly Expr[],
): Stmt[] {
  const [clause, ...rest] = clauses
  if (!clause) return body(itemOf(e, source.element, flags))
  if (clause.is === 'if') {
    const test = e.test(clause.test)
    const isTold = how.flagged && isOne(source.element) && rest.every(one => one.is === 'if') && isCheap(test)
    if (isTold) return nested(e, source, rest, how, body, [...flags, ir.isTruth(test) ? test : ir.binary('ne', test, ir.i32(0))])
    if (flags.length === 0) return [ir.when(test, nested(e, source, rest, how, body, []))]
    return [ir.when(ir.binary('land', allOf(flags), test), nested(e, source, rest, how, body, []))]
  }
  return loopOver(e, clause.source, { ...how, copies: e.f.mayCreate }, item => [
    ...bound(e, clause.target, item, true),
    ...nested(e, source, rest, how, body, []),
  ])
}

export const isOne = (node: Node): boolean => node.is === 'number' && node.value === 1
const allOf = (flags: readonly Expr[]): Expr => flags.reduce((a, b) => ir.binary('and', a, b))

function itemOf(e: FormulaLowering, element: Node, flags: readonly Expr[]): Item {
  const isPlain = element.is === 'name' || element.is === 'number' || element.is === 'text' || element.is === 'constant'
  return {
    number: () => e.real(element),
    test: () => e.test(element),
    natural: () => e.natural(element),
    someone: () => e.known(element) ?? null,
    flag() {
      if (isOne(element)) return flags.length > 0 ? allOf(flags) : ir.i32(1)
      if (e.typeOf(element).is !== 'bool') return null
      const test = e.test(element)
      return isCheap(test) ? (ir.isTruth(test) ? test : ir.binary('ne', test, ir.i32(0))) : null
    },
    isPlain,
  }
}
