// Contracts that make the machine work as long as their gas allows: endless loops of one costly thing each.
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { precompileAt } from '../../../sim-engine/chain/evm/protocol/precompiles.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import type { Fork } from '../../../sim-engine/chain/evm/rules.ts'
import { fromHex, toBytes, toHex } from '../../../sim-engine/chain/evm/word.ts'

/** `code`: hexadecimal digits. */
export type Hostile = { readonly name: string; readonly fork: Fork; readonly code: string }

const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap(part => [...part]))
const repeated = (part: Uint8Array, times: number): Uint8Array => join(...Array.from({ length: times }, () => part))
const word = (value: bigint): Uint8Array => toBytes(value, 32)
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** Puts an input into memory, then calls an address with it and as much gas as it costs, without end. */
export function callsWithoutEnd(address: number, input: Uint8Array, gas: number): string {
  const length = `62${hex(input.length, 6)}`
  const loop = `5f5f${length}5f61${hex(address, 4)}63${hex(gas, 8)}fa50`
  const copy = (from: number): string => `${length}62${hex(from, 6)}5f39`
  const start = copy(0).length / 2
  const code = (from: number): string => `${copy(from)}5b${loop}60${hex(start, 2)}56`
  return code(code(0).length / 2) + toHex(input).slice(2)
}

function precompile(name: string, address: number, input: Uint8Array, fork: Fork = 'cancun'): Hostile {
  const gas = precompileAt(rulesOf[fork], BigInt(address))!.gas(input, rulesOf[fork])
  return { name, fork, code: callsWithoutEnd(address, input, gas) }
}

const scalar = fromHex(`2f${'c5'.repeat(31)}`)!

function signatures(): Hostile[] {
  const message = keccak_256(new Uint8Array(1))
  const signed = secp256k1.sign(message, scalar, { prehash: false, format: 'recovered' })
  const p = p256.sign(message, scalar, { prehash: false })
  return [
    precompile('ecrecover', 1, join(message, word(27n + BigInt(signed[0]!)), signed.subarray(1))),
    precompile('p256', 0x100, join(message, p, p256.getPublicKey(scalar, false).subarray(1)), 'osaka'),
  ]
}

function curveBn254(): Hostile[] {
  const { G1, G2 } = bn254
  const first = G1.Point.BASE.multiply(12_345_678_901n).toAffine()
  const second = G2.Point.BASE.multiply(98_765_432_109n).toAffine()
  const g1 = join(word(first.x), word(first.y))
  const g2 = join(word(second.x.c1), word(second.x.c0), word(second.y.c1), word(second.y.c0))
  return [
    precompile('ecadd', 6, join(g1, word(1n), word(2n))),
    precompile('ecmul', 7, join(g1, scalar)),
    precompile('pairing, 1 pair', 8, join(g1, g2)),
    precompile('pairing, 40 pairs', 8, repeated(join(g1, g2), 40)),
  ]
}

function curveBls12(): Hostile[] {
  const { G1, G2 } = bls12_381
  const field = (value: bigint): Uint8Array => toBytes(value, 64)
  const first = G1.Point.BASE.multiply(12_345_678_901n).toAffine()
  const second = G2.Point.BASE.multiply(98_765_432_109n).toAffine()
  const g1 = join(field(first.x), field(first.y))
  const g2 = join(field(second.x.c0), field(second.x.c1), field(second.y.c0), field(second.y.c1))
  const [base1, base2] = [G1.Point.BASE.toAffine(), G2.Point.BASE.toAffine()]
  const other1 = join(field(base1.x), field(base1.y))
  const other2 = join(field(base2.x.c0), field(base2.x.c1), field(base2.y.c0), field(base2.y.c1))
  return [
    precompile('bls12 add in G1', 11, join(g1, other1), 'prague'),
    precompile('bls12 product in G1', 12, join(g1, scalar), 'prague'),
    precompile('bls12 128 products in G1', 12, repeated(join(g1, scalar), 128), 'prague'),
    precompile('bls12 add in G2', 13, join(g2, other2), 'prague'),
    precompile('bls12 product in G2', 14, join(g2, scalar), 'prague'),
    precompile('bls12 128 products in G2', 14, repeated(join(g2, scalar), 128), 'prague'),
    precompile('bls12 pairing, 1 pair', 15, join(g1, g2), 'prague'),
    precompile('bls12 pairing, 40 pairs', 15, repeated(join(g1, g2), 40), 'prague'),
    precompile('bls12 map to G1', 16, field(first.x), 'prague'),
    precompile('bls12 map to G2', 17, join(field(first.x), field(first.y)), 'prague'),
  ]
}

