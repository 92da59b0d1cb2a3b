// A what-if: a second run that begins at the state of the first, with an engine of its own. It plays while the first plays
// and goes to the tick where the first is paused, so that both can be compared.
import type { StoreApi } from 'zustand'
import type { Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import type { Run, RunView } from './run.ts'

export type RunFork = {
  readonly run: Run
  /** The tick it began at. */
  readonly tick: number
  end(): void
}

/**
 * Opens `run`, which begins at the tick where `first` is now, and keeps it at the tick of `first` from then on.
 * What `first` does while `run` is still loading is caught up as soon as `run` has loaded.
 */
export function begunFork(first: StoreApi<RunView>, run: Run, inputs: Readonly<Record<Id, Plain>>): RunFork {
  const tick = tickOf(first.getState())
  let moved = false
  const follow = (): void => {
    const now = first.getState()
    const { status } = run.getState()
    if (now.status === 'playing') {
      // A fork that has ended is not begun again: its inputs would be lost.
      if (status !== 'ended') run.play()
    } else if (now.status === 'paused' || now.status === 'ended') {
      run.pause()
      // Before the fork both are the same.
      run.seek(Math.max(tick, tickOf(now)))
    }
  }
  run.setState({ inputs })
  const close = run.open()
  const stopFirst = first.subscribe((now, before) => {
    if (now.speed !== before.speed) run.setSpeed(now.speed)
    const began = now.status === 'playing' && before.status !== 'playing'
    const placed = now.status !== 'playing' && (now.status !== before.status || tickOf(now) !== tickOf(before))
    if (!began && !placed) return
    moved = true
    follow()
  })
  // A person was asked in the what-if, which waited while `first` may have gone on.
  let wasAsked = false
  const stopRun = run.subscribe((now, before) => {
    if (moved && now.status === 'ready' && before.status === 'loading') follow()
    if (now.frame?.asked) wasAsked = true
    else if (wasAsked && now.frame !== before.frame && !before.frame?.asked) {
      wasAsked = false
      if (moved && tickOf(now) < tickOf(first.getState())) follow()
    }
  })
  return {
    run,
    tick,
    end() {
      stopFirst()
      stopRun()
      close()
    },
  }
}

const tickOf = ({ frame }: RunView): number => frame?.tick ?? 0
