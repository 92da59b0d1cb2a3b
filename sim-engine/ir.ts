// The intermediate representation: what lowering builds, passes rewrite, and back ends print. A program is a plain value.
//
// Values are i32 (also truth: 0 or 1), f64 (the numbers of formulas) and, made by vectorising passes alone, v128. Memory is one
// little-endian buffer addressed in bytes; a column in it may be narrower than its values (`Mem`). An address is an i32 expression
// plus a constant offset. Arithmetic of i32 wraps around; `div` and `rem` of i32 round towards zero and trap on 0 (lowering tests
// first); arithmetic of f64 is IEEE 754, without contraction, so all back ends give the same bits.
//
// Effects: `load` reads, `store` writes, `call` does what its function does, `check` and `fail` may end the run at a place, `hook`
// is seen from outside. All else only calculates, so a pass may move or drop it.
import { unreachable } from '../model-schema/unreachable.ts'

export type Type = 'i32' | 'f64' | 'v128' | 'void'
export type Mem = 'u8' | 'u16' | 'i16' | 'i32' | 'f64' | 'v128'

/** Bytes of an element in memory. */
export const sizeOf = { u8: 1, u16: 2, i16: 2, i32: 4, f64: 8, v128: 16 } as const satisfies Record<Mem, number>
/** The type of its value. */
export const typeIn = { u8: 'i32', u16: 'i32', i16: 'i32', i32: 'i32', f64: 'f64', v128: 'v128' } as const satisfies Record<Mem, Type>

