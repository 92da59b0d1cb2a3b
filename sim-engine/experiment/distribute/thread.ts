// Makes runs of an experiment in a thread of Node: attaches itself to the port it was born with.
import { parentPort } from 'node:worker_threads'
import { serveRuns } from '../runner.ts'

const port = parentPort
if (port)
  port.on(
    'message',
    serveRuns(message => port.postMessage(message, [])),
  )
