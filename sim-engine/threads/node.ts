// Workers that are threads of this Node process.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createPool, type Hands } from '../experiment/distribute/pool.ts'
import type { FromRunner, Runnable, Workers } from '../experiment/protocol.ts'

export { engineHash } from '../experiment/engine.ts'

/** `threads` 0: as many as the machine runs at once. `now`: a clock in milliseconds. `heapMb`: most memory of each, as far as it is bounded here. */
export function createThreads(runnable: Runnable, threads: number, now: () => number, heapMb?: number): Workers {
  return createPool(runnable, threads === 0 ? availableParallelism() : threads, () => hire(heapMb), now)
}

function hire(heapMb: number | undefined): Hands {
  const worker = new Worker(
    new URL('../experiment/distribute/thread.ts', import.meta.url),
    heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } },
  )
  let ended = false
  return {
    send: message => worker.postMessage(message, []),
    listen(heard) {
      worker.on('message', (message: FromRunner) => heard(message))
      worker.on('error', () => heard(null))
      worker.on('exit', () => !ended && heard(null))
    },
    end() {
      ended = true
      void worker.terminate()
    },
  }
}
