// keccak-256 of what the machine hashes again and again: pairs of words (slots of mappings) are remembered, and addresses derived.
import { keccak256, keccakWord } from './keccak.ts'
import { ADDRESS_MASK, addressBytes, wordBytes, writeWord } from './word.ts'

const maxRememberedPairs = 1 << 16

export class Hashes {
  #pairs = new Map<bigint, Map<bigint, bigint>>()
  #count = 0
  #scratch = new Uint8Array(64)
  #view = new DataView(this.#scratch.buffer)

  of(bytes: Uint8Array): bigint {
    return keccakWord(bytes)
  }

  /** Hash of two words one behind the other. */
  ofPair(first: bigint, second: bigint): bigint {
    const known = this.#pairs.get(second)?.get(first)
    if (known !== undefined) return known
    writeWord(this.#view, 0, first)
    writeWord(this.#view, 32, second)
    const hash = this.of(this.#scratch)
    if (this.#count >= maxRememberedPairs) {
      this.#pairs.clear()
      this.#count = 0
    }
    let bySecond = this.#pairs.get(second)
    if (bySecond === undefined) this.#pairs.set(second, (bySecond = new Map()))
    bySecond.set(first, hash)
    this.#count++
    return hash
  }

  /** Address of what `creator` creates with its nonce: hash of the RLP of both (Yellow Paper, equation 88). */
  createdAddress(creator: bigint, nonce: bigint): bigint {
    const digits = nonce.toString(16)
    const nonceBytes =
      nonce === 0n
        ? []
        : Array.from({ length: (digits.length + 1) >> 1 }, (_, at, bytes = (digits.length + 1) >> 1) =>
            Number((nonce >> BigInt(8 * (bytes - 1 - at))) & 0xffn),
          )
    const encodedNonce = nonceBytes.length === 1 && nonceBytes[0]! < 0x80 ? nonceBytes : [0x80 + nonceBytes.length, ...nonceBytes]
    const rlp = Uint8Array.from([0xc0 + 21 + encodedNonce.length, 0x94, ...addressBytes(creator), ...encodedNonce])
    return this.of(rlp) & ADDRESS_MASK
  }

  /** Address of EIP-1014: hash of 0xff, creator, salt and the hash of the creation code. */
  create2Address(creator: bigint, salt: bigint, initCode: Uint8Array): bigint {
    return this.of(Uint8Array.from([0xff, ...addressBytes(creator), ...wordBytes(salt), ...keccak256(initCode)])) & ADDRESS_MASK
  }
}
