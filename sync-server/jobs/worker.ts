// A worker thread: does one job at a time and says how far it is.
import { parentPort } from 'node:worker_threads'
import { toldBy, type Words } from '../../model-schema/words.ts'
import { kinds } from './kinds.ts'
import type { KindName, Sharing } from './kinds.ts'

export type Task = {
  kind: KindName
  input: unknown
  file: string
  linked: string | null
  steps: number | null
  known: readonly unknown[]
  held: Uint8Array | null
  sharing: Sharing | null
}
export type Said =
  | { type: 'progress'; share: number; note: string }
  | { type: 'keep'; part: unknown }
  | { type: 'hold'; state: Uint8Array }
  /** By threads that this one has started, in milliseconds. */
  | { type: 'worked'; ms: number }
  | { type: 'done'; result: unknown }
  | { type: 'failed'; why: Words }

const say = (said: Said): void => parentPort?.postMessage(said, [])

const PROGRESS_MS = 250

parentPort?.on('message', ({ kind, ...task }: Task) => {
  let toldAt = 0
  const progress = (share: number, note = ''): void => {
    const now = performance.now()
    if (now - toldAt < PROGRESS_MS) return
    toldAt = now
    say({ type: 'progress', share, note })
  }
  let telling: NodeJS.Timeout | undefined
  let tell = (): void => {}
  const employ = (worked: () => number): void => {
    tell = () => say({ type: 'worked', ms: worked() })
    telling = setInterval(tell, PROGRESS_MS)
  }
  const over = (said: Said): void => {
    clearInterval(telling)
    tell()
    say(said)
  }
  kinds[kind].run(task, { progress, keep: part => say({ type: 'keep', part }), hold: state => say({ type: 'hold', state }), employ }).then(
    result => over({ type: 'done', result }),
    (error: unknown) => over({ type: 'failed', why: toldBy(error) }),
  )
})
