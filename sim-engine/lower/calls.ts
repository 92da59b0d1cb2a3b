// Calls in formulas -> the intermediate representation: draws, functions of numbers, reductions over what a query finds.
// What they do is what formula/emit/calls.ts says of it, in the same order.
import type { CallNode, Expr as Node, Span } from '../formula/ast.ts'
import type { CallPlan } from '../formula/plan.ts'
import { any } from '../formula/types.ts'
import type { Type } from '../formula/types.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import { bestByKey, between, nearest } from './best.ts'
import type { FormulaLowering } from './formula.ts'
import { eachItem, isOne, isReducible, onCell, worldCall } from './loops.ts'
import type { Item } from './loops.ts'
import { created } from './newborn.ts'
import { connected, degree, linkBetween, unlinked } from './networks.ts'
import { NotLowered } from './scope.ts'
import type { People, WorldCall } from './scope.ts'
import { say } from '../../model-schema/words.ts'

type RowPlan = CallPlan & { is: 'row' }

/** A number as it is written, perhaps with a sign; null for all else. */
function numberWritten(node: Node): number | null {
  if (node.is === 'number') return node.value
  const inner = node.is === 'unary' && node.op === '-' ? numberWritten(node.of) : null
  return inner === null ? null : -inner
}

export function loweredCall(e: FormulaLowering, node: CallNode): Expr {
  const plan = e.f.plan.calls.get(node)
  if (plan?.is === 'function') return functionCall(e, plan)
  const onList = plan?.is === 'method' ? e.lists.method(plan, node) : null
  if (onList) return onList
  if (plan?.is !== 'row') throw new NotLowered(say('it calls a method'))
  const { row, args, rest } = plan
  const { name, params, result } = row.signature
  const { people } = e.scope
  const seen = row.way === 'special' ? special(e, people, plan, node) : row.way === 'world' ? ofWorld(e, people, plan, node) : null
  if (seen) return seen
  const value = (k: number): Expr => {
    const given = args[k]
    return given ? e.real(given) : ir.f64(Number(params[k]?.initial))
  }
  if (name === 'random') return ir.call('uniform', 'f64', e.scope.stream())
  if (name === 'uniform') {
    const [low, high] = [e.keep(value(0)), e.keep(value(1))]
    const drawn = ir.call('uniform', 'f64', e.scope.stream())
    return ir.seq([...low.set, ...high.set], ir.binary('add', low.get, ir.binary('mul', ir.binary('sub', high.get, low.get), drawn)))
  }
  if (name === 'exponential') return exponential(e, value(0), node)
  const drawn = written(e, name, args, params) ?? withParameters(e, name, value, node) ?? randint(e, name, args, node)
  if (drawn) return drawn
  if (row.way === 'math' && (name === 'floor' || name === 'ceil' || name === 'abs')) return ir.unary(name, value(0))
  if (name === 'sqrt') return root(e, value(0), node)
  if (name === 'clamp') return ir.binary('min', ir.binary('max', value(0), value(1)), value(2))
  if ((name === 'min' || name === 'max') && rest.length > 0 && !args[2] && e.typeOf(node).is === 'number')
    return rest.map(one => e.real(one)).reduce((a, b) => ir.binary(name, a, b), value(0))
  const type = result.is === 'plain' && (result.type.is === 'number' || result.type.is === 'bool') ? e.irType(result.type) : null
  const isPlain = params.every((param, k) => {
    const given = args[k]
    const isNumber = param.shape.is === 'plain' && (param.shape.type.is === 'number' || param.shape.type.is === 'any')
    return !param.rest && isNumber && (!given || e.irType(e.typeOf(given)) !== null) && (!given || e.typeOf(given).is !== 'entity')
  })
  if (row.way !== undefined || !type || !isPlain || row.creates || row.writes)
    throw new NotLowered(say('{name}() is worked out in JavaScript', { name }))
  const given = params.map((param, k) => {
    const own = args[k]
    if (own) return e.real(own)
    return param.initial === undefined || param.initial === 'None' ? null : ir.f64(Number(param.initial))
  })
  return e.scope.library(name, row.draws === true, given, type, node)
}

