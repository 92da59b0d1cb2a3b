// Runs spread over workers of this page.
import { createPool, type Evaluator, type FromRunner, type Hands, type Runnable } from '../../sim-engine/experiment.ts'

/** `threads` 0: as many as the machine has, less one for the page. */
export function createWorkers(runnable: Runnable, threads: number): Evaluator {
  const most = Math.max(1, (navigator.hardwareConcurrency || 2) - 1)
  return createPool(runnable, threads === 0 ? most : Math.min(threads, 64), hire, () => performance.now())
}

function hire(): Hands {
  const worker = new Worker(new URL('../../sim-engine/experiment-worker.ts', import.meta.url), { type: 'module', name: 'runs' })
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
