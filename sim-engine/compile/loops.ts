// Queries over entities as loops over columns: no array of handles is made. Absent forms fall back to the query's value.
import type { EntityLoop } from '../formula.ts'
import type { Emitter } from './emitter.ts'

/** A loop statement for the query, or undefined to iterate its value. */
export function entityLoop(_emitter: Emitter, _loop: EntityLoop): string | undefined {
  return undefined
}
