// keccak-256 by the module of permutations.ts; by @noble/hashes where that cannot be made.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { layout, permutations, rate } from './permutations.ts'
import type { Permutations } from './permutations.ts'
import { fromBytes, readWord } from './word.ts'

/** A hash's bytes and word stay in the module's memory until the next one. */
class Sponge {
  readonly #made: Permutations
  readonly #input: Uint8Array
  readonly state: Uint8Array
  readonly view: DataView
  readonly #room: number

  constructor(made: Permutations) {
    const { memory } = made
    this.#made = made
    this.#input = new Uint8Array(memory, layout.input)
    this.state = new Uint8Array(memory, layout.state, 32)
    this.view = new DataView(memory, layout.state)
    this.#room = Math.floor(this.#input.length / rate)
  }

  hash(bytes: Uint8Array): void {
    const input = this.#input
    let rest = bytes
    while (rest.length >= rate) {
      const blocks = Math.min(Math.floor(rest.length / rate), this.#room)
      input.set(rest.subarray(0, blocks * rate))
      this.#made.absorb(blocks, rest === bytes ? 1 : 0)
      rest = rest.subarray(blocks * rate)
    }
    input.set(rest)
    input.fill(0, rest.length, rate)
    input[rest.length] = 0x01
    input[rate - 1]! |= 0x80
    this.#made.absorb(1, rest === bytes ? 1 : 0)
  }
}

let made: Sponge | null | undefined
function sponge(): Sponge | null {
  if (made !== undefined) return made
  const found = permutations()
  return (made = found === null ? null : new Sponge(found))
}

export function keccak256(bytes: Uint8Array): Uint8Array {
  const machine = sponge()
  if (machine === null) return keccak_256(bytes)
  machine.hash(bytes)
  return machine.state.slice()
}

/** The same as a word. */
export function keccakWord(bytes: Uint8Array): bigint {
  const machine = sponge()
  if (machine === null) return fromBytes(keccak_256(bytes))
  machine.hash(bytes)
  return readWord(machine.view, 0)
}
