// Calls -> JavaScript: the special forms one by one, all other functions by their signature.
import type { CallNode, Expr, Span } from '../ast.ts'
import { argument, worldCall } from './arguments.ts'
import type { RowPlan } from './arguments.ts'
import type { Emitter } from './expressions.ts'
import { apply, eachItem, fuses, isAtHand, queryLoop } from './loops.ts'
import type { Item } from './loops.ts'
import { jsText } from '../literals.ts'
import type { CallPlan } from '../plan.ts'
import type { Symbol } from '../scope.ts'
import { any, entityOf } from '../types.ts'
import type { Type } from '../types.ts'
import { isNumeric } from '../typing.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

export function emitCall(e: Emitter, node: CallNode): string {
  const plan = e.f.plan.calls.get(node)
  if (!plan) throw new RangeError('formula: a call was not checked')
  switch (plan.is) {
    case 'row':
      return plan.row.way === 'special' ? special(e, plan, node) : rowCall(e, plan, node)
    case 'method':
      return methodCall(e, plan, node)
    case 'dynamic':
      return `F.method(${e.boxed(plan.receiver)}, ${jsText(plan.name)}, [${plan.args.map(argument => e.boxed(argument)).join(', ')}], ${e.at(node)})`
    case 'function': {
      const { symbol } = plan
      const params = symbol.type.is === 'function' ? symbol.type.params : []
      const self = plan.owner ? e.owner(plan.owner) : e.target.self
      const args = plan.args.map((argument, k) => (argument ? e.as(argument, params[k]?.type ?? any) : 'undefined'))
      const js = symbol.call?.(self, args) ?? `${symbol.read(self)}(${args.join(', ')})`
      return e.target.back?.(js) ?? js
    }
    default:
      return unreachable(plan)
  }
}

function rowCall(e: Emitter, plan: RowPlan, node: CallNode): string {
  const { row } = plan
  const { name, params } = row.signature
  if (row.way === 'world') return worldCall(e, plan, node).js
  if (row.way === 'math') return `Math.${name}(${e.number(plan.args[0]!)})`
  const drawn = name === 'sample' || name === 'choices' ? drawnFromAll(e, plan, node) : null
  if (drawn !== null) return drawn
  const args = params.map((param, k) =>
    param.rest ? `[${plan.rest.map(one => e.boxed(one)).join(', ')}]` : argument(e, param, plan.args[k] ?? null, plan),
  )
  const js = `F.${name}(${[...(row.draws ? [e.target.stream] : []), ...args, e.at(node)].join(', ')})`
  return row.signature.result.is === 'var' ? e.unbox(js, e.typeOf(node)) : js
}

/** Some of a whole population: references are made of those alone that were drawn. */
function drawnFromAll(e: Emitter, { row: { signature }, args: [items, ...others] }: RowPlan, node: CallNode): string | null {
  const type = e.typeOf(items!)
  if ((type.is !== 'observer' && type.is !== 'entities') || type.of === null) return null
  const population = e.target.population(type.of)
  const all = `W.individuals(${population})`
  if (type.is === 'entities' && (items!.is !== 'member' || e.expr(items!) !== all)) return null
  const rest = signature.params.slice(1).map((param, k) => argument(e, param, others[k] ?? null, null))
  return `F.refs(${population}, F.${signature.name}(${[e.target.stream, all, ...rest, e.at(node)].join(', ')}))`
}

