// Angles for the portable trigonometric functions: x less a whole number of quarter turns. A port of fdlibm 5.3
// (https://www.netlib.org/fdlibm/); its licence notice is in math.ts.
import { highWord, lowWord, scaled, truncated } from './words.ts'

/** pi/2 in two doubles. */
export const PIO2_HI = 1.570796326794896558
export const PIO2_LO = 6.12323399573676603587e-17

// |x| up to about 2^20 pi/2 is reduced with three pieces of pi/2 (Cody and Waite), beyond that with whole-number arithmetic.
const PIO2_1 = 1.57079632673412561417
const PIO2_1T = 6.07710050650619224932e-11
const PIO2_2 = 6.0771005063039659766e-11
const PIO2_2T = 2.02226624879595063154e-21
const PIO2_3 = 2.0222662487111664558e-21
const PIO2_3T = 8.47842766036889956997e-32

/** What the last `reduce` left: the remainder in two doubles, in [-pi/4, pi/4]. An array: a variable would take memory each time. */
export const rest = new Float64Array(2)

/** Writes x - n pi/2 to `rest[0] + rest[1]` and returns n mod 4, for |x| > pi/4. */
export function reduce(x: number): number {
  const size = x < 0 ? -x : x
  let n: number
  if (size <= 1647099.3) {
    n = Math.trunc(size * 6.36619772367581382433e-1 + 0.5)
    let r = size - n * PIO2_1
    let w = n * PIO2_1T
    const before = highWord(size) >> 20
    let y = r - w
    if (before - ((highWord(y) >> 20) & 0x7ff) > 16) {
      let t = r
      w = n * PIO2_2
      r = t - w
      w = n * PIO2_2T - (t - r - w)
      y = r - w
      if (before - ((highWord(y) >> 20) & 0x7ff) > 49) {
        t = r
        w = n * PIO2_3
        r = t - w
        w = n * PIO2_3T - (t - r - w)
        y = r - w
      }
    }
    rest[0] = y
    rest[1] = r - y - w
  } else n = reduceLarge(size)
  if (x < 0) {
    rest[0] = -rest[0]!
    rest[1] = -rest[1]!
    n = -n
  }
  return n & 3
}

// 2/pi to 1,200 bits, in 24-bit pieces (fdlibm's table), as one whole number.
const TWO_OVER_PI_HEX =
  'a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb18d5d0856033046fc7b6babf0cfbc209af4361da9e391615ee61b086599855f14a068408d8dffd8804d73273106061556'
const TWO_OVER_PI_BITS = TWO_OVER_PI_HEX.length * 4

/** Payne and Hanek's reduction with whole numbers of any size: rare, so exactness counts and speed doesn't. */
function reduceLarge(size: number): number {
  const high = highWord(size)
  const exponent = (high >> 20) - 1023 - 52
  const mantissa = (BigInt((high & 0xfffff) | 0x100000) << 32n) | BigInt(lowWord(size) >>> 0)
  const product = mantissa * BigInt(`0x${TWO_OVER_PI_HEX}`)
  // size * 2/pi = product * 2^(exponent - bits)
  const point = BigInt(TWO_OVER_PI_BITS - exponent)
  let whole = product >> point
  let fraction = product - (whole << point)
  let negative = false
  if (fraction >> (point - 1n) === 1n) {
    whole += 1n
    fraction = (1n << point) - fraction
    negative = true
  }
  // The fraction times pi/2, as two doubles: 53 leading bits, then the next 53.
  const length = BigInt(fraction.toString(2).length)
  const shift = length > 106n ? length - 106n : 0n
  const kept = fraction >> shift
  const headBits = kept >> 53n
  const head = scaled(Number(headBits), Number(shift + 53n - point))
  const tail = scaled(Number(kept - (headBits << 53n)), Number(shift - point))
  const y = head * PIO2_HI
  const split = truncated(head)
  const piSplit = truncated(PIO2_HI)
  const error = (head - split) * piSplit + (split * piSplit - y) + split * (PIO2_HI - piSplit) + (head - split) * (PIO2_HI - piSplit)
  const low = error + (head * PIO2_LO + tail * PIO2_HI)
  const hi = y + low
  const lo = y - hi + low
  rest[0] = negative ? -hi : hi
  rest[1] = negative ? -lo : lo
  return Number(whole & 3n)
}
