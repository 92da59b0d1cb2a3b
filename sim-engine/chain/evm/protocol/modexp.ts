// Modular exponentiation at address 5 (EIP-198), priced by EIP-2565 and, from Osaka on, EIP-7883.
import { powersIfLoaded } from './curves.ts'
import { halt, noBytes } from '../frame.ts'
import { fromBytes, toBytes } from '../word.ts'

const headBytes = 96
const maxNumberBytesOsaka = 1024n

type Lengths = { base: bigint; exponent: bigint; modulus: bigint }

function word(input: Uint8Array, at: number): bigint {
  const data = new Uint8Array(32)
  data.set(input.subarray(at, at + 32))
  return fromBytes(data)
}
const lengthsOf = (input: Uint8Array): Lengths => ({ base: word(input, 0), exponent: word(input, 32), modulus: word(input, 64) })

/** The number of `length` bytes at `at`; zeros follow the input's end. */
function numberAt(input: Uint8Array, at: number, length: number): bigint {
  const data = input.subarray(Math.min(at, input.length), Math.min(at + length, input.length))
  return fromBytes(data) << BigInt(8 * (length - data.length))
}

/** How many bits a number has: 0 has none. */
function bitsOf(value: bigint): number {
  const digits = value.toString(16)
  return 4 * digits.length - (Math.clz32(Number.parseInt(digits[0]!, 16)) - 28)
}

export function modexpGas(input: Uint8Array, osaka: boolean): number {
  const { base, exponent, modulus } = lengthsOf(input)
  const longest = base > modulus ? base : modulus
  if (osaka && (longest > maxNumberBytesOsaka || exponent > maxNumberBytesOsaka)) return Infinity
  const words = (longest + 7n) / 8n
  const complexity = osaka ? (longest <= 32n ? 16n : 2n * words * words) : words * words
  const headLength = exponent < 32n ? Number(exponent) : 32
  const head = base > BigInt(input.length) ? 0n : numberAt(input, headBytes + Number(base), headLength)
  const headBits = BigInt(Math.max(0, bitsOf(head) - 1))
  const rounds = exponent <= 32n ? headBits : (osaka ? 16n : 8n) * (exponent - 32n) + headBits
  const gas = osaka ? complexity * (rounds > 0n ? rounds : 1n) : (complexity * (rounds > 0n ? rounds : 1n)) / 3n
  const least = osaka ? 500n : 200n
  return Number(gas > least ? gas : least)
}

/** Exponents of fewer digits are no work. */
const fewDigits = 4

/** By hexadecimal digits from the first on: four squarings each, and a product with a power that is remembered. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const digits = exponent.toString(16)
  const short = digits.length < fewDigits ? null : powersIfLoaded()?.shortPower(base, digits, modulus)
  if (typeof short === 'bigint') return short
  const powers = [1n % modulus, base % modulus]
  const small = (digit: number): bigint => {
    while (powers.length <= digit) powers.push((powers.at(-1)! * powers[1]!) % modulus)
    return powers[digit]!
  }
  let result = small(Number.parseInt(digits[0]!, 16))
  for (let at = 1; at < digits.length; at++) {
    for (let bit = 0; bit < 4; bit++) result = (result * result) % modulus
    const digit = Number.parseInt(digits[at]!, 16)
    if (digit !== 0) result = (result * small(digit)) % modulus
  }
  return result
}

export function modexp(input: Uint8Array): Uint8Array {
  const lengths = lengthsOf(input)
  if (lengths.modulus === 0n) return noBytes
  const longest = BigInt(2 ** 24)
  if (lengths.base > longest || lengths.exponent > longest || lengths.modulus > longest) halt('precompile failed')
  const [baseLength, exponentLength, modulusLength] = [Number(lengths.base), Number(lengths.exponent), Number(lengths.modulus)]
  const base = numberAt(input, headBytes, baseLength)
  const exponent = numberAt(input, headBytes + baseLength, exponentLength)
  const modulus = numberAt(input, headBytes + baseLength + exponentLength, modulusLength)
  return modulus === 0n ? new Uint8Array(modulusLength) : toBytes(power(base, exponent, modulus), modulusLength)
}
