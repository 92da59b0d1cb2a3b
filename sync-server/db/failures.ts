// Failures as the server's log prints them. While the database is away everything that needs it fails alike: that is one line, not a stack for
// each.
import { isConnectionLoss } from './gate.ts'

const repeatMs = 30_000
let saidAt = -Infinity

/** Logs what failed, with its errors; a lost connection to the database as one line, at most every 30 seconds. */
export function logFailure(what: string, ...errors: unknown[]): void {
  if (!errors.some(isConnectionLoss)) return console.error(what, ...errors)
  const now = performance.now()
  if (now - saidAt < repeatMs) return
  saidAt = now
  console.error('postgres: cannot be reached; what needs it waits or is refused until it can')
}
