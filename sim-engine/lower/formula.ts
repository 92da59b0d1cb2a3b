// Checked formula trees -> the intermediate representation: numbers and truths over variables that stand in memory. What a
// formula does is what formula/emit-expr.ts says of it, in the same order. What cannot be lowered says so by name.
import type { ArithmeticOp, CallNode, CompareOp, Expr as Node, Span, Statement } from '../formula/ast.ts'
import type { Inferred } from '../formula.ts'
import type { Local } from '../formula/plan.ts'
import type { Symbol } from '../formula/scope.ts'
import type { Type } from '../formula/types.ts'
import * as ir from '../ir.ts'
import type { Expr, Mem, Stmt } from '../ir.ts'
import type { ProblemCode } from '../problems.ts'
import { say, Told } from '../../model-schema/words.ts'

/** Why something is not lowered, in plain words. */
export class NotLowered extends Told {}

/** Where a variable stands: a `bool` holds 0 or 1, a `word` the code of a text, a `byte` a small number. */
export type VariablePlace = {
  readonly mem: Mem
  readonly address: Expr
  readonly offset: number
  readonly holds: 'number' | 'bool' | 'byte' | 'word'
}

/** What formulas of one step share. */
export type FormulaScope = {
  /** Undefined where the variable does not stand in memory. */
  variable(symbol: Symbol): VariablePlace | undefined
  /** The code of a text; undefined where it has none. */
  word(text: string): number | undefined
  /** The address of a container's record; undefined where the container is none of those known. */
  container(id: string): { readonly record: Expr; readonly isGoods: boolean } | undefined
  /** The address of the stream the formulas of the step draw from. */
  stream(): Expr
  /** A number for an error at a part of the formula; `params` as in problems.ts. */
  place(code: ProblemCode, at: Span): number
  /** A library function of the host with these arguments: `null` stands for one that is left out. Draws come from the stream. */
  library(name: string, draws: boolean, args: readonly (Expr | null)[], result: 'i32' | 'f64', at: Span): Expr
  local(prefix: string, type: 'i32' | 'f64'): string
}

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

/** A number as it is written, perhaps with a sign; null for all else. */
function numberWritten(node: Node): number | null {
  if (node.is === 'number') return node.value
  const inner = node.is === 'unary' && node.op === '-' ? numberWritten(node.of) : null
  return inner === null ? null : -inner
}

export class FormulaLowering {
  readonly #f: Inferred
  readonly #scope: FormulaScope
  readonly #locals = new Map<Local, string>()

  constructor(f: Inferred, scope: FormulaScope) {
    this.#f = f
    this.#scope = scope
  }

  /** The value of an expression, as a number. */
  number(): Expr {
    return this.#number(this.#root())
  }

  /** The truth of a condition. */
  truth(): Expr {
    return this.#truth(this.#root())
  }

