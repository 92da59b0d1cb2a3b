// Elliptic curves by mcl (github.com/herumi/mcl-wasm), a library in WebAssembly that has its bytes in its script: nothing is fetched. Each curve
// has an instance of its own, as the library keeps one curve at a time. Numbers in its memory are in the library's own form.
import { toBytes } from '../../word.ts'
import type { Curves } from '../parts.ts'

/** Numbers by which the library knows its curves. */
const curveNumbers: Readonly<Record<keyof Curves, number>> = { bn254: 4, bls12: 5, secp256k1: 102, p256: 107 }

/** What the library calls these functions is with `_mclBn` before. */
type Name =
  | '_init'
  | '_getCurveOrder'
  | '_getFieldOrder'
  | '_finalExp'
  | '_getUint64NumToPrecompute'
  | '_millerLoopVec'
  | '_precomputeG2'
  | '_precomputedMillerLoop2'
  | '_setETHserialization'
  | '_setMapToMode'
  | '_verifyOrderG1'
  | '_verifyOrderG2'
  | `Fr_${'inv' | 'isEqual' | 'mul' | 'neg' | 'serialize' | 'setBigEndianMod'}`
  | `Fp_${'add' | 'isNegative' | 'isOdd' | 'mapToG1' | 'mul' | 'neg' | 'serialize' | 'setBigEndianMod' | 'setInt32' | 'sqr' | 'squareRoot'}`
  | 'Fp2_mapToG2'
  | `G1_${'add' | 'clear' | 'getBasePoint' | 'isValid' | 'isValidOrder' | 'isZero' | 'mul' | 'mulVec' | 'neg' | 'normalize' | 'sub'}`
  | `G2_${'add' | 'clear' | 'deserialize' | 'isValid' | 'isValidOrder' | 'isZero' | 'mulVec' | 'neg' | 'normalize'}`
  | 'GT_isOne'
type Functions = Readonly<Record<`_mclBn${Name}` | '_malloc' | '_free', (...values: number[]) => number>>
type Library = Functions & { readonly wasmMemory: WebAssembly.Memory }

/** Bytes of numbers and points in memory, whatever the curve. */
export const sizes = { field: 48, scalar: 32, g1: 3 * 48, g2: 6 * 48, gt: 12 * 48 } as const
/** Says how large the library was compiled to be; another is refused. */
const compiledFor = 46

const randomness = (): never => {
  throw new Error('nothing here is random')
}

/** Whether the number in `bytes` from `at` on is less than that of a limit. */
export function isBelow(limit: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let k = 0; k < limit.length; k++) {
    const difference = bytes[at + k]! - limit[k]!
    if (difference !== 0) return difference < 0
  }
  return false
}

export const isZero = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false
  return true
}

/** A curve with its memory. Places in memory are numbers; a point of G1 is three coordinates one after the other, in Jacobian form. */
export class Curve {
  readonly call: Library
  /** The size of the field and of the group, big-endian. */
  readonly fieldOrder: Uint8Array
  readonly groupOrder: Uint8Array
  readonly fieldBytes: number
  readonly #scratch: number
  readonly #one: number
  #bytes: Uint8Array

  constructor(library: Library, fieldBytes: number) {
    this.call = library
    this.fieldBytes = fieldBytes
    this.#bytes = new Uint8Array(library.wasmMemory.buffer)
    this.#scratch = this.room(256)
    this.#one = this.room(sizes.field)
    library._mclBnFp_setInt32(this.#one, 1)
    this.fieldOrder = toBytes(this.#decimal(library._mclBn_getFieldOrder), fieldBytes)
    this.groupOrder = toBytes(this.#decimal(library._mclBn_getCurveOrder), sizes.scalar)
  }

  #decimal(write: (place: number, room: number) => number): bigint {
    const length = write(this.#scratch, 256)
    return BigInt(String.fromCharCode(...this.bytes.subarray(this.#scratch, this.#scratch + length)))
  }

  /** The memory; another view after it has grown. */
  get bytes(): Uint8Array {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.call.wasmMemory.buffer)
    return this.#bytes
  }

  room(size: number): number {
    const place = this.call._malloc(size)
    if (place === 0) throw new RangeError('no memory')
    return place
  }

  put(place: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, place)
  }
  copy(to: number, from: number, length: number): void {
    this.bytes.copyWithin(to, from, from + length)
  }

  /** Reads a coordinate; `false` where it is not less than the field's size. */
  readField(to: number, input: Uint8Array, at: number): boolean {
    if (!isBelow(this.fieldOrder, input, at)) return false
    this.put(this.#scratch, input.subarray(at, at + this.fieldBytes))
    return this.call._mclBnFp_setBigEndianMod(to, this.#scratch, this.fieldBytes) === 0
  }
  writeField(from: number, output: Uint8Array, at: number): void {
    this.call._mclBnFp_serialize(this.#scratch, this.fieldBytes, from)
    const { bytes, fieldBytes } = this
    const last = this.#scratch + fieldBytes - 1
    for (let k = 0; k < fieldBytes; k++) output[at + k] = bytes[last - k]!
  }

  /** Reads a number of 32 bytes modulo the group's size. */
  readScalar(to: number, input: Uint8Array, at: number): void {
    this.put(this.#scratch, input.subarray(at, at + sizes.scalar))
    this.call._mclBnFr_setBigEndianMod(to, this.#scratch, sizes.scalar)
  }

  /** Makes a point in G1 of two coordinates at its place. */
  affineG1(place: number): void {
    this.copy(place + 2 * sizes.field, this.#one, sizes.field)
  }
  /** The same in G2, where each coordinate is two numbers. */
  affineG2(place: number): void {
    this.copy(place + 4 * sizes.field, this.#one, sizes.field)
    this.bytes.fill(0, place + 5 * sizes.field, place + 6 * sizes.field)
  }

  /** Lends memory for as long as something is done. */
  borrow<Result>(size: number, act: (place: number) => Result): Result {
    const place = this.room(size)
    try {
      return act(place)
    } finally {
      this.call._free(place)
    }
  }
}

/** `null` where WebAssembly may not be made. */
export async function curveOf(name: keyof Curves): Promise<Curve | null> {
  // A file of its own: all scripts of the app that need it then have the same one.
  const { default: createModule } = await import('mcl-wasm/dist/mcl_c.js')
  let library: Library
  try {
    library = (await createModule({ cryptoGetRandomValues: randomness })) as Library
  } catch {
    return null
  }
  if (library._mclBn_init(curveNumbers[name], compiledFor) !== 0) throw new Error(`mcl has no ${name}`)
  return new Curve(library, name === 'bls12' ? 48 : 32)
}
