// Expressions -> JavaScript. `natural` is a value in the representation of its type; `box` is the one collections and
// `any` use, where an entity is a Ref. The two differ for entities only.
import type { ArithmeticOp, CompareOp, Expr, FormatPart, MemberNode, NameNode, Span } from '../ast.ts'
import { emitCall } from './calls.ts'
import { collected } from './loops.ts'
import type { Inferred } from '../infer.ts'
import { constantIndex } from '../walk.ts'
import { dateParts } from '../library/methods.ts'
import { jsText } from '../literals.ts'
import type { CallPlan, Local, Meaning } from '../plan.ts'
import type { EmitTarget } from '../scope.ts'
import { any, entriesOf, integer, number, sameType, stored } from '../types.ts'
import type { Type } from '../types.ts'
import { arithmeticType, elementOf, isNumeric, isOrdered } from '../typing.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

export class Emitter {
  readonly f: Inferred
  readonly target: EmitTarget
  readonly #localNames = new Map<Local, string>()
  readonly #held = new Map<Expr, string>()
  /** Temporary variables of each JavaScript function being written, innermost last. */
  readonly #temps: string[][] = [[]]
  /** Identifiers a helper function may need to be given. */
  readonly #visible = new Set<string>()

  /** Locals that are one of some constant tuples: the name of a table for each place in them. The local holds a number. */
  readonly tables = new Map<Local, readonly string[]>()

  /** Locals that hold codes of texts. */
  codedLocals: ReadonlySet<Local> = new Set()

  /** Whether some call may change a collection, perhaps the one iterated. */
  readonly changesThings: boolean

  constructor(f: Inferred, target: EmitTarget) {
    this.f = f
    this.changesThings =
      f.parsed.context === 'program' || f.parsed.context === 'function' ? [...f.plan.calls.values()].some(changes) : false
    this.target = target
    for (const name of target.captured ?? []) this.#visible.add(name)
  }

  // Names and places

  localName(local: Local): string {
    let name = this.#localNames.get(local)
    if (name === undefined) {
      name = this.target.fresh('x')
      this.#localNames.set(local, name)
      this.#visible.add(name)
    }
    return name
  }

  /** A fresh identifier declared by the caller in the current function. */
  fresh(prefix: string): string {
    const name = this.target.fresh(prefix)
    this.#visible.add(name)
    return name
  }

  temp(): string {
    const name = this.fresh('t')
    this.#temps.at(-1)!.push(name)
    return name
  }

  temps(): readonly string[] {
    return this.#temps[0]!
  }

  meaning(node: NameNode): Meaning {
    const found = this.f.plan.names.get(node)
    if (!found) throw new RangeError(`formula: ${node.name} was not checked`)
    return found
  }

  at(span: Span): string {
    return `${span.from}, ${span.to}`
  }

  /** Counts one iteration. */
  meter(span: Span): string {
    return `if (--F.fuel[0] < 0) F.spent(${this.at(span)});\n`
  }

  /**
   * Declares a helper function at the closure's top level and gives the call of it. `write` returns the body; what
   * the body mentions of the identifiers around becomes its parameters.
   */
  helper(write: () => string): string {
    this.#temps.push([])
    const body = write()
    const temps = this.#temps.pop()!
    const own = new Set(temps)
    const declared = new Set([...body.matchAll(/\b(?:let|const) ([\w$]+)/g)].map(match => match[1]))
    const mentioned = new Set(body.match(/[\w$]+/g))
    const params = [...this.#visible].filter(name => mentioned.has(name) && !own.has(name) && !declared.has(name))
    const name = this.target.fresh('f')
    this.target.declare(`function ${name}(${params.join(', ')}) {\n${temps.map(temp => `let ${temp};\n`).join('')}${body}}`)
    return `${name}(${params.join(', ')})`
  }

  // Types

  typeOf(node: Expr): Type {
    if (node.is === 'name' && !this.#held.has(node)) {
      const meaning = this.f.plan.names.get(node)
      if (meaning?.is === 'local') return meaning.local.type
      if (meaning?.is === 'symbol') return meaning.symbol.type
    }
    if (node.is === 'member') {
      const symbol = this.f.plan.members.get(node)
      if (symbol) return symbol.type
    }
    return this.f.plan.types.get(node) ?? any
  }

  /** The type of `natural(node)` once it is kept. */
  keptType(node: Expr): Type {
    return stored(this.typeOf(node))
  }

  elementType(type: Type): Type {
    const element = elementOf(type) ?? any
    return element.is === 'never' ? any : element
  }

  // Representations

  /** `js` of type `type` as collections and `any` keep it. */
  box(js: string, type: Type): string {
    if (type.is === 'entity' && type.of !== null) return js === '-1' ? 'null' : `W.ref(${this.target.population(type.of)}, ${js})`
    if (type.is === 'entities') return this.#boxedItems(js, type.of)
    return js
  }

  #boxedItems(js: string, of: string | null): string {
    return of === null ? `F.copied(${js})` : `F.refs(${this.target.population(of)}, ${js})`
  }

