// If-conversion: a choice between two cheap integers becomes a `select`, which a processor makes without guessing which way it goes.
// Law: the program does the same. The test has no effects, and neither value can trap: division is left alone, and memory is only
// read early in rows that the test reads, too.
// Source: J. R. Allen, K. Kennedy, C. Porterfield, J. Warren: Conversion of control dependence to data dependence, POPL 1983.
import * as ir from '../ir.ts'
import type { Expr, Program } from '../ir.ts'

/** Most nodes of a value that may be calculated in vain: a wrong guess costs a processor the time of some fifteen instructions. */
const maxSpeculatedNodes = 12

export function convertIfs(program: Program): Program {
  const fns = [...program.fns].map(
    ([name, fn]) => [name, { ...fn, body: ir.mapAll(fn.body, { expr: converted, stmt: s => [s] }) }] as const,
  )
  return { ...program, fns: new Map(fns) }
}

function converted(e: Expr): Expr {
  if (e.kind !== 'cond' || e.type !== 'i32') return e
  const rows = new Set<string>()
  const isPlain = testReads(e.test, rows)
  return isPlain && isCheap(e.yes, rows) && isCheap(e.no, rows) ? ir.select(e.test, e.yes, e.no) : e
}

/** Whether a test only calculates and reads; notes the rows that it reads in any case. */
function testReads(e: Expr, rows: Set<string>): boolean {
  switch (e.kind) {
    case 'const':
    case 'get':
      return true
    case 'unary':
      return testReads(e.of, rows)
    case 'load': {
      const row = rowOf(e.address)
      if (row !== null) rows.add(row)
      return testReads(e.address, rows)
    }
    case 'binary': {
      // The right side decides only sometimes.
      const right = e.op === 'land' || e.op === 'lor' ? new Set<string>() : rows
      return testReads(e.left, rows) && testReads(e.right, right)
    }
    default:
      return false
  }
}

function isCheap(value: Expr, rows: ReadonlySet<string>): boolean {
  let left = maxSpeculatedNodes
  const isSafe = (e: Expr): boolean => {
    if (left-- === 0) return false
    switch (e.kind) {
      case 'const':
      case 'get':
        return true
      case 'unary':
        return isSafe(e.of)
      case 'binary':
        return e.op !== 'div' && e.op !== 'rem' && isSafe(e.left) && isSafe(e.right)
      case 'load': {
        const row = rowOf(e.address)
        return (e.address.kind === 'const' || (row !== null && rows.has(row))) && isSafe(e.address)
      }
      default:
        return false
    }
  }
  return isSafe(value)
}

/** The row at which a column is read with an address in a word of the head: `i32[640] + (row << 3)`. */
function rowOf(address: Expr): string | null {
  if (address.kind !== 'binary' || address.op !== 'add') return null
  const { left, right } = address
  if (left.kind !== 'load' || left.address.kind !== 'const') return null
  const row = right.kind === 'binary' && right.op === 'shl' && right.right.kind === 'const' ? right.left : right
  return row.kind === 'get' ? row.name : null
}
