// Learns in a browser worker: attaches itself to the port it was born with.
import { serveTraining, type FromTrainer, type ToTrainer } from './experiment/learn/serve.ts'

type Scope = {
  postMessage(message: FromTrainer, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToTrainer }) => void): void
  performance: { now(): number }
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

const scope: unknown = globalThis
if (isScope(scope)) {
  const serve = serveTraining(
    message => scope.postMessage(message, []),
    () => scope.performance.now(),
  )
  scope.addEventListener('message', event => serve(event.data))
}
