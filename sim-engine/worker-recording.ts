// Records forks in a browser worker: attaches itself to the port it was born with.
import { serveRecording, type FromRecorder, type ToRecorder } from './chain/fork/serve.ts'

type Scope = {
  postMessage(message: FromRecorder, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToRecorder }) => void): void
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

const scope: unknown = globalThis
if (isScope(scope)) {
  const serve = serveRecording(
    message => scope.postMessage(message, []),
    ms => new Promise(done => void setTimeout(done, ms)),
  )
  scope.addEventListener('message', event => serve(event.data))
}
