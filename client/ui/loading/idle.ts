// What may wait until the page has shown what it was opened for.

/** Milliseconds: after which the page may be asked whether it is busy, and after which nothing waits any longer. */
const minIdleDelayMs = 700
const maxIdleDelayMs = 1500

/** Calls `run` when the page has nothing more urgent to do, or after a while. Returns how to stop waiting. */
export function whenIdle(run: () => void): () => void {
  let asked: number | null = null
  // A page that waits for its data looks idle; Safari has no idle callbacks.
  const timer = setTimeout(() => {
    if (typeof requestIdleCallback === 'undefined') run()
    else asked = requestIdleCallback(run, { timeout: maxIdleDelayMs })
  }, minIdleDelayMs)
  return () => {
    clearTimeout(timer)
    if (asked !== null) cancelIdleCallback(asked)
  }
}
