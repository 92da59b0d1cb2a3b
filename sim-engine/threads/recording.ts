// Records forks in a browser worker: attaches itself to the port it was born with.
import { serveRecording, type FromRecorder, type ToRecorder } from '../chain/fork/serve.ts'
import { inWorker } from './scope.ts'

inWorker<ToRecorder, FromRecorder>(scope =>
  serveRecording(
    message => scope.postMessage(message, []),
    ms => new Promise(done => void setTimeout(done, ms)),
  ),
)
