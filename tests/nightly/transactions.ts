// What is done on both machines: chosen transactions that reach every rule of a fork, and random programs.
import { readFileSync } from 'node:fs'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { Hashes } from '../../sim-engine/chain/evm/hashes.ts'
import { rulesOf } from '../../sim-engine/chain/evm/rules.ts'
import type { Fork } from '../../sim-engine/chain/evm/rules.ts'
import type { Authorization, Transaction } from '../../sim-engine/chain/evm/transaction.ts'
import { addressBytes, fromBytes, fromHex, toBytes, wordBytes } from '../../sim-engine/chain/evm/word.ts'
import { rlp, rlpNumber } from '../../sim-engine/chain/fork/rlp.ts'
import { push, randomCode } from '../help/chain/bytecode.ts'
import { callData } from '../help/chain/evm.ts'
import { chance } from '../help/random.ts'

/** An account that is there before the first transaction. */
export type Placed = { readonly address: bigint; readonly balance: bigint; readonly code: Uint8Array; readonly slots: [bigint, bigint][] }
export type Sent = Transaction & { readonly name: string }
/** Accounts, transactions before the block that is forked, those behind it, and those that no machine may take then. */
export type Batch = { readonly placed: Placed[]; readonly before: Sent[]; readonly after: Sent[]; readonly refused: Sent[] }

export const chainId = 1n
const ether = 10n ** 18n
const alice = 0xa11ce00000000000000000000000000000000001n
const bob = 0xb0b0000000000000000000000000000000000002n
const stranger = 0x57a6000000000000000000000000000000000003n
const noBytes = new Uint8Array(0)
const bytes = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap(part => [...part]))

/** Code: numbers are opcodes, bigints are pushed. */
const code = (...parts: readonly (number | bigint | readonly (number | bigint)[])[]): Uint8Array =>
  Uint8Array.from(parts.flat().flatMap(part => (typeof part === 'bigint' ? push(part) : [part])))

/** Copies the call's data from byte 32 on into memory and leaves its length on the stack. */
const restToMemory = [32n, 0x36, 0x03, 0x80, 32n, 0n, 0x37] as const

/** Calls the address in the first word of the call's data with the rest, and keeps what came: success, length and hash in slots 0 to 2, all in a log. */
const caller = (opcode: 0xf1 | 0xf4 | 0xfa): Uint8Array =>
  code(
    [...restToMemory, 0n, 0n, 0x82, 0n, ...(opcode === 0xf1 ? [0x34] : []), 0n, 0x35, 0x5a, opcode],
    [0n, 0x55, 0x3d, 1n, 0x55, 0x3d, 0n, 0n, 0x3e, 0x3d, 0n, 0x20, 2n, 0x55, 0x3d, 0n, 0xa0, 0x3d, 0n, 0xf3],
  )

/** Opcodes that read the block or the transaction: of Cancun and later ones the last. */
const environmentOpcodes = [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59, 0x5a]

/** Keeps in slots what the block says: its fields, and hashes of earlier blocks from far back to ahead. */
function environment(fork: Fork): Uint8Array {
  const opcodes = rulesOf[fork].cancun ? [...environmentOpcodes, 0x4a] : environmentOpcodes
  const fields = opcodes.flatMap((opcode, at) => [opcode, BigInt(at), 0x55])
  const hashes = [0n, 1n, 2n, 3n, 60n, 256n, 257n].flatMap((back, at) => [back, 0x43, 0x03, 0x40, BigInt(100 + at), 0x55])
  const accounts = [alice, stranger, 1n, 0xdead_beefn].flatMap((address, at) => [
    [address, 0x31, BigInt(200 + 3 * at), 0x55, address, 0x3b, BigInt(201 + 3 * at), 0x55],
    [address, 0x3f, BigInt(202 + 3 * at), 0x55],
  ])
  return code(...fields, ...hashes, ...accounts)
}