function methodCall(e: Emitter, plan: CallPlan & { is: 'method' }, node: CallNode): string {
  const { method, receiver } = plan
  const { name, params, result } = method.signature
  const self = e.natural(receiver)
  if (method.on === 'list' && name === 'append' && plan.args[0]) return `F.list_append(${self}, ${e.boxed(plan.args[0])}, ${e.at(node)})`
  if (method.on === 'list' && name === 'sort') {
    const reverse = plan.args[1] ? e.test(plan.args[1]) : 'false'
    return sortedBy(e, receiver, self, plan.args[0] ?? null, (items, keys) => `F.list_sort(${items}, ${keys}, ${reverse}, ${e.at(node)})`)
  }
  if (method.on === 'dict' && name === 'pop' && !plan.args[1])
    return e.unbox(`F.dict_take(${self}, ${e.boxed(plan.args[0]!)}, ${e.at(node)})`, e.typeOf(node))
  const args = params.map((param, k) => argument(e, param, plan.args[k] ?? null, null))
  const js = `F.${method.on}_${name}(${[self, ...args, e.at(node)].join(', ')})`
  return result.is === 'var' || name === 'get' || name === 'pop' ? e.unbox(js, e.typeOf(node)) : js
}

function special(e: Emitter, plan: RowPlan, node: CallNode): string {
  const { name } = plan.row.signature
  const [first, second, third] = plan.args
  const at = e.at(node)
  switch (name) {
    case 'any':
    case 'all': {
      // A list is made in full before it is looked at; only a generator may stop early.
      const isLazy = first && fuses(e, first) && !(first.is === 'comprehension' && first.kind === 'list')
      return isLazy ? reduced(e, name, first, plan, node) : listReduction(e, name, first!, plan, node)
    }
    case 'sum':
    case 'mean':
      return first && fuses(e, first) ? reduced(e, name, first, plan, node) : listReduction(e, name, first!, plan, node)
    case 'len':
      return first && fuses(e, first) && first.is === 'comprehension' ? reduced(e, 'len', first, plan, node) : length(e, first!)
    case 'count':
      if (!second && first && !fuses(e, first)) return length(e, first)
      if (!second && first?.is !== 'comprehension') return length(e, first!)
      return reduced(e, 'count', first!, plan, node)
    case 'min':
    case 'max':
      return extreme(e, name, plan, node)
    case 'range':
      return `F.makeRange(${first ? e.number(first) : '0'}, ${e.number(second!)}, ${third ? e.number(third) : '1'}, ${at})`
    case 'sorted': {
      const reverse = third ? e.test(third) : 'false'
      return sortedBy(e, first!, e.items(first!), second ?? null, (items, keys) => `F.sorted(${items}, ${keys}, ${reverse}, ${at})`)
    }
    case 'enumerate':
      return `F.enumerate(${e.items(first!)}, ${second ? e.number(second) : '0'})`
    case 'zip':
      return `F.zip([${[first!, ...plan.rest].map(items => e.items(items)).join(', ')}])`
    case 'filter':
    case 'map':
      return mapped(e, name, first!, second!)
    case 'list':
      return first ? (first.is === 'comprehension' ? e.items(first) : `F.copied(${e.items(first)})`) : '[]'
    case 'tuple':
      return first ? (e.typeOf(first).is === 'tuple' ? e.expr(first) : `F.makeTuple(F.copied(${e.items(first)}))`) : 'F.makeTuple([])'
    case 'set':
      return `F.makeSet(${first ? e.items(first) : '[]'}, ${at})`
    case 'dict':
      return first ? `F.toDict(${e.boxed(first)}, ${at})` : `F.makeDict([], ${at})`
    case 'bool':
      return e.test(first!)
    case 'divmod':
      return `F.divmod(${e.number(first!)}, ${e.number(second!)}, ${at})`
    case 'print':
      return `W.print(F.printed([${plan.rest.map(value => e.boxed(value)).join(', ')}]))`
    case 'choice':
      return choice(e, first!, at)
    case 'components':
      return `F.nested(W.components(${argument(e, plan.row.signature.params[0]!, first!, plan)}, ${at}))`
    case 'nearest':
      return nearest(e, first!, second ?? null, node)
    case 'distance':
    case 'direction_to':
      return between(e, name, first!, second ?? null, node)
    case 'create':
      return created(e, plan, node)
    default:
      throw new RangeError(`formula: no special form ${name}`)
  }
}