/** Draws of a distribution whose parameters are written as numbers; null where they are not, or it is none of these. */
function written(
  e: FormulaLowering,
  name: string,
  args: readonly (Node | null)[],
  params: readonly { readonly initial?: string | undefined }[],
): Expr | null {
  const given: number[] = []
  for (const [k, param] of params.entries()) {
    const node = args[k]
    const value = node ? numberWritten(node) : Number(param.initial === 'None' ? Number.NaN : param.initial)
    if (value === null) return null
    given.push(value)
  }
  const [a, b, c] = given as [number, number, number]
  const draw = (of: string, ...with_: number[]): Expr => ir.call(of, 'f64', e.scope.stream(), ...with_.map(ir.f64))
  if (name === 'randint') {
    const [low, high] = b === b ? [a, b] : [0, a]
    if (!Number.isInteger(low) || !Number.isInteger(high) || high <= low || high - low > 1_048_576) return null
    return ir.binary('add', ir.f64(low), draw('below', high - low))
  }
  if (name === 'bernoulli' && a >= 0 && a <= 1) return ir.binary('lt', draw('uniform'), ir.f64(a))
  if (name === 'normal' && b > 0) return ir.binary('add', ir.f64(a), ir.binary('mul', ir.f64(b), draw('standardNormal')))
  if (name === 'triangular' && a <= b && b <= c && a < c) return draw('triangular', a, b, c)
  return null
}

/** Draws whose parameters are worked out. */
function withParameters(e: FormulaLowering, name: string, value: (k: number) => Expr, at: Span): Expr | null {
  const stream = (): Expr => e.scope.stream()
  const unless = (is: Expr, code: 10020 | 10021): Stmt => ir.when(ir.not(is), [{ kind: 'fail', place: e.scope.place(code, at) }])
  if (name === 'bernoulli') {
    const p = e.keep(value(0))
    const isShare = ir.binary('and', ir.binary('ge', p.get, ir.f64(0)), ir.binary('le', p.get, ir.f64(1)))
    return ir.seq([...p.set, unless(isShare, 10021)], ir.binary('lt', ir.call('uniform', 'f64', stream()), p.get))
  }
  if (name !== 'normal') return null
  const [mean, deviation] = [e.keep(value(0)), e.keep(value(1))]
  const drawn = ir.binary('add', mean.get, ir.binary('mul', deviation.get, ir.call('standardNormal', 'f64', stream())))
  const isFixed = ir.binary('eq', deviation.get, ir.f64(0))
  const isSpread = ir.binary('ge', deviation.get, ir.f64(0))
  return ir.seq([...mean.set, ...deviation.set, unless(isSpread, 10020)], ir.cond(isFixed, mean.get, drawn))
}

function randint(e: FormulaLowering, name: string, args: readonly (Node | null)[], at: Span): Expr | null {
  if (name !== 'randint' || !args[0]) return null
  const [low, high] = args[1] ? [e.keep(e.real(args[0])), e.keep(e.real(args[1]))] : [e.keep(ir.f64(0)), e.keep(e.real(args[0]))]
  const isWhole = (x: Expr): Expr => ir.binary('eq', ir.binary('sub', ir.unary('floor', x), x), ir.f64(0))
  const areWhole = ir.binary('and', isWhole(low.get), isWhole(high.get))
  return ir.seq(
    [
      ...low.set,
      ...high.set,
      ir.when(ir.not(areWhole), [{ kind: 'fail', place: e.scope.place(10023, at) }]),
      ir.when(ir.not(ir.binary('gt', high.get, low.get)), [{ kind: 'fail', place: e.scope.place(10020, at) }]),
    ],
    ir.binary('add', low.get, ir.call('belowAny', 'f64', e.scope.stream(), ir.binary('sub', high.get, low.get))),
  )
}