  unbox(js: string, type: Type): string {
    return type.is === 'entity' && type.of !== null ? `F.unref(${js})` : js
  }

  boxed(node: Expr): string {
    return this.box(this.expr(node), this.typeOf(node))
  }

  /** A value that may be kept: a query result becomes a list. Of type `keptType(node)`. */
  natural(node: Expr): string {
    const type = this.typeOf(node)
    return type.is === 'entities' ? this.#boxedItems(this.expr(node), type.of) : this.expr(node)
  }

  as(node: Expr, want: Type): string {
    if (want.is === 'bool') {
      const type = this.typeOf(node)
      if (type.is !== 'any') return this.test(node)
    }
    return this.coerce(this.natural(node), this.keptType(node), want, node)
  }

  /** A number or an Integer as it is: JavaScript compares the two exactly. */
  ordered(node: Expr): string {
    return this.typeOf(node).is === 'integer' ? this.expr(node) : this.number(node)
  }

  number(node: Expr): string {
    return this.as(node, number)
  }

  /** `js` of type `from` as a value of type `want`; checked at run time where the types leave it open. */
  coerce(js: string, from: Type, want: Type, at: Span): string {
    if (from === want) return js
    switch (want.is) {
      case 'any':
      case 'never':
        return this.box(js, from)
      case 'number':
        if (from.is === 'number') return js
        if (from.is === 'bool') return `(${js} ? 1 : 0)`
        return `F.number(${this.box(js, from)}, ${this.at(at)})`
      case 'integer':
        return from.is === 'integer' ? js : `F.exact(${this.box(js, from)}, ${this.at(at)})`
      case 'bool':
        return from.is === 'bool' ? js : `F.bool(${this.box(js, from)}, ${this.at(at)})`
      case 'entity':
        if (want.of === null) {
          if (from.is === 'entity') return this.box(js, from)
          return from.is === 'none' ? 'null' : `F.entity(${js}, ${this.at(at)})`
        }
        if (from.is === 'entity' && from.of === want.of) return js
        if (from.is === 'none') return '-1'
        return `W.handle(${this.target.population(want.of)}, ${this.box(js, from)}, ${this.at(at)})`
      case 'text':
      case 'date':
      case 'list':
      case 'dict':
      case 'set':
      case 'range':
        return from.is === want.is
          ? js
          : from.is === 'entities'
            ? this.box(js, from)
            : from.is === 'range' && want.is === 'list'
              ? `F.rangeItems(${js}, ${this.at(at)})`
              : `F.${want.is}(${this.box(js, from)}, ${this.at(at)})`
      case 'tuple':
        return from.is === 'tuple' ? js : `F.tuple(${js}, ${want.of.length}, ${this.at(at)})`
      default:
        return js
    }
  }

