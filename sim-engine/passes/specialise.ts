// Specialising: a function that is called with constants which decide what it does or where it looks becomes one for just these, in which
// they are worked out. Words that are known beforehand are constants, too.
// Law: the program does the same. Functions that nothing reaches any more are gone.
import * as ir from '../ir.ts'
import type { BinaryOp, Expr, Fn, Program, Stmt } from '../ir.ts'

type Constant = Expr & { kind: 'const' }
/** A call of the function that is called instead. */
type Named = (to: string, args: readonly Expr[]) => { readonly fn: string; readonly args: readonly Expr[] }

/** The function that one was made of. */
export const originOf = (name: string): string => name.split('$')[0]!

/** `known`: values of words of memory that never change, by address. */
export function specialise(program: Program, known: ReadonlyMap<number, number>): Program {
  const { fns } = program
  const telling = tellingParams(fns)
  const names = new Map<string, string>()
  const made = new Map<string, Fn>()
  const named: Named = (to, args) => {
    const fn = fns.get(to)
    if (!fn) return { fn: to, args }
    const given = new Map<string, Constant>()
    fn.params.forEach(([param], k) => {
      const arg = args[k]!
      if (telling.get(to)!.has(param) && arg.kind === 'const') given.set(param, arg)
    })
    const key = `${to} ${Array.from(given, ([param, { value }]) => `${param}=${Object.is(value, -0) ? '-0' : value}`).join()}`
    let name = names.get(key)
    if (name === undefined) {
      names.set(key, (name = given.size === 0 ? to : `${to}$${names.size}`))
      const params = fn.params.filter(([param]) => !given.has(param))
      made.set(name, new Folding({ ...fn, name, params }, given, known, named).fn())
    }
    return { fn: name, args: args.filter((_, k) => !given.has(fn.params[k]![0])) }
  }
  for (const fn of fns.values()) if (fn.isExported) made.set(fn.name, new Folding(fn, new Map(), known, named).fn())
  return { ...program, fns: made }
}

/** Parameters that decide or address something, in the function or in what it calls with them; none that are assigned. */
function tellingParams(fns: ReadonlyMap<string, Fn>): ReadonlyMap<string, ReadonlySet<string>> {
  const telling = new Map([...fns.keys()].map(name => [name, new Set<string>()] as const))
  let isNew = true
  while (isNew) {
    isNew = false
    for (const fn of fns.values()) {
      const known = telling.get(fn.name)!
      for (const name of tellingIn(fn, fns, telling)) {
        isNew ||= !known.has(name)
        known.add(name)
      }
    }
  }
  return telling
}

function tellingIn(fn: Fn, fns: ReadonlyMap<string, Fn>, telling: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const params = new Set(fn.params.map(([name]) => name))
  const found = new Set<string>()
  const note = (e: Expr): void =>
    ir.visit([ir.run(e)], {
      expr(part) {
        if (part.kind === 'get' && params.has(part.name)) found.add(part.name)
      },
    })
  ir.visit(fn.body, {
    expr(e) {
      if (e.kind === 'load') note(e.address)
      else if (e.kind === 'cond' || e.kind === 'select') note(e.test)
      else if (e.kind === 'call')
        fns.get(e.fn)?.params.forEach(([name], k) => {
          if (telling.get(e.fn)!.has(name)) note(e.args[k]!)
        })
    },
    stmt(s) {
      if (s.kind === 'if') note(s.test)
      else if (s.kind === 'switch') note(s.of)
      else if (s.kind === 'store') note(s.address)
      // An address may have a name of its own.
      else if (s.kind === 'set' && s.value.kind === 'binary' && s.value.op === 'add') note(s.value)
    },
  })
  ir.visit(fn.body, {
    stmt(s) {
      if (s.kind === 'set') found.delete(s.name)
    },
  })
  return found
}

/** One function with constants for some of its parameters. */
class Folding {
  readonly #fn: Fn
  readonly #known: ReadonlyMap<number, number>
  readonly #named: Named
  /** Names that hold a constant where we are. */
  readonly #constants: Map<string, Constant>
  /** How often a name is assigned. */
  readonly #sets = new Map<string, number>()

  constructor(fn: Fn, given: ReadonlyMap<string, Constant>, known: ReadonlyMap<number, number>, named: Named) {
    this.#fn = fn
    this.#known = known
    this.#named = named
    this.#constants = new Map(given)
    ir.visit(fn.body, {
      stmt: s => {
        if (s.kind === 'set') this.#sets.set(s.name, (this.#sets.get(s.name) ?? 0) + 1)
      },
    })
  }

