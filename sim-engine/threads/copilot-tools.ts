// The thread of copilot/mcp/thread.ts: executes one tool after the other.
import { parentPort, workerData } from 'node:worker_threads'
import { forksOf } from '../copilot/mcp/files.ts'
import type { FromThread, ToThread } from '../copilot/mcp/thread.ts'
import { watchBy } from '../copilot/mcp/stop.ts'

const port = parentPort
const use = forksOf(workerData, () => Date.now())
const tell = (from: FromThread): void => port?.postMessage(from, [])
let before: Promise<unknown> = Promise.resolve()

port?.on('message', ({ id, asked, stop }: ToThread) => {
  const watch = watchBy(stop, share => tell({ id, share }))
  before = before.then(async () => tell({ id, answer: await use(asked, watch) }))
})
