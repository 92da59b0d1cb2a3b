// The calendar of future events: a 4-ary heap on parallel typed arrays, ordered by (time, phase, priority, sequence), so
// that simultaneous events have one defined order on every machine. Children of entry i are 4i + 1 .. 4i + 4
// (LaMarca & Ladner, "The influence of caches on the performance of heaps", 1996).
//
// The heap holds (time, row); everything else of an event stays in its row. A cancelled event stays in the heap, marked,
// until it comes up or too many have gathered; the root never is a cancelled one. After `pop` the root is a hole which
// the next `schedule` fills at once: taking an event and scheduling its successor costs one sift, not two.
import { EngineFault } from './fault.ts'
import { floatsOf, intsOf, numberOf, recordOf, type State } from './snapshot.ts'

const free = 0
const waiting = 1
const cancelled = 2

/** Above so many entries the processor can no longer guess which child goes up. */
const large = 64

export class Calendar {
  /** The event last taken by `pop`. */
  time = 0
  phase = 0
  priority = 0
  kind = 0
  a = 0
  b = 0
  /** The current instant: what `isDue` compares with. Set by the loop that runs it. */
  now = 0
  /** When the earliest event was due when `findNext` looked. */
  next = Infinity
  // The members below are public for run/fast/ only, which takes and adds plain events in place.

  // The heap. `length` counts the entries, the hole included.
  times = new Float64Array(64)
  rows = new Int32Array(64)
  length = 0
  hole = false

  // Rows of four, so that an event is two cache lines: (priority, sequence, b, time) and (kind, a, generation, state + 4 phase).
  // A handle is row + generation * 2^24.
  reals = new Float64Array(256)
  ints = new Int32Array(256)
  freed = new Int32Array(64)
  freedCount = 0
  rowTop = 0

  sequence = 0
  cancelled = 0

  /** Events that wait (cancelled ones not counted). */
  get size(): number {
    return this.length - (this.hole ? 1 : 0) - this.cancelled
  }

  /** When the earliest event is due; Infinity when none waits. */
  get nextTime(): number {
    this.findNext()
    return this.next
  }

  /** Puts into `next` when the earliest event is due: a number in a field costs less than one returned. */
  findNext(): void {
    if (this.hole) this.close()
    this.next = this.length > 0 ? this.times[0]! : Infinity
  }

  /** Whether an event waits that is due at `now` or before. Right after `pop` the hole stays, for what is scheduled next. */
  get isDue(): boolean {
    if (this.hole) return this.#isDueBelow()
    return this.length > 0 && this.times[0]! <= this.now
  }