/** A proof that does not hold: it is calculated to its end. */
function pointEvaluation(): Hostile {
  const { G1 } = bls12_381
  const commitment = G1.Point.BASE.multiply(7n).toBytes(true)
  const proof = G1.Point.BASE.multiply(12_345_678_901n).toBytes(true)
  const hash = sha256(commitment)
  hash[0] = 1
  return precompile('point evaluation', 10, join(hash, scalar, word(7n), commitment, proof))
}

/** Base, exponent and modulus of so many bytes: all bits of the exponent are set. */
function power(base: number, exponent: number, modulus: number): Uint8Array {
  const ones = new Uint8Array(base + exponent + modulus).fill(0xff).fill(0xa7, 0, base)
  return join(word(BigInt(base)), word(BigInt(exponent)), word(BigInt(modulus)), ones)
}

/** The compression function with so many rounds. */
const rounds = (count: number): Uint8Array => join(toBytes(BigInt(count), 4), new Uint8Array(208).fill(0x5a), Uint8Array.of(1))

export const hostileHashes = (): Hostile[] => [
  { name: 'keccak-256 of nothing', fork: 'cancun', code: '5b5f5f20505f56' },
  { name: 'keccak-256 of 32 bytes', fork: 'cancun', code: '5b60205f205f525f56' },
  { name: 'keccak-256 of 64 bytes', fork: 'cancun', code: '5b60405f205f525f56' },
  { name: 'keccak-256 of 136 bytes', fork: 'cancun', code: '5b60885f205f525f56' },
  { name: 'keccak-256 of 1 MB', fork: 'cancun', code: '5b620fffff5f205f525f56' },
  precompile('blake2f, 1 round', 9, rounds(1)),
  precompile('blake2f, 12 rounds', 9, rounds(12)),
  precompile('blake2f, a million rounds', 9, rounds(1_000_000)),
]

export const hostilePrecompiles = (): Hostile[] => [
  precompile('sha256 of 32 bytes', 2, new Uint8Array(32)),
  precompile('sha256 of 64 kB', 2, new Uint8Array(65_536)),
  precompile('ripemd160 of 32 bytes', 3, new Uint8Array(32)),
  precompile('ripemd160 of 64 kB', 3, new Uint8Array(65_536)),
  precompile('identity of 32 bytes', 4, new Uint8Array(32)),
  precompile('identity of 64 kB', 4, new Uint8Array(65_536)),
  precompile('modexp, 1 byte', 5, power(1, 32, 1)),
  precompile('modexp, 8 bytes, long exponent', 5, power(8, 106, 8)),
  precompile('modexp, 8 bytes', 5, power(8, 32, 8)),
  precompile('modexp, 16 bytes, long exponent', 5, power(16, 106, 16)),
  precompile('modexp, 24 bytes, long exponent', 5, power(24, 106, 24)),
  precompile('modexp, 32 bytes', 5, power(32, 32, 32)),
  precompile('modexp, 32 bytes, long exponent', 5, power(32, 106, 32)),
  precompile('modexp, 40 bytes, long exponent', 5, power(40, 106, 40)),
  precompile('modexp, 64 bytes', 5, power(64, 64, 64)),
  precompile('modexp, 256 bytes', 5, power(256, 256, 256)),
  precompile('modexp, 1024 bytes', 5, power(1024, 64, 1024)),
  precompile('modexp, 8 bytes, long exponent', 5, power(8, 106, 8), 'osaka'),
  precompile('modexp, 32 bytes', 5, power(32, 32, 32), 'osaka'),
  precompile('modexp, 1024 bytes', 5, power(1024, 40, 1024), 'osaka'),
  ...signatures(),
  ...curveBn254(),
  pointEvaluation(),
  ...curveBls12(),
]