  fn(): Fn {
    return { ...this.#fn, body: this.#list(this.#fn.body) }
  }

  /** What is assigned once, a constant, is that in the rest of its list: nothing there is reached without it. */
  #list(body: readonly Stmt[], then: () => void = () => undefined): Stmt[] {
    const here: string[] = []
    const done: Stmt[] = []
    for (const s of body)
      for (const one of this.#stmt(s)) {
        done.push(one)
        if (one.kind !== 'set' || one.value.kind !== 'const' || this.#sets.get(one.name) !== 1) continue
        this.#constants.set(one.name, one.value as Constant)
        here.push(one.name)
      }
    then()
    for (const name of here) this.#constants.delete(name)
    return done
  }

  #stmt(s: Stmt): readonly Stmt[] {
    switch (s.kind) {
      case 'set':
      case 'do':
        return [{ ...s, value: this.#expr(s.value) }]
      case 'store':
        return [ir.store(s.mem, this.#expr(s.address), s.offset, this.#expr(s.value))]
      case 'if': {
        const test = this.#expr(s.test)
        if (test.kind === 'const') return this.#list(test.value === 0 ? s.no : s.yes)
        return [{ ...s, test, yes: this.#list(s.yes), no: this.#list(s.no) }]
      }
      case 'loop':
      case 'block':
        return [{ ...s, body: this.#list(s.body) }]
      case 'switch':
        return [{ ...s, of: this.#expr(s.of), cases: s.cases.map(one => this.#list(one)) }]
      case 'return':
        return [{ ...s, value: s.value && this.#expr(s.value) }]
      default:
        return [s]
    }
  }

  #expr(e: Expr): Expr {
    switch (e.kind) {
      case 'get':
        return this.#constants.get(e.name) ?? e
      case 'unary':
        return unary(e.op, this.#expr(e.of))
      case 'binary':
        return this.#binary(e)
      case 'check':
        return { ...e, of: this.#expr(e.of) }
      case 'load': {
        const found = ir.load(e.mem, this.#expr(e.address), e.offset)
        const at = found.kind === 'load' && found.address.kind === 'const' ? found.offset + found.address.value : undefined
        const value = at === undefined ? undefined : this.#known.get(at)
        return value === undefined ? found : constant(e.type, value)
      }
      case 'select':
      case 'cond': {
        const test = this.#expr(e.test)
        if (test.kind === 'const') return this.#expr(test.value === 0 ? e.no : e.yes)
        return { ...e, test, yes: this.#expr(e.yes), no: this.#expr(e.no) }
      }
      case 'call':
        return {
          ...e,
          ...this.#named(
            e.fn,
            e.args.map(arg => this.#expr(arg)),
          ),
        }
      case 'vector':
        return { ...e, args: e.args.map(arg => this.#expr(arg)) }
      case 'seq': {
        let value = e.value
        const body = this.#list(e.body, () => {
          value = this.#expr(e.value)
        })
        return ir.seq(body, value)
      }
      default:
        return e
    }
  }

  #binary(e: Expr & { kind: 'binary' }): Expr {
    const left = this.#expr(e.left)
    const { op } = e
    if (left.kind === 'const' && (op === 'land' || op === 'lor') && (left.value === 0) === (op === 'land'))
      return ir.i32(op === 'land' ? 0 : 1)
    const right = this.#expr(e.right)
    if (left.kind === 'const' && (op === 'land' || op === 'lor') && ir.isTruth(right)) return right
    if (left.kind !== 'const' || right.kind !== 'const') return ir.binary(op, left, right)
    const value = (left.type === 'f64' ? ofReals : ofInts)[op]?.(left.value, right.value)
    return value === undefined ? ir.binary(op, left, right) : constant(e.type, value)
  }
}

const constant = (type: ir.Type, value: number): Expr => (type === 'f64' ? ir.f64(value) : ir.i32(value))

function unary(op: ir.UnaryOp, of: Expr): Expr {
  const value = of.kind === 'const' ? ofOne[op]?.(of.value) : undefined
  const made = ir.unary(op, of)
  return value === undefined ? made : constant(made.type, value)
}

type Fold2 = Readonly<Partial<Record<BinaryOp, (a: number, b: number) => number>>>

const comparisons: Fold2 = {
  eq: (a, b) => Number(a === b),
  ne: (a, b) => Number(a !== b),
  lt: (a, b) => Number(a < b),
  le: (a, b) => Number(a <= b),
  gt: (a, b) => Number(a > b),
  ge: (a, b) => Number(a >= b),
}
const ofReals: Fold2 = { ...comparisons, add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, div: (a, b) => a / b }
const ofInts: Fold2 = {
  ...comparisons,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => Math.imul(a, b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => a << b,
  shr: (a, b) => a >> b,
}
const ofOne: Readonly<Partial<Record<ir.UnaryOp, (a: number) => number>>> = {
  eqz: a => Number(a === 0),
  toF: a => a,
  floor: Math.floor,
}