  /** Checks that what goes into the model's state is finite. */
  storable(js: string, type: Type, source: Expr | null, at: Span): string {
    if (type.is === 'number') {
      if (source && this.#isFinite(source)) return js
      if (!this.#isLocal) return `F.finite(${js}, ${this.at(at)})`
      // Inlined: a call that is not inlined costs more than all the rest.
      const [name, value] = /^[\w$]+$/.test(js) ? [js, js] : this.#keep(js)
      return `(${value} - ${name} === 0 ? ${name} : F.finite(${name}, ${this.at(at)}))`
    }
    return type.is === 'any' && !(source && this.typeOf(source).is !== 'number' && this.typeOf(source).is !== 'any')
      ? `F.finiteAny(${js}, ${this.at(at)})`
      : js
  }

  /** Temporaries are variables of a function, not of the whole program. */
  get #isLocal(): boolean {
    return this.f.parsed.context === 'program' || this.f.parsed.context === 'function' || this.#temps.length > 1
  }

  /** A temporary, and the expression that fills it. */
  #keep(js: string): readonly [string, string] {
    const name = this.temp()
    return [name, `(${name} = ${js})`]
  }

  #isFinite(node: Expr): boolean {
    if (node.is === 'number') return Number.isFinite(node.value)
    if (node.is === 'name') return this.meaning(node).is === 'symbol'
    if (node.is === 'member') return this.f.plan.members.has(node)
    if (node.is === 'index' && node.of.is === 'name') {
      const meaning = this.meaning(node.of)
      return meaning.is === 'local' && this.tables.has(meaning.local)
    }
    if (node.is === 'unary') return node.op !== '~' && this.#isFinite(node.of)
    if (node.is === 'choose') return this.#isFinite(node.value) && this.#isFinite(node.otherwise)
    if (node.is === 'compare' || node.is === 'constant') return true
    return false
  }

  /** The expression for the identifier `name`, which holds its value already. */
  held(node: Expr, name: string): Expr {
    const stand: Expr = { from: node.from, to: node.to, is: 'name', name: '' }
    this.#held.set(stand, name)
    this.f.plan.types.set(stand, this.keptType(node))
    return stand
  }

  // Expressions

  /** JavaScript in the representation of `typeOf(node)`. */
  expr(node: Expr): string {
    switch (node.is) {
      case 'number':
        return Number.isFinite(node.value) ? String(node.value) : 'Infinity'
      case 'text':
        return jsText(node.value)
      case 'constant':
        return String(node.value)
      case 'format':
        return this.#format(node.parts, node)
      case 'name':
        return this.#name(node)
      case 'member':
        return this.#member(node)
      case 'index':
        return this.#index(node)
      case 'slice': {
        const bound = (part: Expr | null): string => (part ? this.number(part) : 'null')
        return `F.slice(${this.boxed(node.of)}, ${bound(node.start)}, ${bound(node.stop)}, ${bound(node.step)}, ${this.at(node)})`
      }
      case 'call':
        return emitCall(this, node)
      case 'unary':
        if (node.op === 'not') return `!${this.test(node.of)}`
        if (this.typeOf(node).is === 'integer') return node.op === '-' ? `(-${this.expr(node.of)})` : this.expr(node.of)
        if (node.op === '+') return this.number(node.of)
        if (node.op === '~') return `F.bitnot(${this.number(node.of)}, ${this.at(node)})`
        return `(-${this.number(node.of)})`
      case 'binary':
        return this.arithmetic(node.op, node.left, node.right, node).js
      case 'compare':
        return this.#compare(node)
      case 'and':
      case 'or':
        return this.#either(node)
      case 'choose': {
        const type = this.typeOf(node)
        return `(${this.test(node.test)} ? ${this.as(node.value, type)} : ${this.as(node.otherwise, type)})`
      }
      case 'list':
        return `[${node.items.map(item => this.boxed(item)).join(', ')}]`
      case 'set':
        return `F.makeSet([${node.items.map(item => this.boxed(item)).join(', ')}], ${this.at(node)})`
      case 'tuple':
        return `F.makeTuple([${node.items.map(item => this.boxed(item)).join(', ')}])`
      case 'dict':
        return `F.makeDict([${node.entries.map(entry => `${this.boxed(entry.key)}, ${this.boxed(entry.value)}`).join(', ')}], ${this.at(node)})`
      case 'comprehension':
        return collected(this, node)
      case 'lambda':
      case 'missing':
        throw new RangeError('formula: a broken formula can not be emitted')
      default:
        return unreachable(node)
    }
  }

  /** A value that is not used. */
  discarded(node: Expr): string {
    return this.expr(node)
  }

  #localJs({ local, unsure }: Meaning & { is: 'local' }, at: Span): string {
    const name = this.localName(local)
    return unsure ? `F.bound(${name}, ${this.at(at)})` : name
  }

  /** JavaScript of the code of a text; null where it has none before it is looked up. */
  code(node: Expr): string | null {
    if (!this.hasCode(node)) return null
    switch (node.is) {
      case 'text':
        return this.target.word?.(node.value) ?? null
      case 'choose':
        return `(${this.test(node.test)} ? ${this.code(node.value)} : ${this.code(node.otherwise)})`
      case 'name': {
        const meaning = this.meaning(node)
        if (meaning.is === 'local') return this.#localJs(meaning, node)
        return meaning.is === 'symbol' ? (meaning.symbol.code?.(this.target.self) ?? null) : null
      }
      case 'member':
        return this.f.plan.members.get(node)?.code?.(this.owner(node.of)) ?? null
      default:
        return null
    }
  }

  /** Whether `code` gives something other than null for it, without writing it. */
  hasCode(node: Expr): boolean {
    switch (node.is) {
      case 'text':
        return this.target.word?.(node.value) !== undefined
      case 'choose':
        return this.hasCode(node.value) && this.hasCode(node.otherwise)
      case 'name': {
        if (this.#held.has(node)) return false
        const meaning = this.meaning(node)
        return meaning.is === 'local'
          ? this.codedLocals.has(meaning.local)
          : meaning.is === 'symbol' && meaning.symbol.code?.(this.target.self) !== undefined
      }
      case 'member': {
        const of = this.typeOf(node.of)
        return this.f.plan.members.get(node)?.code?.('0') !== undefined && !(of.is === 'entity' && of.of === null)
      }
      default:
        return false
    }
  }

  #name(node: NameNode): string {
    const held = this.#held.get(node)
    if (held !== undefined) return held
    const meaning = this.meaning(node)
    if (meaning.is === 'constant') return meaning.js
    if (meaning.is === 'local') {
      const js = this.#localJs(meaning, node)
      return this.codedLocals.has(meaning.local) ? `words[${js}]` : js
    }
    const { symbol } = meaning
    if (symbol.type.is === 'observer' && symbol.type.of !== null) return this.target.population(symbol.type.of)
    const js = symbol.read(this.target.self)
    if (symbol.kind === 'parameter' || symbol.kind === 'local')
      for (const name of js.match(/[A-Za-z_$][\w$]*/g) ?? []) if (!/^[FW]$/.test(name)) this.#visible.add(name)
    return wrapped(js)
  }

  /** The owner of a property as its symbol's `read` and `write` take it: a living entity's handle, or the thing itself. */
  owner(node: Expr): string {
    const type = this.typeOf(node)
    const js = this.expr(node)
    if (type.is !== 'entity' || type.of === null) return js
    const isSelf = node.is === 'name' && this.f.plan.names.get(node)?.is === 'symbol' && node.name === 'self'
    if (type.sure && (isSelf || !this.f.mayCreate)) return js
    return this.target.live?.(type.of, js, node.from, node.to) ?? `W.live(${this.target.population(type.of)}, ${js}, ${this.at(node)})`
  }

  #member(node: MemberNode): string {
    const symbol = this.f.plan.members.get(node)
    const of = this.typeOf(node.of)
    if (symbol?.type.is === 'observer' && symbol.type.of !== null) return this.target.population(symbol.type.of)
    if (symbol && !(of.is === 'entity' && of.of === null)) return wrapped(symbol.read(this.owner(node.of)))
    if (of.is === 'date' && dateParts.includes(node.name)) return `F.${node.name}(${this.expr(node.of)}, ${this.at(node)})`
    const js = `F.get(${this.boxed(node.of)}, ${jsText(node.name)}, ${this.at(node)})`
    return symbol ? this.coerce(js, any, symbol.type, node) : js
  }

  #index(node: Expr & { is: 'index' }): string {
    const local = node.of.is === 'name' ? this.f.plan.names.get(node.of) : undefined
    const tables = local?.is === 'local' ? this.tables.get(local.local) : undefined
    if (tables && local?.is === 'local') return `${tables.at(constantIndex(node.index)!)}[${this.localName(local.local)}]`
    const of = this.typeOf(node.of)
    const at = this.at(node)
    const found = this.#constantItem(node)
    if (found !== null) return found
    const entries = entriesOf(of)
    if (entries) {
      const type = node.index.is === 'text' ? (entries[node.index.value] ?? any) : any
      return this.coerce(`F.index(${this.boxed(node.of)}, ${this.boxed(node.index)}, ${at})`, any, type, node)
    }
    switch (of.is) {
      case 'entities':
      case 'list':
      case 'tuple': {
        const items = of.is === 'tuple' ? `${this.expr(node.of)}.items` : this.expr(node.of)
        const place = of.is === 'tuple' ? constantIndex(node.index) : null
        const js =
          of.is === 'tuple' && place !== null
            ? `${items}[${place < 0 ? place + of.of.length : place}]`
            : `F.at(${items}, ${this.number(node.index)}, ${at})`
        return of.is === 'entities' ? js : this.unbox(js, this.typeOf(node))
      }
      case 'dict':
        return this.unbox(`F.lookup(${this.expr(node.of)}, ${this.boxed(node.index)}, ${at})`, this.typeOf(node))
      case 'text':
        return `F.charAt(${this.expr(node.of)}, ${this.number(node.index)}, ${at})`
      default:
        return `F.index(${this.boxed(node.of)}, ${this.boxed(node.index)}, ${at})`
    }
  }

  /** An item of a list that never changes, or null. */
  #constantItem({ of, index, from, to }: Expr & { is: 'index' }): string | null {
    const meaning = of.is === 'name' && !this.#held.has(of) ? this.meaning(of) : undefined
    const id = meaning?.is === 'symbol' ? meaning.symbol.id : undefined
    const list = id === undefined ? undefined : this.target.constantList?.(id)
    if (!list) return null
    const known = constantIndex(index)
    if (known !== null && Number.isInteger(known) && known >= 0 && known < list.length) return `${list.name}[${known}]`
    const js = this.number(index)
    const [name, value] = /^[\w$]+$/.test(js) ? [js, js] : this.#keep(js)
    return `(${value} >= 0 && ${name} < ${list.length} && Math.floor(${name}) === ${name} ? ${list.name}[${name}] : ${list.at(name, from, to)})`
  }

  arithmetic(op: ArithmeticOp, left: Expr, right: Expr, at: Span): { js: string; type: Type } {
    const a = this.typeOf(left)
    const b = this.typeOf(right)
    const type = arithmeticType(op, a, b) ?? any
    return { type, js: this.#arithmetic(op, left, right, at, type, a, b) }
  }

  #arithmetic(op: ArithmeticOp, left: Expr, right: Expr, at: Span, type: Type, a: Type, b: Type): string {
    if (type.is === 'integer') return `F.exact_${numericNames[op]}(${this.as(left, integer)}, ${this.as(right, integer)}, ${this.at(at)})`
    const both = isNumeric(a) && isNumeric(b)
    if (type.is === 'number' && (both || (op !== '+' && op !== '-' && op !== '*' && op !== '&' && op !== '|' && op !== '^'))) {
      if (op === '+' || op === '-' || op === '*') return `(${this.number(left)} ${op} ${this.number(right)})`
      if (op === '/' && right.is === 'number' && right.value !== 0) return `(${this.number(left)} / ${this.expr(right)})`
      if (op === '**' && right.is === 'number' && right.value === 2) {
        const base = this.number(left)
        if (/^[\w$]+$/.test(base)) return `(${base} * ${base})`
      }
      if (op === '/' && this.#isLocal) {
        const [a, keepA] = this.#keep(this.number(left))
        const js = this.number(right)
        const [b, keepB] = /^[\w$]+$/.test(js) ? [js, ''] : this.#keep(js)
        return `(${keepA}, ${keepB === '' ? '' : `${keepB}, `}${b} !== 0 ? ${a} / ${b} : F.div(${a}, ${b}, ${this.at(at)}))`
      }
      return `F.${numericNames[op]}(${this.number(left)}, ${this.number(right)}, ${this.at(at)})`
    }
    if (type.is === 'bool')
      return op === '&'
        ? `(${this.expr(left)} && ${this.test(right)})`
        : op === '|'
          ? `(${this.expr(left)} || ${this.test(right)})`
          : `(${this.test(left)} !== ${this.test(right)})`
    if (op === '+' && type.is === 'text' && a.is === 'text' && b.is === 'text')
      return `F.joined(${this.expr(left)}, ${this.expr(right)}, ${this.at(at)})`
    return `F.${openNames[op]}(${this.boxed(left)}, ${this.boxed(right)}, ${this.at(at)})`
  }

  #compare(node: Expr & { is: 'compare' }): string {
    const links: string[] = []
    let left = node.first
    for (const [i, { op, right }] of node.rest.entries()) {
      let next = right
      let comparand = right
      const isLast = i === node.rest.length - 1
      if (!isLast && !/^[\w$.]+$/.test(this.#cheap(right))) {
        // Used twice, evaluated once: the first use stores it.
        const temp = this.temp()
        next = this.held(right, temp)
        comparand = this.held(right, `(${temp} = ${this.natural(right)})`)
      }
      links.push(this.#comparison(op, left, comparand, { from: left.from, to: right.to }))
      left = next
    }
    return links.length === 1 ? links[0]! : `(${links.join(' && ')})`
  }

  /** JavaScript of a name or number that has the same value at a second reading; else ''. */
  #cheap(node: Expr): string {
    return node.is === 'number' || node.is === 'name' ? this.expr(node) : ' '
  }

  #comparison(op: CompareOp, left: Expr, right: Expr, at: Span): string {
    const a = this.typeOf(left)
    const b = this.typeOf(right)
    switch (op) {
      case '==':
      case '!=':
      case 'is':
      case 'is not':
        return this.#equality(op === '!=' || op === 'is not', left, right, a, b)
      case 'in':
      case 'not in': {
        const js = this.#contains(left, right, a, b, at)
        return op === 'in' ? js : `!${js}`
      }
      default: {
        if (isNumeric(a) && isNumeric(b)) return `(${this.number(left)} ${op} ${this.number(right)})`
        if (isOrdered(a) && isOrdered(b)) return `(${this.ordered(left)} ${op} ${this.ordered(right)})`
        if (a.is === 'text' && b.is === 'text') return `(F.compareText(${this.expr(left)}, ${this.expr(right)}) ${op} 0)`
        const name = op === '<' || op === '>=' ? 'lt' : 'le'
        // a > b asks b < a, evaluated in the written order.
        if (op === '<' || op === '<=') return `F.${name}(${this.boxed(left)}, ${this.boxed(right)}, ${this.at(at)})`
        return `F.${op === '>' ? 'gt' : 'ge'}(${this.boxed(left)}, ${this.boxed(right)}, ${this.at(at)})`
      }
    }
  }

  #equality(negative: boolean, left: Expr, right: Expr, a: Type, b: Type): string {
    const sign = negative ? '!==' : '==='
    if (a.is === 'text' && b.is === 'text' && this.#isStored(left, right)) return `(${this.code(left)} ${sign} ${this.code(right)})`
    const scalar = (type: Type): boolean => type.is === 'number' || type.is === 'text' || type.is === 'bool'
    if ((scalar(a) && a.is === b.is) || (isNumeric(a) && isNumeric(b))) {
      const want = a.is === b.is ? a : number
      return `(${this.as(left, want)} ${sign} ${this.as(right, want)})`
    }
    if (a.is === 'entity' && b.is === 'entity' && a.of !== null && a.of === b.of) return `(${this.expr(left)} ${sign} ${this.expr(right)})`
    if (a.is === 'entity' && a.of !== null && isNone(right)) return `(${this.expr(left)} ${sign} -1)`
    if (b.is === 'entity' && b.of !== null && isNone(left)) return `(${this.expr(right)} ${sign} -1)`
    if (isNone(right) || isNone(left) || (a.is === 'entity' && b.is === 'entity'))
      return `(${this.boxed(left)} ${sign} ${this.boxed(right)})`
    return `${negative ? '!' : ''}F.eq(${this.boxed(left)}, ${this.boxed(right)})`
  }

  /** Whether two texts are compared by their codes: one at least is stored as such, and the other has one. */
  #isStored(left: Expr, right: Expr): boolean {
    return (left.is !== 'text' || right.is !== 'text') && this.hasCode(left) && this.hasCode(right)
  }

  #contains(left: Expr, right: Expr, a: Type, b: Type, at: Span): string {
    if (right.is === 'list' || right.is === 'tuple') {
      // Membership among literals of plain values needs no list.
      const plain =
        right.items.length > 0 &&
        right.items.every(item => item.is === 'number' || item.is === 'text') &&
        (a.is === 'number' || a.is === 'text')
      if (a.is === 'text' && left.is !== 'text' && plain && this.hasCode(left) && right.items.every(item => this.hasCode(item))) {
        const code = this.code(left)!
        if (/^[\w$]+(?:\[[\w$&]+\])?$/.test(code)) return `(${right.items.map(item => `${code} === ${this.code(item)}`).join(' || ')})`
      }
      const js = plain ? this.expr(left) : ''
      if (plain && /^[\w$]+$/.test(js)) return `(${right.items.map(item => `${js} === ${this.expr(item)}`).join(' || ')})`
    }
    const item = this.boxed(left)
    if (b.is === 'set' || b.is === 'dict') return `F.within(${item}, ${this.expr(right)}, ${this.at(at)})`
    if (b.is === 'observer' && b.of !== null)
      return `F.within(${item}, F.refs(${this.target.population(b.of)}, W.individuals(${this.target.population(b.of)})), ${this.at(at)})`
    return `F.within(${item}, ${this.boxed(right)}, ${this.at(at)})`
  }

  #either(node: Expr & { is: 'and' | 'or' }): string {
    const type = this.typeOf(node)
    const sign = node.is === 'and' ? '&&' : '||'
    const plain = type.is === 'bool' || type.is === 'text' || type.is === 'number'
    if (plain && sameType(this.typeOf(node.left), type) && sameType(this.typeOf(node.right), type)) {
      return `(${this.expr(node.left)} ${sign} ${this.expr(node.right)})`
    }
    const temp = this.temp()
    const left = `(${temp} = ${this.as(node.left, type)})`
    const right = this.as(node.right, type)
    const test = this.truth(left, type)
    return node.is === 'and' ? `(${test} ? ${right} : ${temp})` : `(${test} ? ${temp} : ${right})`
  }

  /** JavaScript boolean: whether the value counts as true. Parenthesized. */
  test(node: Expr): string {
    if (node.is === 'and' || node.is === 'or')
      return `(${this.test(node.left)} ${node.is === 'and' ? '&&' : '||'} ${this.test(node.right)})`
    if (node.is === 'unary' && node.op === 'not') return `!${this.test(node.of)}`
    return this.truth(this.expr(node), this.typeOf(node))
  }

  truth(js: string, type: Type): string {
    switch (type.is) {
      case 'bool':
        return isPrimary(js) ? js : `(${js})`
      case 'number':
        return `(${js} !== 0)`
      case 'text':
        return `(${js} !== "")`
      case 'list':
      case 'entities':
        return `(${js}.length > 0)`
      case 'set':
      case 'dict':
        return `(${js}.size > 0)`
      case 'entity':
        return type.of === null ? `(${js} !== null)` : `(${js} !== -1)`
      case 'none':
        return `(${js}, false)`
      default:
        return `F.truth(${js})`
    }
  }

  #format(parts: readonly FormatPart[], at: Span): string {
    const pieces: string[] = []
    for (const part of parts) {
      if (typeof part === 'string') pieces.push(jsText(part))
      else {
        if (part.shown !== '') pieces.push(jsText(part.shown))
        const value = this.boxed(part.value)
        const converted =
          part.conversion === 'r' || part.conversion === 'a'
            ? `F.represent(${value})`
            : part.conversion === 's'
              ? `F.show(${value})`
              : value
        if (part.spec.length > 0) pieces.push(`F.format(${converted}, ${this.#format(part.spec, at)}, ${this.at(part)})`)
        else pieces.push(part.conversion === '' && this.typeOf(part.value).is !== 'text' ? `F.show(${converted})` : converted)
      }
    }
    return pieces.length === 0 ? '""' : `(${pieces.join(' + ')})`
  }

  /** An array of boxed items to read (never to change or keep). */
  items(node: Expr): string {
    const type = this.typeOf(node)
    switch (type.is) {
      case 'list':
        return this.expr(node)
      case 'tuple':
        return `${this.expr(node)}.items`
      case 'entities':
        return this.boxed(node)
      case 'observer':
        return type.of === null
          ? `F.items(${this.boxed(node)}, ${this.at(node)})`
          : this.#boxedItems(`W.individuals(${this.target.population(type.of)})`, type.of)
      default:
        return `F.items(${this.boxed(node)}, ${this.at(node)})`
    }
  }

  /** An array of numbers. */
  numbers(node: Expr): string {
    const items = this.items(node)
    const type = this.typeOf(node)
    return (type.is === 'list' && type.of.is === 'number') || type.is === 'range' ? items : `F.numbers(${items}, ${this.at(node)})`
  }

  /** An entity argument: population and handle. */
  pair(node: Expr): string {
    const type = this.typeOf(node)
    if (type.is === 'entity' && type.of !== null) return `${this.target.population(type.of)}, ${this.expr(node)}`
    if (isNone(node)) return 'null, -1'
    const temp = this.temp()
    return `(${temp} = F.someone(${this.boxed(node)}, ${this.at(node)})).population, ${temp}.handle`
  }

  /** The asker as a pair; null, -1 for owners that are no individual. */
  asker(): string {
    const self = this.f.scope.find('self')
    return self?.type.is === 'entity' ? `${this.target.population(self.type.of)}, ${this.target.self}` : 'null, -1'
  }
}

