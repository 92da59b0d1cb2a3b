// The worker a page checks in, as `check.ts` measures it: answers each message with how long the thread worked for it.
import { parentPort } from 'node:worker_threads'
import { Engine } from '../../sim-engine/threads/simulation.ts'
import { worked } from './figure.ts'

const engine = new Engine(() => {})
parentPort?.on('message', message =>
  parentPort?.postMessage(
    worked(() => engine.receive(message)),
    [],
  ),
)
