// The page's end of the engine: a worker, or anything else that speaks the same protocol. The border is here alone:
// what a worker posts is trusted to be `FromEngine`, because it is built from the same sources.
import { plainModel } from '../../model-schema/model.ts'
import type { FromEngine, ToEngine } from '../../sim-engine/messages.ts'
// The bundler answers with the address of the script.
// oxlint-disable-next-line import/default
import script from '../../sim-engine/threads/simulation.ts?worker&url'
import { startCompiling } from '../ui/worker.ts'

export type Transport = {
  post(message: ToEngine): void
  /** Called once, before the first `post`. `crashed` means that nothing more will be heard. */
  listen(heard: (message: FromEngine) => void, crashed: (reason: string) => void): void
  close(): void
}

/** Starts an engine in a module worker of its own. Throws where workers are not to be had. */
export function spawnEngine(): Transport {
  const worker = startCompiling(script, 'engine')
  return {
    post: message => worker.post('model' in message ? { ...message, model: plainModel(message.model) } : message),
    listen: (heard, crashed) => worker.listen((event: MessageEvent<FromEngine>) => heard(event.data), crashed),
    close: worker.close,
  }
}
