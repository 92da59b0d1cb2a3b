// Inlining: calls of small functions, and of functions called once, become their bodies.
// Law: the program does the same, in the same order. Functions that nothing reaches any more are gone.
import * as ir from '../ir.ts'
import type { Expr, Fn, Program, Stmt } from '../ir.ts'

/** What is asked about a function again and again. */
type Facts = {
  readonly size: number
  /** Whether it returns from elsewhere than its end. */
  readonly returnsEarly: boolean
  /** Locals that may be read before they are given a value: their first mention in the order of the text is no assignment. */
  readonly unset: ReadonlySet<string>
}

const facts = new WeakMap<Fn, Facts>()

function factsOf(fn: Fn): Facts {
  const known = facts.get(fn)
  if (known) return known
  let size = 0
  let returns = 0
  const mentioned = new Set<string>()
  const unset = new Set<string>()
  ir.visit(fn.body, {
    expr(e) {
      size++
      if (e.kind === 'get' && !mentioned.has(e.name) && fn.locals.has(e.name)) unset.add(e.name)
    },
    stmt(s) {
      size++
      if (s.kind === 'set') mentioned.add(s.name)
      if (s.kind === 'return') returns++
    },
  })
  const made = { size, returnsEarly: returns > (fn.body.at(-1)?.kind === 'return' ? 1 : 0), unset }
  facts.set(fn, made)
  return made
}

/** How often each function is called. */
function callsIn(fns: Iterable<Fn>): Map<string, number> {
  const calls = new Map<string, number>()
  for (const fn of fns)
    ir.visit(fn.body, {
      expr(e) {
        if (e.kind === 'call') calls.set(e.fn, (calls.get(e.fn) ?? 0) + 1)
      },
    })
  return calls
}

/** Most nodes that inlining adds to a function: compilers take more than linear time for one that is very long. */
export const mostAdded = 20_000

/**
 * `limit`: most nodes of a function that is inlined everywhere. Functions that are `rare` stay, as do exported and recursive ones, and calls in a function
 * that has grown by `mostAdded` nodes.
 */
export function inline(program: Program, limit: number, isRare: (name: string) => boolean = () => false): Program {
  const fns = reached(program.fns)
  const calls = callsIn(fns.values())
  const done = new Map<string, Fn>()
  const underWay = new Set<string>()
  let fresh = 0
  const isInlined = (fn: Fn): boolean =>
    !fn.isExported && !isRare(fn.name) && !underWay.has(fn.name) && (calls.get(fn.name) === 1 || factsOf(fn).size <= limit)
  const finished = (name: string): Fn | undefined => {
    const known = done.get(name)
    const fn = fns.get(name)
    if (known || !fn) return known
    if (underWay.has(name)) return fn
    underWay.add(name)
    let added = 0
    const isTaken = (to: Fn): boolean => {
      const { size } = factsOf(to)
      if (!isInlined(to) || added + size > mostAdded) return false
      added += size
      return true
    }
    const locals = new Map(fn.locals)
    const body = ir.mapAll(fn.body, {
      expr(e) {
        const to = e.kind === 'call' ? finished(e.fn) : undefined
        return e.kind === 'call' && to && isTaken(to) ? expanded(e, to, locals, fresh++) : e
      },
      stmt: flattened,
    })
    underWay.delete(name)
    const made = { ...fn, locals, body }
    done.set(name, made)
    return made
  }
  for (const name of fns.keys()) finished(name)
  return { ...program, fns: reached(done) }
}

/** A call as the body of the function, with names of its own. */
function expanded(call: Expr & { kind: 'call' }, fn: Fn, locals: Map<string, ir.Type>, number: number): Expr {
  const id = `${fn.name}${number}`
  const own = (name: string): string => `${id}_${name}`
  for (const [name, type] of [...fn.params, ...fn.locals]) locals.set(own(name), type)
  const last = fn.body.at(-1)
  const { returnsEarly: early, unset } = factsOf(fn)
  // A value returned at the end needs no variable and no block to leave.
  const isStraight = last?.kind === 'return' && last.value !== null && !early
  if (fn.result !== 'void' && !isStraight) locals.set(id, fn.result)
  const rename: ir.Rewrite = {
    expr: e => (e.kind === 'get' ? { ...e, name: own(e.name) } : e),
    stmt(s) {
      if (s.kind === 'set') return [{ ...s, name: own(s.name) }]
      if (s.kind === 'return') return [...(s.value ? [ir.set(id, s.value)] : []), { kind: 'break', label: id }]
      return 'label' in s ? [{ ...s, label: own(s.label) }] : [s]
    },
  }
  const args = fn.params.map(([name], k) => ir.set(own(name), call.args[k]!))
  // Locals of a function begin as 0 each time.
  const zeros = [...fn.locals]
    .filter(([name]) => unset.has(name))
    .map(([name, type]) => ir.set(own(name), type === 'f64' ? ir.f64(0) : ir.i32(0)))
  const body = ir.mapAll(isStraight ? fn.body.slice(0, -1) : fn.body, rename)
  const value = isStraight
    ? ir.mapExpr(last.value, rename)
    : fn.result === 'void'
      ? { ...ir.i32(0), type: 'void' as const }
      : ir.get(id, fn.result)
  const inside: Stmt[] = !isStraight && (early || last?.kind === 'return') ? [{ kind: 'block', label: id, body }] : body
  return { ...ir.seq([...args, ...zeros, ...inside], value), type: call.type }
}

function flattened(s: Stmt): readonly Stmt[] {
  if (s.kind === 'do' && s.value.kind === 'seq' && s.value.type === 'void') return s.value.body
  if (s.kind === 'set' && s.value.kind === 'seq') return [...s.value.body, { ...s, value: s.value.value }]
  return [s]
}

/** Exported functions and all they call. */
function reached(fns: ReadonlyMap<string, Fn>): Map<string, Fn> {
  const found = new Set<string>()
  const reach = (fn: Fn): void => {
    if (found.has(fn.name)) return
    found.add(fn.name)
    for (const name of callsIn([fn]).keys()) {
      const to = fns.get(name)
      if (to) reach(to)
    }
  }
  for (const fn of fns.values()) if (fn.isExported) reach(fn)
  return new Map([...fns].filter(([name]) => found.has(name)))
}
