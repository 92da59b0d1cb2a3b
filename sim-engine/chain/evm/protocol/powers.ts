// Powers modulo numbers of at most 32 bytes in WebAssembly, where bigints take most of the time to be made. Barrett's reduction (Handbook of Applied
// Cryptography, algorithm 14.42) with digits of 32 bits: it serves even moduli too. The modulus is first shifted to the full length; what is left
// modulo that multiple is reduced at the end.
import { Bytes, i32, i64, moduleOf, nothing, op, type Made } from '../../../backends/binary.ts'
import type { Parts } from './parts.ts'

/** Where things stand in the module's memory of one page: numbers of up to 32 bytes, little-endian. */
const layout = {
  result: 0,
  modulus: 32,
  /** floor(2^(2 length) / modulus), one digit more than the modulus. */
  reciprocal: 64,
  /** Powers 0 to 15 of the base. */
  table: 128,
  /** Hexadecimal digits of the exponent, one a byte. */
  digits: 1024,
} as const
const bytesOfPower = 32
/** Digits done in one call: code that is entered once stays as it was first compiled. */
const digitsAtOnce = 1024

const load32 = 0x35
const store32 = 0x3e
const loadByte = 0x2d
const call = 0x10

/** `multiply(to, first, second)`: a product modulo the modulus, of so many digits. Everything is in locals. */
function multiply(digits: number): Made {
  const code = new Bytes(8192)
  const locals: number[] = []
  const local = (): number => 3 + locals.push(i64) - 1
  const several = (count: number): number[] => Array.from({ length: count }, local)
  const get = (one: number): void => code.at(op.localGet, one)
  const set = (one: number): void => code.at(op.localSet, one)
  const digitAt = (base: () => void, offset: number): void => {
    base()
    code.op(load32)
    code.unsigned(2)
    code.unsigned(offset)
  }
  const fixed = (place: number, count: number): number[] =>
    several(count).map((one, k) => {
      digitAt(() => code.i32(0), place + 4 * k)
      set(one)
      return one
    })
  const given = (parameter: number): number[] =>
    several(digits).map((one, k) => {
      digitAt(() => get(parameter), 4 * k)
      set(one)
      return one
    })
  const [carry, sum] = [local(), local()]
  const low = (one: number): void => {
    get(one)
    code.i64(0xffffffff)
    code.op(op.i64And)
  }
  /** The product of two numbers, as far as its first `length` digits. */
  const product = (first: readonly number[], second: readonly number[], length: number): number[] => {
    const found = several(length)
    first.forEach((one, i) => {
      code.i64(0)
      set(carry)
      second.forEach((other, j) => {
        if (i + j >= length) return
        get(one)
        get(other)
        code.op(op.i64Mul)
        get(carry)
        code.op(op.i64Add)
        if (i > 0) {
          get(found[i + j]!)
          code.op(op.i64Add)
        }
        set(sum)
        low(sum)
        set(found[i + j]!)
        get(sum)
        code.i64(32)
        code.op(op.i64ShrU)
        set(carry)
      })
      if (i + second.length < length) {
        get(carry)
        set(found[i + second.length]!)
      }
    })
    return found
  }
  /** A difference modulo 2^32 for each digit; `carry` is what is missing at its end, 0 or 1. */
  const difference = (first: readonly number[], second: readonly number[]): number[] => {
    code.i64(0)
    set(carry)
    return first.map((one, k) => {
      const found = local()
      get(one)
      if (second[k] !== undefined) {
        get(second[k])
        code.op(op.i64Sub)
      }
      get(carry)
      code.op(op.i64Sub)
      set(sum)
      low(sum)
      set(found)
      get(sum)
      code.i64(63)
      code.op(op.i64ShrU)
      set(carry)
      return found
    })
  }
  const modulus = fixed(layout.modulus, digits)
  const reciprocal = fixed(layout.reciprocal, digits + 1)
  const whole = product(given(1), given(2), 2 * digits)
  const quotient = product(whole.slice(digits - 1), reciprocal, 2 * digits + 2).slice(digits + 1)
  let rest = difference(whole.slice(0, digits + 1), product(quotient, modulus, digits + 1))
  for (let turn = 0; turn < 2; turn++) {
    const less = difference(rest, modulus)
    rest = rest.map((one, k) => {
      get(less[k]!)
      get(one)
      get(carry)
      code.put(op.i64Eqz, op.select)
      set(one)
      return one
    })
  }
  for (let k = 0; k < digits; k++) {
    get(0)
    get(rest[k]!)
    code.op(store32)
    code.unsigned(2)
    code.unsigned(4 * k)
  }
  return { parameters: [i32, i32, i32], results: [], locals, code }
}

