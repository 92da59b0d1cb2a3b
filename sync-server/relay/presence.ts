// Presence of the members of a room: the lossy side of the relay. Never stored; kept per client id, the latest state only, and handed
// out in batches. A state is accepted from the socket that owns its client id, and carries the identity the server knows.
import type { SharedLine } from './fanout.ts'
import type { AwarenessLine } from './frames.ts'
import { LIMITS } from '../protocol.ts'
import type { Presence as State, Role } from '../protocol.ts'

type Owner = { readonly who: { readonly userId: string; readonly name: string; readonly avatar?: string | null }; readonly role: Role }

type Shown<O> = AwarenessLine & {
  userId: string
  /** The socket that shows it; null when it is one of another server. */
  owner: O | null
  /** The other server, and when it last spoke of it. */
  server: string
  heardAt: number
}

export class RoomPresence<O extends Owner> {
  readonly #lines = new Map<number, Shown<O>>()
  readonly #changed = new Map<number, AwarenessLine>()
  /** The part of `#changed` that happened here, with its users: other servers are to get it. */
  readonly #own = new Map<number, SharedLine>()

  /** The owner of the client id now: the user of the socket that shows it, if one does. */
  userOf(client: number): string | undefined {
    return this.#lines.get(client)?.userId
  }

  /**
   * Takes a state sent by `owner`; false when it is refused: another user's client id, a second client id on one socket,
   * oversize, stale, or not a JSON object.
   */
  take(owner: O, line: AwarenessLine): boolean {
    const before = this.#lines.get(line.client)
    if (line.state.length > LIMITS.presenceBytes) return false
    if (before === undefined) {
      if (line.state === 'null') return false
      for (const other of this.#lines.values()) if (other.owner === owner) return false
    } else {
      if (before.userId !== owner.who.userId) return false
      if (before.owner === owner ? line.clock <= before.clock : line.clock < before.clock) return false
    }
    if (line.state === 'null') {
      this.#remove(line.client, line.clock, owner.who.userId)
      return true
    }
    const state = withIdentity(line.state, owner)
    if (state === null) return false
    const next = { client: line.client, clock: line.clock, state }
    this.#lines.set(line.client, { ...next, userId: owner.who.userId, owner, server: '', heardAt: 0 })
    this.#changed.set(line.client, next)
    this.#own.set(line.client, { ...next, userId: owner.who.userId })
    return true
  }

  /** Takes what another server says of its sockets; true when something is new. What is shown here is believed first. */
  hear(server: string, lines: readonly SharedLine[], now: number): boolean {
    let isNew = false
    for (const { userId, ...line } of lines) {
      const before = this.#lines.get(line.client)
      if (line.state === 'null') {
        if (before === undefined || before.owner !== null || before.server !== server) continue
        this.#lines.delete(line.client)
      } else {
        if (before !== undefined && (before.userId !== userId || line.clock < before.clock)) continue
        if (before?.owner !== undefined && before.owner !== null && line.clock === before.clock) continue
        this.#lines.set(line.client, { ...line, userId, owner: null, server, heardAt: now })
        if (before?.clock === line.clock && before.state === line.state) continue
      }
      this.#changed.set(line.client, line)
      this.#own.delete(line.client)
      isNew = true
    }
    return isNew
  }

  /** Removes what other servers showed and have not spoken of since; true when there was something. */
  expire(before: number): boolean {
    let isNew = false
    for (const [client, line] of this.#lines) {
      if (line.owner !== null || line.heardAt >= before) continue
      this.#lines.delete(client)
      this.#changed.set(client, { client, clock: line.clock, state: 'null' })
      isNew = true
    }
    return isNew
  }

  /** Removes what a socket showed. */
  drop(owner: O): void {
    for (const [client, line] of this.#lines) if (line.owner === owner) this.#remove(client, line.clock, line.userId)
  }

  #remove(client: number, clock: number, userId: string): void {
    this.#lines.delete(client)
    // The same clock with state null is a removal to every y-protocols client.
    const gone = { client, clock, state: 'null' }
    this.#changed.set(client, gone)
    this.#own.set(client, { ...gone, userId })
  }

  /** What changed since the last call, and what of it happened here. */
  flush(): { all: AwarenessLine[]; own: SharedLine[] } {
    const flushed = { all: [...this.#changed.values()], own: [...this.#own.values()] }
    this.#changed.clear()
    this.#own.clear()
    return flushed
  }

  all(): AwarenessLine[] {
    return [...this.#lines.values()].map(({ client, clock, state }) => ({ client, clock, state }))
  }

  /** What the sockets of this server show. */
  own(): SharedLine[] {
    const mine = [...this.#lines.values()].filter(line => line.owner !== null)
    return mine.map(({ client, clock, state, userId }) => ({ client, clock, state, userId }))
  }
}

function withIdentity(text: string, owner: Owner): string | null {
  let state: unknown
  try {
    state = JSON.parse(text)
  } catch {
    return null // the caller counts it as refused
  }
  if (state === null || typeof state !== 'object' || Array.isArray(state)) return null
  const identity: Pick<State, 'u' | 'n' | 'a' | 'role'> = {
    u: owner.who.userId,
    n: owner.who.name,
    a: owner.who.avatar ?? null,
    role: owner.role,
  }
  const user: unknown = 'user' in state ? state.user : undefined
  const cursor = user !== null && typeof user === 'object' ? { user: { ...user, name: owner.who.name } } : {}
  return JSON.stringify({ ...state, ...cursor, ...identity })
}
