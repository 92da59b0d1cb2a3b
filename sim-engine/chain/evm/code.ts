// Contract code, analysed once: where jumps may land and what each PUSH pushes.
import { keccakWord } from './keccak.ts'
import { fromBytes } from './word.ts'

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

export class Code {
  readonly bytes: Uint8Array
  /** 1 at a JUMPDEST that is not the data of a PUSH. Empty until the code runs. */
  destinations: Uint8Array = new Uint8Array(0)
  /** Value of the PUSH at each position, by position. */
  pushed: (bigint | undefined)[] = []
  #hash: bigint | undefined
  #analysed = false

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** keccak-256 of the bytes. */
  get hash(): bigint {
    this.#hash ??= keccakWord(this.bytes)
    return this.#hash
  }

  /** Finds jump destinations and decodes pushes; done once. */
  analyse(): void {
    if (this.#analysed) return
    this.#analysed = true
    const { bytes } = this
    this.destinations = new Uint8Array(bytes.length)
    this.pushed = Array.from({ length: bytes.length })
    for (let at = 0; at < bytes.length; at++) {
      const opcode = bytes[at]!
      if (opcode === JUMPDEST) this.destinations[at] = 1
      if (opcode < PUSH1 || opcode > PUSH32) continue
      const size = opcode - PUSH1 + 1
      const data = bytes.subarray(at + 1, at + 1 + size)
      // Code that ends within the data of a PUSH is padded with zeros.
      this.pushed[at] = fromBytes(data) << BigInt(8 * (size - data.length))
      at += size
    }
  }
}

export const noCode = new Code(new Uint8Array(0))

const delegationPrefix = [0xef, 0x01, 0x00]
/** The account to which a code delegates (EIP-7702: `0xef0100` and an address), or `undefined`. */
export function delegateOf(code: Code): bigint | undefined {
  const { bytes } = code
  if (bytes.length !== 23 || delegationPrefix.some((byte, at) => bytes[at] !== byte)) return undefined
  return fromBytes(bytes.subarray(3))
}

export function delegationTo(address: Uint8Array): Code {
  return new Code(Uint8Array.from([...delegationPrefix, ...address]))
}