/** Comparisons give an i32. `land` and `lor` evaluate their right side only where it decides; `min` and `max` are for f64. */
export type BinaryOp =
  | ('add' | 'sub' | 'mul' | 'div' | 'rem' | 'and' | 'or' | 'xor' | 'shl' | 'shr' | 'shru')
  | ('eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'land' | 'lor' | 'min' | 'max')
/**
 * toF: i32 -> f64 · toFu: the same of an unsigned · toI: f64 -> i32, saturating, of a number known to fit · high, low: words of an f64 ·
 * pow2: 2^n of an i32 -1022..1023 · popcnt: how many bits of an i32 are 1.
 */
export type UnaryOp = 'neg' | 'abs' | 'sqrt' | 'floor' | 'ceil' | 'eqz' | 'toF' | 'toFu' | 'toI' | 'high' | 'low' | 'pow2' | 'popcnt'

export type Expr = { readonly type: Type } & (
  | { readonly kind: 'const'; readonly value: number }
  | { readonly kind: 'get'; readonly name: string }
  | { readonly kind: 'unary'; readonly op: UnaryOp; readonly of: Expr }
  | { readonly kind: 'binary'; readonly op: BinaryOp; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'load'; readonly mem: Mem; readonly address: Expr; readonly offset: number }
  /** Both sides may be evaluated, in any order: they have no effects. */
  | { readonly kind: 'select'; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  /** One side is evaluated. */
  | { readonly kind: 'cond'; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  | { readonly kind: 'call'; readonly fn: string; readonly args: readonly Expr[] }
  /** The value, which has to be finite; else the run fails at `place`. */
  | { readonly kind: 'check'; readonly of: Expr; readonly place: number }
  /** Statements, then a value. Made by inlining. */
  | { readonly kind: 'seq'; readonly body: readonly Stmt[]; readonly value: Expr }
  /** A SIMD instruction by its name in the WebAssembly specification, with an immediate lane. WebAssembly only. */
  | { readonly kind: 'vector'; readonly op: string; readonly args: readonly Expr[]; readonly lane?: number }
)

export type Stmt =
  | { readonly kind: 'set'; readonly name: string; readonly value: Expr }
  | { readonly kind: 'store'; readonly mem: Mem; readonly address: Expr; readonly offset: number; readonly value: Expr }
  | { readonly kind: 'do'; readonly value: Expr }
  | { readonly kind: 'if'; readonly test: Expr; readonly yes: readonly Stmt[]; readonly no: readonly Stmt[] }
  /** For ever, until `break`. */
  | { readonly kind: 'loop'; readonly label: string; readonly body: readonly Stmt[] }
  | { readonly kind: 'block'; readonly label: string; readonly body: readonly Stmt[] }
  | { readonly kind: 'break' | 'continue'; readonly label: string }
  /** The case `table[of]`; none where the table has none (-1) or ends before it. No case falls through into the next. */
  | { readonly kind: 'switch'; readonly of: Expr; readonly table: readonly number[]; readonly cases: readonly (readonly Stmt[])[] }
  | { readonly kind: 'return'; readonly value: Expr | null }
  | { readonly kind: 'fail' | 'hook'; readonly place: number }

export type Fn = {
  readonly name: string
  readonly params: readonly (readonly [name: string, type: Type])[]
  readonly result: Type
  readonly locals: ReadonlyMap<string, Type>
  readonly body: readonly Stmt[]
  readonly isExported: boolean
}

export type Import = { readonly name: string; readonly params: readonly Type[]; readonly result: Type }

/** `imports` are functions of the host; `fail(place)`, which never returns, and `hook(place)` are always there. */
export type Program = { readonly fns: ReadonlyMap<string, Fn>; readonly imports: readonly Import[] }

// --- builders

const comparisons: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'land', 'lor'])

/** Whether an expression is certainly 0 or 1. */
export const isTruth = (e: Expr): boolean =>
  (e.kind === 'binary' && comparisons.has(e.op)) ||
  (e.kind === 'unary' && e.op === 'eqz') ||
  (e.kind === 'const' && e.type === 'i32' && (e.value === 0 || e.value === 1))

export const i32 = (value: number): Expr => ({ type: 'i32', kind: 'const', value: value | 0 })
export const f64 = (value: number): Expr => ({ type: 'f64', kind: 'const', value })
export const get = (name: string, type: Type): Expr => ({ type, kind: 'get', name })

export function unary(op: UnaryOp, of: Expr): Expr {
  const type: Type =
    op === 'toI' || op === 'high' || op === 'low' || op === 'eqz' || op === 'popcnt'
      ? 'i32'
      : op === 'toF' || op === 'toFu' || op === 'pow2'
        ? 'f64'
        : of.type
  return { type, kind: 'unary', op, of }
}

/** Throws TypeError when the types differ: an error in the lowering. Constants are folded where that cannot change a bit. */
export function binary(op: BinaryOp, left: Expr, right: Expr): Expr {
  if (left.type !== right.type) throw new TypeError(`ir: ${op} of ${show(left)}: ${left.type} and ${show(right)}: ${right.type}`)
  if (left.kind === 'const' && right.kind === 'const' && left.type === 'i32') {
    const folded = foldInts(op, left.value, right.value)
    if (folded !== null) return i32(folded)
  }
  if (right.kind === 'const' && right.type === 'i32' && right.value === 0 && (op === 'add' || op === 'sub' || op === 'shl')) return left
  return { type: comparisons.has(op) ? 'i32' : left.type, kind: 'binary', op, left, right }
}

function foldInts(op: BinaryOp, a: number, b: number): number | null {
  if (op === 'add') return a + b
  if (op === 'sub') return a - b
  if (op === 'mul') return Math.imul(a, b)
  if (op === 'shl') return a << b
  return null
}

/** The constant part of an address moves into the offset. */
function splitAddress(address: Expr, offset: number): [Expr, number] {
  if (address.kind === 'const' && address.value >= 0) return [i32(0), offset + address.value]
  if (address.kind === 'binary' && address.op === 'add' && address.right.kind === 'const' && address.right.value >= 0)
    return splitAddress(address.left, offset + address.right.value)
  return [address, offset]
}

export function load(mem: Mem, address: Expr, offset = 0): Expr {
  const [base, at] = splitAddress(address, offset)
  return { type: typeIn[mem], kind: 'load', mem, address: base, offset: at }
}

export function store(mem: Mem, address: Expr, offset: number, value: Expr): Stmt {
  if (value.type !== typeIn[mem]) throw new TypeError(`ir: store ${mem} of ${show(value)}: ${value.type}`)
  const [base, at] = splitAddress(address, offset)
  return { kind: 'store', mem, address: base, offset: at, value }
}

export const select = (test: Expr, yes: Expr, no: Expr): Expr => ({ type: yes.type, kind: 'select', test, yes, no })
export function cond(test: Expr, yes: Expr, no: Expr): Expr {
  // A truth as a number is the truth itself.
  if (isTruth(test) && yes.kind === 'const' && no.kind === 'const' && yes.type === 'i32' && yes.value === 1 && no.value === 0) return test
  return { type: yes.type, kind: 'cond', test, yes, no }
}
export const call = (fn: string, type: Type, ...args: Expr[]): Expr => ({ type, kind: 'call', fn, args })
export const check = (of: Expr, place: number): Expr => ({ type: 'f64', kind: 'check', of, place })
export const seq = (body: readonly Stmt[], value: Expr): Expr => ({ type: value.type, kind: 'seq', body, value })
export const set = (name: string, value: Expr): Stmt => ({ kind: 'set', name, value })
export const run = (value: Expr): Stmt => ({ kind: 'do', value })
export const when = (test: Expr, yes: readonly Stmt[], no: readonly Stmt[] = []): Stmt => ({ kind: 'if', test, yes, no })
export const not = (of: Expr): Expr => unary('eqz', of)

// --- walking

export type Rewrite = {
  /** Visits a node after its parts. */
  expr(e: Expr): Expr
  stmt(s: Stmt): readonly Stmt[]
}

/** Rebuilds a tree from the leaves up. */
export function mapExpr(e: Expr, to: Rewrite): Expr {
  const f = (x: Expr): Expr => mapExpr(x, to)
  switch (e.kind) {
    case 'unary':
    case 'check':
      return to.expr({ ...e, of: f(e.of) })
    case 'binary':
      return to.expr({ ...e, left: f(e.left), right: f(e.right) })
    case 'load':
      return to.expr({ ...e, address: f(e.address) })
    case 'select':
    case 'cond':
      return to.expr({ ...e, test: f(e.test), yes: f(e.yes), no: f(e.no) })
    case 'call':
    case 'vector':
      return to.expr({ ...e, args: e.args.map(f) })
    case 'seq':
      return to.expr({ ...e, body: mapAll(e.body, to), value: f(e.value) })
    default:
      return to.expr(e)
  }
}

export const mapAll = (body: readonly Stmt[], to: Rewrite): Stmt[] => body.flatMap(s => mapStmt(s, to))

export function mapStmt(s: Stmt, to: Rewrite): readonly Stmt[] {
  const f = (x: Expr): Expr => mapExpr(x, to)
  switch (s.kind) {
    case 'set':
    case 'do':
      return to.stmt({ ...s, value: f(s.value) })
    case 'store':
      return to.stmt({ ...s, address: f(s.address), value: f(s.value) })
    case 'if':
      return to.stmt({ ...s, test: f(s.test), yes: mapAll(s.yes, to), no: mapAll(s.no, to) })
    case 'loop':
    case 'block':
      return to.stmt({ ...s, body: mapAll(s.body, to) })
    case 'switch':
      return to.stmt({ ...s, of: f(s.of), cases: s.cases.map(one => mapAll(one, to)) })
    case 'return':
      return to.stmt({ ...s, value: s.value && f(s.value) })
    default:
      return to.stmt(s)
  }
}

export type Sight = { expr?(e: Expr): void; stmt?(s: Stmt): void }

/** Calls `see` for each node of the bodies, parts before the whole, in the order of evaluation. */
export function visit(body: readonly Stmt[], see: Sight): void {
  for (const s of body) visitStmt(s, see)
}

function visitStmt(s: Stmt, see: Sight): void {
  switch (s.kind) {
    case 'set':
    case 'do':
      visitExpr(s.value, see)
      break
    case 'store':
      visitExpr(s.address, see)
      visitExpr(s.value, see)
      break
    case 'if':
      visitExpr(s.test, see)
      visit(s.yes, see)
      visit(s.no, see)
      break
    case 'loop':
    case 'block':
      visit(s.body, see)
      break
    case 'switch':
      visitExpr(s.of, see)
      for (const one of s.cases) visit(one, see)
      break
    case 'return':
      if (s.value) visitExpr(s.value, see)
      break
    default:
  }
  see.stmt?.(s)
}

function visitExpr(e: Expr, see: Sight): void {
  switch (e.kind) {
    case 'unary':
    case 'check':
      visitExpr(e.of, see)
      break
    case 'binary':
      visitExpr(e.left, see)
      visitExpr(e.right, see)
      break
    case 'load':
      visitExpr(e.address, see)
      break
    case 'select':
    case 'cond':
      visitExpr(e.test, see)
      visitExpr(e.yes, see)
      visitExpr(e.no, see)
      break
    case 'call':
    case 'vector':
      for (const arg of e.args) visitExpr(arg, see)
      break
    case 'seq':
      visit(e.body, see)
      visitExpr(e.value, see)
      break
    default:
  }
  see.expr?.(e)
}

// --- printing

const signs: Readonly<Partial<Record<BinaryOp, string>>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  rem: '%',
  and: '&',
  or: '|',
  xor: '^',
  shl: '<<',
  shr: '>>',
  shru: '>>>',
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  land: '&&',
  lor: '||',
}
const at = (address: Expr, offset: number): string =>
  address.kind === 'const' ? String(address.value + offset) : `${show(address)}${offset === 0 ? '' : ` + ${offset}`}`

