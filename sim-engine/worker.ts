// The script of the page's run: in a worker of its own the engine attaches itself to the port it was born with.
import type { FromEngine, ToEngine } from './messages.ts'
import { Engine } from './worker/engine.ts'

export { Engine }

const port: unknown = globalThis
if (isWorkerScope(port)) {
  const engine = new Engine((message, transfer) => port.postMessage(message, transfer))
  port.addEventListener('message', event => engine.receive(event.data))
}

type WorkerScope = {
  postMessage(message: FromEngine, transfer: ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToEngine }) => void): void
}

function isWorkerScope(scope: unknown): scope is WorkerScope {
  return typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope
}
