// The contracts that the protocol provides at addresses 1 to 17 and 256: their gas and what they calculate. Cryptography is by @noble; that on
// elliptic curves is loaded apart (curves.ts).
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { blake2f, blake2fGas } from './blake2f.ts'
import { multiplyGas } from './bls12-gas.ts'
import { curves } from './curves.ts'
import { halt } from '../frame.ts'
import { wordsOf } from '../gas.ts'
import { modexp, modexpGas } from './modexp.ts'
import type { Rules } from '../rules.ts'

/** `run` throws a `Halt` where the input makes the call fail. */
export type Precompile = { gas: (input: Uint8Array, rules: Rules) => number; run: (input: Uint8Array) => Uint8Array }

/** Right-aligns bytes in a word. */
function inWord(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, 32 - bytes.length)
  return word
}

const perWord = (base: number, word: number) => (input: Uint8Array) => base + word * wordsOf(input.length)

type Pairings = ReturnType<typeof curves<'pairings'>>
type Signatures = ReturnType<typeof curves<'signatures'>>
type Calculation = (input: Uint8Array) => Uint8Array

/** Precompiles whose code is loaded apart. */
const paired = (address: number, gas: Precompile['gas'], pick: (part: Pairings) => Calculation): Precompile => ({
  gas,
  run: input => pick(curves('pairings', address))(input),
})
const signed = (address: number, gas: number, pick: (part: Signatures) => Calculation): Precompile => ({
  gas: () => gas,
  run: input => pick(curves('signatures', address))(input),
})

const byAddress: (Precompile | undefined)[] = [
  undefined,
  signed(1, 3000, part => part.recover),
  { gas: perWord(60, 12), run: input => sha256(input) },
  { gas: perWord(600, 120), run: input => inWord(ripemd160(input)) },
  { gas: perWord(15, 3), run: input => input },
  { gas: (input, rules) => modexpGas(input, rules.osaka), run: modexp },
  paired(
    6,
    () => 150,
    part => part.bn254Add,
  ),
  paired(
    7,
    () => 6000,
    part => part.bn254Multiply,
  ),
  paired(
    8,
    input => 45_000 + 34_000 * Math.floor(input.length / 192),
    part => part.bn254Pairing,
  ),
  { gas: blake2fGas, run: blake2f },
  paired(
    10,
    () => 50_000,
    part => part.evaluatePoint,
  ),
  // Those on BLS12-381 are of Prague.
  paired(
    11,
    () => 375,
    part => part.addG1,
  ),
  paired(12, multiplyGas.g1, part => part.multiplyG1),
  paired(
    13,
    () => 600,
    part => part.addG2,
  ),
  paired(14, multiplyGas.g2, part => part.multiplyG2),
  paired(
    15,
    input => 37_700 + 32_600 * Math.floor(input.length / 384),
    part => part.pairing,
  ),
  paired(
    16,
    () => 5500,
    part => part.mapToG1,
  ),
  paired(
    17,
    () => 23_800,
    part => part.mapToG2,
  ),
]
const p256Address = 256n
const p256Verify = signed(Number(p256Address), 6900, part => part.verifyP256)
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
  return byAddress[Number(address)]
}
