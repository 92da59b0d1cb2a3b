// The user of a cookie, cached for a moment: a page asks for many things at once, and looking a session up takes longer than
// most of them. A session that ends is forgotten at once, here and by the other servers.
import type { Actor } from '../http.ts'

const KEPT_MS = 5000
const maxSessionsCached = 10_000

type Entry = { actor: Promise<Actor | null>; found: Actor | null; until: number }

export class Sessions {
  readonly #known = new Map<string, Entry>()

  /** The session of these cookies, loaded with `find` on a miss. Misses are not cached. */
  async actor(cookies: string, find: () => Promise<Actor | null>): Promise<Actor | null> {
    const now = performance.now()
    const known = this.#known.get(cookies)
    if (known !== undefined && known.until > now) return known.actor
    if (this.#known.size >= maxSessionsCached) this.#known.clear()
    const entry: Entry = { actor: find(), found: null, until: now + KEPT_MS }
    this.#known.set(cookies, entry)
    try {
      entry.found = await entry.actor
    } finally {
      if (entry.found === null) this.#drop(cookies, entry)
    }
    return entry.found
  }

  forget(cookies: string): void {
    this.#known.delete(cookies)
  }

  /** A session ended, somewhere. */
  ended(sessionId: string): void {
    for (const [cookies, entry] of this.#known) {
      // Looked up just now: it may have been found a moment before it ended.
      if (entry.found === null || entry.found.sessionId === sessionId) this.#drop(cookies, entry)
    }
  }

  #drop(cookies: string, entry: Entry): void {
    if (this.#known.get(cookies) === entry) this.#known.delete(cookies)
  }
}