function length(e: Emitter, items: Expr): string {
  const type = e.typeOf(items)
  if (type.is === 'entities' && items.is === 'call') {
    const n = e.fresh('n')
    const loop = queryLoop(e, items, false, () => `${n}++;\n`)
    if (loop !== null) return e.helper(() => `let ${n} = 0;\n${loop}return ${n};\n`)
  }
  switch (type.is) {
    case 'set':
    case 'dict':
      return `${e.expr(items)}.size`
    case 'entities': {
      const counted = type.of === null ? e.f.scope.member(type, 'count') : undefined
      return counted?.read(e.expr(items)) ?? `${e.expr(items)}.length`
    }
    case 'list':
    case 'range':
      return `${e.expr(items)}.length`
    case 'tuple':
      return `${e.expr(items)}.items.length`
    case 'observer':
      return type.of === null ? '0' : (e.f.scope.member(type, 'count')?.read('') ?? `W.individuals(${e.target.population(type.of)}).length`)
    default:
      return `F.len(${e.boxed(items)}, ${e.at(items)})`
  }
}

function listReduction(e: Emitter, name: string, items: Expr, plan: RowPlan, node: CallNode): string {
  if (name === 'sum') return `F.sum(${e.numbers(items)}, ${plan.args[1] ? e.number(plan.args[1]) : '0'})`
  if (name === 'mean') return `F.mean(${e.numbers(items)}, ${e.at(node)})`
  return `F.${name}(${e.items(items)})`
}

/** A reduction as one loop that makes no list. */
function reduced(e: Emitter, name: 'sum' | 'mean' | 'any' | 'all' | 'count' | 'len', items: Expr, plan: RowPlan, node: CallNode): string {
  return e.helper(() => {
    const n = e.fresh('n')
    const s = e.fresh('s')
    // any and all may stop early: what they look at is counted one by one.
    const each = (ordered: boolean, body: (item: Item) => string, tally: ((flag: string) => string) | null = null): string =>
      eachItem(e, items, ordered, body, name === 'any' || name === 'all', tally)
    switch (name) {
      case 'sum': {
        const isOne = items.is === 'comprehension' && items.element.is === 'number' && items.element.value === 1
        const start = plan.args[1] ? e.number(plan.args[1]) : '0'
        const add = (item: Item): string => `${s} += ${item.count() ?? item.number()};\n`
        return `let ${s} = ${start};\n${each(false, add, isOne ? flag => `${s} += +${flag};\n` : null)}return ${s};\n`
      }
      case 'mean':
        return `let ${s} = 0;\nlet ${n} = 0;\n${each(false, item => `${s} += ${item.number()};\n${n}++;\n`)}if (${n} === 0) F.empty(${e.at(node)});\nreturn ${s} / ${n};\n`
      case 'any':
        return `${each(false, item => `if (${item.test()}) return true;\n`)}return false;\n`
      case 'all':
        return `${each(false, item => `if (!${item.test()}) return false;\n`)}return true;\n`
      case 'len':
      case 'count': {
        const [, value] = plan.args
        const isPlain = items.is === 'comprehension' && isAtHand(items.element)
        const add = (item: Item): string => `${item.plain ? '' : `${item.js};\n`}${n}++;\n`
        if (!value) return `let ${n} = 0;\n${each(false, add, isPlain ? flag => `${n} += +${flag};\n` : null)}return ${n};\n`
        const wanted = e.fresh('w')
        return `const ${wanted} = ${e.boxed(value)};\nlet ${n} = 0;\n${each(false, item => `if (F.eq(${item.boxed()}, ${wanted})) ${n}++;\n`)}return ${n};\n`
      }
      default:
        return unreachable(name)
    }
  })
}

