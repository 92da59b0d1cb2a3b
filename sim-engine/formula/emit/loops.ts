// Loops: over ranges, entities, collections; comprehensions; and reductions such as sum(... for ...), which run without
// making a list. As expressions they become helper functions, so that order of evaluation and short circuits stay right.
import { constantIndex } from '../walk.ts'
import { flagOf } from './flags.ts'
import type { Clause, ComprehensionNode, Expr, LambdaNode, Span } from '../ast.ts'
import { worldCall } from './arguments.ts'
import type { Emitter } from './expressions.ts'
import type { EntityQuery, Symbol } from '../scope.ts'
import { any, number, stored } from '../types.ts'
import type { Type } from '../types.ts'

type LoopParts = {
  source: Expr
  label: string
  /** Whether the order of the items matters. */
  ordered: boolean
  /** The body may leave the loop early. */
  exits: boolean
  /** The body may change what is iterated. */
  changes: boolean
  /** Iterate over a copy and skip the dead: the body may create or destroy entities. */
  copies: boolean
  /** Statements that bind an item, `js` of type `type` in its natural representation. */
  bind(js: string, type: Type): string
  body(): string
}

/** A loop statement over anything that can be iterated. */
export function loopOver(e: Emitter, loop: LoopParts): string {
  const { source, label } = loop
  const inner = (js: string, type: Type): string => `${loop.bind(js, type)}${loop.body()}`
  const plan = source.is === 'call' ? e.f.plan.calls.get(source) : undefined
  // A length known at the start is charged at once, which costs nothing in the loop; else every iteration is counted.
  const charge = (length: string): string => `if ((F.fuel[0] -= ${length}) < 0) F.spent(${e.at(source)});\n`
  if (plan?.is === 'row' && plan.row.signature.name === 'range') {
    const counted = (js: string, type: Type): string => e.meter(source) + inner(js, type)
    return loop.exits ? rangeLoop(e, source, plan.args, label, () => '', counted) : rangeLoop(e, source, plan.args, label, charge, inner)
  }
  const type = e.typeOf(source)
  const element = e.elementType(type)
  const query = entityQuery(e, source, type)
  if (query) return entityLoop(e, loop, query, element, charge, inner)
  const counts = loop.exits || loop.changes
  const start = (items: string): string => (counts ? '' : charge(`${items}.length`))
  const each = (js: string, of: Type): string => (counts ? e.meter(source) : '') + inner(js, of)
  switch (type.is) {
    case 'list':
    case 'tuple': {
      const items = e.fresh('a')
      const i = e.fresh('i')
      const js = type.is === 'tuple' ? `${e.expr(source)}.items` : e.expr(source)
      return `${label}: {\nconst ${items} = ${js};\n${start(items)}for (let ${i} = 0; ${i} < ${items}.length; ${i}++) {\n${each(e.unbox(`${items}[${i}]`, element), element)}}\n}\n`
    }
    default: {
      const items = e.fresh('a')
      const item = e.fresh('v')
      return `${label}: {\nconst ${items} = F.items(${e.boxed(source)}, ${e.at(source)});\n${start(items)}for (const ${item} of ${items}) {\n${each(e.unbox(item, element), element)}}\n}\n`
    }
  }
}

function rangeLoop(
  e: Emitter,
  source: Expr,
  args: readonly (Expr | null)[],
  label: string,
  charge: (length: string) => string,
  inner: (js: string, type: Type) => string,
): string {
  const [start, stop, step] = args
  const whole = (node: Expr): string => (Number.isInteger(constantIndex(node)) ? e.expr(node) : `F.whole(${e.number(node)}, ${e.at(node)})`)
  const i = e.fresh('i')
  const end = e.fresh('e')
  const first = start ? whole(start) : '0'
  const stride = step ? whole(step) : '1'
  const sign = /^\d+$/.test(stride) && stride !== '0' ? 1 : /^\(-[1-9]\d*\)$/.test(stride) ? -1 : 0
  const by = sign === 0 ? e.fresh('d') : stride
  const start0 = e.fresh('b')
  const head = `const ${start0} = ${first};\nconst ${end} = ${stop ? whole(stop) : '0'};\n${sign === 0 ? `const ${by} = F.stride(${stride}, ${e.at(source)});\n` : ''}`
  const test = sign === 1 ? `${i} < ${end}` : sign === -1 ? `${i} > ${end}` : `(${by} > 0 ? ${i} < ${end} : ${i} > ${end})`
  const next = stride === '1' ? `${i}++` : `${i} += ${by}`
  const [low, high] = [start ? constantIndex(start) : 0, stop ? constantIndex(stop) : 0]
  const isKnown = stride === '1' && Number.isInteger(low) && Number.isInteger(high)
  const length = isKnown ? String(Math.max(0, high! - low!)) : `Math.max(0, (${end} - ${start0}) / ${by})`
  return `${label}: {\n${head}${charge(length)}for (let ${i} = ${start0}; ${test}; ${next}) {\n${inner(i, number)}}\n}\n`
}

