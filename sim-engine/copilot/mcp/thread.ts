// Executes the tools of `holarchy mcp` in a worker thread. The main thread stays free to report progress and to cancel a running tool.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Asker } from './mcp.ts'
import type { ToolAnswer } from '../session.ts'
import { flagOf, type StopFlag } from './stop.ts'

/** The files a thread works on, and whether it may write proposals next to them. */
export type Served = { readonly paths: readonly string[]; readonly writes: boolean }

/** A tool asked of a file. `client`: the name of the program that asks, as proposals give it. */
export type Asked = { readonly path: string; readonly client: string; readonly name: string; readonly given: unknown }

/** To the thread. */
export type ToThread = { readonly id: number; readonly asked: Asked; readonly stop: StopFlag }
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
    const { stop, letGo } = flagOf(asker.signal)
    try {
      return await new Promise<ToolAnswer>(done => {
        this.#waiting.set(id, { asker, done })
        const message: ToThread = { id, asked, stop }
        ;(this.#worker ??= this.#begin()).postMessage(message, [])
      })
    } finally {
      this.#waiting.delete(id)
      letGo()
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #begin(): Worker {
    const worker = new Worker(new URL('../../threads/copilot-tools.ts', import.meta.url), { workerData: this.#served })
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