function extreme(e: Emitter, name: 'min' | 'max', plan: RowPlan, node: CallNode): string {
  const [first, , key, fallback] = plan.args
  const type = e.typeOf(node)
  const sign = name === 'min' ? '<' : '>'
  if (plan.rest.length > 0) {
    const values = [first!, ...plan.rest]
    if (type.is === 'number' && !key) return `Math.${name}(${values.map(value => e.number(value)).join(', ')})`
    const list = `[${values.map(value => e.boxed(value)).join(', ')}]`
    if (!key) return e.unbox(`F.${name}(${list}, undefined, ${e.at(node)})`, type)
    const items = e.fresh('a')
    return `${e.helper(() => {
      const i = e.fresh('i')
      const one = e.fresh('v')
      return `const ${items} = ${list};\n${best(e, sign, key, type, node, body => `for (let ${i} = 0; ${i} < ${items}.length; ${i}++) {\nconst ${one} = ${e.unbox(`${items}[${i}]`, type)};\n${body(one)}}\n`, null)}`
    })}`
  }
  const source = first!
  if (!key && !fuses(e, source)) {
    const end = fallback ? e.boxed(fallback) : 'undefined'
    const list = type.is === 'number' ? e.numbers(source) : e.items(source)
    return type.is === 'number'
      ? `F.${name}Number(${list}, ${end}, ${e.at(node)})`
      : e.unbox(`F.${name}(${list}, ${end}, ${e.at(node)})`, type)
  }
  const end = fallback ? e.as(fallback, type) : null
  return e.helper(() =>
    best(
      e,
      sign,
      key ?? null,
      type,
      node,
      body =>
        eachItem(e, source, true, item => {
          const one = e.fresh('v')
          return `const ${one} = ${e.coerce(item.js, item.type, type, node)};\n${body(one)}`
        }),
      end,
    ),
  )
}

/** Keeps the best item by key; the first of equals. */
function best(
  e: Emitter,
  sign: '<' | '>',
  key: Expr | null,
  type: Type,
  node: Span,
  loop: (body: (item: string) => string) => string,
  end: string | null,
): string {
  const found = e.fresh('m')
  const score = e.fresh('k')
  const n = e.fresh('n')
  let scored: Type = type
  const inner = loop(item => {
    if (!key) {
      const less = isNumeric(type)
        ? `${item} ${sign} ${found}`
        : `F.${sign === '<' ? 'lt' : 'gt'}(${e.box(item, type)}, ${e.box(found, type)}, ${e.at(node)})`
      return `if (${n}++ === 0 || ${less}) ${found} = ${item};\n`
    }
    const { bind, js, type: keyType } = apply(e, key, item, type)
    scored = keyType
    const one = e.fresh('v')
    const less = isNumeric(keyType)
      ? `${one} ${sign} ${score}`
      : `F.${sign === '<' ? 'lt' : 'gt'}(${e.box(one, keyType)}, ${e.box(score, keyType)}, ${e.at(node)})`
    return `${bind}const ${one} = ${js};\nif (${n}++ === 0 || ${less}) {\n${found} = ${item};\n${score} = ${one};\n}\n`
  })
  const zero = (of: Type): string => (isNumeric(of) ? '0' : of.is === 'entity' && of.of !== null ? '-1' : 'null')
  const empty = end === null ? `F.empty(${e.at(node)});` : `return ${end};`
  return `let ${found} = ${zero(type)};\n${key ? `let ${score} = ${zero(scored)};\n` : ''}let ${n} = 0;\n${inner}if (${n} === 0) ${empty}\nreturn ${found};\n`
}

/** Sorting by a key: the keys are calculated first, each once. */
function sortedBy(e: Emitter, source: Expr, items: string, key: Expr | null, sort: (items: string, keys: string) => string): string {
  if (!key || (key.is === 'constant' && key.value === null)) return sort(items, 'null')
  const element = e.elementType(e.typeOf(source))
  return e.helper(() => {
    const all = e.fresh('a')
    const keys = e.fresh('r')
    const i = e.fresh('i')
    const { bind, js, type } = apply(e, key, e.unbox(`${all}[${i}]`, element), element)
    return `const ${all} = ${items};\nconst ${keys} = [];\nfor (let ${i} = 0; ${i} < ${all}.length; ${i}++) {\n${bind}${keys}.push(${e.box(js, type)});\n}\nreturn ${sort(all, keys)};\n`
  })
}

