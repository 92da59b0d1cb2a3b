// The page's end of the engine: a worker, or anything else that speaks the same protocol. The border is here alone:
// what a worker posts is trusted to be `FromEngine`, because it is built from the same sources.
import type { FromEngine, ToEngine } from '../../sim-engine/messages.ts'
// The bundler answers with the address of the script.
// oxlint-disable-next-line import/default
import script from '../../sim-engine/worker.ts?worker&url'
import { startWorker } from '../ui/worker.ts'

export type Transport = {
  post(message: ToEngine): void
  /** Called once, before the first `post`. `crashed` means that nothing more will be heard. */
  listen(heard: (message: FromEngine) => void, crashed: (reason: string) => void): void
  close(): void
}

/** Starts an engine in a module worker of its own. Throws where workers are not to be had. */
export function spawnEngine(): Transport {
  const worker = startWorker(script, 'engine')
  return {
    post: message => worker.postMessage(message, []),
    listen(heard, crashed) {
      worker.addEventListener('message', (event: MessageEvent<FromEngine>) => heard(event.data))
      worker.addEventListener('messageerror', () => crashed('unreadable message'))
      worker.addEventListener('error', event => {
        event.preventDefault()
        crashed(event.message || 'worker failed')
      })
    },
    close: () => worker.terminate(),
  }
}
