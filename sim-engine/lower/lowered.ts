// What lowering makes of processes: functions, and what their memory has to hold.
import type { ContainerPart, EntityPart, SpacePart, StepPart, VariablePart } from '../check/parts.ts'
import type * as ir from '../ir.ts'
import type { Fn } from '../ir.ts'
import type { BuiltinColumn, Bundle, FailurePlace, LibraryCall, ProcessMemory, Settling } from './processes/memory.ts'
import type { WorldWords } from './processes/world-words.ts'
import type { NotLowered } from './scope.ts'

/** Processes as functions, and where in the head of the memory they look for what. Addresses are in bytes. */
export type LoweredProcesses = {
  readonly fns: readonly Fn[]
  readonly imports: readonly ir.Import[]
  readonly places: readonly FailurePlace[]
  readonly libraries: readonly LibraryCall[]
  /** By position, and by process: 1 where the functions know how to go on; 3 where a caller does that gets nothing back. */
  readonly known: Uint8Array
  readonly starts: Uint8Array
  /** Whether tokens that watch conditions can go on. */
  readonly looks: boolean
  /** Words of memory that never change, by address. */
  readonly constants: ReadonlyMap<number, number>
  /** Populations whose individuals each tick gives a token, once for each process; null where there is no function of one tick. */
  readonly ticks: readonly number[] | null
  readonly streams: ReadonlyMap<string, number>
  readonly shared: ReadonlyMap<VariablePart, number>
  readonly fired: ReadonlyMap<number, number>
  readonly containers: ReadonlyMap<ContainerPart, number>
  /** Units of several containers that are requested at once, by address. */
  readonly bundles: ReadonlyMap<number, Bundle>
  /** Words that hold addresses: of token columns by number, of properties. */
  readonly tokenColumns: ReadonlyMap<number, number>
  readonly properties: ReadonlyMap<VariablePart, number>
  /** Numbers that never change. */
  readonly tables: ProcessMemory['tables']
  readonly builtins: readonly (BuiltinColumn & { readonly word: number })[]
  /** Records of populations. */
  readonly populations: ReadonlyMap<EntityPart, number>
  /** Those of cells, which say nothing but how many there are. */
  readonly cells: ReadonlyMap<EntityPart, number>
  /** Words with the addresses of next values of cells. */
  readonly nexts: ReadonlyMap<VariablePart, number>
  readonly arrays: WorldWords['arrays']
  readonly numbers: WorldWords['numbers']
  /** The record of the list that formulas keep theirs in; null where they keep none. */
  readonly listAt: number | null
  readonly residents: ReadonlyMap<EntityPart, number>
  readonly spaces: ReadonlyMap<SpacePart, number>
  /** Newborns' places, and what the dead leave: functions of the host. */
  readonly settlings: readonly Settling[]
  /** The words of the two tables above it, and where free memory begins. */
  readonly knownAt: number
  readonly startsAt: number
  readonly top: number
  /** Why a step goes the general way. */
  readonly reasons: ReadonlyMap<StepPart, NotLowered>
  /** Why some tokens go the general way at a step that is lowered. */
  readonly exceptions: ReadonlyMap<StepPart, NotLowered>
}
