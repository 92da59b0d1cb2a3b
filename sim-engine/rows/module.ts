// Ticks of processes without tokens as a module of WebAssembly: what lower/rows.ts makes of a program, with the functions of runtime/ it
// calls.
import { emitWasm } from '../backends/wasm.ts'
import type { Program } from '../compile.ts'
import * as ir from '../ir.ts'
import type { Fn, Import, Program as IrProgram } from '../ir.ts'
import { lowerRows } from '../lower/rows.ts'
import type { LoweredRows } from '../lower/rows.ts'
import type { RowMemory } from '../lower/row-memory.ts'
import { hoist } from '../passes/hoist.ts'
import { convertIfs } from '../passes/if-conversion.ts'
import { inline } from '../passes/inline.ts'
import { originOf, specialise } from '../passes/specialise.ts'
import { runtimeFunctions } from '../run/fast/process-module.ts'
import { NotLowered } from '../lower/scope.ts'

export type RowsModule = {
  readonly memory: RowMemory
  /** Those of its arrays that are looked at. */
  readonly arrays: RowMemory['arrays']
  readonly top: number
  /** Populations with births or deaths. */
  readonly changing: ReadonlySet<number>
  /** Numbers it takes for granted, by their paths. */
  readonly assumed: ReadonlyMap<string, number>
  readonly outside: LoweredRows['outside']
  readonly loops: LoweredRows['loops']
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What the runtime asks of the host. */
const runtimeImports: readonly Import[] = [
  { name: 'rareLog', params: ['f64'], result: 'f64' },
  { name: 'widen', params: ['i32'], result: 'void' },
  { name: 'trackEmpty', params: ['i32'], result: 'void' },
  { name: 'layBuckets', params: ['i32'], result: 'void' },
  { name: 'widenLinks', params: ['i32', 'i32'], result: 'void' },
  { name: 'lengthen', params: ['i32'], result: 'void' },
  { name: 'lengthenLists', params: ['i32'], result: 'void' },
  { name: 'sinFar', params: ['f64'], result: 'f64' },
  { name: 'cosFar', params: ['f64'], result: 'f64' },
  { name: 'atan2Far', params: ['f64', 'f64'], result: 'f64' },
]
/** Those that make room: arrays lie elsewhere afterwards. */
const moving = ['widen', 'widenLinks', 'trackEmpty', 'layBuckets', 'dying', 'lengthenLists']
/** Nodes of functions that are inlined. */
const inlineLimit = 200
/** What is called seldom stays out of the loops, for whatever constants it is made. */
const rare: ReadonlySet<string> = new Set([
  'settlePopulation',
  'cross',
  'wrap',
  'cellNear',
  'minusLog',
  'standardNormal',
  'copyAll',
  'someOf',
  'pickRandom',
  'shuffled',
  'enlargeBlock',
  'releaseBlock',
  'removeLink',
])

type RowsProgram = Pick<LoweredRows, 'memory' | 'top' | 'changing' | 'reasons' | 'outside' | 'loops'> & {
  /** After each pass, by its name. */
  readonly passes: Readonly<Record<'lower' | 'specialise' | 'inline' | 'if-conversion' | 'hoist', IrProgram>>
  readonly assumed: ReadonlyMap<string, number>
}

/** The typed program of a program's ticks, or why there is none. `valueOf` gives numbers that may be taken for granted, by path. */
export function rowsProgram(
  program: Program,
  looped: ReadonlySet<number>,
  valueOf: ((path: string) => number) | null = null,
): RowsProgram | NotLowered {
  const lowered = lowerRows(program, looped)
  if (lowered instanceof NotLowered) return lowered
  const { fns, called, memory, top, changing, reasons, outside, loops } = lowered
  const all = new Map([...runtimeFunctions(), ...called, ...fns].map(fn => [fn.name, fn] as const))
  const lower: IrProgram = { fns: all, imports: [...runtimeImports, ...memory.imports] }
  const cells = [...memory.cells.keys()].flatMap(p => [`cells${p}`, `commitCells${p}`])
  const acts = outside.map((_, k) => `outside${k}`)
  const { assumed, known } = granted(memory, callsEmptyCells([...fns, ...called]), valueOf)
  const special = specialise(lower, known)
  // Each loop stays a function: one large function takes longer to compile and runs no faster (decision 0007).
  const own = new Set(fns.map(({ name }) => name))
  const inlined = inline(special, inlineLimit, name => own.has(name) || rare.has(originOf(name)))
  const chosen = convertIfs(inlined)
  const hoisted = hoist(chosen, memory.addressWords, new Set([...moving, ...cells, ...acts]))
  const passes = { lower, specialise: special, inline: inlined, 'if-conversion': chosen, hoist: hoisted }
  return { passes, memory, top, changing, reasons, outside, loops, assumed }
}

/** Who asks for an empty cell makes a space list them. */
function callsEmptyCells(fns: readonly Fn[]): boolean {
  let does = false
  for (const { body } of fns)
    ir.visit(body, {
      expr(e) {
        does ||= e.kind === 'call' && e.fn === 'randomEmptyCell'
      },
    })
  return does
}

function granted(
  memory: RowMemory,
  listsEmpty: boolean,
  valueOf: ((path: string) => number) | null,
): { assumed: ReadonlyMap<string, number>; known: ReadonlyMap<number, number> } {
  const assumed = new Map<string, number>()
  const known = new Map<number, number>()
  if (valueOf)
    for (const [path, at] of memory.steady) {
      if (listsEmpty && path.startsWith('Z')) continue
      const value = valueOf(path)
      assumed.set(path, value)
      known.set(at, value)
    }
  return { assumed, known }
}

export function rowsModule(
  program: Program,
  looped: ReadonlySet<number>,
  valueOf: ((path: string) => number) | null,
): RowsModule | NotLowered {
  const made = rowsProgram(program, looped, valueOf)
  if (made instanceof NotLowered) return made
  const {
    memory,
    top,
    changing,
    assumed,
    outside,
    loops,
    passes: { hoist: after },
  } = made
  return { memory, arrays: mentioned(after, memory), top, changing, assumed, outside, loops, bytes: emitWasm(after) }
}

/** Arrays that a program reads by words or hands over by their record, and those it shares with cells. */
function mentioned({ fns }: IrProgram, memory: RowMemory): RowMemory['arrays'] {
  const words = new Set<number>()
  const numbers = new Set<number>()
  for (const { body } of fns.values())
    ir.visit(body, {
      expr(e) {
        if (e.kind === 'load' && e.address.kind === 'const') words.add(e.address.value + e.offset)
        if (e.kind === 'const' && e.type === 'i32') numbers.add(e.value)
      },
    })
  const shared = new Set([...memory.cells.values()].flatMap(({ now, next }) => [...now, ...next]))
  const handed = memory.records.filter(([from, to]) => [...numbers].some(number => number >= from && number < to))
  return new Map(
    [...memory.arrays].filter(
      ([path, { word }]) => words.has(word) || shared.has(path) || handed.some(([from, to]) => word >= from && word < to),
    ),
  )
}
