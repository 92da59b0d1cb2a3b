// The contracts that the protocol provides at addresses 1 to 17 and 256: their gas and what they calculate. Digests and cryptography on
// elliptic curves are loaded apart (curves.ts).
import { blake2f, blake2fGas } from './blake2f.ts'
import { multiplyGas } from './bls12-gas.ts'
import { curves, type CurvePart } from './curves.ts'
import { halt, noBytes } from '../frame.ts'
import { wordsOf } from '../gas.ts'
import { modexp, modexpGas } from './modexp.ts'
import type { Calculation, P256, Parts, Secp256k1 } from './parts.ts'
import type { Rules } from '../rules.ts'
import { fromBytes, padded, toBytes } from '../word.ts'

/**
 * `run` throws a `Halt` where the input makes the call fail. `slow`: of those that take long for their gas, how many times as much of
 * `mostSlowGas` as they cost they use up.
 */
export type Precompile = { gas: (input: Uint8Array, rules: Rules) => number; run: Calculation; slow?: number }

/** Most gas that slow ones may cost in a transaction or a view: they take up to 2 s for it. */
export const mostSlowGas = 30_000_000

/** Right-aligns bytes in a word. */
function inWord(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, 32 - bytes.length)
  return word
}

const perWord = (base: number, word: number) => (input: Uint8Array) => base + word * wordsOf(input.length)

/** What a part that is loaded apart calculates. */
const by =
  <P extends CurvePart>(part: P, address: number, pick: (part: Parts[P]) => Calculation): Calculation =>
  input =>
    pick(curves(part, address))(input)

const recover =
  ({ signer }: Secp256k1): Calculation =>
  input => {
    const data = padded(input, 128)
    const v = fromBytes(data.subarray(32, 64))
    const recovery = v === 27n || v === 28n ? Number(v - 27n) : -1
    const address = signer(data.subarray(0, 32), recovery, data.subarray(64, 96), data.subarray(96, 128))
    return address === undefined ? noBytes : inWord(address)
  }

const p256Bytes = 160
const verify =
  (part: P256): Calculation =>
  input =>
    input.length === p256Bytes && part.verify(input) ? toBytes(1n, 32) : noBytes

const byAddress: (Precompile | undefined)[] = [
  undefined,
  { gas: () => 3000, run: by('secp256k1', 1, recover), slow: 1 },
  { gas: perWord(60, 12), run: by('digests', 2, part => part.sha256) },
  {
    gas: perWord(600, 120),
    run: by(
      'digests',
      3,
      ({ ripemd160 }) =>
        input =>
          inWord(ripemd160(input)),
    ),
  },
  { gas: perWord(15, 3), run: input => input },
  { gas: (input, rules) => modexpGas(input, rules.osaka), run: modexp, slow: 1 },
  { gas: () => 150, run: by('bn254', 6, part => part.add), slow: 1 },
  { gas: () => 6000, run: by('bn254', 7, part => part.multiply), slow: 1 },
  { gas: input => 45_000 + 34_000 * Math.floor(input.length / 192), run: by('bn254', 8, part => part.pairing), slow: 1 },
  { gas: blake2fGas, run: blake2f },
  { gas: () => 50_000, run: by('bls12', 10, part => part.evaluatePoint), slow: 1.6 },
  // Those on BLS12-381 are of Prague.
  { gas: () => 375, run: by('bls12', 11, part => part.addG1), slow: 1 },
  { gas: multiplyGas.g1, run: by('bls12', 12, part => part.multiplyG1), slow: 1 },
  { gas: () => 600, run: by('bls12', 13, part => part.addG2), slow: 1 },
  { gas: multiplyGas.g2, run: by('bls12', 14, part => part.multiplyG2), slow: 1 },
  { gas: input => 37_700 + 32_600 * Math.floor(input.length / 384), run: by('bls12', 15, part => part.pairing), slow: 1 },
  { gas: () => 5500, run: by('bls12', 16, part => part.mapToG1), slow: 1 },
  { gas: () => 23_800, run: by('bls12', 17, part => part.mapToG2), slow: 1 },
]
const p256Address = 256n
const p256Verify: Precompile = { gas: () => 6900, run: by('p256', Number(p256Address), verify), slow: 1 }
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
