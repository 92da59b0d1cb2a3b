// Rows as WebAssembly: whole ticks of a run in which all processes are rows, on copies of the arrays they mention.
// Between `leave` and `enter` the world has its usual state.
import type { Program } from './compile.ts'
import { NativeRows } from './rows/driver.ts'
import type { Built } from './run/build.ts'

export { hasNativeRows } from './rows/driver.ts'
export { activationsOf } from './rows/work.ts'
export type { NativeRows } from './rows/driver.ts'

/** null where a program has none: anything but rows acts in its ticks, or they say what isn't known how to lower. After `populate`. */
export function nativeRows(program: Program, built: Built): NativeRows | null {
  return NativeRows.of(program, built)
}
