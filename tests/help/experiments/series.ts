// Series of values with known means in the long term, to measure by them what is said of simulation output: queues by their recursions, autoregressions.
import { uniform, type stream } from '../../../sim-engine/kernel/random.ts'

type Stream = ReturnType<typeof stream>

const exponential = (random: Stream): number => -Math.log(1 - uniform(random))

/** Box and Muller (1958). */
export const normal = (random: Stream): number => Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * uniform(random))

/** x(t) = phi x(t - 1) + a normal step, from `first` on; its mean in the long term is 0. */
export function autoregression(random: Stream, n: number, phi: number, first = 0): number[] {
  let x = first
  return Array.from({ length: n }, () => (x = phi * x + normal(random)))
}

/**
 * Waits of customers of M/M/c, by the recursion of Kiefer and Wolfowitz (1955), Lindley's for one server: gaps of 1 on average, services of
 * `load` x `servers`; the first finds an empty system.
 */
export function waits(random: Stream, n: number, load: number, servers = 1): number[] {
  // Work left at each server, in rising order.
  const work = Array.from({ length: servers }, () => 0)
  return Array.from({ length: n }, () => {
    const wait = work[0]!
    const busy = wait + exponential(random) * load * servers
    const gap = exponential(random)
    let at = 0
    for (; at + 1 < servers && work[at + 1]! < busy; at++) work[at] = Math.max(0, work[at + 1]! - gap)
    work[at] = Math.max(0, busy - gap)
    for (at++; at < servers; at++) work[at] = Math.max(0, work[at]! - gap)
    return wait
  })
}

/** The mean wait of M/M/c with gaps of 1 on average, in the long term: Erlang's C formula. */
export function meanWait(load: number, servers: number): number {
  const offered = load * servers
  // Erlang's B by its recursion.
  let blocked = 1
  for (let c = 1; c <= servers; c++) blocked = (offered * blocked) / (c + offered * blocked)
  const waiting = blocked / (1 - load * (1 - blocked))
  return (waiting * load) / (1 - load)
}
