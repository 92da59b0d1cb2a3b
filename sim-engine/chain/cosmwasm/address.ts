// Addresses of Terra: bech32 (BIP 173, by @scure/base) of 20 bytes for accounts and 32 bytes for contracts.
import { bech32 } from '@scure/base'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const prefix = 'terra'

/** Longest address of CosmWasm in characters. */
const addressLength = 90

export const addressText = (bytes: Uint8Array): string => bech32.encode(prefix, bech32.toWords(bytes), addressLength)

/** The bytes of an address in lower-case letters; undefined for all else. */
export function addressBytes(text: string): Uint8Array | undefined {
  const decoded = text.length <= addressLength && text === text.toLowerCase() ? bech32.decodeUnsafe(text, addressLength) : undefined
  const bytes = decoded?.prefix === prefix ? bech32.fromWordsUnsafe(decoded.words) : undefined
  return bytes instanceof Uint8Array && (bytes.length === 20 || bytes.length === 32) ? bytes : undefined
}

const wideBytes = (value: number): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

/** ADR-028 of the Cosmos SDK: the address of what a module made, by its key. */
const moduleAddress = (key: Uint8Array): string =>
  addressText(sha256(concatBytes(sha256(utf8ToBytes('module')), utf8ToBytes('wasm'), new Uint8Array(1), key)))

/** Of the contract that is the `instance`th on the chain (wasmd, BuildContractAddressClassic). */
export const classicAddress = (code: number, instance: number): string => moduleAddress(concatBytes(wideBytes(code), wideBytes(instance)))

/** Of a contract by what it is made of (wasmd, BuildContractAddressPredictable). `creator` is an address of the chain. */
export const predictableAddress = (checksum: Uint8Array, creator: string, salt: Uint8Array): string =>
  moduleAddress(concatBytes(...[checksum, addressBytes(creator)!, salt, new Uint8Array(0)].flatMap(part => [wideBytes(part.length), part])))

const contractFlag = 1n << 256n

/** An address as the whole number that ledgers know it by: those of 32 bytes have a bit above them. */
export function addressNumber(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return bytes.length === 32 ? value | contractFlag : value
}

export function textOfNumber(address: bigint): string {
  const isLong = address >= contractFlag
  const bytes = new Uint8Array(isLong ? 32 : 20)
  let rest = isLong ? address ^ contractFlag : address
  for (let at = bytes.length - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 255n)
    rest >>= 8n
  }
  return addressText(bytes)
}

export function numberOfText(text: string): bigint | undefined {
  const bytes = addressBytes(text)
  return bytes && addressNumber(bytes)
}
