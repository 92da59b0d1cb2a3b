// What processes as WebAssembly ask of the host, step by step: library functions, lists that never change.
import type { FailurePlace, LibraryCall } from '../../lower/processes/memory.ts'
import { RunError } from '../../problems.ts'
import * as spaces from '../../runtime/spaces.ts'
import type { SpacePart } from '../../check/parts.ts'
import type { Built } from '../build.ts'

/** An error that knows no place yet is at this one. */
function placed<T>({ id, field }: { readonly id: string; readonly field: string }, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof RunError) error.at ??= { id, field }
    throw error
  }
}

/** Looks something up in a shared list, at a position that is not simply one of its own. */
export const itemsOf =
  ({ item }: Built, places: readonly FailurePlace[]) =>
  (variable: number, position: number, place: number): number => {
    const at = places[place]!
    return placed(at, () => item(variable, position, at.from!, at.to!))
  }

/** A library function; `words` are those of the memory that holds the streams. */
export function libraryOf(
  { runtime }: Built,
  { name, draws, given, at }: LibraryCall,
  words: () => Int32Array<ArrayBuffer>,
): (...numbers: number[]) => number {
  const call = Reflect.get(runtime, name) as (...args: unknown[]) => unknown
  // Made once: what is handed over each time takes the places of numbers.
  const args: unknown[] = [...(draws === null ? [] : [null]), ...given.map(() => null), at.from, at.to]
  const first = draws === null ? 0 : 1
  const places = given.flatMap((isGiven, place) => (isGiven ? [first + place] : []))
  let memory: Int32Array | null = null
  return (...numbers) => {
    const now = words()
    if (draws !== null && memory !== now) {
      memory = now
      args[0] = now.subarray(draws >> 2, (draws >> 2) + 4)
    }
    for (let n = 0; n < places.length; n++) args[places[n]!] = numbers[n]
    return placed(at, () => Number(call(...args)))
  }
}

/** How wide spaces and their buckets are. */
export function layOutSpaces({ world }: Built, all: ReadonlyMap<SpacePart, number>, F64: Float64Array, I32: Int32Array): void {
  for (const [{ index }, at] of all) {
    const space = world.space(index)
    F64[(at + spaces.LOW_X) >> 3] = space.lowX
    F64[(at + spaces.LOW_Y) >> 3] = space.lowY
    F64[(at + spaces.MIN_X) >> 3] = space.minX
    F64[(at + spaces.MIN_Y) >> 3] = space.minY
    F64[(at + spaces.MAX_X) >> 3] = space.maxX
    F64[(at + spaces.MAX_Y) >> 3] = space.maxY
    F64[(at + spaces.GRID_X) >> 3] = space.grid.minX
    F64[(at + spaces.GRID_Y) >> 3] = space.grid.minY
    I32[(at + spaces.COLUMNS) >> 2] = space.grid.columns
    I32[(at + spaces.ROWS_OF_CELLS) >> 2] = space.grid.rows
    I32[(at + spaces.CELLS) >> 2] = space.grid.size
    F64[(at + spaces.WIDTH) >> 3] = space.width
    F64[(at + spaces.HEIGHT) >> 3] = space.height
    F64[(at + spaces.SIDE_X) >> 3] = space.bucketSideX
    F64[(at + spaces.SIDE_Y) >> 3] = space.bucketSideY
    I32[(at + spaces.BUCKET_COLUMNS) >> 2] = space.bucketColumns
    I32[(at + spaces.BUCKET_ROWS) >> 2] = space.bucketRows
  }
}
