// Runs spread over workers of this page.
import { createPool, type Evaluator, type FromRunner, type Hands, type Runnable } from '../../../sim-engine/experiment.ts'
import { startWorking } from '../../workers/start.ts'

/** How many runs are made at a time. `threads` 0: as many as the machine has, less one for the page. */
export const threadsOf = (threads: number): number =>
  threads === 0 ? Math.max(1, (navigator.hardwareConcurrency || 2) - 1) : Math.min(threads, 64)

export function createWorkers(runnable: Runnable, threads: number): Evaluator {
  return createPool(runnable, threadsOf(threads), hire, () => performance.now())
}

function hire(): Hands {
  const worker = startWorking('runs')
  return {
    send: message => worker.postMessage(message, []),
    listen(heard) {
      worker.addEventListener('message', (event: MessageEvent<FromRunner>) => heard(event.data))
      worker.addEventListener('messageerror', () => heard(null))
      worker.addEventListener('error', event => {
        event.preventDefault()
        heard(null)
      })
    },
    end: () => worker.terminate(),
  }
}