const changes = (plan: CallPlan): boolean =>
  plan.is === 'dynamic' ||
  (plan.is === 'method' && plan.method.writes) ||
  (plan.is === 'row' && plan.row.writes === true) ||
  (plan.is === 'function' && plan.symbol.effects?.writes !== false)

const isNone = (node: Expr): boolean => node.is === 'constant' && node.value === null

const numericNames: Readonly<Record<ArithmeticOp, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '&': 'bitand',
  '|': 'bitor',
  '^': 'bitxor',
  '<<': 'shl',
  '>>': 'shr',
}
const openNames: Readonly<Record<ArithmeticOp, string>> = { ...numericNames, '&': 'and', '|': 'or', '^': 'xor' }

/** Whether JavaScript needs no parentheses: a path, an item, a call, a negation of one, or all of it in parentheses. */
function isPrimary(js: string): boolean {
  if (/^!*[\w$.]+(\[[\w$& ]+\])?$/.test(js)) return true
  const open = /^!*[\w$.]*\(/.exec(js)?.[0].length ?? 0
  if (open === 0 || !js.endsWith(')')) return false
  return closesAtEnd(js, open)
}

/** Whether the bracket before `from` closes with the last character. */
function closesAtEnd(js: string, from: number): boolean {
  let depth = 1
  const rest = js.slice(from).replace(/"(?:[^"\\]|\\.)*"/g, text => '_'.repeat(text.length))
  for (let i = 0; i < rest.length; i++) {
    if (rest[i] === '(') depth++
    else if (rest[i] === ')' && --depth === 0) return i === rest.length - 1
  }
  return false
}

const wrapped = (js: string): string => (isPrimary(js) ? js : `(${js})`)
