// The script of the page's run: in a worker of its own the engine attaches itself to the port it was born with.
import type { FromEngine, ToEngine } from '../messages.ts'
import { Engine } from '../worker/engine.ts'
import { inWorker } from './scope.ts'

export { Engine }

inWorker<ToEngine, FromEngine>(scope => {
  const engine = new Engine((message, transfer) => scope.postMessage(message, transfer))
  return message => engine.receive(message)
})
