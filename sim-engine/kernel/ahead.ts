// Draws ahead: exponential variates of one stream, some made before they are asked for. One at a time each waits for all the
// arithmetic of its own number; of many in a row the processor has several in the works, which takes a third of the time.
//
// Between `open` and `close` nobody else draws from the stream. Then it stands where it would stand without this; and what was
// made from elsewhere - somebody else drew meanwhile, a snapshot came back - is made anew.
//
// `#logarithms` is `log` of math.ts, from fdlibm 5.3, in a loop over normal numbers below 1.
// Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft, a Sun Microsystems, Inc.
// business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
// preserved.

/* oxlint-disable no-loss-of-precision, oxc/approx-constant -- the constants as the source writes them */

import { log } from './math.ts'
import { uniformOpen, type Stream } from './random.ts'
import { HI } from './words.ts'

const LN2_HI = 6.9314718036912381649e-1
const LN2_LO = 1.90821492927058770002e-10

/** Most draws ahead. */
const most = 64

/** Room for them, where they are to stand among others'. */
export const drawsAhead = most

/** 2^0 .. 2^63: `uniformOpen` is never below 2^-53. */
export const POWERS_OF_TWO = Float64Array.from({ length: 64 }, (_, k) => 2 ** k)
const POWER = POWERS_OF_TWO

export class ExponentialDraws {
  readonly #stream: Stream
  readonly #values: Float64Array<ArrayBuffer>
  readonly #words: Int32Array
  /** Where the stream stands before each draw, and after the last: four words each. */
  readonly #states = new Int32Array(4 * (most + 1))
  /** The next to be taken, and how many there are. */
  readonly #cursor: Int32Array<ArrayBuffer>

  /** run/express.ts takes from `values` itself, as long as there are any. */
  constructor(stream: Stream, values = new Float64Array(most), cursor = new Int32Array(2)) {
    this.#stream = stream
    this.#values = values
    this.#words = new Int32Array(values.buffer, values.byteOffset, 2 * most)
    this.#cursor = cursor
  }

  /** For a lane that draws by itself (native/lane.ts), between `open` and `close`. */
  get arrays(): { values: Float64Array; words: Int32Array; states: Int32Array; cursor: Int32Array } {
    return { values: this.#values, words: this.#words, states: this.#states, cursor: this.#cursor }
  }

  /** Before draws: what was made from elsewhere than where the stream stands is of no use. */
  open(): void {
    const states = this.#states
    const s = this.#stream
    const at = this.#cursor[0]! * 4
    if (s[0] === states[at] && s[1] === states[at + 1] && s[2] === states[at + 2] && s[3] === states[at + 3]) return
    for (let k = 0; k < 4; k++) states[k] = s[k]!
    this.#cursor.fill(0)
  }

  /** Multiplies the mean in `out[0]` by `-log(uniformOpen(stream))`, to the bit: numbers handed over cost more. Between `open` and `close`. */
  into(out: Float64Array): void {
    const cursor = this.#cursor
    if (cursor[0] === cursor[1]) this.make()
    out[0]! *= this.#values[cursor[0]!++]!
  }

  /** After draws: moves the stream on by what they took. */
  close(): void {
    const at = this.#cursor[0]! * 4
    for (let k = 0; k < 4; k++) this.#stream[k] = this.#states[at + k]!
  }

  /** Twice as many as last time when all of those were taken; one where others draw in between. */
  make(): void {
    const cursor = this.#cursor
    const last = cursor[1]!
    const count = last === 0 ? 1 : last < most ? last * 2 : most
    this.close()
    cursor[0] = 0
    cursor[1] = count
    this.#draw(count)
    this.#logarithms(count)
  }

  #draw(count: number): void {
    const s = this.#stream
    const states = this.#states
    const values = this.#values
    for (let k = 0; k <= count; k++) {
      const at = k * 4
      states[at] = s[0]!
      states[at + 1] = s[1]!
      states[at + 2] = s[2]!
      states[at + 3] = s[3]!
      if (k < count) values[k] = uniformOpen(s)
    }
  }

  #logarithms(count: number): void {
    const values = this.#values
    const words = this.#words
    for (let k = 0; k < count; k++) {
      const x = values[k]!
      const hx = words[2 * k + HI]!
      const m = hx & 0x000fffff
      if ((0x000fffff & (2 + m)) < 3) {
        // Next to a power of two: another formula, one draw in 400,000.
        this.#plainly(k)
        continue
      }
      const i = ((m + 0x95f64) & 0x100000) >> 20
      // log x = log (1 + f) - e log 2
      const e = 1023 - (hx >> 20) - i
      const f = x * POWER[e]! - 1
      const s = f / (2 + f)
      const z = s * s
      const w = z * z
      const a = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1))
      const b = z * (6.66666666666673513e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)))
      const r = b + a
      if (((m - 0x6147a) | (0x6b851 - m)) > 0) {
        const half = 0.5 * f * f
        values[k] = e * LN2_HI + (half - (s * (half + r) - e * LN2_LO) - f)
      } else values[k] = e * LN2_HI + (s * (f - r) + e * LN2_LO - f)
    }
  }

  #plainly(k: number): void {
    this.#values[k] = -log(this.#values[k]!)
  }
}
