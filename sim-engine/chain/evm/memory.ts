// A frame's memory: bytes that grow by words and cost gas as they grow (Yellow Paper, equation 326).
import { readWord, writeWord } from './word.ts'

const quadraticDivisor = 512

export class Memory {
  bytes = new Uint8Array(4096)
  #view = new DataView(this.bytes.buffer)
  #words = 0

  /** Size in bytes, a multiple of 32. */
  get size(): number {
    return this.#words * 32
  }

  /** Empties the memory; what was grown stays reserved for the next frame up to 64 kB. */
  clear(): void {
    if (this.bytes.length > 65_536) {
      this.bytes = new Uint8Array(4096)
      this.#view = new DataView(this.bytes.buffer)
    } else {
      this.bytes.fill(0, 0, this.#words * 32)
    }
    this.#words = 0
  }

  /** Gas for growing to `end` bytes; 0 where it is that large already. Nothing is reserved yet. */
  costOf(end: number): number {
    const words = Math.ceil(end / 32)
    if (words <= this.#words) return 0
    return costOfWords(words) - costOfWords(this.#words)
  }

  /** Grows to `end` bytes, once the gas has been paid. */
  grow(end: number): void {
    const words = Math.ceil(end / 32)
    if (words <= this.#words) return
    this.#words = words
    if (words * 32 <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(words * 32, 2 * this.bytes.length))
    grown.set(this.bytes)
    this.bytes = grown
    this.#view = new DataView(grown.buffer)
  }

  read(at: number): bigint {
    return readWord(this.#view, at)
  }

  write(at: number, word: bigint): void {
    writeWord(this.#view, at, word)
  }

  /** A copy of `length` bytes. */
  slice(at: number, length: number): Uint8Array {
    return this.bytes.slice(at, at + length)
  }

  /** Copies `length` bytes of `source` from `from` on; beyond its end there are zeros. */
  copyFrom(source: Uint8Array, from: number, at: number, length: number): void {
    const available = Math.max(0, Math.min(length, source.length - from))
    if (available > 0) this.bytes.set(source.subarray(from, from + available), at)
    this.bytes.fill(0, at + available, at + length)
  }
}

const costOfWords = (words: number): number => 3 * words + Math.floor((words * words) / quadraticDivisor)
