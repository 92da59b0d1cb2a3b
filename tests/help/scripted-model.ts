// What a talk of the copilot needs where there is neither a worker nor a server: the tools on this thread, and a language model that
// answers by a script.
import type { StartBench } from '../../client/copilot/toolbox.ts'
import { toolBench } from '../../client/copilot/tools-worker.ts'
import type { Call } from '../../client/copilot/wire.ts'
import type { Message, ModelEvent } from '../../sim-engine/copilot/doors/dialogue.ts'

/** One answer: text, then calls of tools. The text `never` comes only when the call is stopped. */
export type Says = { text?: string; uses?: [name: string, given: object][]; fault?: ModelEvent & { is: 'fault' } }

/** The tools of the worker, without a worker. */
export const bench: StartBench = heard => {
  const use = toolBench()
  return { post: asked => queueMicrotask(() => heard(use(asked))), close: () => undefined }
}

/** A model that gives the answers of `script` in turn, and `usual` when there is none left; `calls`: what it was sent. */
export function scriptedModel(usual: string) {
  const script: Says[] = []
  const calls: (Call & { messages: readonly Message[] })[] = []
  async function* call(given: Call, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    calls.push(structuredClone(given))
    const says = script.shift() ?? { text: usual }
    if (says.text === 'never') await new Promise(done => signal.addEventListener('abort', done))
    if (signal.aborted) return
    if (says.fault) return void (yield says.fault)
    if (says.text !== undefined) yield { is: 'text', text: says.text }
    for (const [i, [name, args]] of (says.uses ?? []).entries())
      yield { is: 'use', use: { id: `u${calls.length}_${i}`, name, given: JSON.stringify(args) } }
    yield { is: 'usage', tokensIn: 100, tokensOut: 10 }
    yield { is: 'end', why: says.uses ? 'tools' : 'answer' }
  }
  return { script, calls, call }
}
