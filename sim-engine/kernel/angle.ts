// Reduction of large angles by exact integer arithmetic: x = n * pi/2 + rest. Rare, so plain rather than fast.

/** Bits after the point: those of the largest double's integer part, of a double, and a guard for cancellation. */
const scale = 1220n

let halfPi = 0n

/** pi/2 times 2^scale by Machin's formula, calculated when first needed. */
function scaledHalfPi(): bigint {
  if (halfPi === 0n) {
    const guard = 40n
    const one = 1n << (scale + guard)
    const arctan = (inverse: bigint): bigint => {
      let power = one / inverse
      let sum = power
      const square = inverse * inverse
      for (let k = 1n; power !== 0n; k++) {
        power /= -square
        sum += power / (2n * k + 1n)
      }
      return sum
    }
    halfPi = (2n * (4n * arctan(5n) - arctan(239n))) >> guard
  }
  return halfPi
}

/** The quarter turns in finite x, modulo 4; the rest goes to `rest` as a sum of two doubles, |rest| <= pi/4. */
export function quarterTurns(x: number, rest: Float64Array): number {
  const bits = new BigUint64Array(new Float64Array([Math.abs(x)]).buffer)[0]!
  const mantissa = (bits & 0xfffffffffffffn) | 0x10000000000000n
  const scaled = mantissa << ((bits >> 52n) - 1075n + scale)
  const period = scaledHalfPi()
  let n = scaled / period
  let left = scaled - n * period
  if (left * 2n > period) {
    n += 1n
    left -= period
  }
  const first = toDouble(left)
  const second = toDouble(left - fromDouble(first))
  const sign = x < 0 ? -1 : 1
  rest[0] = sign * first
  rest[1] = sign * second
  const turns = Number(n & 3n)
  return sign < 0 ? (4 - turns) & 3 : turns
}

/** value / 2^scale, truncated to a double. */
function toDouble(value: bigint): number {
  const size = value < 0n ? -value : value
  const length = size.toString(2).length
  const drop = BigInt(Math.max(0, length - 53))
  const head = Number(size >> drop) * 2 ** (Number(drop) - Number(scale))
  return value < 0n ? -head : head
}

/** x * 2^scale, exact for what toDouble gives. */
function fromDouble(x: number): bigint {
  if (x === 0) return 0n
  const bits = new BigUint64Array(new Float64Array([Math.abs(x)]).buffer)[0]!
  const shift = (bits >> 52n) - 1075n + scale
  const mantissa = (bits & 0xfffffffffffffn) | 0x10000000000000n
  const size = shift >= 0n ? mantissa << shift : mantissa >> -shift
  return x < 0 ? -size : size
}
