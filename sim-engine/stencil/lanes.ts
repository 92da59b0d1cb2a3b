// Which numbers a loop over cells calculates with: bytes sixteen at a time, shorts eight, integers four, floats two. As narrow as the ranges
// of all values allow, so that the result is the number JavaScript would have. A column is kept as its loop calculates it.
import { decided, Ranges } from './graph.ts'
import type { CellNode, CellRule, Range } from './graph.ts'

export type Lane = 'u8' | 'i16' | 'i32' | 'f64'

const lanes: readonly Lane[] = ['u8', 'i16', 'i32', 'f64']
export const bytesOf: Readonly<Record<Lane, number>> = { u8: 1, i16: 2, i32: 4, f64: 8 }

/** The narrowest that holds a range. */
function laneOf({ low, high, whole }: Range): Lane {
  if (!whole) return 'f64'
  if (low >= 0 && high <= 255) return 'u8'
  if (low >= -32_768 && high <= 32_767) return 'i16'
  return low >= -(2 ** 31) && high < 2 ** 31 ? 'i32' : 'f64'
}

const widest = (a: Lane, b: Lane): Lane => (lanes.indexOf(a) >= lanes.indexOf(b) ? a : b)

/** How the columns of a rule are kept, and what may go wrong in which of its loops. */
export type Layout = { readonly storage: readonly Lane[]; readonly guards: readonly (readonly CellNode[])[] }

/** Whole numbers up to here are divided exactly as floats. */
const largestWhole = 2 ** 31

/** A remainder that is one comparison and one subtraction. */
export const isNearRemainder = (node: CellNode, ranges: Ranges): boolean => ranges.of(node.of[0]!).high < 2 * node.of[1]!.at

/** The narrowest lane that all numbers of a graph fit. Null: not exact in any. */
function needed(roots: readonly CellNode[], ranges: Ranges, storage: readonly Lane[]): Lane | null {
  const seen = new Set<CellNode>()
  let lane: Lane | null = 'u8'
  const visit = (node: CellNode): void => {
    if (seen.has(node) || lane === null) return
    seen.add(node)
    node.of.forEach(visit)
    if (node.is !== 'number' || lane === null) return
    lane = widest(lane, laneOf(ranges.of(node)))
    if (node.op === 'own' || node.op === 'near') lane = widest(lane, storage[node.at]!)
    else if (node.op === 'mul' || node.op === 'neg') lane = widest(lane, 'i16')
    else if (node.op === 'div' || node.op === 'sqrt') lane = 'f64'
    else if (node.op === 'mod' || node.op === 'floordiv') {
      const of = ranges.of(node.of[0]!)
      if (!of.whole || of.low < 0 || of.high >= largestWhole) lane = null
      else if (!isNearRemainder(node, ranges)) lane = 'f64'
    }
  }
  roots.forEach(visit)
  return lane
}

/** `before`: no column becomes narrower than this. Null where the rule is not exact in any numbers. */
export function layoutOf(
  rules: readonly CellRule[],
  columns: readonly Range[],
  shared: readonly Range[],
  before: readonly Lane[] | null,
): Layout | null {
  const ranges = new Ranges(columns, shared)
  const [rule] = rules
  const storage = columns.map((range, k) => widest(laneOf(range), before?.[k] ?? 'u8'))
  const guards: CellNode[][] = rule!.outputs.map(() => [])
  for (const guard of rules.flatMap(one => one.guards)) if (decided(guard, ranges) !== false) guards[loopFor(guard, rules)]!.push(guard)
  for (let isDone = false; !isDone;) {
    isDone = true
    for (const [k, { column }] of rule!.outputs.entries()) {
      const roots = [...rules.map(one => one.outputs[k]!.value), ...guards[k]!]
      const lane = needed(roots, ranges, storage)
      if (lane === null) return null
      if (lane === storage[column]) continue
      if (widest(lane, storage[column]!) === storage[column]) continue
      storage[column] = lane
      isDone = false
    }
  }
  return { storage, guards }
}

/** The loop a guard is looked at in: the first that calculates a part of it anyway. */
function loopFor(guard: CellNode, rules: readonly CellRule[]): number {
  const parts = new Set<CellNode>()
  collect(guard, parts)
  for (const rule of rules) {
    const found = rule.outputs.findIndex(({ value }) => {
      const own = new Set<CellNode>()
      collect(value, own)
      return [...parts].some(part => part.of.length > 0 && own.has(part))
    })
    if (found >= 0) return found
  }
  return 0
}

function collect(node: CellNode, into: Set<CellNode>): void {
  if (into.has(node)) return
  into.add(node)
  for (const of of node.of) collect(of, into)
}

/** What the columns may be after a tick. */
export function afterTick(rules: readonly CellRule[], columns: readonly Range[], shared: readonly Range[]): Range[] {
  const ranges = new Ranges(columns, shared)
  const next = [...columns]
  for (const rule of rules)
    for (const { column, value } of rule.outputs) {
      const [a, b] = [next[column]!, ranges.of(value)]
      next[column] = { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), whole: a.whole && b.whole }
    }
  return next
}
