// The threads that execute tools for programs: one for each token that is in use, a few at a time, ended when they take too long or are used no more.
import { Worker } from 'node:worker_threads'
import { flagOf, type Asker } from '../../sim-engine/copilot/doors/mcp.ts'
import type { ToolDone, ToolProgress, ToolTask } from './tool-thread.ts'

/** Threads at a time, requests that wait for one, memory of one in MB, and milliseconds of one tool and until an idle thread ends. */
const BOUNDS = { threads: 4, waiting: 8, heapMb: 512, toolMs: 60_000, idleMs: 5 * 60_000 } as const

/** What is known of a fork in a thread: the state of the document it was made of, and whether it has edits that were not offered. */
export type Fork = { readonly state: string; readonly isDirty: boolean }

type Held = {
  readonly worker: Worker
  readonly forks: Map<string, Fork>
  tail: Promise<unknown>
  waiting: number
  idle: NodeJS.Timeout | undefined
}

export class ToolThreads {
  readonly #held = new Map<string, Held>()

  /** What there is of a file's fork. */
  forkOf(token: string, file: string): Fork | undefined {
    return this.#held.get(token)?.forks.get(file)
  }

  /** Executes after what this token asked before; what is asked is made only then. Null when there is too much to do. */
  async use(token: string, asker: Asker, make: () => Promise<Omit<ToolTask, 'stop'>>): Promise<ToolDone | 'failed' | null> {
    const held = this.#held.get(token) ?? this.#begin(token)
    if (!held || held.waiting >= BOUNDS.waiting) return null
    held.waiting++
    clearTimeout(held.idle)
    const came = held.tail.then(async () => this.#execute(token, held, await make(), asker))
    held.tail = came.catch(() => undefined)
    try {
      return await came
    } finally {
      held.waiting--
      if (held.waiting === 0) held.idle = setTimeout(() => this.end(token), BOUNDS.idleMs).unref()
    }
  }

  /** Notes the state that a fork agrees with. */
  note(token: string, file: string, fork: Fork): void {
    this.#held.get(token)?.forks.set(file, fork)
  }

  end(token: string): void {
    const held = this.#held.get(token)
    this.#held.delete(token)
    clearTimeout(held?.idle)
    void held?.worker.terminate()
  }

  close(): void {
    for (const token of this.#held.keys()) this.end(token)
  }

  #begin(token: string): Held | null {
    if (this.#held.size >= BOUNDS.threads) {
      const idle = [...this.#held].find(([, { waiting }]) => waiting === 0)
      if (!idle) return null
      this.end(idle[0])
    }
    const worker = new Worker(new URL('./tool-thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: BOUNDS.heapMb } })
    worker.unref()
    const held: Held = { worker, forks: new Map(), tail: Promise.resolve(), waiting: 0, idle: undefined }
    this.#held.set(token, held)
    return held
  }

  async #execute(token: string, held: Held, task: Omit<ToolTask, 'stop'>, { signal, progress }: Asker): Promise<ToolDone | 'failed'> {
    if (this.#held.get(token) !== held) return 'failed'
    const { worker } = held
    const { stop, letGo } = flagOf(signal)
    const came = await new Promise<ToolDone | 'failed'>(done => {
      const timer = setTimeout(() => end('failed'), BOUNDS.toolMs)
      const hear = (message: ToolDone | ToolProgress): void => ('share' in message ? progress(message.share) : end(message))
      const end = (how: ToolDone | 'failed'): void => {
        clearTimeout(timer)
        letGo()
        worker.off('message', hear).off('error', fail).off('exit', fail)
        done(how)
      }
      const fail = (): void => end('failed')
      worker.on('message', hear).on('error', fail).on('exit', fail)
      worker.postMessage({ ...task, stop }, [])
    })
    if (came === 'failed' && this.#held.get(token) === held) this.end(token)
    return came
  }
}