function exponential(e: FormulaLowering, mean: Expr, at: Span): Expr {
  const ahead = e.scope.ahead?.()
  const draw = (of: Expr): Expr =>
    ahead ? ir.call('exponentialAhead', 'f64', e.scope.stream(), ahead, of) : ir.call('exponential', 'f64', e.scope.stream(), of)
  if (mean.kind === 'const' && mean.value >= 0) return draw(mean)
  const kept = e.keep(mean)
  const bad = ir.not(ir.binary('ge', kept.get, ir.f64(0)))
  return ir.seq([...kept.set, ir.when(bad, [{ kind: 'fail', place: e.scope.place(10020, at) }])], draw(kept.get))
}

function root(e: FormulaLowering, of: Expr, at: Span): Expr {
  const kept = e.keep(of)
  const bad = ir.not(ir.binary('ge', kept.get, ir.f64(0)))
  return ir.seq([...kept.set, ir.when(bad, [{ kind: 'fail', place: e.scope.place(10019, at) }])], ir.unary('sqrt', kept.get))
}

function functionCall(e: FormulaLowering, plan: CallPlan & { is: 'function' }): Expr {
  const { symbol, owner, args } = plan
  const params = symbol.type.is === 'function' ? symbol.type.params : []
  const { before, after, given } = handed(e, args, k => params[k]?.type ?? any)
  const isOwn = owner?.is === 'name' && owner.name === 'self'
  const whose = owner && !isOwn && e.typeOf(owner).is === 'entity' ? e.owner(owner) : null
  const called = e.scope.call(symbol, whose?.one ?? null, given)
  if (!called) throw new NotLowered(say('whose it is is found out while running'))
  const first = [...(whose?.before ?? []), ...before]
  if (after.length === 0) return first.length > 0 ? ir.seq(first, called) : called
  const result = e.keep(called)
  return ir.seq([...first, ...result.set, ...after], result.get)
}

/** What a function is given. Where a list is made for it, all that is given is worked out before. */
function handed(e: FormulaLowering, args: readonly (Node | null)[], typeOf: (k: number) => Type) {
  const before: Stmt[] = []
  const after: Stmt[] = []
  const makesLists = args.some((node, k) => node && typeOf(k).is === 'list' && !e.lists.of(node))
  const given = args.map((node, k) => {
    const type = typeOf(k)
    if (!node) return null
    if (type.is === 'list') {
      const list = e.lists.handed(node, type.of)
      before.push(...list.set)
      after.unshift(...list.after)
      return list.kept
    }
    if (!makesLists) return e.as(node, type)
    const kept = e.keep(e.as(node, type))
    before.push(...kept.set)
    return kept.get
  })
  return { before, after, given }
}

// --- individuals

function ofWorld(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const { name } = plan.row.signature
  const [first] = plan.args
  if (name === 'die') {
    const { self } = people
    // Who is dead already stays so: a program goes on behind `die()`.
    if (!first) return self && done([ir.when(people.lives(self.entity, self.handle), people.die(self))])
    const type = e.typeOf(first)
    const entity = type.is === 'entity' ? people.entity(type.of) : undefined
    if (!entity || entity.kind === 'cell') return null
    // None fails, the dead are dead.
    const handle = e.keep(e.natural(first))
    const none = ir.binary('lt', handle.get, handle.get.type === 'f64' ? ir.f64(0) : ir.i32(0))
    const dies = people.die({ entity, handle: handle.get, slot: people.slotOf(entity, handle.get) })
    return done([
      ...handle.set,
      ir.when(none, [{ kind: 'fail', place: e.scope.place(10014, node) }]),
      ir.when(people.lives(entity, handle.get), dies),
    ])
  }
  if (name === 'is_alive' && first) {
    const type = e.typeOf(first)
    const entity = type.is === 'entity' ? people.entity(type.of) : undefined
    return entity ? people.lives(entity, e.natural(first)) : null
  }
  if (name === 'degree') return degree(e, people, plan, node)
  if (name === 'link_between') return linkBetween(e, people, plan, node)
  if (name === 'connect') return connected(e, people, plan, node)
  if (name === 'remove_node') return unlinked(e, people, plan, node)
  if (name === 'cell_at') {
    const [x, y, z] = plan.args.map((arg, k) => (arg ? e.real(arg) : ir.f64(k === 2 ? 0 : Number.NaN)))
    const cells = people.entity(plan.populations.get('Cells') ?? null)
    return cells && x && y && z ? people.cellAt(cells, x, y, z, e.scope.place(10060, node)) : null
  }
  return null
}

