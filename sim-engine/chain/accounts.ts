// Addresses are facts of the model: hashes of what they belong to. No private key exists, as senders are not asked for signatures.
import { keccak256 } from './evm/keccak.ts'
import { ADDRESS_MASK, fromBytes } from './evm/word.ts'

const encoder = new TextEncoder()

const hashed = (text: string): Uint8Array => keccak256(encoder.encode(text))

/** Where accounts of a model are: the chain's id, and whether it continues from a real one. */
type Home = { readonly id: string; readonly isFork: boolean }

const prefixBits = 96n
/** The text "holarchy": the prefix of the addresses of a model's own accounts on a fork, where no other account has such an address. */
const ownPrefix = 0x686f6c6172636879n

/** Whether an address on a fork is of an account of the model. */
export const isOwnAddress = (address: bigint): boolean => address >> prefixBits === ownPrefix

function addressOfHash({ isFork }: Home, text: string): bigint {
  const address = fromBytes(hashed(text)) & ADDRESS_MASK
  return isFork ? (ownPrefix << prefixBits) | BigInt.asUintN(Number(prefixBits), address) : address
}

/** Address of an individual by chain, population and the individual's number. */
export const individualAddress = (chain: Home, population: string, id: number): bigint =>
  addressOfHash(chain, `holarchy|${chain.id}|${population}|${id}`)

/** Address of an account that has a name. */
export const namedAddress = (chain: Home, name: string): bigint => addressOfHash(chain, `holarchy|${chain.id}|name|${name}`)

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
