// Fits networks to tables in a browser worker: attaches itself to the port it was born with.
import { serveFitting, type FromFitter, type ToFitter } from './learn/fit/serve.ts'

type Scope = {
  postMessage(message: FromFitter, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToFitter }) => void): void
  performance: { now(): number }
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

const scope: unknown = globalThis
if (isScope(scope)) {
  const serve = serveFitting(
    message => scope.postMessage(message, []),
    () => scope.performance.now(),
  )
  scope.addEventListener('message', event => serve(event.data))
}
