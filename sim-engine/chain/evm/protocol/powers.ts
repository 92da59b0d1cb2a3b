// Powers modulo numbers of at most 32 bytes in WebAssembly, where bigints take most of the time to be made. Barrett's reduction (Handbook of Applied
// Cryptography, algorithm 14.42) with digits of 32 bits: it serves even moduli too. The modulus is first shifted to the full length; what is left
// modulo that multiple is reduced at the end.
import { Bytes, i32, i64, moduleOf, nothing, op, type Made } from '../../../backends/binary.ts'
import type { Parts } from './parts.ts'

/** Layout of the module's memory of one page: numbers of up to 32 bytes, little-endian. */
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

/** Code on numbers of several digits of 32 bits, each a local of 64. */
class DigitCode {
  readonly code = new Bytes(8192)
  readonly locals: number[] = []
  readonly #parameters: number
  readonly #carry: number
  readonly #sum: number

  constructor(parameters: number) {
    this.#parameters = parameters
    this.#carry = this.#local()
    this.#sum = this.#local()
  }

  /** The number at a fixed place of the memory. */
  at(place: number, count: number): number[] {
    return this.#loaded(() => this.code.i32(0), place, count)
  }

  /** The number a parameter points to. */
  given(parameter: number, count: number): number[] {
    return this.#loaded(() => this.#get(parameter), 0, count)
  }

  /** The product of two numbers, as far as its first `length` digits. */
  product(first: readonly number[], second: readonly number[], length: number): number[] {
    const found = this.#several(length)
    first.forEach((one, i) => {
      this.code.i64(0)
      this.#set(this.#carry)
      second.forEach((other, j) => {
        if (i + j >= length) return
        this.#get(one)
        this.#get(other)
        this.code.op(op.i64Mul)
        this.#get(this.#carry)
        this.code.op(op.i64Add)
        if (i > 0) {
          this.#get(found[i + j]!)
          this.code.op(op.i64Add)
        }
        this.#set(this.#sum)
        this.#lowOfSum(found[i + j]!)
        this.#carryOfSum(32)
      })
      if (i + second.length < length) {
        this.#get(this.#carry)
        this.#set(found[i + second.length]!)
      }
    })
    return found
  }

  /** A difference modulo 2^32 for each digit; the carry is what is missing at its end, 0 or 1. */
  difference(first: readonly number[], second: readonly number[]): number[] {
    this.code.i64(0)
    this.#set(this.#carry)
    return first.map((one, k) => {
      const found = this.#local()
      this.#get(one)
      if (second[k] !== undefined) {
        this.#get(second[k])
        this.code.op(op.i64Sub)
      }
      this.#get(this.#carry)
      this.code.op(op.i64Sub)
      this.#set(this.#sum)
      this.#lowOfSum(found)
      this.#carryOfSum(63)
      return found
    })
  }

  /** Subtracts a number once unless it is the greater one. */
  subtractOnce(from: readonly number[], other: readonly number[]): void {
    const less = this.difference(from, other)
    from.forEach((one, k) => {
      this.#get(less[k]!)
      this.#get(one)
      this.#get(this.#carry)
      this.code.put(op.i64Eqz, op.select)
      this.#set(one)
    })
  }

  /** Stores a number where a parameter points to. */
  store(parameter: number, digits: readonly number[]): void {
    digits.forEach((one, k) => {
      this.#get(parameter)
      this.#get(one)
      this.code.op(store32)
      this.code.unsigned(2)
      this.code.unsigned(4 * k)
    })
  }

  #local(): number {
    return this.#parameters + this.locals.push(i64) - 1
  }

  #several(count: number): number[] {
    return Array.from({ length: count }, () => this.#local())
  }

  #get(one: number): void {
    this.code.at(op.localGet, one)
  }

  #set(one: number): void {
    this.code.at(op.localSet, one)
  }

  #loaded(base: () => void, offset: number, count: number): number[] {
    return this.#several(count).map((one, k) => {
      base()
      this.code.op(load32)
      this.code.unsigned(2)
      this.code.unsigned(offset + 4 * k)
      this.#set(one)
      return one
    })
  }

  #lowOfSum(to: number): void {
    this.#get(this.#sum)
    this.code.i64(0xffffffff)
    this.code.op(op.i64And)
    this.#set(to)
  }

  #carryOfSum(shift: number): void {
    this.#get(this.#sum)
    this.code.i64(shift)
    this.code.op(op.i64ShrU)
    this.#set(this.#carry)
  }
}

/** `multiply(to, first, second)`: a product modulo the modulus, of so many digits. */
function multiply(digits: number): Made {
  const numbers = new DigitCode(3)
  const modulus = numbers.at(layout.modulus, digits)
  const reciprocal = numbers.at(layout.reciprocal, digits + 1)
  const whole = numbers.product(numbers.given(1, digits), numbers.given(2, digits), 2 * digits)
  const quotient = numbers.product(whole.slice(digits - 1), reciprocal, 2 * digits + 2).slice(digits + 1)
  const rest = numbers.difference(whole.slice(0, digits + 1), numbers.product(quotient, modulus, digits + 1))
  for (let turn = 0; turn < 2; turn++) numbers.subtractOnce(rest, modulus)
  numbers.store(0, rest.slice(0, digits))
  return { parameters: [i32, i32, i32], results: [], locals: numbers.locals, code: numbers.code }
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