  /** A program's statements. */
  statements(): Stmt[] {
    const { ast } = this.#f.parsed
    if (ast.is !== 'program') throw new NotLowered(say('it is no program'))
    const body = this.#block(ast.body)
    return [...[...this.#locals].map(([local, name]) => ir.set(name, numberOf(local.type) === 'f64' ? ir.f64(0) : ir.i32(0))), ...body]
  }

  #root(): Node {
    const { ast } = this.#f.parsed
    if (ast.is !== 'expression' || this.#f.problems.length > 0) throw new NotLowered(say('it is no expression'))
    return ast.value
  }

  #typeOf(node: Node): Type {
    return this.#f.plan.types.get(node) ?? { is: 'any' }
  }

  // --- statements

  #block(body: readonly Statement[]): Stmt[] {
    return body.flatMap(statement => this.#statement(statement))
  }

  #statement(node: Statement): readonly Stmt[] {
    switch (node.is) {
      case 'assign': {
        const [only, second] = node.targets
        if (!only || second) throw new NotLowered(say('it assigns to several names at once'))
        const place = this.#place(only)
        if (place?.holds === 'word') return [ir.store(place.mem, place.address, place.offset, this.#codeOf(node.value))]
        return [this.#store(only, this.#natural(node.value), node.value, node.value)]
      }
      case 'augment':
        return [this.#store(node.target, this.#arithmetic(node.op, node.target, node.value, node), node, null)]
      case 'if': {
        const [first, ...others] = node.branches
        const rest = others.length > 0 ? this.#statement({ ...node, branches: others }) : this.#block(node.otherwise)
        return [ir.when(this.#truth(first!.test), this.#block(first!.body), rest)]
      }
      case 'do':
        return [ir.run(this.#natural(node.value))]
      case 'pass':
        return []
      default:
        throw new NotLowered(say('it has a “{is}” statement', { is: node.is }))
    }
  }

  #store(target: Node, value: Expr, at: Span, source: Node | null): Stmt {
    if (target.is === 'name') {
      const meaning = this.#f.plan.names.get(target)
      if (meaning?.is === 'local') return ir.set(this.#local(meaning.local), this.#as(value, numberOf(meaning.local.type)))
    }
    const place = this.#place(target)
    if (!place || place.holds === 'word') throw new NotLowered(say('it changes something that is no number of its own process'))
    if (place.holds === 'byte') return ir.store('u8', place.address, place.offset, ir.unary('toI', this.#as(value, 'f64')))
    const isFloat = place.mem === 'f64'
    const stored = this.#as(value, isFloat ? 'f64' : 'i32')
    const checked = isFloat && !(source && this.#isFinite(source)) ? ir.check(stored, this.#scope.place(10015, at)) : stored
    return ir.store(place.mem, place.address, place.offset, checked)
  }

  /** Where a name or a property of `self` stands. */
  #place(node: Node): VariablePlace | undefined {
    if (node.is === 'name') {
      const meaning = this.#f.plan.names.get(node)
      return meaning?.is === 'symbol' ? this.#scope.variable(meaning.symbol) : undefined
    }
    if (node.is !== 'member' || node.of.is !== 'name' || node.of.name !== 'self') return undefined
    const symbol = this.#f.plan.members.get(node)
    return symbol && this.#scope.variable(symbol)
  }

  #local(local: Local): string {
    const type = numberOf(local.type)
    if (!type || local.unsure) throw new NotLowered(say('its variable “{name}” is not always a number', { name: local.name }))
    let name = this.#locals.get(local)
    if (name === undefined) this.#locals.set(local, (name = this.#scope.local('v', type)))
    return name
  }

  /** As `storable` of emit-expr.ts: what is certainly finite is not checked. */
  #isFinite(node: Node): boolean {
    if (node.is === 'number') return Number.isFinite(node.value)
    if (node.is === 'name') return this.#f.plan.names.get(node)?.is === 'symbol'
    if (node.is === 'member') return this.#f.plan.members.has(node)
    if (node.is === 'unary') return node.op !== '~' && this.#isFinite(node.of)
    if (node.is === 'choose') return this.#isFinite(node.value) && this.#isFinite(node.otherwise)
    return node.is === 'compare' || node.is === 'constant'
  }

  // --- expressions

  #as(e: Expr, type: 'i32' | 'f64' | null): Expr {
    if (e.type === type) return e
    if (type === 'f64' && e.type === 'i32') return ir.unary('toF', e)
    throw new NotLowered(say('a number stands where a truth value is wanted'))
  }

  #number(node: Node): Expr {
    return this.#as(this.#natural(node), 'f64')
  }

  #truth(node: Node): Expr {
    if (node.is === 'and' || node.is === 'or')
      return ir.binary(node.is === 'and' ? 'land' : 'lor', this.#truth(node.left), this.#truth(node.right))
    if (node.is === 'unary' && node.op === 'not') return ir.not(this.#truth(node.of))
    const e = this.#natural(node)
    return e.type === 'f64' ? ir.binary('ne', e, ir.f64(0)) : e
  }

  /** A number as f64, a truth as i32. */
  #natural(node: Node): Expr {
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
      case 'unary':
        if (node.op === 'not') return ir.not(this.#truth(node.of))
        if (node.op === '-') return ir.unary('neg', this.#number(node.of))
        if (node.op === '+') return this.#number(node.of)
        throw new NotLowered(say('it uses ~'))
      case 'binary':
        return this.#arithmetic(node.op, node.left, node.right, node)
      case 'compare':
        return this.#compare(node)
      case 'and':
      case 'or': {
        if (this.#typeOf(node).is === 'bool') return this.#truth(node)
        throw new NotLowered(say('“and” and “or” stand between numbers'))
      }
      case 'choose': {
        const type = numberOf(this.#typeOf(node))
        return ir.cond(this.#truth(node.test), this.#as(this.#natural(node.value), type), this.#as(this.#natural(node.otherwise), type))
      }
      case 'call':
        return this.#call(node)
      default:
        throw new NotLowered(say('it uses values that are no numbers ({is})', { is: node.is }))
    }
  }

  #name(node: Node & { is: 'name' }): Expr {
    const meaning = this.#f.plan.names.get(node)
    if (meaning?.is === 'local') return ir.get(this.#local(meaning.local), numberOf(meaning.local.type)!)
    if (meaning?.is === 'constant' && Object.hasOwn(constants, node.name)) return ir.f64(constants[node.name]!)
    if (meaning?.is === 'symbol') {
      const { symbol } = meaning
      if (symbol.kind === 'builtin' && symbol.name === 'time') return ir.load('f64', ir.i32(0))
      const place = this.#scope.variable(symbol)
      if (place) return this.#read(place)
    }
    throw new NotLowered(say('“{name}” is no number of the process', { name: node.name }))
  }

  #read({ mem, address, offset, holds }: VariablePlace): Expr {
    const value = ir.load(mem, address, offset)
    if (holds === 'word') throw new NotLowered(say('it does more with a text than to hand it on or compare it'))
    if (holds === 'byte') return ir.unary('toF', value)
    return holds === 'bool' ? ir.binary('ne', value, ir.i32(0)) : value
  }

  /** The code of a text: of one that is written, of a variable that holds codes, or of one chosen among these. */
  code(): Expr {
    return this.#codeOf(this.#root())
  }

  #codeOf(node: Node): Expr {
    const place = this.#place(node)
    if (place?.holds === 'word') return ir.load(place.mem, place.address, place.offset)
    if (node.is === 'choose') return ir.cond(this.#truth(node.test), this.#codeOf(node.value), this.#codeOf(node.otherwise))
    const known = node.is === 'text' ? this.#scope.word(node.value) : undefined
    if (known === undefined) throw new NotLowered(say('it uses a text that is put together while running'))
    return ir.i32(known)
  }

  #member(node: Node & { is: 'member' }): Expr {
    const place = this.#place(node)
    if (place) return this.#read(place)
    const of = node.of.is === 'name' ? this.#f.plan.names.get(node.of) : undefined
    const container =
      of?.is === 'symbol' && of.symbol.kind === 'container' && of.symbol.id ? this.#scope.container(of.symbol.id) : undefined
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
      throw new NotLowered(say('“.{name}” of a container is worked out by the general way', { name: node.name }))
    return ir.load('f64', book, at)
  }

  #kept(e: Expr): { set: readonly Stmt[]; get: Expr } {
    if (e.kind === 'const' || e.kind === 'get') return { set: [], get: e }
    const name = this.#scope.local('k', e.type as 'i32' | 'f64')
    return { set: [ir.set(name, e)], get: ir.get(name, e.type) }
  }

  #arithmetic(op: ArithmeticOp, left: Node, right: Node, at: Span): Expr {
    const isNumber = [left, right].every(one => numberOf(this.#typeOf(one)) !== null)
    const areTruths = this.#typeOf(left).is === 'bool' && this.#typeOf(right).is === 'bool'
    if (!isNumber || (areTruths && (op === '&' || op === '|' || op === '^')))
      throw new NotLowered(say('it calculates with values that are no numbers'))
    if (op === '+') return ir.binary('add', this.#number(left), this.#number(right))
    if (op === '-') return ir.binary('sub', this.#number(left), this.#number(right))
    if (op === '*') return ir.binary('mul', this.#number(left), this.#number(right))
    if (op === '/' && right.is === 'number' && right.value !== 0) return ir.binary('div', this.#number(left), this.#number(right))
    const a = this.#kept(this.#number(left))
    if (op === '**' && right.is === 'number' && right.value === 2) return ir.seq(a.set, ir.binary('mul', a.get, a.get))
    const b = this.#kept(this.#number(right))
    if (op === '/') {
      const zero: Stmt = ir.when(ir.binary('eq', b.get, ir.f64(0)), [{ kind: 'fail', place: this.#scope.place(10018, at) }])
      return ir.seq([...a.set, ...b.set, zero], ir.binary('div', a.get, b.get))
    }
    return ir.seq([...a.set, ...b.set], this.#scope.library(hostNames[op]!, false, [a.get, b.get], 'f64', at))
  }

  #compare(node: Node & { is: 'compare' }): Expr {
    let left = node.first
    const links: Expr[] = []
    const [only] = node.rest
    if (node.rest.length === 1 && this.#typeOf(left).is === 'text') return this.#compareTexts(left, only!.op, only!.right)
    for (const { op, right } of node.rest) {
      const by = comparisons[op]
      // What stands between two signs is evaluated once: only what has no effects may be written twice.
      const isSimple = right.is === 'number' || right.is === 'name'
      if (!by || (right !== node.rest.at(-1)!.right && !isSimple)) throw new NotLowered(say('it asks “{op}”', { op }))
      links.push(ir.binary(by, this.#number(left), this.#number(right)))
      left = right
    }
    return links.reduce((a, b) => ir.binary('land', a, b))
  }

  #compareTexts(left: Node, op: CompareOp, right: Node): Expr {
    const isNot = op === '!=' || op === 'not in'
    if ((op === 'in' || op === 'not in') && (right.is === 'list' || right.is === 'tuple')) {
      const code = this.#kept(this.#codeOf(left))
      const same = right.items
        .map(item => ir.binary('eq', code.get, this.#codeOf(item)))
        .reduce((a, b) => ir.binary('lor', a, b), ir.i32(0))
      return ir.seq(code.set, isNot ? ir.not(same) : same)
    }
    if (op !== '==' && op !== '!=') throw new NotLowered(say('it compares texts by their order'))
    return ir.binary(isNot ? 'ne' : 'eq', this.#codeOf(left), this.#codeOf(right))
  }

  #call(node: CallNode): Expr {
    const plan = this.#f.plan.calls.get(node)
    if (plan?.is !== 'row') throw new NotLowered(say('it calls a function of the model'))
    const { row, args, rest } = plan
    const { name, params, result } = row.signature
    const value = (k: number): Expr => {
      const given = args[k]
      return given ? this.#number(given) : ir.f64(Number(params[k]?.initial))
    }
    if (name === 'random') return ir.call('uniform', 'f64', this.#scope.stream())
    if (name === 'uniform') {
      const [low, high] = [this.#kept(value(0)), this.#kept(value(1))]
      const drawn = ir.call('uniform', 'f64', this.#scope.stream())
      return ir.seq([...low.set, ...high.set], ir.binary('add', low.get, ir.binary('mul', ir.binary('sub', high.get, low.get), drawn)))
    }
    if (name === 'exponential') return this.#exponential(value(0), node)
    const drawn = this.#drawn(name, args, params)
    if (drawn) return drawn
    if (row.way === 'math' && (name === 'floor' || name === 'ceil' || name === 'abs')) return ir.unary(name, value(0))
    if ((name === 'min' || name === 'max') && rest.length > 0 && !args[2] && this.#typeOf(node).is === 'number')
      return rest.map(one => this.#number(one)).reduce((a, b) => ir.binary(name, a, b), value(0))
    const type = result.is === 'plain' ? numberOf(result.type) : null
    const isPlain = params.every(param => !param.rest && param.shape.is === 'plain' && param.shape.type.is === 'number')
    if (row.way !== undefined || !type || !isPlain || row.creates || row.writes)
      throw new NotLowered(say('{name}() is worked out by the general way', { name }))
    const given = params.map((param, k) => {
      const own = args[k]
      if (own) return this.#number(own)
      return param.initial === undefined || param.initial === 'None' ? null : ir.f64(Number(param.initial))
    })
    return this.#scope.library(name, row.draws === true, given, type, node)
  }

  /** Draws of a distribution whose parameters are written as numbers; null where they are not, or it is none of these. */
  #drawn(name: string, args: readonly (Node | null)[], params: readonly { readonly initial?: string | undefined }[]): Expr | null {
    const given: number[] = []
    for (const [k, param] of params.entries()) {
      const node = args[k]
      const value = node ? numberWritten(node) : Number(param.initial === 'None' ? Number.NaN : param.initial)
      if (value === null) return null
      given.push(value)
    }
    const [a, b, c] = given as [number, number, number]
    const draw = (of: string, ...with_: number[]): Expr => ir.call(of, 'f64', this.#scope.stream(), ...with_.map(ir.f64))
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

  #exponential(mean: Expr, at: Span): Expr {
    const draw = (of: Expr): Expr => ir.call('exponential', 'f64', this.#scope.stream(), of)
    if (mean.kind === 'const' && mean.value >= 0) return draw(mean)
    const kept = this.#kept(mean)
    const bad = ir.not(ir.binary('ge', kept.get, ir.f64(0)))
    return ir.seq([...kept.set, ir.when(bad, [{ kind: 'fail', place: this.#scope.place(10020, at) }])], draw(kept.get))
  }
}