/** Statements, and nothing given. */
const done = (body: readonly Stmt[]): Expr => ir.seq(body, ir.i32(0))

function special(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const { name } = plan.row.signature
  const [first, second] = plan.args
  switch (name) {
    case 'sum':
      return first && (isReducible(e, first) || e.lists.of(first)) ? sum(e, first, second ?? null) : null
    case 'mean':
      return first && (isReducible(e, first) || e.lists.of(first)) ? mean(e, first, node) : null
    case 'any':
    case 'all':
      return first && (e.lists.of(first) || (isReducible(e, first) && !(first.is === 'comprehension' && first.kind === 'list')))
        ? anyOrAll(e, name, first)
        : null
    case 'len':
    case 'count':
      if (!first || second) return null
      return first.is === 'comprehension' && isReducible(e, first) ? counted(e, first) : length(e, people, first)
    case 'min':
    case 'max':
      if (plan.args[2]) return bestByKey(e, name, plan, node)
      return plan.rest.length === 0 && first && (isReducible(e, first) || e.lists.of(first)) ? extreme(e, name, plan, node) : null
    case 'nearest':
      return nearest(e, people, plan, node)
    case 'distance':
    case 'direction_to':
      return between(e, people, plan, node)
    case 'create':
      return created(e, people, plan)
    case 'choice':
      return first ? choice(e, people, first, node) : null
    default:
      return null
  }
}

function sum(e: FormulaLowering, source: Node, start: Node | null): Expr {
  const first = start ? e.real(start) : null
  const total = e.scope.local('s', 'f64')
  const ones = e.scope.local('n', 'i32')
  let areFlags = start === null
  const add = (item: Item): Stmt => {
    const flag = areFlags ? item.flag() : null
    if (flag) return ir.set(ones, ir.binary('add', ir.get(ones, 'i32'), flag))
    areFlags = false
    return ir.set(total, ir.binary('add', ir.get(total, 'f64'), item.number()))
  }
  const body = eachItem(e, source, false, false, item => [add(item)], areFlags)
  const begin = areFlags ? ir.set(ones, ir.i32(0)) : ir.set(total, first ?? ir.f64(0))
  return ir.seq([begin, ...body], areFlags ? ir.unary('toF', ir.get(ones, 'i32')) : ir.get(total, 'f64'))
}

const plusOne = (name: string): Stmt => ir.set(name, ir.binary('add', ir.get(name, 'i32'), ir.i32(1)))
const failing = (e: FormulaLowering, code: 10026, at: Span): Stmt => ({ kind: 'fail', place: e.scope.place(code, at) })

function mean(e: FormulaLowering, source: Node, at: Span): Expr {
  const [total, n] = [e.scope.local('s', 'f64'), e.scope.local('n', 'i32')]
  const body = eachItem(e, source, false, false, item => [ir.set(total, ir.binary('add', ir.get(total, 'f64'), item.number())), plusOne(n)])
  const count = ir.get(n, 'i32')
  return ir.seq(
    [ir.set(total, ir.f64(0)), ir.set(n, ir.i32(0)), ...body, ir.when(ir.not(count), [failing(e, 10026, at)])],
    ir.binary('div', ir.get(total, 'f64'), ir.unary('toF', count)),
  )
}

