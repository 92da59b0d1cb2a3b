// A what-if: a second run that began where the first stood, with an engine of its own. It plays when the first plays and
// goes to the same tick when that stands, so that both can be held against each other.
import type { StoreApi } from 'zustand'
import type { Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import type { Run, RunView } from './run.ts'

export type Fork = {
  readonly run: Run
  /** The tick it began at. */
  readonly tick: number
  end(): void
}

/** Opens `run`, which begins where `first` stands now, and keeps it beside it. */
export function begunFork(first: StoreApi<RunView>, run: Run, inputs: Readonly<Record<Id, Plain>>): Fork {
  const tick = first.getState().frame?.tick ?? 0
  run.setState({ inputs })
  const close = run.open()
  const stop = first.subscribe((now, before) => {
    if (now.speed !== before.speed) run.setSpeed(now.speed)
    if (now.status === 'playing') {
      if (before.status !== 'playing') run.play()
      return
    }
    if (now.status !== 'paused' && now.status !== 'ended') return
    const at = now.frame?.tick ?? 0
    if (now.status === before.status && at === before.frame?.tick) return
    run.pause()
    // Before the fork both are the same.
    run.seek(Math.max(tick, at))
  })
  return {
    run,
    tick,
    end() {
      stop()
      close()
    },
  }
}
