// Hoisting: words of the head that hold addresses are read before a function's loops instead of in each round, and again behind calls that
// may move what they point to.
// Law: the program does the same. Nothing but those calls changes the words while a function runs.
import * as ir from '../ir.ts'
import type { Expr, Fn, Program, Stmt } from '../ir.ts'

/** `words`: addresses of the words; `moving`: functions of the host that may change them. */
export function hoist(program: Program, words: ReadonlySet<number>, moving: ReadonlySet<string>): Program {
  const movers = moversOf(program, moving)
  return { ...program, fns: new Map([...program.fns].map(([name, fn]) => [name, hoisted(fn, words, movers)])) }
}

/** All functions that call one of those, however deep. */
function moversOf(program: Program, moving: ReadonlySet<string>): Set<string> {
  const movers = new Set(moving)
  for (let size = -1; size !== movers.size;) {
    size = movers.size
    for (const [name, fn] of program.fns)
      ir.visit(fn.body, {
        expr(e) {
          if (e.kind === 'call' && movers.has(e.fn)) movers.add(name)
        },
      })
  }
  return movers
}

const wordOf = (e: Expr): number | null =>
  e.kind === 'load' && e.mem === 'i32' && e.address.kind === 'const' ? e.address.value + e.offset : null

function hoisted(fn: Fn, words: ReadonlySet<number>, movers: ReadonlySet<string>): Fn {
  const found = new Set<number>()
  const look = (body: readonly Stmt[]): void =>
    ir.visit(body, {
      expr(e) {
        const word = wordOf(e)
        if (word !== null && words.has(word)) found.add(word)
      },
    })
  ir.visit(fn.body, {
    stmt(s) {
      if (s.kind === 'loop') look(s.body)
    },
  })
  if (found.size === 0) return fn
  const locals = new Map(fn.locals)
  const name = (word: number): string => `word${word}`
  for (const word of found) locals.set(name(word), 'i32')
  const reads = [...found].map(word => ir.set(name(word), ir.load('i32', ir.i32(word))))
  let calls = 0
  const body = ir.mapAll(fn.body, {
    expr(e) {
      const word = wordOf(e)
      if (word !== null && found.has(word)) return ir.get(name(word), 'i32')
      if (e.kind !== 'call' || !movers.has(e.fn) || e.type === 'void') return e
      const kept = `moved${calls++}`
      locals.set(kept, e.type)
      return ir.seq([ir.set(kept, e), ...reads], ir.get(kept, e.type))
    },
    stmt: s => (s.kind === 'do' && s.value.kind === 'call' && s.value.type === 'void' && movers.has(s.value.fn) ? [s, ...reads] : [s]),
  })
  return { ...fn, locals, body: [...reads, ...body] }
}
