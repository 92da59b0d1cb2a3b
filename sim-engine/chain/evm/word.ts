// 256-bit words as bigints: the arithmetic of the Ethereum virtual machine (Yellow Paper, appendix H). Every function takes and
// returns words in [0, 2^256) unless it says otherwise.

export const WORD_SPAN = 1n << 256n
export const MAX_WORD = WORD_SPAN - 1n
const SIGN_BIT = 1n << 255n
const MASK_64 = 0xffffffffffffffffn
export const ADDRESS_MASK = (1n << 160n) - 1n

/** The word's value in two's complement. */
export const toSigned = (word: bigint): bigint => (word >= SIGN_BIT ? word - WORD_SPAN : word)
/** The word that represents an integer in two's complement. */
export const fromSigned = (value: bigint): bigint => BigInt.asUintN(256, value)

export function add(a: bigint, b: bigint): bigint {
  const sum = a + b
  return sum > MAX_WORD ? sum - WORD_SPAN : sum
}

export function sub(a: bigint, b: bigint): bigint {
  const difference = a - b
  return difference < 0n ? difference + WORD_SPAN : difference
}

export function mul(a: bigint, b: bigint): bigint {
  const product = a * b
  return product > MAX_WORD ? product & MAX_WORD : product
}

/** Signed quotient, rounded towards zero; 0 for a divisor of 0. */
export const sdiv = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : fromSigned(toSigned(a) / toSigned(b)))
/** Signed remainder with the sign of the dividend; 0 for a divisor of 0. */
export const smod = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : fromSigned(toSigned(a) % toSigned(b)))

/** base ** exponent modulo 2^256, by squaring. */
export function exp(base: bigint, exponent: bigint): bigint {
  if (base === 2n) return exponent < 256n ? 1n << exponent : 0n
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = mul(result, square)
    square = mul(square, square)
  }
  return result
}

/** Extends the sign of the number in the lowest `size + 1` bytes of `word`. */
export const signExtend = (size: bigint, word: bigint): bigint =>
  size >= 31n ? word : fromSigned(BigInt.asIntN(Number(size) * 8 + 8, word))

/** Byte `index` of the word, 0 being the most significant. */
export const byteAt = (index: bigint, word: bigint): bigint => (index >= 32n ? 0n : (word >> (248n - index * 8n)) & 0xffn)

export const shl = (bits: bigint, word: bigint): bigint => (bits >= 256n ? 0n : (word << bits) & MAX_WORD)
export const shr = (bits: bigint, word: bigint): bigint => (bits >= 256n ? 0n : word >> bits)
/** Arithmetic shift to the right. */
export function sar(bits: bigint, word: bigint): bigint {
  const signed = toSigned(word)
  return bits >= 256n ? (signed < 0n ? MAX_WORD : 0n) : fromSigned(signed >> bits)
}

/** Number of leading zero bits, 0 to 256 (EIP-7939). */
export const leadingZeros = (word: bigint): bigint => (word === 0n ? 256n : BigInt(256 - word.toString(2).length))

/** Number of bytes that the word needs, 0 for 0. */
export const byteLength = (word: bigint): number => (word === 0n ? 0 : (word.toString(16).length + 1) >> 1)

/** The 32 bytes at `at`, big-endian. */
export function readWord(view: DataView, at: number): bigint {
  const a = view.getBigUint64(at)
  const b = view.getBigUint64(at + 8)
  const c = view.getBigUint64(at + 16)
  const d = view.getBigUint64(at + 24)
  if (a === 0n && b === 0n) return c === 0n ? d : (c << 64n) | d
  return (a << 192n) | (b << 128n) | (c << 64n) | d
}

/** Writes the word as 32 bytes at `at`, big-endian. */
export function writeWord(view: DataView, at: number, word: bigint): void {
  if (word <= MASK_64) {
    view.setBigUint64(at, 0n)
    view.setBigUint64(at + 8, 0n)
    view.setBigUint64(at + 16, 0n)
    view.setBigUint64(at + 24, word)
    return
  }
  view.setBigUint64(at, word >> 192n)
  view.setBigUint64(at + 8, (word >> 128n) & MASK_64)
  view.setBigUint64(at + 16, (word >> 64n) & MASK_64)
  view.setBigUint64(at + 24, word & MASK_64)
}

/** The 32 bytes of a word, big-endian. */
export function wordBytes(word: bigint): Uint8Array {
  const bytes = new Uint8Array(32)
  writeWord(new DataView(bytes.buffer), 0, word)
  return bytes
}

/** The 20 bytes of an address. */
export const addressBytes = (address: bigint): Uint8Array => wordBytes(address).subarray(12)

/** The two hexadecimal digits of each byte. */
const digitPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The number that bytes of any length represent, big-endian; 0 for none. */
export function fromBytes(bytes: Uint8Array): bigint {
  if (bytes.length === 32) return readWord(new DataView(bytes.buffer, bytes.byteOffset, 32), 0)
  let digits = ''
  for (const byte of bytes) digits += digitPairs[byte]!
  return digits === '' ? 0n : BigInt(`0x${digits}`)
}

/** The first `length` bytes of an input, padded with zeros. */
export function padded(input: Uint8Array, length: number): Uint8Array {
  if (input.length === length) return input
  const bytes = new Uint8Array(length)
  bytes.set(input.subarray(0, length))
  return bytes
}

/** `length` bytes of a number, big-endian; higher bytes are cut off. */
export function toBytes(value: bigint, length: number): Uint8Array {
  if (length <= 32 && value <= MAX_WORD) return wordBytes(value).slice(32 - length)
  const bytes = new Uint8Array(length)
  let rest = value
  for (let at = length - 1; at >= 0 && rest > 0n; at--) {
    bytes[at] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return bytes
}

/** Value of each hexadecimal digit by its character code; 255 for all other characters. */
const digitValues = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCodePoint(code).toLowerCase())
  return value < 0 ? 255 : value
})

/** Bytes of a hexadecimal text with or without `0x`; `undefined` for other texts. */
export function fromHex(text: string): Uint8Array | undefined {
  const start = text.startsWith('0x') ? 2 : 0
  const length = (text.length - start) / 2
  if (!Number.isInteger(length)) return undefined
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at++) {
    const high = digitValues[text.charCodeAt(start + 2 * at)] ?? 255
    const low = digitValues[text.charCodeAt(start + 2 * at + 1)] ?? 255
    if ((high | low) > 15) return undefined
    bytes[at] = (high << 4) | low
  }
  return bytes
}

/** `0x` and the bytes in hexadecimal. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  let text = ''
  for (const byte of bytes) text += digitPairs[byte]!
  return `0x${text}`
}
