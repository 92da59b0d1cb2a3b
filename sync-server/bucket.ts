// Limits by token buckets: of one socket, of one address.

/** A token bucket: `rate` a second, `burst` at once. */
export class Bucket {
  readonly #rate: number
  readonly #burst: number
  #level: number
  #at: number | null = null

  constructor(rate: number, burst: number) {
    this.#rate = rate
    this.#burst = burst
    this.#level = burst
  }

  /** Takes `n`, or nothing when there is not enough. */
  take(n: number, nowMs: number): boolean {
    if (!this.has(n, nowMs)) return false
    this.#level -= n
    return true
  }

  /** Whether there is enough for `n`. */
  has(n: number, nowMs: number): boolean {
    const seconds = Math.max(0, nowMs - (this.#at ?? nowMs)) / 1000
    this.#level = Math.min(this.#burst, this.#level + seconds * this.#rate)
    this.#at = nowMs
    return this.#level >= n
  }
}

/** One bucket per key; those that have filled up again are forgotten. */
export class Buckets {
  readonly #rate: number
  readonly #burst: number
  readonly #buckets = new Map<string, { bucket: Bucket; usedAt: number }>()
  #sweptAt = 0

  constructor(rate: number, burst: number) {
    this.#rate = rate
    this.#burst = burst
  }

  take(key: string, nowMs: number): boolean {
    this.#sweep(nowMs)
    const entry = this.#buckets.get(key) ?? { bucket: new Bucket(this.#rate, this.#burst), usedAt: nowMs }
    this.#buckets.set(key, entry)
    entry.usedAt = nowMs
    return entry.bucket.take(1, nowMs)
  }

  /** Whether the next `take` would be refused; takes nothing. */
  isEmpty(key: string, nowMs: number): boolean {
    const entry = this.#buckets.get(key)
    return entry !== undefined && !entry.bucket.has(1, nowMs)
  }

  get size(): number {
    return this.#buckets.size
  }

  #sweep(nowMs: number): void {
    const refillMs = (this.#burst / this.#rate) * 1000
    if (nowMs - this.#sweptAt < refillMs) return
    this.#sweptAt = nowMs
    for (const [key, { usedAt }] of this.#buckets) if (nowMs - usedAt > refillMs) this.#buckets.delete(key)
  }
}