function anyOrAll(e: FormulaLowering, name: 'any' | 'all', source: Node): Expr {
  const found = e.scope.local('any', 'i32')
  const label = found
  const body = eachItem(e, source, false, true, item => {
    const test = item.test()
    return [ir.when(name === 'any' ? test : ir.not(test), [ir.set(found, ir.i32(name === 'any' ? 1 : 0)), { kind: 'break', label }])]
  })
  return ir.seq([ir.set(found, ir.i32(name === 'any' ? 0 : 1)), { kind: 'block', label, body }], ir.get(found, 'i32'))
}

function counted(e: FormulaLowering, source: Node): Expr {
  const n = e.scope.local('n', 'i32')
  const areOnes = source.is === 'comprehension' && isOne(source.element)
  const add = (item: Item): Stmt[] => {
    if (areOnes) return [ir.set(n, ir.binary('add', ir.get(n, 'i32'), item.flag()!))]
    return [...(item.isPlain ? [] : [ir.run(item.natural())]), plusOne(n)]
  }
  const body = eachItem(e, source, false, false, add, areOnes)
  return ir.seq([ir.set(n, ir.i32(0)), ...body], ir.unary('toF', ir.get(n, 'i32')))
}

/** How many a query finds, or live. */
function length(e: FormulaLowering, people: People, source: Node): Expr | null {
  const kept = e.lists.of(source)
  if (kept) return e.lists.length(kept)
  const type = e.typeOf(source)
  if (type.is === 'observer' && type.of !== null) return people.observed(people.entity(type.of)!, 'count') ?? null
  if (type.is !== 'entities') return null
  if (onCell(e, source)) return counted(e, source)
  const call = worldCall(e, source)
  const query = call && people.query(e, { ...call, use: 'count' }, false)
  if (!query) return null
  if (!query.isShort) return call.name === 'individuals' ? (people.observed(call.of, 'count') ?? null) : null
  const nth = query.nth()
  if (nth) return ir.seq(nth.before, ir.unary('toF', nth.count))
  const n = e.scope.local('n', 'i32')
  return ir.seq([ir.set(n, ir.i32(0)), ...query.each(() => [plusOne(n)])], ir.unary('toF', ir.get(n, 'i32')))
}

/** The lowest or highest of numbers; the first of equals. */
function extreme(e: FormulaLowering, name: 'min' | 'max', plan: RowPlan, node: CallNode): Expr | null {
  const fallback = plan.args[3]
  if (e.typeOf(node).is !== 'number') return null
  const [best, n, one] = [e.scope.local('m', 'f64'), e.scope.local('n', 'i32'), e.scope.local('o', 'f64')]
  const body = eachItem(e, plan.args[0]!, true, false, item => {
    const isBetter = ir.binary(name === 'min' ? 'lt' : 'gt', ir.get(one, 'f64'), ir.get(best, 'f64'))
    return [
      ir.set(one, item.number()),
      ir.when(ir.binary('lor', ir.not(ir.get(n, 'i32')), isBetter), [ir.set(best, ir.get(one, 'f64'))]),
      plusOne(n),
    ]
  })
  const none: Stmt = ir.when(ir.not(ir.get(n, 'i32')), fallback ? [ir.set(best, e.real(fallback))] : [failing(e, 10026, node)])
  return ir.seq([ir.set(best, ir.f64(0)), ir.set(n, ir.i32(0)), ...body, none], ir.get(best, 'f64'))
}

