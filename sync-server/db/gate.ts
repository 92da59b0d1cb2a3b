// The gate between this process and its embedded database. Every connection runs through it, so that closing it stops all reading and writing
// at once: a server that has lost its claim on the data folder must not write a byte until it has the claim again.
import { Socket } from 'node:net'

/** The database cannot be used just now; it is being started again. */
class DatabaseUnavailable extends Error {
  constructor() {
    super('the database cannot be reached just now')
  }
}

export class Gate {
  readonly #sockets = new Set<Socket>()
  #open = true
  #waiting: (() => void)[] = []

  get isOpen(): boolean {
    return this.#open
  }

  /** A socket for a database client: refuses to connect while the gate is closed, and is cut when the gate closes. */
  socket(): Socket {
    const socket = new Socket()
    // Before the client's own listener: not a byte is said through a closed gate.
    socket.once('connect', () => this.#open || socket.destroy(new DatabaseUnavailable()))
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }

  close(): void {
    this.#open = false
    for (const socket of this.#sockets) socket.destroy(new DatabaseUnavailable())
  }

  open(): void {
    this.#open = true
    for (const go of this.#waiting.splice(0)) go()
  }

  /** Waits until the gate is open, at most `maxMs`. */
  async whenOpen(maxMs: number): Promise<void> {
    if (this.#open) return
    await new Promise<void>(done => {
      const timer = setTimeout(done, maxMs)
      this.#waiting.push(() => {
        clearTimeout(timer)
        done()
      })
    })
  }
}

/** Codes of Postgres for connections that end from its side, and of the system for those that cannot be made. */
const LOST = new Set(['57P01', '57P02', '57P03', '08000', '08003', '08006', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'])

/** Of the gate, and of the driver when a connection ends while a query runs. */
const lostMessage = /^(the database cannot be reached just now|Connection terminated)/

/** Whether a failure means that the database went away, rather than that it said no. */
export function isConnectionLoss(error: unknown): boolean {
  // Queues hand on a copy of the error that is no Error any more.
  for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : null) {
    if ('message' in at && typeof at.message === 'string' && lostMessage.test(at.message)) return true
    if (
      'code' in at &&
      typeof at.code === 'string' &&
      LOST.has(at.code) &&
      (at.code !== 'ENOENT' || ('syscall' in at && at.syscall === 'connect'))
    )
      return true
  }
  return false
}

/** Whether Postgres refused to write because its disk is full. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if ('code' in at && (at.code === '53100' || at.code === 'ENOSPC')) return true
  return false
}
