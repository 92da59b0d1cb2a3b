// Makes runs of an experiment in a browser worker: attaches itself to the port it was born with.
import { serveRuns, type FromRunner, type ToRunner } from './experiment.ts'

type Scope = {
  postMessage(message: FromRunner, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToRunner }) => void): void
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

const scope: unknown = globalThis
if (isScope(scope)) {
  const serve = serveRuns(message => scope.postMessage(message, []))
  scope.addEventListener('message', event => serve(event.data))
}
