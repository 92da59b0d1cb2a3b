// The contracts that the protocol provides at addresses 1 to 10 and 256: their gas and what they calculate. Cryptography is by @noble.
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { blake2f, blake2fGas } from './blake2f.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from './bn254.ts'
import { halt, noBytes } from './frame.ts'
import { wordsOf } from './gas.ts'
import { evaluatePoint, pointEvaluationGas } from './kzg.ts'
import { modexp, modexpGas } from './modexp.ts'
import type { Rules } from './rules.ts'
import { fromBytes } from './word.ts'

/** `run` throws a `Halt` where the input makes the call fail. */
export type Precompile = { gas: (input: Uint8Array, rules: Rules) => number; run: (input: Uint8Array) => Uint8Array }

/** The first `length` bytes of an input that goes on with zeros for ever. */
export function padded(input: Uint8Array, length: number): Uint8Array {
  if (input.length === length) return input
  const bytes = new Uint8Array(length)
  bytes.set(input.subarray(0, length))
  return bytes
}

/** Right-aligns bytes in a word. */
function inWord(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, 32 - bytes.length)
  return word
}

const perWord = (base: number, word: number) => (input: Uint8Array) => base + word * wordsOf(input.length)

/** The address whose key signed a hash, as a word's bytes; `undefined` for a signature that is none. */
export function signer(hash: Uint8Array, recovery: number, r: Uint8Array, s: Uint8Array): Uint8Array | undefined {
  if (recovery !== 0 && recovery !== 1) return undefined
  try {
    const signature = Uint8Array.from([...r, ...s])
    const key = secp256k1.Signature.fromBytes(signature, 'compact').addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false)
    return keccak_256(key.subarray(1)).subarray(12)
  } catch {
    return undefined
  }
}

function recover(input: Uint8Array): Uint8Array {
  const data = padded(input, 128)
  const v = fromBytes(data.subarray(32, 64))
  const address =
    v === 27n || v === 28n ? signer(data.subarray(0, 32), Number(v - 27n), data.subarray(64, 96), data.subarray(96, 128)) : undefined
  return address === undefined ? noBytes : inWord(address)
}

/** Verification of a signature on the curve P-256 (EIP-7951). */
function verifyP256(input: Uint8Array): Uint8Array {
  if (input.length !== 160) return noBytes
  try {
    const key = Uint8Array.from([4, ...input.subarray(96, 160)])
    const valid = p256.verify(input.subarray(32, 96), input.subarray(0, 32), key, { prehash: false, lowS: false })
    return valid ? inWord(Uint8Array.of(1)) : noBytes
  } catch {
    return noBytes
  }
}

const upToCancun: (Precompile | undefined)[] = [
  undefined,
  { gas: () => 3000, run: recover },
  { gas: perWord(60, 12), run: input => sha256(input) },
  { gas: perWord(600, 120), run: input => inWord(ripemd160(input)) },
  { gas: perWord(15, 3), run: input => input },
  { gas: (input, rules) => modexpGas(input, rules.osaka), run: modexp },
  { gas: () => 150, run: bn254Add },
  { gas: () => 6000, run: bn254Multiply },
  { gas: input => 45_000 + 34_000 * Math.floor(input.length / 192), run: bn254Pairing },
  { gas: blake2fGas, run: blake2f },
  { gas: () => pointEvaluationGas, run: evaluatePoint },
]
const p256Verify: Precompile = { gas: () => 6900, run: verifyP256 }
const p256Address = 256n
/** Those on BLS12-381 (EIP-2537) are of Prague, which no chain offers. */
const notProvided: Precompile = { gas: () => 0, run: () => halt('precompile not provided') }

const lastAddress = (rules: Rules): bigint => (rules.prague ? 17n : rules.cancun ? 10n : 9n)

/** Addresses of all precompiles under the rules: they are warm from the start. */
export function precompileAddresses(rules: Rules): bigint[] {
  const addresses = Array.from({ length: Number(lastAddress(rules)) }, (_, at) => BigInt(at + 1))
  return rules.osaka ? [...addresses, p256Address] : addresses
}

/** System contracts of BSC, which check headers and proofs of other chains. */
const bsc = { chainId: 56n, first: 0x64n, last: 0x69n } as const

export function precompileAt(rules: Rules, address: bigint, chainId = 1n): Precompile | undefined {
  if (chainId === bsc.chainId && address >= bsc.first && address <= bsc.last) return notProvided
  if (address === p256Address) return rules.osaka ? p256Verify : undefined
  if (address === 0n || address > lastAddress(rules)) return undefined
  return upToCancun[Number(address)] ?? notProvided
}
