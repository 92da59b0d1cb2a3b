// Waiting for a moment in time, with timers that tests replace.

/** `now` in milliseconds since 1970; `after` runs work once, after at most `LONGEST_WAIT_MS`, and returns how to cancel it. */
export type Timers = { now(): number; after(ms: number, work: () => void): () => void }

/** A timer of Node waits at most so long, some 24 days. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1

const realTimers: Timers = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Runs `work` one millisecond after `moment`, when that is past for everything that compares times. Returns how to cancel it. */
export function at(moment: Date, work: () => void, timers: Timers = realTimers): () => void {
  let cancel = (): void => {}
  const wait = (): void => {
    const leftMs = Math.max(0, moment.getTime() - timers.now()) + 1
    cancel = leftMs > LONGEST_WAIT_MS ? timers.after(LONGEST_WAIT_MS, wait) : timers.after(leftMs, work)
  }
  wait()
  return () => cancel()
}
