// The event list alone: n events at times from a table of exponential variates; 2,000,000 times the earliest is taken and
// scheduled again an entry of the table later (the "hold" model, Jones 1986).
import { Calendar } from '../../sim-engine/kernel/calendar.ts'
import { stream, uniform } from '../../sim-engine/kernel/random.ts'
import { worked } from './figure.ts'

/** Milliseconds for `rounds` hold operations on `n` events, and the clock at the end (the check value). */
export function hold(n: number, rounds = 2_000_000, seed = 1): { ms: number; clock: number } {
  const random = stream(seed, 0, 'hold')
  const table = Float64Array.from({ length: 65536 }, () => -Math.log(1 - uniform(random)))
  const calendar = new Calendar()
  let next = 0
  for (let i = 0; i < n; i++) calendar.schedule(table[next++ & 65535]!, 1, 0, 0, i, 0)
  const ms = worked(() => {
    for (let i = 0; i < rounds; i++) {
      calendar.pop()
      calendar.schedule(calendar.time + table[next++ & 65535]!, 1, 0, 0, calendar.a, 0)
    }
  })
  return { ms, clock: calendar.time }
}
