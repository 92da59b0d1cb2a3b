// The JavaScript back end: the same tree over typed arrays of the same memory, for where there is no WebAssembly and for tests.
// The text is the body of a function of the memory and the host's functions by name; it returns the exported functions.
import { isTruth } from '../ir.ts'
import type { Expr, Fn, Mem, Program, Stmt } from '../ir.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

const operators: Readonly<Record<string, string>> = {
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
  eq: '===',
  ne: '!==',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
}
const views: Readonly<Partial<Record<Mem, readonly [view: string, shift: number]>>> = {
  u8: ['U8', 0],
  u16: ['U16', 1],
  i16: ['I16', 1],
  i32: ['I32', 2],
  f64: ['F64', 3],
}

function element(mem: Mem, address: Expr, offset: number): string {
  const [view, shift] = views[mem] ?? refuse(mem)
  if (address.kind === 'const') return `${view}[${(address.value + offset) >> shift}]`
  const at = offset === 0 ? value(address) : `${value(address)} + ${offset}`
  return `${view}[${shift === 0 ? at : `${at} >> ${shift}`}]`
}

const refuse = (what: string): never => {
  throw new RangeError(`js: no ${what}`)
}

/** A JavaScript boolean, or a number that counts as one. */
function truth(e: Expr): string {
  if (e.kind === 'binary' && e.op === 'land') return `(${truth(e.left)} && ${truth(e.right)})`
  if (e.kind === 'binary' && e.op === 'lor') return `(${truth(e.left)} || ${truth(e.right)})`
  if (e.kind === 'unary' && e.op === 'eqz') return `!${truth(e.of)}`
  if (e.kind === 'binary' && isTruth(e)) return `(${value(e.left)} ${operators[e.op]} ${value(e.right)})`
  return value(e)
}

function value(e: Expr): string {
  if (e.kind !== 'const' && isTruth(e)) return `(${truth(e)} ? 1 : 0)`
  switch (e.kind) {
    case 'const':
      return Object.is(e.value, -0) ? '(-0)' : e.value < 0 ? `(${e.value})` : String(e.value)
    case 'get':
      return `$${e.name}`
    case 'unary':
      return unaryJs(e)
    case 'binary': {
      const [a, b] = [value(e.left), value(e.right)]
      if (e.op === 'min' || e.op === 'max') return `Math.${e.op}(${a}, ${b})`
      if (e.type === 'i32' && e.op === 'mul') return `Math.imul(${a}, ${b})`
      const js = `${a} ${operators[e.op]} ${b}`
      return e.type === 'f64' ? `(${js})` : `(${js} | 0)`
    }
    case 'load':
      return element(e.mem, e.address, e.offset)
    case 'select':
    case 'cond':
      return `(${truth(e.test)} ? ${value(e.yes)} : ${value(e.no)})`
    case 'call':
      return `${e.fn}(${e.args.map(value).join(', ')})`
    case 'check':
      return `finite(${value(e.of)}, ${e.place})`
    // Its locals are the function's, so an arrow function sees them.
    case 'seq':
      return `(() => { ${e.body.map(stmt).join(' ')} return ${value(e.value)}; })()`
    case 'vector':
      return refuse(e.op)
    default:
      return unreachable(e)
  }
}

function unaryJs(e: Expr & { kind: 'unary' }): string {
  const of = value(e.of)
  switch (e.op) {
    case 'neg':
      return `(-${of})`
    case 'toF':
      return of
    case 'toFu':
      return `(${of} >>> 0)`
    case 'toI':
      return `toI(${of})`
    case 'high':
    case 'low':
    case 'popcnt':
      return `${e.op}(${of})`
    case 'pow2':
      return `POWERS[${of} + 1022]`
    default:
      return `Math.${e.op}(${of})`
  }
}

function stmt(s: Stmt): string {
  const all = (body: readonly Stmt[]): string => body.map(stmt).join('\n')
  switch (s.kind) {
    case 'set':
      return `$${s.name} = ${value(s.value)};`
    case 'store':
      return `${element(s.mem, s.address, s.offset)} = ${value(s.value)};`
    case 'do':
      return `${value(s.value)};`
    case 'if':
      return `if (${truth(s.test)}) {\n${all(s.yes)}\n}${s.no.length > 0 ? ` else {\n${all(s.no)}\n}` : ''}`
    case 'loop':
      return `${s.label}: for (;;) {\n${all(s.body)}\n}`
    case 'block':
      return `${s.label}: {\n${all(s.body)}\n}`
    case 'break':
    case 'continue':
      return `${s.kind} ${s.label};`
    case 'switch': {
      const labels = (k: number): string =>
        [...s.table.keys()]
          .filter(v => s.table[v] === k)
          .map(v => `case ${v}:`)
          .join(' ')
      return `switch (${value(s.of)}) {\n${s.cases.map((one, k) => `${labels(k)}\n${all(one)}\nbreak;`).join('\n')}\n}`
    }
    case 'return':
      return s.value ? `return ${value(s.value)};` : 'return;'
    case 'fail':
    case 'hook':
      return `${s.kind}(${s.place});`
    default:
      return unreachable(s)
  }
}

function functionJs(fn: Fn): string {
  const locals = [...fn.locals].map(([name, type]) => `$${name} = ${type === 'f64' ? '0.0' : '0'}`)
  const declared = locals.length > 0 ? `let ${locals.join(', ')};\n` : ''
  return `function ${fn.name}(${fn.params.map(([name]) => `$${name}`).join(', ')}) {\n${declared}${fn.body.map(stmt).join('\n')}\n}`
}

/** The body of `new Function('memory', 'host', text)`. `refresh`, which it returns besides, reads the memory again after it has grown. */
export function emitJs(program: Program): string {
  const hosts = ['fail', 'hook', ...program.imports.map(({ name }) => name)]
  const exported = [...program.fns.values()].filter(fn => fn.isExported).map(fn => fn.name)
  return `'use strict';
const { ${hosts.join(', ')} } = host;
let F64, I32, U16, I16, U8;
function refresh() {
  const { buffer } = memory;
  F64 = new Float64Array(buffer); I32 = new Int32Array(buffer); U16 = new Uint16Array(buffer); I16 = new Int16Array(buffer); U8 = new Uint8Array(buffer);
}
refresh();
const POWERS = Float64Array.from({ length: 2046 }, (_, k) => 2 ** (k - 1022));
const WHOLE = new Float64Array(1), WORDS = new Int32Array(WHOLE.buffer);
function high(x) { WHOLE[0] = x; return WORDS[1]; }
function low(x) { WHOLE[0] = x; return WORDS[0]; }
function finite(x, place) { if (x - x !== 0) fail(place); return x; }
function toI(x) { return x >= 2147483647 ? 2147483647 : x <= -2147483648 ? -2147483648 : x | 0; }
function popcnt(x) { let count = 0; for (let left = x; left !== 0; left &= left - 1) count++; return count; }
${[...program.fns.values()].map(functionJs).join('\n')}
return { refresh, ${exported.join(', ')} };`
}
