// Executes the tools of `holarchy mcp` in a worker thread. The main thread stays free to report progress and to cancel a running tool.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Asker } from './mcp.ts'
import type { ToolAnswer } from './session.ts'

/** The files a thread works on, and whether it may write proposals beside them. */
export type Served = { readonly paths: readonly string[]; readonly writes: boolean }

/** A tool asked of a file. `client`: the name of the program that asks, as proposals give it. */
export type Asked = { readonly path: string; readonly client: string; readonly name: string; readonly given: unknown }

/** To the thread. `stop`: one number that is not 0 once the tool is to stop. */
export type ToThread = { readonly id: number; readonly asked: Asked; readonly stop: Int32Array<SharedArrayBuffer> }
export type FromThread = { readonly id: number } & ({ readonly share: number } | { readonly answer: ToolAnswer })

type Waiting = { readonly asker: Asker; readonly done: (answer: ToolAnswer) => void }

/** Tools are executed one after the other; a thread that fails takes its forks with it, and the next tool begins another. */
export class ToolThread {
  readonly #served: Served
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #asked = 0

  constructor(served: Served) {
    this.#served = served
  }

  async use(asked: Asked, asker: Asker): Promise<ToolAnswer> {
    const id = ++this.#asked
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const cancel = (): void => void Atomics.store(stop, 0, 1)
    if (asker.signal.aborted) cancel()
    asker.signal.addEventListener('abort', cancel)
    try {
      return await new Promise<ToolAnswer>(done => {
        this.#waiting.set(id, { asker, done })
        const message: ToThread = { id, asked, stop }
        ;(this.#worker ??= this.#begin()).postMessage(message, [])
      })
    } finally {
      this.#waiting.delete(id)
      asker.signal.removeEventListener('abort', cancel)
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #begin(): Worker {
    const worker = new Worker(new URL('../cli-tools.ts', import.meta.url), { workerData: this.#served })
    worker.on('message', (from: FromThread) => {
      const waiting = this.#waiting.get(from.id)
      if ('share' in from) waiting?.asker.progress(from.share)
      else waiting?.done(from.answer)
    })
    const failed = once(worker, 'exit').catch((error: unknown) => error)
    void failed.then(reason => {
      this.#worker = null
      const why = `The tool failed${reason instanceof Error ? ` (${reason.message})` : ''}. The fork and its edits are gone: begin again.`
      for (const { done } of this.#waiting.values()) done({ ok: false, why })
    })
    return worker
  }
}
