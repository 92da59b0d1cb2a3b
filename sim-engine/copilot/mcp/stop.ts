// A flag that stops a tool in another thread: memory that both threads see, as a busy thread receives no messages.
import type { Watch } from '../trials.ts'

/** One number that is not 0 once the tool is to stop. */
export type StopFlag = Int32Array<SharedArrayBuffer>

/** A flag that rises with a signal, until it is let go. */
export function flagOf(signal: AbortSignal): { readonly stop: StopFlag; letGo(): void } {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const raise = (): void => void Atomics.store(stop, 0, 1)
  if (signal.aborted) raise()
  signal.addEventListener('abort', raise)
  return { stop, letGo: () => signal.removeEventListener('abort', raise) }
}

/** The watch of a tool that is executed until the flag rises. */
export const watchBy = (stop: StopFlag, progress: Watch['progress']): Watch => ({ progress, stopped: () => Atomics.load(stop, 0) !== 0 })
