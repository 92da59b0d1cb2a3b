// The transactions of a run, done again by the reference machine.
import { Timeline } from '../debug/timeline.ts'
import type { VerifyState } from '../messages.ts'
import { sliceMs, type WorkerHost } from './surroundings.ts'

/**
 * Makes the run so far once more, apart from the one that is shown, and then about `most` of its transactions by the reference
 * machine, in stretches of at most `sliceMs`. Reports its progress, then the verdicts or why there are none. Given up, silently,
 * once `isStale`.
 */
export async function verify(
  { program, origin }: Timeline,
  most: number,
  surroundings: WorkerHost,
  isStale: () => boolean,
  tell: (state: VerifyState) => void,
): Promise<void> {
  const pause = (): Promise<void> => new Promise(resolve => void surroundings.later(0, resolve))
  tell({ is: 'running', done: 0, of: 0 })
  let module: typeof import('../chain/reference/verify.ts')
  try {
    module = await import('../chain/reference/verify.ts')
  } catch (error) {
    return tell({ is: 'failed', why: 'not loaded', message: messageOf(error) })
  }
  try {
    const verification = new module.Verification(most)
    const again = new Timeline(program, origin.options, surroundings.now, verification.options)
    again.adopt({ ...origin, checkpoint: null, charts: new Map() })
    again.seek({ instants: origin.instants })
    for (let began = surroundings.now(); !again.work(() => verification.isFull || surroundings.now() - began >= sliceMs);) {
      if (verification.isFull || isStale()) break
      await pause()
      began = surroundings.now()
    }
    const verdicts = await verification.finish(async (done, of) => {
      tell({ is: 'running', done, of })
      await pause()
      if (isStale()) throw new RangeError('another model was loaded')
    })
    tell({ is: 'done', verdicts })
  } catch (error) {
    tell({ is: 'failed', why: 'broken', message: messageOf(error) })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300)
