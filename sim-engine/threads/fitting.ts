// Fits networks to tables in a browser worker: attaches itself to the port it was born with.
import { serveFitting, type FromFitter, type ToFitter } from '../learn/fit/serve.ts'
import { inWorker } from './scope.ts'

inWorker<ToFitter, FromFitter>(scope =>
  serveFitting(
    message => scope.postMessage(message, []),
    () => scope.performance.now(),
  ),
)
