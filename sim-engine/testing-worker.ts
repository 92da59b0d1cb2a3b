// Runs the tests of a model in a browser worker: attaches itself to the port it was born with.
import { serveTests, type FromTester, type ToTester } from './testing.ts'

type Scope = {
  postMessage(message: FromTester, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToTester }) => void): void
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

const scope: unknown = globalThis
if (isScope(scope)) {
  // A message to itself comes after those that wait, and without the pause of a timer.
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.addEventListener('message', () => waiting.shift()?.())
  port1.start()
  const turn = (): Promise<void> =>
    new Promise(resolve => {
      waiting.push(resolve)
      port2.postMessage(null)
    })
  const serve = serveTests(message => scope.postMessage(message, []), turn)
  scope.addEventListener('message', event => void serve(event.data))
}