/** An expression as people read it. */
export function show(e: Expr): string {
  switch (e.kind) {
    case 'const':
      return e.type === 'f64' && Number.isInteger(e.value) ? `${Object.is(e.value, -0) ? '-0' : e.value}.0` : String(e.value)
    case 'get':
      return e.name
    case 'unary':
      return `${e.op}(${show(e.of)})`
    case 'binary':
      return signs[e.op] ? `(${show(e.left)} ${signs[e.op]} ${show(e.right)})` : `${e.op}(${show(e.left)}, ${show(e.right)})`
    case 'load':
      return `${e.mem}[${at(e.address, e.offset)}]`
    case 'select':
      return `select(${show(e.test)}, ${show(e.yes)}, ${show(e.no)})`
    case 'cond':
      return `(${show(e.test)} ? ${show(e.yes)} : ${show(e.no)})`
    case 'call':
      return `${e.fn}(${e.args.map(show).join(', ')})`
    case 'vector':
      return `${e.op}${e.lane === undefined ? '' : ` ${e.lane}`}(${e.args.map(show).join(', ')})`
    case 'check':
      return `finite(${show(e.of)} @${e.place})`
    case 'seq':
      return `{ ${e.body.map(s => showStmt(s, '')).join('; ')}; ${show(e.value)} }`
    default:
      return unreachable(e)
  }
}