/** The query of a source, when it enumerates entities of the world. */
function entityQuery(e: Emitter, source: Expr, type: Type): EntityQuery | null {
  const base = { self: e.target.self }
  if (type.is === 'observer' && type.of !== null) {
    const symbol: Symbol | undefined = e.f.scope.member(type, 'individuals')
    const population = e.target.population(type.of)
    const value = symbol ? symbol.read(population) : `W.individuals(${population})`
    return symbol
      ? { ...base, name: 'read', symbol, of: type.of, args: [], value }
      : { ...base, name: 'individuals', of: type.of, args: [population], value }
  }
  if (type.is !== 'entities') return null
  const plan = source.is === 'call' ? e.f.plan.calls.get(source) : undefined
  if (plan?.is === 'row' && plan.row.way === 'world') {
    const { args, js } = worldCall(e, plan, source)
    return { ...base, name: plan.row.signature.name, of: type.of, args, value: js }
  }
  const symbol = source.is === 'member' ? e.f.plan.members.get(source) : source.is === 'name' ? symbolOf(e, source) : undefined
  const value = e.expr(source)
  return symbol ? { ...base, name: 'read', symbol, of: type.of, args: [], value } : { ...base, name: 'value', of: type.of, args: [], value }
}

function symbolOf(e: Emitter, node: Expr & { is: 'name' }): Symbol | undefined {
  const meaning = e.f.plan.names.get(node)
  return meaning?.is === 'symbol' ? meaning.symbol : undefined
}

/** What a loop in the engine's own form is charged: its length is not known here, but bounded by the population. */
const entityCharge = '8'

/** Queries with a loop of their own over a few neighbours: a loop that repeats them is charged itself. */
const short: ReadonlySet<string> = new Set(['moore', 'von_neumann', 'neighbor_cells', 'neighbors', 'agents_on', 'relatives', 'links_of'])

function entityLoop(
  e: Emitter,
  loop: LoopParts,
  query: EntityQuery,
  element: Type,
  charge: (length: string) => string,
  inner: (js: string, type: Type) => string,
): string {
  const item = e.fresh('h')
  const body = inner(item, element)
  if (!loop.copies) {
    const made = e.target.entityLoop?.({ query, item, label: loop.label, body, ordered: loop.ordered })
    if (made !== undefined) return (short.has(query.name) ? '' : charge(entityCharge)) + made
  }
  const items = e.fresh('a')
  const i = e.fresh('i')
  const value = loop.copies ? `Array.from(${query.value})` : query.value
  const alive = loop.copies && query.of !== null ? `if (!W.is_alive(${e.target.population(query.of)}, ${item})) continue;\n` : ''
  return `${loop.label}: {\nconst ${items} = ${value};\n${charge(`${items}.length`)}for (let ${i} = 0; ${i} < ${items}.length; ${i}++) {\nconst ${item} = ${items}[${i}];\n${alive}${body}}\n}\n`
}

/** A loop over a query in the engine's own form, or null. If the formula ends lives, the actor may be dead: then a list is made. */
export function queryLoop(e: Emitter, source: Expr, ordered: boolean, body: (item: string) => string): string | null {
  const query = entityQuery(e, source, e.typeOf(source))
  if (!query || !short.has(query.name) || e.f.mayCreate) return null
  const item = e.fresh('h')
  return e.target.entityLoop?.({ query, item, label: e.target.fresh('loop'), body: body(item), ordered }) ?? null
}

/** Binds loop variables as constants. */
export function bindNames(e: Emitter, target: Expr, js: string, type: Type, at: Span): string {
  if (target.is === 'name') {
    const meaning = e.meaning(target)
    return meaning.is === 'local' ? `const ${e.localName(meaning.local)} = ${e.coerce(js, type, meaning.local.type, at)};\n` : ''
  }
  if (target.is !== 'tuple' && target.is !== 'list') return ''
  const name = e.fresh('p')
  const parts = type.is === 'tuple' ? type.of : target.items.map(() => e.elementType(type))
  const items = target.items.map((item, i) => bindNames(e, item, e.unbox(`${name}[${i}]`, parts[i] ?? any), parts[i] ?? any, at)).join('')
  return `const ${name} = F.unpack(${e.box(js, type)}, ${target.items.length}, ${e.at(at)});\n${items}`
}

/** The nested loops of a comprehension around `body`. */
function nested(
  e: Emitter,
  clauses: readonly Clause[],
  ordered: boolean,
  exits: boolean,
  body: () => string,
  tally: ((flag: string) => string) | null = null,
): string {
  const [clause, ...rest] = clauses
  if (!clause) return body()
  if (clause.is === 'if') {
    const flag = tally ? allOf(e, clauses) : null
    if (tally && flag !== null) return tally(flag)
    return `if (${e.test(clause.test)}) {\n${nested(e, rest, ordered, exits, body, tally)}}\n`
  }
  return loopOver(e, {
    source: clause.source,
    label: e.target.fresh('loop'),
    ordered,
    exits,
    changes: e.changesThings,
    copies: e.f.mayCreate,
    bind: (js, type) => bindNames(e, clause.target, js, stored(type), clause.source),
    body: () => nested(e, rest, ordered, exits, body, tally),
  })
}

