// Learns in a browser worker: attaches itself to the port it was born with.
import { serveTraining, type FromTrainer, type ToTrainer } from '../experiment/learn/serve.ts'
import { inWorker } from './scope.ts'

inWorker<ToTrainer, FromTrainer>(scope =>
  serveTraining(
    message => scope.postMessage(message, []),
    () => scope.performance.now(),
  ),
)
