// Run -> Frame: what the views draw. Reads only.
import type { Frame, Loaded } from './messages.ts'
import type { Run } from './run.ts'

export declare function observe(run: Run): Frame
/** What stays the same for a whole load. */
export declare function describe(run: Run, load: number): Loaded
