// The jobs of one evaluation, given out from the front to any free worker: threads of this process and workers of the queue.
import type { Job } from '../protocol.ts'

export class Source {
  #ahead: Job[] = []
  #at = 0
  #more: Iterator<Job> | null

  constructor(jobs: Iterable<Job>) {
    this.#more = jobs[Symbol.iterator]()
  }

  /** How many are left, as far as `most`. */
  look(most: number): number {
    while (this.#more !== null && this.#ahead.length - this.#at < most) {
      const next = this.#more.next()
      if (next.done) this.#more = null
      else this.#ahead.push(next.value)
    }
    return Math.min(most, this.#ahead.length - this.#at)
  }

  /** The next ones, at most `count`. */
  take(count: number): Job[] {
    const some = this.#ahead.slice(this.#at, this.#at + this.look(count))
    this.#at += some.length
    if (this.#at > 4096) {
      this.#ahead = this.#ahead.slice(this.#at)
      this.#at = 0
    }
    return some
  }

  /** One by one, for as long as there are some. */
  *each(): Generator<Job, void> {
    for (let [job] = this.take(1); job !== undefined; [job] = this.take(1)) yield job
  }
}
