// Worker threads for jobs: made when needed, kept for the next, ended when their job is cancelled.
import { Worker } from 'node:worker_threads'
import type { Words } from '../../model-schema/words.ts'
import type { Said, Task } from './worker.ts'

/** How a job on a thread ended. `crashed`: the thread itself died, which another try may not. */
export type Ended =
  | { how: 'done'; result: unknown }
  | { how: 'failed'; why: Words }
  | { how: 'stopped' }
  | { how: 'crashed'; error: string }

export type Running = {
  readonly ended: Promise<Ended>
  stop(): void
  /** Time worked until now, in milliseconds, of its thread and those it has started: however many there are, an hour of work is an hour. */
  worked(): number
}

/** Memory of one job, in MB. */
const HEAP_MB = 1024

/** The receiver of the job's messages. */
type Heard = { progress(share: number, note: string): void; keep(part: unknown): void; hold(state: Uint8Array): void }

export class Pool {
  readonly #idle: Worker[] = []
  readonly #all = new Set<Worker>()

  run(task: Task, { progress, keep, hold }: Heard): Running {
    const worker = this.#idle.pop() ?? this.#made()
    worker.ref()
    let stop = (): void => {}
    // Read from outside, so that a thread that does not come to say anything counts, too.
    const active = (): number => worker.performance.eventLoopUtilization().active
    const before = active()
    let others = 0
    let total: number | null = null
    const worked = (): number => total ?? Math.max(0, active() - before) + others
    const ended = new Promise<Ended>(done => {
      let isOver = false
      const hear = (said: Said): void => {
        if (said.type === 'progress') progress(said.share, said.note)
        else if (said.type === 'keep') keep(said.part)
        else if (said.type === 'hold') hold(said.state)
        else if (said.type === 'worked') others = said.ms
        else if (said.type === 'done') end({ how: 'done', result: said.result }, true)
        else end({ how: 'failed', why: said.why }, true)
      }
      const crash = (error: Error): void => end({ how: 'crashed', error: error.message }, false)
      const exit = (code: number): void => end({ how: 'crashed', error: `the thread ended with ${code}` }, false)
      const end = (how: Ended, isReusable: boolean): void => {
        // The thread may have another job by now.
        if (isOver) return
        isOver = true
        total = worked()
        worker.off('message', hear).off('error', crash).off('exit', exit)
        if (isReusable) {
          worker.unref()
          this.#idle.push(worker)
        } else {
          this.#all.delete(worker)
          void worker.terminate()
        }
        done(how)
      }
      worker.on('message', hear).on('error', crash).on('exit', exit)
      stop = () => end({ how: 'stopped' }, false)
    })
    worker.postMessage(task, [])
    return { ended, stop: () => stop(), worked }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map(worker => worker.terminate()))
    this.#all.clear()
    this.#idle.length = 0
  }

  #made(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    this.#all.add(worker)
    // Events while it has no job are ignored.
    worker.on('error', () => {})
    worker.once('exit', () => {
      this.#all.delete(worker)
      const at = this.#idle.indexOf(worker)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return worker
  }
}