  #isDueBelow(): boolean {
    const length = this.length
    if (this.cancelled > 0) {
      this.close()
      return this.isDue
    }
    const times = this.times
    const { now } = this
    for (let i = 1; i < length && i < 5; i++) if (times[i]! <= now) return true
    return false
  }

  /** Its phase (0 .. 8); -1 when none waits. */
  get nextPhase(): number {
    if (this.hole) this.close()
    return this.length > 0 ? this.ints[this.rows[0]! * 4 + 3]! >> 2 : -1
  }

  /**
   * Adds an event and returns its handle, for `cancel`. Lower phase, then lower priority, then earlier scheduled goes
   * first at equal times. `kind` and `a` are 32-bit integers, `b` any number. Throws RangeError when `time` is NaN.
   */
  schedule(time: number, phase: number, priority: number, kind: number, a: number, b: number): number {
    if (time !== time) throw new EngineFault('calendar: NaN is not a time')
    const row = this.freedCount > 0 ? this.freed[--this.freedCount]! : this.#newRow()
    const at = row * 4
    const reals = this.reals
    const ints = this.ints
    reals[at] = priority
    reals[at + 1] = this.sequence++
    reals[at + 2] = b
    reals[at + 3] = time
    ints[at] = kind
    ints[at + 1] = a
    ints[at + 3] = waiting + 4 * phase
    this.put(row)
    return row + ints[at + 2]! * 16777216
  }

  /** Puts a row that is written into the heap. A time handed over would cost more than all else here. */
  put(row: number): void {
    if (this.hole) {
      this.hole = false
      if (this.length > large) this.#siftFar(row)
      else this.#siftDown(0, row)
      // The new root may be one that was cancelled while it stood below.
      if (this.cancelled > 0) this.#dropCancelled()
    } else this.#siftUp(this.length++, row)
  }

  /** True when `handle` still waited. One taken or cancelled before is no error: false. */
  cancel(handle: number): boolean {
    if (!this.isWaiting(handle)) return false
    const at = (handle & 0xffffff) * 4 + 3
    this.ints[at] = (this.ints[at]! & ~3) + cancelled
    this.cancelled++
    if (this.cancelled > 64 && this.cancelled * 2 > this.length) this.#compact()
    else if (!this.hole) this.#dropCancelled()
    return true
  }

  isWaiting(handle: number): boolean {
    const row = handle & 0xffffff
    return (
      handle >= 0 &&
      row < this.rowTop &&
      (this.ints[row * 4 + 3]! & 3) === waiting &&
      this.ints[row * 4 + 2] === Math.floor(handle / 16777216)
    )
  }

  /** Takes the earliest event into the fields above; false when none waits. */
  pop(): boolean {
    if (this.hole) this.close()
    if (this.length === 0) return false
    const row = this.rows[0]!
    this.time = this.times[0]!
    const at = row * 4
    const ints = this.ints
    this.priority = this.reals[at]!
    this.b = this.reals[at + 2]!
    this.kind = ints[at]!
    this.a = ints[at + 1]!
    this.phase = ints[at + 3]! >> 2
    this.#release(row)
    this.hole = true
    return true
  }

  /** Forgets all events. Handles given out before stay invalid. */
  clear(): void {
    if (this.hole) this.close()
    for (let i = 0; i < this.length; i++) this.#release(this.rows[i]!)
    this.length = 0
    this.cancelled = 0
  }

  save(): State {
    if (this.hole) this.close()
    const rows = this.rowTop
    return {
      last: [this.time, this.phase, this.priority, this.kind, this.a, this.b],
      sequence: this.sequence,
      cancelled: this.cancelled,
      times: this.times.slice(0, this.length),
      rows: this.rows.slice(0, this.length),
      reals: this.reals.slice(0, rows * 4),
      ints: this.ints.slice(0, rows * 4),
      freed: this.freed.slice(0, this.freedCount),
    }
  }

  load(state: State): void {
    const saved = recordOf(state)
    const last = Array.isArray(saved['last']) ? saved['last'].map(numberOf) : []
    ;[this.time = 0, this.phase = 0, this.priority = 0, this.kind = 0, this.a = 0, this.b = 0] = last
    this.sequence = numberOf(saved['sequence'])
    this.cancelled = numberOf(saved['cancelled'])
    this.length = intsOf(saved['rows']).length
    this.rowTop = intsOf(saved['ints']).length / 4
    this.freedCount = intsOf(saved['freed']).length
    this.hole = false
    const room = Math.max(64, this.rowTop)
    this.times = floatsOf(saved['times'], room)
    this.rows = intsOf(saved['rows'], room)
    this.reals = floatsOf(saved['reals'], room * 4)
    this.ints = intsOf(saved['ints'], room * 4)
    this.freed = intsOf(saved['freed'], room)
    for (let i = 0; i < this.length; i++) this.reals[this.rows[i]! * 4 + 3] = this.times[i]!
  }

  /** Fills the hole `pop` left with the last entry. */
  close(): void {
    this.hole = false
    const last = --this.length
    if (last > large) this.#siftFar(this.rows[last]!)
    else if (last > 0) this.#siftDown(0, this.rows[last]!)
    if (this.cancelled > 0) this.#dropCancelled()
  }

  #dropCancelled(): void {
    while (this.length > 0 && (this.ints[this.rows[0]! * 4 + 3]! & 3) === cancelled) {
      this.#release(this.rows[0]!)
      this.cancelled--
      const last = --this.length
      if (last > 0) this.#siftDown(0, this.rows[last]!)
    }
  }

  /** Rebuilds the heap without the cancelled entries. The order of the rest doesn't depend on it: no two entries are equal. */
  #compact(): void {
    const from = this.hole ? 1 : 0
    let kept = 0
    for (let i = from; i < this.length; i++) {
      const row = this.rows[i]!
      if ((this.ints[row * 4 + 3]! & 3) === cancelled) this.#release(row)
      else {
        this.times[kept] = this.times[i]!
        this.rows[kept++] = row
      }
    }
    this.length = kept
    this.hole = false
    this.cancelled = 0
    for (let i = (kept - 2) >> 2; i >= 0; i--) this.#siftDown(i, this.rows[i]!)
  }

  #release(row: number): void {
    this.ints[row * 4 + 2]!++
    this.ints[row * 4 + 3] = free
    this.freed[this.freedCount++] = row
  }

  #siftUp(at: number, row: number): void {
    const times = this.times
    const rows = this.rows
    const time = this.reals[row * 4 + 3]!
    let i = at
    while (i > 0) {
      const parent = (i - 1) >> 2
      const above = times[parent]!
      if (above < time || (above === time && !this.#before(row, rows[parent]!))) break
      times[i] = above
      rows[i] = rows[parent]!
      i = parent
    }
    times[i] = time
    rows[i] = row
  }

  #siftDown(at: number, row: number): void {
    const times = this.times
    const rows = this.rows
    const time = this.reals[row * 4 + 3]!
    const length = this.length
    let i = at
    for (;;) {
      let child = i * 4 + 1
      if (child >= length) break
      const end = child + 4 < length ? child + 4 : length
      let best = child
      let least = times[child]!
      for (child++; child < end; child++) {
        const value = times[child]!
        if (value < least || (value === least && this.#before(rows[child]!, rows[best]!))) {
          least = value
          best = child
        }
      }
      if (time < least || (time === least && this.#before(row, rows[best]!))) break
      times[i] = least
      rows[i] = rows[best]!
      i = best
    }
    times[i] = time
    rows[i] = row
  }

  /** From the root of a large heap: the least of four children is found by adding up comparisons instead of branching on them. */
  #siftFar(row: number): void {
    const times = this.times
    const rows = this.rows
    const time = this.reals[row * 4 + 3]!
    const whole = (this.length - 1) >> 2
    let i = 0
    // Entries below `whole` have four children.
    while (i < whole) {
      const child = i * 4 + 1
      const p = times[child]!
      const q = times[child + 1]!
      const r = times[child + 2]!
      const s = times[child + 3]!
      const a = child + Number(q < p)
      const b = child + 2 + Number(s < r)
      const first = times[a]!
      const second = times[b]!
      if (p === q || r === s || first === second) break
      const best = a + (b - a) * Number(second < first)
      const least = times[best]!
      if (time <= least) {
        if (time === least) break
        times[i] = time
        rows[i] = row
        return
      }
      times[i] = least
      rows[i] = rows[best]!
      i = best
    }
    // Equal times, or the last row.
    this.#siftDown(i, row)
  }

  /** The order among rows of equal time. */
  #before(p: number, q: number): boolean {
    const reals = this.reals
    const ints = this.ints
    const phase = (ints[p * 4 + 3]! >> 2) - (ints[q * 4 + 3]! >> 2)
    if (phase !== 0) return phase < 0
    const priority = reals[p * 4]! - reals[q * 4]!
    if (priority !== 0) return priority < 0
    return reals[p * 4 + 1]! < reals[q * 4 + 1]!
  }

  #newRow(): number {
    if (this.rowTop === this.rows.length) this.grow()
    return this.rowTop++
  }

  grow(): void {
    const room = this.rows.length * 2
    if (room > 16777216) throw new EngineFault('calendar: more than 2^24 events')
    this.times = floatsOf(this.times, room)
    this.rows = intsOf(this.rows, room)
    this.reals = floatsOf(this.reals, room * 4)
    this.ints = intsOf(this.ints, room * 4)
    this.freed = intsOf(this.freed, room)
  }
}
