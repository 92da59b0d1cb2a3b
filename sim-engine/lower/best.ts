// The best of individuals: by a key, or by how near they are. And what two have between them: how far, which way, which link. What they do is
// what formula/emit/calls.ts says of it, in the same order.
import type { CallNode, Expr as Node, Span } from '../formula/ast.ts'
import type { CallPlan } from '../formula/plan.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import type { FormulaLowering } from './formula.ts'
import { eachItem, isReducible } from './loops.ts'
import type { Item } from './loops.ts'
import { NotLowered } from './scope.ts'
import type { People, Someone } from './scope.ts'
import { say } from '../../model-schema/words.ts'

type RowPlan = CallPlan & { is: 'row' }

const noneOf = (type: 'i32' | 'f64'): Expr => (type === 'f64' ? ir.f64(-1) : ir.i32(-1))
const isNone = (handle: Expr): Expr => ir.binary('lt', handle, handle.type === 'f64' ? ir.f64(0) : ir.i32(0))

/** The lowest or highest by a key; the first of equals. */
export function bestByKey(e: FormulaLowering, name: 'min' | 'max', plan: RowPlan, node: CallNode): Expr | null {
  const [source, , key, otherwise] = plan.args
  const type = e.typeOf(node)
  const kept = type.is === 'entity' || type.is === 'number' ? e.irType(type) : null
  if (!source || !key || plan.rest.length > 0 || kept === null || !(isReducible(e, source) || e.lists.of(source))) return null
  const [best, one] = [e.scope.local('m', kept), e.scope.local('o', kept)]
  const [score, value, n] = [e.scope.local('k', 'f64'), e.scope.local('v', 'f64'), e.scope.local('n', 'i32')]
  const body = eachItem(e, source, true, false, item => {
    const isBetter = ir.binary(name === 'min' ? 'lt' : 'gt', ir.get(value, 'f64'), ir.get(score, 'f64'))
    const takes = [ir.set(best, ir.get(one, kept)), ir.set(score, ir.get(value, 'f64'))]
    return [
      ir.set(one, type.is === 'entity' ? item.natural() : item.number()),
      ...keyOf(e, key, item, ir.get(one, kept), value),
      ir.when(ir.binary('lor', ir.not(ir.get(n, 'i32')), isBetter), takes),
      ir.set(n, ir.binary('add', ir.get(n, 'i32'), ir.i32(1))),
    ]
  })
  const nobody: Stmt = otherwise ? ir.set(best, e.as(otherwise, type)) : { kind: 'fail', place: e.scope.place(10026, node) }
  const blank = type.is === 'entity' ? noneOf(kept) : ir.f64(0)
  const begin = [ir.set(best, blank), ir.set(score, ir.f64(0)), ir.set(n, ir.i32(0))]
  return ir.seq([...begin, ...body, ir.when(ir.not(ir.get(n, 'i32')), [nobody])], ir.get(best, kept))
}

/** Works out the key of an item, whose value is `given`. */
function keyOf(e: FormulaLowering, key: Node, item: Item, given: Expr, to: string): Stmt[] {
  const wrong = (): never => {
    throw new NotLowered(say('it chooses by keys that are no numbers'))
  }
  const lambda = key.is === 'lambda' ? key : e.f.plan.lambdas.get(key)
  if (lambda) {
    if (e.typeOf(lambda.body).is !== 'number') wrong()
    const [param] = lambda.params
    const meaning = param && e.f.plan.names.get(param)
    if (param && meaning?.is !== 'local') throw new NotLowered(say('a loop binds several names'))
    const who = item.someone()
    if (meaning?.is === 'local' && who) e.bind(meaning.local, who)
    const bound = meaning?.is === 'local' && !who ? e.give(meaning.local, given) : []
    return [...bound, ir.set(to, e.real(lambda.body))]
  }
  const meaning = key.is === 'name' ? e.f.plan.names.get(key) : undefined
  const symbol = meaning?.is === 'symbol' ? meaning.symbol : undefined
  if (symbol?.type.is !== 'function' || symbol.type.result.is !== 'number') return wrong()
  const called = e.scope.call(symbol, null, [given])
  return called ? [ir.set(to, called)] : wrong()
}

// --- places

/** A place: what has to be so before it is looked at, and its position. */
type Place = {
  readonly checks: readonly Stmt[]
  readonly x: Expr
  readonly y: Expr
  readonly space: NonNullable<Someone['entity']['space']>
}

