// Processes with tokens as one module of WebAssembly: what lower/processes/process.ts makes of a program, with the functions of runtime/ it calls.
import { compiledModule, emitWasm } from '../../backends/wasm.ts'
import type { Program } from '../../compile.ts'
import type { Fn, Import, Program as IrProgram } from '../../ir.ts'
import { lowerProcesses } from '../../lower/processes/process.ts'
import type { LoweredProcesses } from '../../lower/lowered.ts'
import { convertIfs } from '../../passes/if-conversion.ts'
import { inline } from '../../passes/inline.ts'
import { originOf, specialise } from '../../passes/specialise.ts'
import { processes as runtimeText } from '../../runtime/generated.ts'
import * as rt from '../../runtime/processes.ts'

/** What all runs of a program share. */
export type Compiled = { readonly lowered: LoweredProcesses; readonly module: WebAssembly.Module; readonly spare: WebAssembly.Memory[] }

/** Nodes of functions that are inlined. */
const inlineLimit = 200
/** What is called seldom, or is large, stays out of the functions that run all the time. */
const rare: ReadonlySet<string> = new Set([
  'sinkFrom',
  'sinkFar',
  'cancel',
  'compact',
  'dropCancelled',
  'minusLogAhead',
  'lookOn',
  'look',
  'lookAgain',
  'come',
  'timerComes',
  'mayCome',
  'unwatch',
  'addWatch',
  'interrupt',
  'interruptedFor',
  'canAskOver',
  'regained',
  'cross',
  'wrap',
  'cellNear',
  'gatherNear',
  'sortNear',
])

/** Words with the addresses of the columns of run/tokens/tokens.ts. */
export const tokenWords = {
  pc: rt.T_PC,
  process: rt.T_PROCESS,
  owner: rt.T_OWNER,
  parent: rt.T_PARENT,
  link: rt.T_LINK,
  pending: rt.T_PENDING,
  joined: rt.T_JOINED,
  root: rt.T_ROOT,
  outer: rt.T_OUTER,
  holder: rt.T_HOLDER,
  depth: rt.T_DEPTH,
  firstChild: rt.T_FIRST_CHILD,
  nextSibling: rt.T_NEXT_SIBLING,
  previousSibling: rt.T_PREVIOUS_SIBLING,
  event: rt.T_EVENT,
  request: rt.T_REQUEST,
  until: rt.T_UNTIL,
  length: rt.T_LENGTH,
  born: rt.T_BORN,
  serial: rt.T_SERIAL,
  watching: rt.T_WATCHING,
  single: rt.T_SINGLE,
  flow: rt.T_FLOW,
  free: rt.SPARE,
  limbo: rt.LIMBO,
  gathered: rt.GATHERED,
  watched: rt.T_WATCHED,
  nextOwned: rt.T_NEXT_OWNED,
  previousOwned: rt.T_PREVIOUS_OWNED,
  index: rt.T_INDEX,
  suspended: rt.T_SUSPENDED,
} as const

const compiled = new WeakMap<Program, Compiled | null>()
/** Read once. */
let functions: readonly Fn[] | null = null

/** The runtime's functions as they were lowered. */
export function runtimeFunctions(): readonly Fn[] {
  if (functions) return functions
  const stored = JSON.parse(runtimeText) as (Omit<Fn, 'locals'> & { locals: [string, 'i32' | 'f64'][] })[]
  functions = stored.map(fn => ({ ...fn, locals: new Map(fn.locals) }))
  return functions
}

/** What the runtime and `arrive` ask of the host. */
const runtimeImports: readonly Import[] = [
  { name: 'rareLog', params: ['f64'], result: 'f64' },
  { name: 'cycle', params: ['i32', 'f64', 'f64'], result: 'f64' },
  { name: 'goOn', params: ['i32', 'i32'], result: 'i32' },
  { name: 'arriveOutside', params: [], result: 'i32' },
  { name: 'settle', params: [], result: 'void' },
  { name: 'observe', params: [], result: 'i32' },
  { name: 'lookOutside', params: ['i32'], result: 'void' },
  { name: 'lengthen', params: ['i32'], result: 'void' },
  { name: 'runningOf', params: ['i32'], result: 'i32' },
  { name: 'lineUp', params: ['i32', 'i32'], result: 'void' },
  { name: 'leave', params: ['i32'], result: 'i32' },
  { name: 'noteGiven', params: ['i32'], result: 'void' },
  { name: 'layBuckets', params: ['i32'], result: 'void' },
  { name: 'trackEmpty', params: ['i32'], result: 'void' },
  { name: 'sinFar', params: ['f64'], result: 'f64' },
  { name: 'cosFar', params: ['f64'], result: 'f64' },
]

/** The processes of a program as one typed program, after each pass by its name: for printing, and for the module. */
export function processProgram(
  lowered: LoweredProcesses,
): Readonly<Record<'lower' | 'specialise' | 'inline' | 'if-conversion', IrProgram>> {
  const runtime = runtimeFunctions().map(fn => ({ ...fn, isExported: fn.name === 'advance' }))
  const fns = new Map([...runtime, ...lowered.fns].map(fn => [fn.name, fn] as const))
  const lower: IrProgram = { fns, imports: [...runtimeImports, ...lowered.imports] }
  const special = specialise(lower, lowered.constants)
  const inlined = inline(special, inlineLimit, name => rare.has(originOf(name)))
  return { lower, specialise: special, inline: inlined, 'if-conversion': convertIfs(inlined) }
}

/** Whether a run of the program has gone on as WebAssembly. */
export const hasFastProcesses = (program: Program): boolean => (compiled.get(program) ?? null) !== null

/** Made once for all runs of a program; null where there is none. */
export function compiledOf(program: Program): Compiled | null {
  let known = compiled.get(program)
  if (known === undefined) {
    const lowered = lowerProcesses(program)
    const module = lowered && compiledModule(emitWasm(processProgram(lowered)['if-conversion']))
    known = lowered && module && { lowered, module, spare: [] }
    compiled.set(program, known)
  }
  return known
}