export function showStmt(s: Stmt, indent: string): string {
  const all = (body: readonly Stmt[]): string => body.map(one => `${showStmt(one, `${indent}  `)}\n`).join('')
  switch (s.kind) {
    case 'set':
      return `${indent}${s.name} = ${show(s.value)}`
    case 'store':
      return `${indent}${s.mem}[${at(s.address, s.offset)}] = ${show(s.value)}`
    case 'do':
      return indent + show(s.value)
    case 'if':
      return `${indent}if ${show(s.test)}\n${all(s.yes)}${s.no.length > 0 ? `${indent}else\n${all(s.no)}` : ''}`.trimEnd()
    case 'loop':
    case 'block':
      return `${indent}${s.kind} ${s.label}\n${all(s.body)}`.trimEnd()
    case 'switch': {
      const valuesOf = (k: number): string => [...s.table.keys()].filter(v => s.table[v] === k).join(', ')
      return `${indent}switch ${show(s.of)}\n${s.cases.map((one, k) => `${indent} case ${valuesOf(k)}:\n${all(one)}`).join('')}`.trimEnd()
    }
    case 'break':
    case 'continue':
      return `${indent}${s.kind} ${s.label}`
    case 'return':
      return `${indent}return${s.value ? ` ${show(s.value)}` : ''}`
    case 'fail':
    case 'hook':
      return `${indent}${s.kind} @${s.place}`
    default:
      return unreachable(s)
  }
}

export function showFn(fn: Fn): string {
  const params = fn.params.map(([name, type]) => `${name}: ${type}`).join(', ')
  return `${fn.isExported ? 'export ' : ''}fn ${fn.name}(${params}): ${fn.result}\n${fn.body.map(s => `${showStmt(s, '  ')}\n`).join('')}`
}

/** The golden form of a program. */
export const showProgram = (program: Program): string => [...program.fns.values()].map(showFn).join('\n')
