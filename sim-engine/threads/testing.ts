// Runs the tests of a model in a browser worker: attaches itself to the port it was born with.
import { serveTests, type FromTester, type ToTester } from '../testing.ts'
import { inWorker } from './scope.ts'

inWorker<ToTester, FromTester>(scope => {
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
  return serveTests(message => scope.postMessage(message, []), turn)
})
