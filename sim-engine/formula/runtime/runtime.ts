// The functions generated code calls (parameter `F`).
import type { World } from './world.ts'

export type { World } from './world.ts'

export type Runtime = {
  /** Remaining loop iterations and calls, `fuel[0]`; generated code counts it down, 10034 below zero. */
  readonly fuel: Float64Array
  /** Fills the fuel: before each activation of a formula or process. */
  refuel(): void
}

export function createRuntime(_world: World): Runtime {
  throw new Error('formula runtime: not built yet')
}
