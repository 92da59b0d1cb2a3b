// The recorded run of a publication: made here once, from the current file; its fingerprint is sent to the server, which repeats the run.
import type { HoloFile } from '../../../model-schema/file.ts'
import { modelOfFile } from '../../../model-schema/file.ts'
import { spawnEngine, type Transport } from '../../run/engine.ts'

export class RecordError extends Error {}

/** The fingerprint of the world at the end of the run. Rejects when the model has problems, fails, or `signal` gives up. */
export function recordRun(
  file: HoloFile,
  { scenario, seed, ticks }: { scenario: string; seed: number; ticks: number },
  signal: AbortSignal,
  spawn: () => Transport = spawnEngine,
): Promise<string> {
  const engine = spawn()
  const made = new Promise<string>((done, fail) => {
    signal.addEventListener('abort', () => fail(new RecordError('aborted')))
    engine.listen(
      message => {
        if (message.is === 'loaded') engine.post({ do: 'play', speed: null })
        else if (message.is === 'frame') engine.post({ do: 'drawn' })
        else if (message.is === 'problems' || message.is === 'broken') fail(new RecordError(message.is))
        else if (message.is === 'ended') {
          const { result, hash } = message.summary
          if (result.end === 'failed') fail(new RecordError('failed'))
          else done(hash)
        }
      },
      reason => fail(new RecordError(reason)),
    )
    engine.post({ do: 'load', load: 1, model: modelOfFile(file), scenario, options: { seed, ticks } })
  })
  return made.finally(() => engine.close())
}
