// Doubles by their two 32-bit words, and exact powers of two: what the ports of fdlibm in math.ts are made of.
//
// Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft, a Sun Microsystems, Inc.
// business. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
// preserved.

const f64 = new Float64Array(1)
const i32 = new Int32Array(f64.buffer)
// All platforms that run JavaScript engines of today are little-endian; a big-endian one swaps the two words.
const HI = new Uint8Array(new Float64Array([1]).buffer)[7] === 0x3f ? 1 : 0
const LO = 1 - HI

export function highWord(x: number): number {
  f64[0] = x
  return i32[HI]!
}

export function lowWord(x: number): number {
  f64[0] = x
  return i32[LO]!
}

export function fromWords(high: number, low: number): number {
  i32[HI] = high
  i32[LO] = low
  return f64[0]!
}

/** x with its low word cleared. */
export function truncated(x: number): number {
  f64[0] = x
  i32[LO] = 0
  return f64[0]!
}

// 2^-1074 .. 2^1023. A table, because putting a double together from two words stalls the processor's store buffer.
const POWER = new Float64Array(2098)
for (let i = 0; i < 52; i++) POWER[i] = i < 32 ? fromWords(0, 1 << i) : fromWords(1 << (i - 32), 0)
for (let i = 52; i < 2098; i++) POWER[i] = fromWords((i - 51) << 20, 0)

/** 2^n for n in -1074 .. 1023. */
export const power = (n: number): number => POWER[n + 1074]!

/** x * 2^n, rounded once. */
export function scaled(x: number, n: number): number {
  if (n > 1023) {
    x *= 8.98846567431158e307
    n -= 1023
    if (n > 1023) {
      x *= 8.98846567431158e307
      n = n > 2046 ? 1023 : n - 1023
    }
  } else if (n < -1022) {
    // 2^-1022 * 2^53: two steps that round only once.
    x *= 2.004168360008973e-292
    n += 969
    if (n < -1022) {
      x *= 2.004168360008973e-292
      n = n < -1991 ? -1022 : n + 969
    }
  }
  return x * power(n)
}
