/** What the engine needs of its surroundings: a clock in milliseconds and a way to go on later. */
export type WorkerHost = { now(): number; later(ms: number, act: () => void): () => void }

/** Longest stretch without listening, in milliseconds. One instant is never cut. */
export const sliceMs = 12

export const wall: WorkerHost = {
  now: () => performance.now(),
  later(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
