// The port a browser worker was born with.

type WorkerScope<In, Out> = {
  postMessage(message: Out, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: In }) => void): void
  performance: { now(): number }
}

function isWorkerScope<In, Out>(scope: unknown): scope is WorkerScope<In, Out> {
  return typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope
}

/** In a worker, hands each message to what `serve` makes; elsewhere it does nothing. */
export function inWorker<In, Out>(serve: (scope: WorkerScope<In, Out>) => (message: In) => unknown): void {
  const scope: unknown = globalThis
  if (!isWorkerScope<In, Out>(scope)) return
  const hear = serve(scope)
  scope.addEventListener('message', event => void hear(event.data))
}