/** Conditions in a row as one flag, or null. */
function allOf(e: Emitter, clauses: readonly Clause[]): string | null {
  const flags = clauses.map(clause => (clause.is === 'if' ? (flagOf(e, clause.test)?.js ?? null) : null))
  return flags.includes(null) ? null : `(${flags.join(' & ')})`
}

/** A comprehension as a collection. */
export function collected(e: Emitter, node: ComprehensionNode): string {
  const meter = e.meter(node)
  return e.helper(() => {
    const made = e.fresh('r')
    const push = (): string =>
      node.kind === 'dict' && node.value
        ? `${meter}${made}.push(${e.boxed(node.element)}, ${e.boxed(node.value)});\n`
        : `${meter}${made}.push(${e.boxed(node.element)});\n`
    const result =
      node.kind === 'dict' ? `F.makeDict(${made}, ${e.at(node)})` : node.kind === 'set' ? `F.makeSet(${made}, ${e.at(node)})` : made
    return `const ${made} = [];\n${nested(e, node.clauses, true, false, push)}return ${result};\n`
  })
}

/** An item while a reduction runs: its JavaScript, type and, in a comprehension, its expression. */
export type Item = {
  js: string
  type: Type
  test(): string
  number(): string
  boxed(): string
  /** The number of a truth, 0 or 1, without a branch; null where it isn't one. */
  count(): string | null
  /** Whether leaving it out changes nothing. */ plain: boolean
}

/** Whether an expression's value costs nothing and never fails. */
export const isAtHand = (node: Expr): boolean => node.is === 'name' || node.is === 'number' || node.is === 'text' || node.is === 'constant'

const isNumber = (node: Expr, value: number): boolean => node.is === 'number' && node.value === value

/** Statements running over the items of a reduction's source, which is a comprehension or anything iterable. */
export function eachItem(
  e: Emitter,
  source: Expr,
  ordered: boolean,
  body: (item: Item) => string,
  exits = false,
  /** What to do with an item that counts as one if `flag` holds, 0 or 1 or a boolean in parentheses. */
  tally: ((flag: string) => string) | null = null,
): string {
  if (source.is === 'comprehension' && (source.kind === 'generator' || source.kind === 'list')) {
    const { element } = source
    const item = (): Item => ({
      get js() {
        return e.natural(element)
      },
      type: e.keptType(element),
      test: () => e.test(element),
      number: () => e.number(element),
      boxed: () => e.boxed(element),
      count() {
        const of = element.is === 'choose' && isNumber(element.value, 1) && isNumber(element.otherwise, 0) ? element.test : element
        const flag = flagOf(e, of)
        return flag && `+${flag.js}`
      },
      plain: isAtHand(element),
    })
    return nested(e, source.clauses, ordered, exits, () => body(item()), tally)
  }
  return loopOver(e, {
    source,
    label: e.target.fresh('loop'),
    ordered,
    exits,
    changes: e.changesThings,
    copies: false,
    bind: (js, type) => {
      const name = e.fresh('v')
      const item: Item = {
        js: name,
        type,
        test: () => e.truth(name, type),
        number: () => e.coerce(name, type, number, source),
        boxed: () => e.box(name, type),
        count: () => null,
        plain: true,
      }
      return `const ${name} = ${js};\n${body(item)}`
    },
    body: () => '',
  })
}

/** Whether a reduction over this source can run without making a list. */
export function fuses(e: Emitter, source: Expr): boolean {
  if (source.is === 'comprehension') return source.kind === 'generator' || source.kind === 'list'
  const type = e.typeOf(source)
  return type.is === 'entities' || type.is === 'observer' || type.is === 'range'
}

/** Applies a key or condition - a lambda, function block or library function - to an item held in `js`. */
export function apply(e: Emitter, fn: Expr, js: string, type: Type): { bind: string; js: string; type: Type } {
  const lambda = fn.is === 'lambda' ? fn : e.f.plan.lambdas.get(fn)
  if (lambda) return applyLambda(e, lambda, js, type)
  if (fn.is === 'name') {
    const symbol = symbolOf(e, fn)
    if (symbol?.type.is === 'function') {
      const [param] = symbol.type.params
      const argument = e.coerce(js, type, param?.type ?? any, fn)
      return {
        bind: '',
        js: symbol.call?.(e.target.self, [argument]) ?? `${symbol.read(e.target.self)}(${argument})`,
        type: symbol.type.result,
      }
    }
  }
  return { bind: '', js, type }
}

function applyLambda(e: Emitter, fn: LambdaNode, js: string, type: Type): { bind: string; js: string; type: Type } {
  const [param] = fn.params
  const bind = param ? bindNames(e, param, js, type, fn) : ''
  return { bind, js: e.natural(fn.body), type: e.keptType(fn.body) }
}
