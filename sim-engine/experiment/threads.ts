// Workers that are threads of this Node process.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createPool, type Hands } from './pool.ts'
import type { Evaluator, FromRunner, Runnable } from './protocol.ts'

/** `threads` 0: as many as the machine runs at once. `now`: a clock in milliseconds. */
export function createThreads(runnable: Runnable, threads: number, now: () => number): Evaluator {
  return createPool(runnable, threads === 0 ? availableParallelism() : threads, hire, now)
}

function hire(): Hands {
  const worker = new Worker(new URL('./thread.ts', import.meta.url))
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
