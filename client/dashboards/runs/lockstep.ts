// Several runs on one clock: all play, pause, step and begin again together, and those ahead wait for those behind.
import type { Run, RunStatus } from '../../run/run.ts'

/** What a bar for all shows: playing while one is, ready only when all are. */
export function statusOfAll(all: readonly RunStatus[]): RunStatus {
  const order: readonly RunStatus[] = ['loading', 'playing', 'problems', 'broken', 'paused', 'ready', 'ended']
  return order.find(status => all.includes(status)) ?? 'loading'
}

/** Ticks that a run may be ahead of the slowest before it waits: a tenth of a second's worth. */
const leash = (speed: number | null): number => (speed === null ? 20 : Math.max(1, Math.ceil(speed / 10)))

type Lockstep = {
  play(): void
  pause(): void
  step(): void
  reset(): void
  setSpeed(speed: number | null): void
  close(): void
}

/** Holds these runs together while they are played by it. */
export function lockstep(runs: readonly Run[]): Lockstep {
  let playing = false
  /** Those that wait for others. */
  const waiting = new Set<Run>()
  const tickOf = (run: Run): number => {
    const { status, frame } = run.getState()
    return status === 'loading' ? 0 : (frame?.tick ?? 0)
  }
  /** Runs that are playing or would be: paused runs, and those that cannot continue, don't hold up the others. */
  const going = (): Run[] => runs.filter(run => waiting.has(run) || ['playing', 'loading'].includes(run.getState().status))

  const balance = (): void => {
    if (!playing) return
    const all = going()
    if (all.length === 0) {
      playing = false
      waiting.clear()
      return
    }
    const last = Math.min(...all.map(tickOf))
    for (const run of all) {
      const ahead = tickOf(run) - last
      const { status, speed } = run.getState()
      if (status === 'playing' && ahead > leash(speed) && !waiting.has(run)) {
        waiting.add(run)
        run.pause()
      } else if (waiting.has(run) && ahead === 0 && status === 'paused') {
        waiting.delete(run)
        run.play()
      }
    }
  }
  const stops = runs.map(run =>
    run.subscribe((now, before) => {
      if (now.frame !== before.frame || now.status !== before.status) balance()
    }),
  )
  const pause = (): void => {
    playing = false
    waiting.clear()
    for (const run of runs) run.pause()
  }
  return {
    play() {
      // An end is behind all others: what has ended begins again only when all have.
      const rest = runs.filter(run => run.getState().status !== 'ended')
      for (const run of rest.length > 0 ? rest : runs) run.play()
      playing = true
      balance()
    },
    pause,
    step() {
      pause()
      for (const run of runs) run.step()
    },
    reset() {
      pause()
      for (const run of runs) run.reset()
    },
    setSpeed(speed) {
      for (const run of runs) run.setSpeed(speed)
    },
    close() {
      pause()
      for (const stop of stops) stop()
    },
  }
}
