// Reads the binary format of WebAssembly.
import { say, Told } from '../../../model-schema/words.ts'

/** What is wrong with a module. */
export class Unreadable extends Told {}

const decoder = new TextDecoder('utf-8', { fatal: true })

export class Reader {
  readonly bytes: Uint8Array
  at: number
  readonly #end: number

  constructor(bytes: Uint8Array, from: number, to: number) {
    if (to > bytes.length) throw new Unreadable(say('the module is cut'))
    this.bytes = bytes
    this.at = from
    this.#end = to
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end
  }

  byte(): number {
    if (this.at >= this.#end) throw new Unreadable(say('the module is cut'))
    return this.bytes[this.at++]!
  }

  skip(size: number): void {
    if (this.at + size > this.#end) throw new Unreadable(say('the module is cut'))
    this.at += size
  }

  /** An unsigned number of at most 32 bits in LEB128. */
  unsigned(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) {
        if (value >= 2 ** 32) break
        return value
      }
    }
    throw new Unreadable(say('a number is too long'))
  }

  /** How many entries follow: each takes a byte at least. */
  count(): number {
    const count = this.unsigned()
    if (count > this.#end - this.at) throw new Unreadable(say('the module is cut'))
    return count
  }

  /** Passes over a number in LEB128 of at most `most` bytes. */
  skipNumber(most: number): void {
    for (let k = 0; k < most; k++) if (this.byte() < 128) return
    throw new Unreadable(say('a number is too long'))
  }

  name(): string {
    const size = this.count()
    const from = this.at
    this.skip(size)
    try {
      return decoder.decode(this.bytes.subarray(from, this.at))
    } catch {
      throw new Unreadable(say('a name is not UTF-8'))
    }
  }

  /** All has to be read. */
  finish(): void {
    if (!this.isAtEnd) throw new Unreadable(say('the module has bytes too many'))
  }
}