/** One of those a query finds: counted first, then gone to; or one of all. */
function choice(e: FormulaLowering, people: People, source: Node, node: CallNode): Expr | null {
  const listed = e.lists.choice(source, e.typeOf(node), node)
  if (listed) return listed
  const call = worldCall(e, source)
  if (!call) return null
  if (call.name === 'individuals' || call.name === 'read') return people.anyOf(call.of, e.scope.stream(), e.scope.place(10026, node))
  // JavaScript makes a list of relatives and links, which tells where it fails.
  const asked: WorldCall = call.name === 'relatives' || call.name === 'links_of' ? { ...call, use: 'list' } : call
  const query = people.query(e, asked, true)
  if (!query?.isShort) return null
  const nth = query.nth()
  const type = people.handleType(call.of)
  if (nth) {
    const [n, k] = [e.scope.local('n', 'i32'), e.scope.local('k', 'i32')]
    const drawn = ir.unary('toI', ir.call('belowAny', 'f64', e.scope.stream(), ir.unary('toF', ir.get(n, 'i32'))))
    const nobody = ir.when(ir.not(ir.get(n, 'i32')), [failing(e, 10026, node)])
    const entry = nth.entry?.(ir.get(k, 'i32'))
    const at = entry ? [ir.set(e.chose(node, entry.links), entry.address)] : []
    const chosen = people.someone(call.of, nth.slot(ir.get(k, 'i32'))).handle
    return ir.seq([...nth.before, ir.set(n, nth.count), nobody, ir.set(k, drawn), ...at], chosen)
  }
  const [n, k, m, chosen] = [e.scope.local('n', 'i32'), e.scope.local('k', 'i32'), e.scope.local('m', 'i32'), e.scope.local('c', type)]
  const label = chosen
  const drawn = ir.unary('toI', ir.call('belowAny', 'f64', e.scope.stream(), ir.unary('toF', ir.get(n, 'i32'))))
  return ir.seq(
    [
      ir.set(n, ir.i32(0)),
      ...query.each(() => [plusOne(n)]),
      ir.when(ir.not(ir.get(n, 'i32')), [failing(e, 10026, node)]),
      ir.set(k, drawn),
      ir.set(m, ir.i32(0)),
      ir.set(chosen, type === 'f64' ? ir.f64(-1) : ir.i32(-1)),
      {
        kind: 'block',
        label,
        body: people
          .query(e, asked, true)!
          .each(one => [
            ir.when(ir.binary('eq', ir.get(m, 'i32'), ir.get(k, 'i32')), [ir.set(chosen, one.handle), { kind: 'break', label }]),
            plusOne(m),
          ]),
      },
    ],
    ir.get(chosen, type),
  )
}

/** Whether the generated text of a formula says its place: it calls something that may fail. See `canFail` of compile/emitter.ts. */
export function mayFail({ f }: FormulaLowering): boolean {
  const see = (node: Node): boolean => {
    switch (node.is) {
      case 'number':
      case 'constant':
      case 'text':
      case 'name':
        return false
      case 'unary':
        return node.op === '~' || see(node.of)
      case 'binary':
        if (node.op === '+' || node.op === '-' || node.op === '*') return see(node.left) || see(node.right)
        return node.op !== '/' || node.right.is !== 'number' || node.right.value === 0 || see(node.left)
      case 'compare':
        return see(node.first) || node.rest.some(({ right }) => see(right))
      case 'and':
      case 'or':
        return see(node.left) || see(node.right)
      case 'choose':
        return see(node.test) || see(node.value) || see(node.otherwise)
      case 'member':
        return see(node.of) || !(node.of.is === 'name')
      case 'list':
        return node.items.some(see)
      case 'call': {
        const plan = f.plan.calls.get(node)
        const isPlain = plan?.is === 'row' && (plan.row.way === 'math' || plan.rest.length > 0 || plan.row.signature.name === 'uniform')
        return !isPlain || node.args.some(see)
      }
      default:
        return true
    }
  }
  const { ast } = f.parsed
  return ast.is !== 'expression' || see(ast.value)
}