/** Run-time code that is put where CREATE puts it: the creation code of at most 32 bytes of it. */
const creationOf = (runtime: Uint8Array): Uint8Array =>
  code(fromBytes(runtime), 0n, 0x52, BigInt(runtime.length), BigInt(32 - runtime.length), 0xf3)

const contracts = {
  caller: 0xca11000000000000000000000000000000000001n,
  delegating: 0xca11000000000000000000000000000000000002n,
  reading: 0xca11000000000000000000000000000000000003n,
  environment: 0xca11000000000000000000000000000000000004n,
  store: 0xca11000000000000000000000000000000000005n,
  factory: 0xca11000000000000000000000000000000000006n,
  destroyer: 0xca11000000000000000000000000000000000007n,
  deep: 0xca11000000000000000000000000000000000008n,
  logs: 0xca11000000000000000000000000000000000009n,
  reverts: 0xca1100000000000000000000000000000000000an,
  invalid: 0xca1100000000000000000000000000000000000bn,
  looping: 0xca1100000000000000000000000000000000000cn,
  memory: 0xca1100000000000000000000000000000000000dn,
  later: 0xca1100000000000000000000000000000000000en,
} as const

/** Opcodes that came with Cancun (transient storage, MCOPY, BLOBHASH) and with Osaka (CLZ); those before stop at the first. */
const later = code(
  7n,
  1n,
  0x5d,
  1n,
  0x5c,
  0n,
  0x55,
  9n,
  0n,
  0x52,
  32n,
  0n,
  31n,
  0x5e,
  31n,
  0x51,
  1n,
  0x55,
  0n,
  0x49,
  2n,
  0x55,
  255n,
  0x1e,
  3n,
  0x55,
)

const codes = (fork: Fork): Record<keyof typeof contracts, Uint8Array> => ({
  caller: caller(0xf1),
  delegating: caller(0xf4),
  reading: caller(0xfa),
  environment: environment(fork),
  store: code(32n, 0x35, 0n, 0x35, 0x55),
  // CREATE2 with the first word as salt, then a call of what was created, which gets the value.
  factory: code(
    [...restToMemory, 0n, 0x35, 0x90, 0n, 0n, 0xf5, 0x80, 0n, 0x55, 0n, 0n, 0n, 0n, 0x34, 0x85, 0x5a, 0xf1, 1n, 0x55],
    [0x3f, 2n, 0x55],
  ),
  destroyer: code(0n, 0x35, 0xff),
  // Calls itself as deep as its gas goes, and counts.
  deep: code(0n, 0n, 0n, 0n, 0n, 0x30, 0x5a, 0xf1, 0x50, 0n, 0x54, 1n, 0x01, 0n, 0x55),
  logs: code(...[0, 1, 2, 3, 4].flatMap(topics => [...[1n, 2n, 3n, 4n].slice(0, topics), 32n, BigInt(topics), 0xa0 + topics])),
  reverts: code(1n, 0n, 0x55, 77n, 0n, 0x52, 32n, 0n, 0xfd),
  invalid: code(1n, 0n, 0x55, 0xfe),
  looping: code(0x5b, 0n, 0x56),
  memory: code(1n, 0n, 0x35, 0x52),
  later,
})

/** Transactions with the nonces of their senders. */
class Script {
  readonly sent: Sent[] = []
  readonly #nonces: Map<bigint, bigint>

  constructor(nonces = new Map<bigint, bigint>()) {
    this.#nonces = nonces
  }