/** Where somebody stands, who lives and stands somewhere or fails; null in three dimensions. `sure`: it certainly lives. */
function placeOf(people: People, e: FormulaLowering, one: Someone, sure: boolean, at: Span): Place | null {
  const { entity, handle } = one
  const { space } = entity
  const [x, y] = [people.builtin(one, 'x'), people.builtin(one, 'y')]
  if (!space || space.three || !x || !y || entity.derived.length > 0) return null
  const unless = (bad: Expr, code: 10014 | 10053 | 10062): Stmt => ir.when(bad, [{ kind: 'fail', place: e.scope.place(code, at) }])
  const lives = handle.type === 'f64' ? [unless(ir.not(people.lives(entity, handle)), 10053)] : []
  const checks = sure ? [] : [unless(isNone(handle), 10014), ...lives]
  const bucket = entity.kind === 'cell' ? null : people.bucket(one)
  return { checks: [...checks, ...(bucket ? [unless(ir.binary('lt', bucket, ir.i32(0)), 10062)] : [])], x, y, space }
}

export type Whoever = { readonly before: readonly Stmt[]; readonly one: Someone; readonly sure: boolean }

/** Who asks, or the individual an expression gives; null where that is none of one population. */
export function whoever(e: FormulaLowering, people: People, node: Node | null): Whoever | null {
  const { mayCreate } = e.f
  if (!node) return people.self && { before: [], one: people.self, sure: !mayCreate }
  const type = e.typeOf(node)
  const entity = type.is === 'entity' ? people.entity(type.of) : undefined
  if (type.is !== 'entity' || !entity) return null
  const known = e.known(node)
  const sure = !mayCreate && (type.sure === true || known === people.self)
  if (known) return { before: [], one: known, sure }
  const handle = e.keep(e.natural(node))
  return { before: handle.set, one: { entity, handle: handle.get, slot: people.slotOf(entity, handle.get) }, sure }
}

const isPosition = (node: Node | null): node is Node & { is: 'tuple' } => node?.is === 'tuple' && node.items.length >= 2

/** How far it is to somebody or to a position, or which way. */
export function between(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const name = plan.row.signature.name === 'distance' ? 'distanceIn' : 'directionIn'
  const [first, second] = plan.args
  // From the second to the first, but for the distance of two individuals; the signs of differences make no other sum of squares.
  if (isPosition(second ?? null)) return null
  if (first && isPosition(first)) {
    const [x, y] = [e.keep(e.real(first.items[0]!)), e.keep(e.real(first.items[1]!))]
    const who = whoever(e, people, second ?? null)
    const from = who && placeOf(people, e, who.one, who.sure, node)
    if (!who || !from) return null
    return ir.seq([...x.set, ...y.set, ...who.before, ...from.checks], people.between(name, from.space, from, { x: x.get, y: y.get }))
  }
  const [a, b] = [first ? whoever(e, people, first) : null, whoever(e, people, second ?? null)]
  const to = a && placeOf(people, e, a.one, a.sure, node)
  const from = b && placeOf(people, e, b.one, b.sure, node)
  if (!to || !from || to.space !== from.space) return null
  return ir.seq([...a.before, ...b.before, ...to.checks, ...from.checks], people.between(name, to.space, from, to))
}

/** The nearest of some, who asks excepted; none where there is none. */
export function nearest(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const [source, to] = plan.args
  const type = e.typeOf(node)
  const entity = type.is === 'entity' ? people.entity(type.of) : undefined
  // JavaScript evaluates the expression `to` once for each candidate. A name has the same value for all of them; others are left to JavaScript.
  if (!source || !entity || (to && to.is !== 'name') || !(isReducible(e, source) || e.lists.of(source))) return null
  const who = whoever(e, people, to ?? null)
  const from = who && placeOf(people, e, who.one, who.sure, node)
  if (!who || !from) return null
  const kept = people.handleType(entity)
  const [best, least, far] = [e.scope.local('m', kept), e.scope.local('k', 'f64'), e.scope.local('d', 'f64')]
  // Where somebody stands who may be none is looked at when that is known.
  const isThere = who.sure && who.one.entity.kind === 'cell'
  const [x, y] = isThere ? [e.keep(from.x), e.keep(from.y)] : [null, null]
  const body = eachItem(e, source, true, false, item => {
    const one = item.someone()
    const place = one && placeOf(people, e, one, !e.f.mayCreate, node)
    if (!one || !place || place.space !== from.space) throw new NotLowered(say('it goes through something that is found out while running'))
    const isOther = one.entity === who.one.entity ? ir.binary('ne', one.handle, who.one.handle) : ir.i32(1)
    const measured = [
      ...place.checks,
      ...from.checks,
      ir.set(far, people.between('distanceIn', place.space, place, x ? { x: x.get, y: y.get } : from)),
      ir.when(ir.binary('lt', ir.get(far, 'f64'), ir.get(least, 'f64')), [ir.set(least, ir.get(far, 'f64')), ir.set(best, one.handle)]),
    ]
    return isOther.kind === 'const' ? measured : [ir.when(isOther, measured)]
  })
  const begin = [ir.set(best, noneOf(kept)), ir.set(least, ir.f64(Infinity))]
  return ir.seq([...who.before, ...(x ? [...x.set, ...y.set] : []), ...begin, ...body], ir.get(best, kept))
}
