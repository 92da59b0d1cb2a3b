// Who is in a room and where: the lossy side of the relay. Never stored; kept per client id, the latest state only, and handed
// out in batches. A state is accepted from the socket that owns its client id, and carries the identity the server knows.
import type { AwarenessLine } from './frames.ts'
import { LIMITS } from '../protocol.ts'
import type { Presence as State, Role } from '../protocol.ts'

type Owner = { readonly who: { readonly userId: string; readonly name: string }; readonly role: Role }

export class Presence<O extends Owner> {
  readonly #lines = new Map<number, AwarenessLine & { owner: O }>()
  readonly #changed = new Map<number, AwarenessLine>()

  /** Whose the client id is now: the user of the socket that shows it, if one does. */
  userOf(client: number): string | undefined {
    return this.#lines.get(client)?.owner.who.userId
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
      if (before.owner.who.userId !== owner.who.userId) return false
      if (before.owner === owner ? line.clock <= before.clock : line.clock < before.clock) return false
    }
    if (line.state === 'null') {
      this.#remove(line.client, line.clock)
      return true
    }
    const state = withIdentity(line.state, owner)
    if (state === null) return false
    const next = { client: line.client, clock: line.clock, state }
    this.#lines.set(line.client, { ...next, owner })
    this.#changed.set(line.client, next)
    return true
  }

  /** Removes what a socket showed. */
  drop(owner: O): void {
    for (const [client, line] of this.#lines) if (line.owner === owner) this.#remove(client, line.clock)
  }

  #remove(client: number, clock: number): void {
    this.#lines.delete(client)
    // The same clock with state null is a removal to every y-protocols client.
    this.#changed.set(client, { client, clock, state: 'null' })
  }

  /** What changed since the last call. */
  flush(): AwarenessLine[] {
    const lines = [...this.#changed.values()]
    this.#changed.clear()
    return lines
  }

  all(): AwarenessLine[] {
    return [...this.#lines.values()].map(({ client, clock, state }) => ({ client, clock, state }))
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
  const identity: Pick<State, 'u' | 'n' | 'role'> = { u: owner.who.userId, n: owner.who.name, role: owner.role }
  const user: unknown = 'user' in state ? state.user : undefined
  const cursor = user !== null && typeof user === 'object' ? { user: { ...user, name: owner.who.name } } : {}
  return JSON.stringify({ ...state, ...cursor, ...identity })
}