  /** The next nonces: where another script continues. */
  get nonces(): Map<bigint, bigint> {
    return new Map(this.#nonces)
  }

  one(name: string, transaction: Partial<Transaction>): Sent {
    const from = transaction.from ?? alice
    const defaults = { to: undefined, value: 0n, data: noBytes, gasLimit: 1_000_000n, maxFee: 20n, tip: 2n, accessList: [] }
    return { name, nonce: this.#nonces.get(from) ?? 0n, ...defaults, ...transaction, from }
  }

  send(name: string, transaction: Partial<Transaction>): bigint {
    const sent = this.one(name, transaction)
    this.sent.push(sent)
    this.#nonces.set(sent.from, sent.nonce + 1n)
    return new Hashes().createdAddress(sent.from, sent.nonce)
  }
}

const artifacts = JSON.parse(readFileSync(new URL('../cases/chain/contracts.json', import.meta.url), 'utf8')) as Record<
  string,
  { code: string }
>
const creation = (name: string, ...args: readonly bigint[]): Uint8Array => bytes(fromHex(artifacts[name]!.code)!, ...args.map(wordBytes))

function marketBefore(script: Script): { token: bigint; other: bigint; pair: bigint } {
  const token = script.send('token', { data: creation('Token', 10n ** 30n) })
  const other = script.send('other token', { data: creation('Token', 10n ** 30n) })
  const pair = script.send('pair', { data: creation('Pair', token, other), gasLimit: 3_000_000n })
  for (const to of [token, other]) script.send('liquidity', { to, data: callData('Token', 'transfer(address,uint256)', pair, 10n ** 24n) })
  script.send('sync', { to: pair, data: callData('Pair', 'sync()') })
  return { token, other, pair }
}

function market(script: Script, { token, pair }: { token: bigint; pair: bigint }): void {
  const transfer = (to: bigint, amount: bigint) => callData('Token', 'transfer(address,uint256)', to, amount)
  for (let k = 1n; k <= 10n; k++) {
    script.send('pays a token', { to: token, data: transfer(k % 3n === 0n ? bob : k << 90n, k * ether) })
    script.send('swaps', { to: pair, data: callData('Pair', 'swap(uint256,bool)', k * 10n ** 20n, k % 2n) })
  }
  script.send('pays all back', { from: bob, to: token, data: transfer(alice, 18n * ether) })
  script.send('pays more than it has', { from: bob, to: token, data: transfer(alice, 18n * ether) })
  script.send('pays nothing', { from: bob, to: token, data: transfer(stranger, 0n) })
  script.send('swaps for nothing', { to: pair, data: callData('Pair', 'swap(uint256,bool)', 0n, 0n) })
  script.send('reads a price', { to: pair, data: callData('Pair', 'price0()') })
  script.send('calls a method that is not there', { to: pair, data: Uint8Array.of(1, 2, 3, 4) })
  script.send('pays the pair, which takes no money', { to: pair, value: 1n })
  script.send('a token within a fork', { data: creation('Token', 5n) })
}

function plain(script: Script): void {
  script.send('pays', { to: bob, value: ether })
  script.send('pays somebody new', { to: 0xfeed_0001n << 64n, value: 1n, gasLimit: 21_000n })
  script.send('pays nobody nothing', { to: 0xfeed_0002n << 64n, gasLimit: 21_000n })
  script.send('pays itself', { to: alice, value: 5n })
  script.send('pays a precompile', { to: 2n, value: 5n, data: Uint8Array.of(1) })
  script.send('fee without a tip', { to: bob, value: 1n, tip: 0n })
  script.send('tip cut by the fee', { to: bob, value: 1n, maxFee: 20n, tip: 20n })
  script.send('long data', { to: bob, data: new Uint8Array(3000).fill(255), gasLimit: 200_000n })
  script.send('long data of zeros', { to: bob, data: new Uint8Array(3000), gasLimit: 200_000n })
}

function rules(script: Script): void {
  const { store, factory, destroyer, deep, logs, reverts, invalid, looping, memory, delegating, reading } = contracts
  const put = (key: bigint, value: bigint) =>
    script.send(`slot ${key} = ${value}`, { to: store, data: bytes(wordBytes(key), wordBytes(value)) })
  for (const value of [0n, 1n, 1n, 2n, 0n, 0n, 3n]) put(9n, value)
  put(1n, 0n)
  put(1n, 5n)
  put((1n << 256n) - 1n, (1n << 256n) - 1n)
  script.send('reads the block', { to: contracts.environment, value: 3n, data: Uint8Array.of(1, 2) })
  script.send('opcodes of later forks', { to: contracts.later })
  const child = creationOf(code(0x33, 0xff))
  const twice = bytes(wordBytes(1n), creationOf(code(0x34, 0n, 0x55)))
  script.send('CREATE2 and self-destruction at once', { to: factory, data: bytes(wordBytes(0n), child), value: 7n })
  script.send('CREATE2 there again', { to: factory, data: bytes(wordBytes(0n), child) })
  script.send('CREATE2', { to: factory, data: twice, value: 4n })
  script.send('CREATE2 where something is', { to: factory, data: twice, value: 4n })
  script.send('CREATE2 of code that begins with EF', { to: factory, data: bytes(wordBytes(2n), creationOf(Uint8Array.of(0xef, 1))) })
  script.send('CREATE2 of code that reverts', { to: factory, data: bytes(wordBytes(3n), code(0n, 0n, 0xfd)) })
  script.send('self-destruction of an old contract', { to: destroyer, data: wordBytes(stranger), value: 2n })
  script.send('self-destruction to itself', { to: destroyer, data: wordBytes(destroyer), value: 2n })
  script.send('deep calls', { to: deep, gasLimit: 20_000_000n })
  script.send('logs', { to: logs })
  script.send('logs in a static call', { to: reading, data: wordBytes(logs) })
  script.send('logs for another', { to: delegating, data: wordBytes(logs) })
  script.send('reverts', { to: reverts })
  script.send('reverts within', { to: contracts.caller, data: wordBytes(reverts) })
  script.send('invalid opcode', { to: invalid, gasLimit: 100_000n })
  script.send('runs out of gas', { to: looping, gasLimit: 100_000n })
  script.send('runs out of gas within', { to: contracts.caller, data: wordBytes(looping), gasLimit: 300_000n })
  for (const at of [0n, 1000n, 100_000n, 1n << 40n, 1n << 255n]) script.send(`memory at ${at}`, { to: memory, data: wordBytes(at) })
  script.send('the largest code', { data: code(24_576n, 0n, 0xf3), gasLimit: 6_000_000n })
  script.send('a code too large', { data: code(24_577n, 0n, 0xf3), gasLimit: 6_000_000n })
  script.send('the largest creation code', { data: new Uint8Array(49_152), gasLimit: 3_000_000n })
  script.send('creation without enough gas for the code', { data: code(2000n, 0n, 0xf3), gasLimit: 100_000n })
  script.send('creation that reverts', { data: code(0n, 0n, 0xfd) })
  script.send('an access list', {
    to: store,
    data: bytes(wordBytes(70n), wordBytes(1n)),
    accessList: [
      { address: store, slots: [70n, 71n] },
      { address: stranger, slots: [] },
    ],
  })
}

/** A signed grant of an account with a known key, as only tests have one. */
function authorization(key: Uint8Array, grant: { chainId: bigint; address: bigint; nonce: bigint }): Authorization {
  const signed = keccak_256(bytes(Uint8Array.of(5), rlp([rlpNumber(grant.chainId), addressBytes(grant.address), rlpNumber(grant.nonce)])))
  const signature = secp256k1.Signature.fromBytes(secp256k1.sign(signed, key, { prehash: false, format: 'recovered' }), 'recovered')
  return { ...grant, parity: signature.recovery!, r: signature.r, s: signature.s }
}

const addressOfKey = (key: Uint8Array): bigint => fromBytes(keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12))

const keyOfSigner = toBytes(0x5e11n, 32)
const signer = addressOfKey(keyOfSigner)

function delegations(script: Script): void {
  const grant = (to: bigint, nonce: bigint, chain = chainId) => authorization(keyOfSigner, { chainId: chain, address: to, nonce })
  const send = (name: string, ...authorizations: Authorization[]) => script.send(name, { to: signer, authorizations, data: wordBytes(4n) })
  send('takes over the code of another', grant(contracts.store, 0n))
  script.send('runs the code that was taken over', { to: signer, data: bytes(wordBytes(8n), wordBytes(9n)) })
  script.send('looks at it', { to: contracts.caller, data: bytes(wordBytes(signer), wordBytes(3n), wordBytes(4n)) })
  send('a nonce that does not fit', grant(contracts.logs, 0n))
  send('a chain that does not fit', grant(contracts.logs, 1n, 5n))
  send('two at once, for any chain', grant(contracts.logs, 1n, 0n), grant(contracts.environment, 2n))
  send('gives it back', grant(0n, 3n))
}

/** What each precompile is given: what is right, and what is not. */
function precompileInputs(fork: Fork): [bigint, Uint8Array][] {
  const key = toBytes(0xbeefn, 32)
  const hash = keccak_256(Uint8Array.of(1))
  const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
  const recover = bytes(hash, wordBytes(27n + BigInt(signature[0]!)), signature.subarray(1))
  const powers = (base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array) =>
    bytes(...[base, exponent, modulus].map(({ length }) => wordBytes(BigInt(length))), base, exponent, modulus)
  const point = (k: bigint) => {
    const { x, y } = bn254.G1.Point.BASE.multiply(k).toAffine()
    return bytes(wordBytes(x), wordBytes(y))
  }
  const { x, y } = bn254.G2.Point.BASE.toAffine()
  const second = bytes(...[x.c1, x.c0, y.c1, y.c0].map(wordBytes))
  const minus = bn254.G1.Point.BASE.negate().toAffine()
  const compress = bytes(Uint8Array.of(0, 0, 0, 12), new Uint8Array(208).fill(3), Uint8Array.of(1))
  const infinity = Uint8Array.from([0xc0, ...new Uint8Array(47)])
  const version = Uint8Array.from([1, ...sha256(infinity).subarray(1)])
  const evaluation = bytes(version, wordBytes(5n), wordBytes(0n), infinity, infinity)
  const text = new TextEncoder().encode('The quick brown fox jumps over the lazy dog')
  const garbage = [noBytes, text, new Uint8Array(300).fill(1), new Uint8Array(256)]
  const right: [bigint, Uint8Array][] = [
    [1n, recover],
    [1n, bytes(hash, wordBytes(29n), signature.subarray(1))],
    [5n, powers(Uint8Array.of(3), Uint8Array.of(1, 0, 1), Uint8Array.of(251))],
    [5n, powers(new Uint8Array(40).fill(7), new Uint8Array(40).fill(9), new Uint8Array(40).fill(11))],
    [5n, powers(noBytes, Uint8Array.of(2), new Uint8Array(3))],
    [6n, bytes(point(3n), point(4n))],
    [7n, bytes(point(3n), wordBytes(1n << 200n))],
    [8n, bytes(point(1n), second, wordBytes(minus.x), wordBytes(minus.y), second)],
    [8n, bytes(point(1n), second)],
    [9n, compress],
    [9n, bytes(compress.subarray(0, 212), Uint8Array.of(2))],
    [10n, evaluation],
    [10n, bytes(version, wordBytes(5n), wordBytes(1n), infinity, infinity)],
  ]
  const last = fork === 'prague' || fork === 'osaka' ? 18n : 11n
  for (let address = 1n; address <= last; address++) for (const input of garbage) right.push([address, input])
  return [...right, ...laterInputs()]
}

/** Of BLS12-381 and P-256: on forks that do not have them, calls of accounts without code. */
function laterInputs(): [bigint, Uint8Array][] {
  const { G1, G2 } = bls12_381
  const field = (value: bigint) => toBytes(value, 64)
  const g1 = (k: bigint) => {
    const { x, y } = G1.Point.BASE.multiply(k).toAffine()
    return bytes(field(x), field(y))
  }
  const { x, y } = G2.Point.BASE.multiply(3n).toAffine()
  const g2 = bytes(...[x.c0, x.c1, y.c0, y.c1].map(field))
  const key = toBytes(0xcafen, 32)
  const hash = sha256(Uint8Array.of(9))
  const [publicKey, signature] = [p256.getPublicKey(key, false).subarray(1), p256.sign(hash, key, { prehash: false })]
  return [
    [11n, bytes(g1(2n), g1(5n))],
    [12n, bytes(g1(2n), wordBytes(7n), g1(3n), wordBytes(1n << 250n))],
    [13n, bytes(g2, g2)],
    [14n, bytes(g2, wordBytes(11n))],
    [15n, bytes(g1(2n), g2)],
    [16n, field(77n)],
    [17n, bytes(field(5n), field(6n))],
    [256n, bytes(hash, signature, publicKey)],
    [256n, bytes(hash, signature.slice().reverse(), publicKey)],
  ]
}

/** Transactions that are invalid behind the others. */
function refusals(script: Script, fork: Fork): Sent[] {
  const poor = 0x900a_0000n << 64n
  return [
    script.one('a nonce that was used', { to: bob, nonce: 0n }),
    script.one('gas below the intrinsic', { to: bob, gasLimit: 20_999n }),
    script.one('more money than there is', { from: poor, to: bob, value: 1n, gasLimit: 21_000n }),
    script.one('gas above the block’s', { to: bob, gasLimit: 30_000_001n }),
    script.one('a tip above the fee', { to: bob, tip: 30n }),
    script.one('a creation code too large', { data: new Uint8Array(49_153), gasLimit: 4_000_000n }),
    ...(rulesOf[fork].prague
      ? [script.one('gas below the floor', { to: bob, data: new Uint8Array(3000).fill(1), gasLimit: 100_000n })]
      : []),
    ...(rulesOf[fork].osaka ? [script.one('gas above a transaction’s', { to: bob, gasLimit: 16_777_217n })] : []),
  ]
}

/** Chosen transactions for every rule of a fork. */
export function chosen(fork: Fork): Batch {
  const runtime = codes(fork)
  const placed: Placed[] = [
    ...[alice, bob].map(address => ({ address, balance: 1000n * ether, code: noBytes, slots: [] })),
    // The signer exists: anvil gives the refund for a delegation also to accounts that do not, against EIP-7702.
    ...[stranger, signer].map(address => ({ address, balance: 1n, code: noBytes, slots: [] })),
    ...(Object.keys(contracts) as (keyof typeof contracts)[]).map(name => ({
      address: contracts[name],
      balance: 10n,
      code: runtime[name],
      slots: (name === 'store' ? [[1n, 5n]] : []) as [bigint, bigint][],
    })),
  ]
  const history = new Script()
  const made = marketBefore(history)
  const script = new Script(history.nonces)
  plain(script)
  market(script, made)
  rules(script)
  if (rulesOf[fork].prague) delegations(script)
  for (const [address, input] of precompileInputs(fork))
    script.send(`precompile ${address} with ${input.length} bytes`, { to: contracts.caller, data: bytes(wordBytes(address), input) })
  return { placed, before: history.sent, after: script.sent.map(one => cut(one, fork)), refused: refusals(script, fork) }
}

/** No more gas than a transaction may have. */
const cut = (sent: Sent, fork: Fork): Sent =>
  rulesOf[fork].osaka && sent.gasLimit > 16_777_216n ? { ...sent, gasLimit: 16_777_216n } : sent

/** Random programs, three contracts that call each other for each transaction. */
export function random(seed: number, programs: number): Batch {
  const from = (BigInt(seed) << 64n) | (0x5e4den << 140n)
  const placed: Placed[] = [{ address: from, balance: 1000n * ether, code: noBytes, slots: [] }]
  const script = new Script()
  for (let k = 0; k < programs; k++) {
    const here = chance(seed + k)
    const at = (BigInt(seed + k) << 32n) | (0xaaaan << 140n)
    const addresses = { contracts: [at + 1n, at + 2n, at + 3n], others: [at + 4n, at + 5n] }
    for (const address of addresses.contracts)
      placed.push({ address, balance: ether, code: randomCode(here, addresses), slots: [[1n, 5n]] })
    const data = Uint8Array.from({ length: here.below(70) }, () => here.below(256))
    script.send(`program SEED=${seed + k}`, { from, to: at + 1n, value: 3n, data, gasLimit: 300_000n })
  }
  return { placed, before: [], after: script.sent, refused: [] }
}
