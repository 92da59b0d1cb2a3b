// Counts over whole columns (compile/tally.ts) in WebAssembly. One memory serves all runs of a thread: columns are copied in, which
// takes a tenth of the time that counting them one by one does.
import { bytesOf } from './lent.ts'

/** Fewer are counted one by one before a module is made. */
const minEntitiesForWasm = 8192
/** Bytes of columns that are copied at most. */
const maxColumnBytes = 33_554_432
const page = 65_536
/** Modules kept. */
const mostKnown = 256

type Count = (n: number, ...columns: number[]) => number

let memory: WebAssembly.Memory | null = null
const known = new Map<string, Count | null>()

/** How many of the first `n` rows, or of as many as make up whole sixteens, fit; -1 where it has to be done otherwise. */
export function tally(code: string, columns: readonly Uint8Array[], n: number): number {
  const whole = n - (n % 16)
  if (n < minEntitiesForWasm || whole * columns.length > maxColumnBytes) return -1
  let count = known.get(code)
  if (count === undefined) {
    count = countOf(code)
    if (known.size >= mostKnown) known.clear()
    known.set(code, count)
  }
  if (count === null || memory === null) return -1
  const missing = whole * columns.length - memory.buffer.byteLength
  if (missing > 0) {
    try {
      memory.grow(Math.ceil(missing / page))
    } catch (error) {
      if (error instanceof RangeError) return -1
      throw error
    }
  }
  columns.forEach((column, k) => new Uint8Array(memory!.buffer, k * whole, whole).set(column.subarray(0, whole)))
  return count(whole, ...columns.map((_, k) => k * whole))
}

function countOf(code: string): Count | null {
  if (typeof WebAssembly === 'undefined') return null
  try {
    memory ??= new WebAssembly.Memory({ initial: 1 })
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(code)), { host: { memory } })
    const made = exports['count']
    return typeof made === 'function' ? (n, ...columns) => Number(made(n, ...columns)) : null
  } catch (error) {
    // Where there are no vectors, no memory, or a page allows no module.
    if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError || error instanceof RangeError) return null
    throw error
  }
}
