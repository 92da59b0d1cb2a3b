// Addresses are facts of the model: hashes of what they belong to. No private key exists, as senders are not asked for signatures.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { ADDRESS_MASK, fromBytes } from './evm/word.ts'

const encoder = new TextEncoder()

const hashed = (text: string): Uint8Array => keccak_256(encoder.encode(text))

/** Address of an individual by chain, population and the individual's number. */
export const individualAddress = (chain: string, population: string, id: number): bigint =>
  fromBytes(hashed(`holarchy|${chain}|${population}|${id}`)) & ADDRESS_MASK

/** Address of an account that has a name. */
export const namedAddress = (chain: string, name: string): bigint => fromBytes(hashed(`holarchy|${chain}|name|${name}`)) & ADDRESS_MASK

const digitsOf = (address: bigint): string => address.toString(16).padStart(40, '0')

/** An address as people write it, with the upper-case letters of EIP-55. */
export function addressText(address: bigint): string {
  const digits = digitsOf(address)
  const hash = hashed(digits)
  let text = '0x'
  for (let at = 0; at < 40; at++) {
    const nibble = at % 2 === 0 ? hash[at >> 1]! >> 4 : hash[at >> 1]! & 15
    text += nibble > 7 ? digits[at]!.toUpperCase() : digits[at]!
  }
  return text
}

/** The address that a text spells, in letters of any case; undefined for all else. */
export const addressOf = (text: string): bigint | undefined => (/^0x[\da-fA-F]{40}$/.test(text) ? BigInt(text) : undefined)