function mapped(e: Emitter, name: 'filter' | 'map', fn: Expr, source: Expr): string {
  return e.helper(() => {
    const made = e.fresh('r')
    const body = eachItem(e, source, true, item => {
      const one = e.fresh('v')
      const { bind, js, type } = apply(e, fn, one, item.type)
      const push =
        name === 'map' ? `${made}.push(${e.box(js, type)});\n` : `if (${e.truth(js, type)}) ${made}.push(${e.box(one, item.type)});\n`
      return `const ${one} = ${item.js};\n${bind}${push}`
    })
    return `const ${made} = [];\n${body}return ${made};\n`
  })
}

function choice(e: Emitter, source: Expr, at: string): string {
  const type = e.typeOf(source)
  if (type.is === 'entities') {
    // Counted first, then gone to: no list is made.
    const [n, k, m] = [e.fresh('n'), e.fresh('k'), e.fresh('m')]
    const count = type.of !== null && source.is === 'call' ? queryLoop(e, source, true, () => `${n}++;\n`) : null
    const find = count === null ? null : queryLoop(e, source, true, item => `if (${m}++ === ${k}) return ${item};\n`)
    if (find === null) return `F.choice(${e.target.stream}, ${e.expr(source)}, ${at})`
    return e.helper(
      () =>
        `let ${n} = 0;\n${count}if (${n} === 0) F.empty(${at});\nconst ${k} = F.pick(${e.target.stream}, ${n});\nlet ${m} = 0;\n${find}return -1;\n`,
    )
  }
  if (type.is === 'observer' && type.of !== null)
    return `F.choice(${e.target.stream}, W.individuals(${e.target.population(type.of)}), ${at})`
  // One of some constants: only that one is made.
  if (source.is === 'list' && source.items.length > 1 && source.items.length <= mostCases && source.items.every(isConstant)) {
    const cases = source.items.map((item, k) => `case ${k}: return ${e.boxed(item)};\n`).join('')
    const one = e.helper(() => `switch (F.pick(${e.target.stream}, ${source.items.length})) {\n${cases}}\n`)
    return e.unbox(one, e.elementType(type))
  }
  const one = e.elementType(type)
  // Individuals of one population that fit: listed as handles, no references are made.
  if (source.is === 'comprehension' && fuses(e, source) && one.is === 'entity' && one.of !== null)
    return e.helper(() => {
      const all = e.fresh('a')
      const body = eachItem(e, source, true, item => `${all}.push(${e.coerce(item.js, item.type, one, source)});\n`)
      return `const ${all} = [];\n${body}return F.choice(${e.target.stream}, ${all}, ${at});\n`
    })
  return e.unbox(`F.choice(${e.target.stream}, ${e.items(source)}, ${at})`, one)
}

/** Most constants that a switch distinguishes. */
const mostCases = 64

const isConstant = (node: Expr): boolean =>
  node.is === 'number' ||
  node.is === 'text' ||
  node.is === 'constant' ||
  (node.is === 'unary' && (node.op === '-' || node.op === '+') && node.of.is === 'number') ||
  (node.is === 'tuple' && node.items.every(isConstant))