/** `raise(count)`: the result to the 16th power, times a power of the base, for each of so many digits. */
function raise(): Made {
  const code = new Bytes()
  const [count, at, digit] = [0, 1, 2]
  const get = (one: number): void => code.at(op.localGet, one)
  const multiplyBy = (other: () => void): void => {
    code.i32(layout.result)
    code.i32(layout.result)
    other()
    code.at(call, 0)
  }
  code.put(op.block, nothing, op.loop, nothing)
  get(at)
  get(count)
  code.op(op.i32Sub)
  code.op(op.i32Eqz)
  code.at(op.brIf, 1)
  for (let turn = 0; turn < 4; turn++) multiplyBy(() => code.i32(layout.result))
  get(at)
  code.op(loadByte)
  code.unsigned(0)
  code.unsigned(layout.digits)
  code.at(op.localTee, digit)
  code.put(op.if, nothing)
  multiplyBy(() => {
    get(digit)
    code.i32(bytesOfPower)
    code.op(op.i32Mul)
    code.i32(layout.table)
    code.op(op.i32Add)
  })
  code.op(op.end)
  get(at)
  code.i32(1)
  code.op(op.i32Add)
  code.at(op.localSet, at)
  code.at(op.br, 0)
  code.put(op.end, op.end)
  return { parameters: [i32], results: [], locals: [i32, i32], code }
}

const powersModule = (digits: number): Uint8Array<ArrayBuffer> =>
  moduleOf(
    [],
    [multiply(digits), raise()],
    [
      { name: 'multiply', index: 0 },
      { name: 'raise', index: 1 },
    ],
  )

/** Powers modulo numbers of so many bytes at most. */
class Powers {
  readonly #words: number
  readonly #view: DataView
  readonly #digits: Uint8Array
  readonly #multiply: (to: number, first: number, second: number) => void
  readonly #raise: (count: number) => void

  constructor(digits: number) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 })
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(powersModule(digits)), { host: { memory } })
    this.#words = digits / 2
    this.#view = new DataView(memory.buffer)
    this.#digits = new Uint8Array(memory.buffer, layout.digits, digitsAtOnce)
    this.#multiply = exports['multiply'] as (to: number, first: number, second: number) => void
    this.#raise = exports['raise'] as (count: number) => void
  }

  #write(place: number, value: bigint, words: number): void {
    let rest = value
    for (let k = 0; k < words; k++) {
      this.#view.setBigUint64(place + 8 * k, rest, true)
      rest >>= 64n
    }
  }

  of(base: bigint, exponent: string, modulus: bigint, bits: bigint): bigint {
    const words = this.#words
    const length = BigInt(64 * words)
    const full = modulus << (length - bits)
    const place = (power: number): number => layout.table + power * bytesOfPower
    this.#write(layout.modulus, full, words)
    this.#write(layout.reciprocal, (1n << (2n * length)) / full, words + 1)
    this.#write(place(0), 1n, words)
    this.#write(layout.result, 1n, words)
    this.#write(place(1), base % full, words)
    for (let power = 2; power < 16; power++) this.#multiply(place(power), place(power - 1), place(1))
    for (let from = 0; from < exponent.length; from += digitsAtOnce) {
      const count = Math.min(exponent.length - from, digitsAtOnce)
      for (let k = 0; k < count; k++) {
        const code = exponent.charCodeAt(from + k)
        this.#digits[k] = code < 58 ? code - 48 : code - 87
      }
      this.#raise(count)
    }
    let result = 0n
    for (let k = words - 1; k >= 0; k--) result = (result << 64n) | this.#view.getBigUint64(layout.result + 8 * k, true)
    return result % modulus
  }
}

const made = new Map<number, Powers | null>()
function powersOf(digits: number): Powers | null {
  let known = made.get(digits)
  if (known !== undefined) return known
  try {
    known = new Powers(digits)
  } catch {
    known = null
  }
  made.set(digits, known)
  return known
}

export const shortPower: Parts['powers']['shortPower'] = (base, exponent, modulus) => {
  const bits = modulus.toString(2).length
  if (bits > 256) return null
  return powersOf(2 * Math.ceil(bits / 64))?.of(base, exponent, modulus, BigInt(bits)) ?? null
}