function nearest(e: Emitter, source: Expr, to: Expr | null, node: CallNode): string {
  const pair = to ? e.pair(to) : e.asker()
  return e.helper(() => {
    const [found, least, d] = [e.fresh('m'), e.fresh('k'), e.fresh('d')]
    const type = e.typeOf(node)
    const element = e.elementType(e.typeOf(source))
    const none = element.is === 'entity' && element.of !== null ? '-1' : 'null'
    const loop = eachItem(e, source, true, item => {
      const one = e.fresh('v')
      const other =
        element.is === 'entity' && element.of !== null
          ? `${e.target.population(element.of)}, ${one}`
          : `F.someone(${one}, ${e.at(source)}).population, ${one}.handle`
      return `const ${one} = ${item.js};\nif (!F.same(${other}, ${pair})) {\nconst ${d} = W.distance(${other}, ${pair}, ${e.at(node)});\nif (${d} < ${least}) {\n${least} = ${d};\n${found} = ${one};\n}\n}\n`
    })
    return `let ${found} = ${none};\nlet ${least} = Infinity;\n${loop}return ${e.coerce(found, element, type.is === 'entity' ? entityOf(type.of) : any, node)};\n`
  })
}

/** distance and direction_to: each end is an entity or a position. */
function between(e: Emitter, name: 'distance' | 'direction_to', a: Expr, b: Expr | null, node: CallNode): string {
  const xy = (place: Expr): string => {
    if (place.is === 'tuple' && place.items.length >= 2) return `${e.number(place.items[0]!)}, ${e.number(place.items[1]!)}`
    const temp = e.temp()
    return `F.number((${temp} = ${e.boxed(place)}.items)[0], ${e.at(place)}), F.number(${temp}[1], ${e.at(place)})`
  }
  const isPlace = (node: Expr | null): node is Expr => node !== null && e.typeOf(node).is === 'tuple'
  const short = name === 'distance' ? 'distance_xy' : 'direction_xy'
  if (isPlace(a) && isPlace(b)) return `F.${name === 'distance' ? 'hypotBetween' : 'directionBetween'}(${xy(a)}, ${xy(b)})`
  if (isPlace(a)) return `W.${short}(${xy(a)}, ${b ? e.pair(b) : e.asker()}, ${e.at(node)})`
  if (isPlace(b)) {
    const js = `W.${short}(${xy(b)}, ${e.pair(a)}, ${e.at(node)})`
    return name === 'distance' ? js : `F.opposite(${js})`
  }
  return `W.${name}(${e.pair(a)}, ${b ? e.pair(b) : e.asker()}, ${e.at(node)})`
}

function created(e: Emitter, plan: RowPlan, node: CallNode): string {
  const [of, n] = plan.args
  const type = e.typeOf(of!)
  const id = type.is === 'observer' ? type.of : null
  const population = e.target.population(id)
  const asker = e.asker()
  const made = `W.create(${population}, ${asker}, ${e.at(node)})`
  if (!n && plan.extra.length === 0) return made
  return e.helper(() => {
    const one = e.fresh('h')
    const values = plan.extra.map(setting => ({ name: e.fresh('v'), setting }))
    const isCode = (symbol: Symbol, value: Expr): boolean => symbol.code?.('0') !== undefined && e.hasCode(value)
    const head = values
      .map(
        ({ name, setting: { symbol, value } }) =>
          `const ${name} = ${isCode(symbol, value) ? e.code(value) : e.storable(e.as(value, symbol.type), symbol.type, value, value)};\n`,
      )
      .join('')
    const writes = values
      .map(({ name, setting: { symbol, value } }) => {
        const coded = isCode(symbol, value)
        return `${(symbol.first ? symbol.first(one, name, coded) : symbol.write?.(one, name, undefined, coded)) ?? ''}\n`
      })
      .join('')
    if (!n) return `${head}const ${one} = ${made};\n${writes}return ${one};\n`
    const [all, i, count] = [e.fresh('r'), e.fresh('i'), e.fresh('n')]
    return `const ${count} = F.amount(${e.number(n)}, ${e.at(n)});\n${head}const ${all} = [];\nfor (let ${i} = 0; ${i} < ${count}; ${i}++) {\nconst ${one} = ${made};\n${writes}${all}.push(${e.box(one, entityOf(id, true))});\n}\nreturn ${all};\n`
  })
}
