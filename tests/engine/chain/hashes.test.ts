// keccak-256 and BLAKE2b's compression function by WebAssembly: against @noble/hashes and published vectors, where WebAssembly may not be made,
// and how much of them contracts get for their gas.
import { blake2b } from '@noble/hashes/blake2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as blake2f from '../../../sim-engine/chain/evm/protocol/blake2f.ts'
import * as keccak from '../../../sim-engine/chain/evm/keccak.ts'
import { permutations, permutationsModule } from '../../../sim-engine/chain/evm/permutations.ts'
import { fromHex, toHex } from '../../../sim-engine/chain/evm/word.ts'
import { TestChain } from '../../help/chain/evm.ts'
import { hostileHashes } from '../../help/chain/hostile.ts'
import { chance } from '../../help/random.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.resetModules()
})

const random = chance(19)
const some = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.below(256))
const plain = (bytes: Uint8Array): string => toHex(bytes).slice(2)
const text = (words: string): Uint8Array => new TextEncoder().encode(words)

/** The same modules where WebAssembly is refused, as by a policy of the page. */
async function refused(): Promise<{ keccak: typeof keccak; blake2f: typeof blake2f }> {
  vi.resetModules()
  vi.stubGlobal('WebAssembly', {
    ...WebAssembly,
    Memory: WebAssembly.Memory,
    Module: () => {
      throw new WebAssembly.CompileError('refused')
    },
  })
  const { permutations: none } = await import('../../../sim-engine/chain/evm/permutations.ts')
  expect(none()).toBe(null)
  return {
    keccak: await import('../../../sim-engine/chain/evm/keccak.ts'),
    blake2f: await import('../../../sim-engine/chain/evm/protocol/blake2f.ts'),
  }
}

/** Lengths around the borders of blocks and of what the module takes at once. */
const lengths = [
  ...Array.from({ length: 3 * 136 + 3 }, (_, k) => k),
  ...[466, 467, 468, 469, 934].flatMap(k => [136 * k - 1, 136 * k, 136 * k + 1]),
]

describe('keccak-256', () => {
  // The first two are of the Keccak team's published values, the third is well known.
  it.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    ['The quick brown fox jumps over the lazy dog', '4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15'],
  ])('of %j', (words, hash) => {
    expect(plain(keccak.keccak256(text(words)))).toBe(hash)
    expect(keccak.keccakWord(text(words))).toBe(BigInt(`0x${hash}`))
  })

  it('equals that of @noble/hashes at every length around the borders of blocks', () => {
    for (const length of lengths) {
      const bytes = some(length)
      const hash = plain(keccak_256(bytes))
      expect([length, plain(keccak.keccak256(bytes))]).toEqual([length, hash])
      expect([length, keccak.keccakWord(bytes)]).toEqual([length, BigInt(`0x${hash}`)])
    }
  })

  it('a hash that is kept stays what it was as others are made', () => {
    const first = keccak.keccak256(text('abc'))
    keccak.keccak256(text('others'))
    expect(first).toEqual(keccak_256(text('abc')))
  })
})

/** State, block, counter and the mark of the last block, as EIP-152 has them. */
const state =
  '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b'
const block = `616263${'00'.repeat(125)}`
const vectors: readonly (readonly [string, string, string])[] = [
  // Test vectors 4 to 7 of EIP-152.
  [
    '00000000',
    '01',
    '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
  ],
  [
    '0000000c',
    '01',
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  ],
  [
    '0000000c',
    '00',
    '75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d2875298743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735',
  ],
  [
    '00000001',
    '01',
    'b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fba551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421',
  ],
]

/** BLAKE2b of a text without a key, by its compression function alone. */
function hashBy({ blake2f: compress }: typeof blake2f, bytes: Uint8Array): string {
  let h = fromHex(state)!
  for (let at = 0; at === 0 || at < bytes.length; at += 128) {
    const input = new Uint8Array(213)
    const isLast = at + 128 >= bytes.length
    input[3] = 12
    input.set(h, 4)
    input.set(bytes.subarray(at, at + 128), 68)
    new DataView(input.buffer).setUint32(196, Math.min(at + 128, bytes.length), true)
    input[212] = isLast ? 1 : 0
    h = compress(input)
  }
  return plain(h)
}

/** Rounds that end within, at and behind what the module does at once. */
const roundCounts = [2, 9, 10, 11, 20, 999, 1000, 1001, 1010, 2000, 2345]
const withRounds = (count: number): Uint8Array => {
  const input = some(213)
  new DataView(input.buffer).setUint32(0, count)
  input[212] = random.below(2)
  return input
}

describe('the compression function of BLAKE2b', () => {
  it.each(vectors)('%s rounds, last block %s', async (rounds, isLast, output) => {
    const input = fromHex(`${rounds}${state}${block}03${'00'.repeat(15)}${isLast}`)!
    expect(plain(blake2f.blake2f(input))).toBe(output)
    expect(plain((await refused()).blake2f.blake2f(input))).toBe(output)
  })

  it('makes the BLAKE2b of @noble/hashes', () => {
    for (const length of [0, 1, 127, 128, 129, 255, 256, 257, 1000]) {
      const bytes = some(length)
      expect([length, hashBy(blake2f, bytes)]).toEqual([length, plain(blake2b(bytes))])
    }
  })

  it('is the same where WebAssembly is refused, with any number of rounds', async () => {
    const inputs = roundCounts.map(withRounds)
    const outputs = inputs.map(input => plain(blake2f.blake2f(input)))
    const other = await refused()
    expect(inputs.map(input => plain(other.blake2f.blake2f(input)))).toEqual(outputs)
  })
})

describe('hashing costs little for its gas', () => {
  it('where WebAssembly is refused, hashes are those of @noble/hashes', async () => {
    const other = (await refused()).keccak
    for (const length of [0, 64, 136, 1000]) {
      const bytes = some(length)
      expect(other.keccak256(bytes)).toEqual(keccak_256(bytes))
      expect(other.keccakWord(bytes)).toBe(BigInt(toHex(keccak_256(bytes))))
    }
  })

  it('pages may compile the module at once', () => {
    expect(permutationsModule().length).toBeLessThan(4096)
  })

  it('every block and every round that gas pays for is done by the module, no call of which is long', () => {
    const made = permutations()!
    const absorb = vi.spyOn(made, 'absorb')
    const mix = vi.spyOn(made, 'mix')
    const done = Object.fromEntries(
      hostileHashes().map(({ name, code }) => {
        absorb.mockClear()
        mix.mockClear()
        new TestChain().runCode(code, undefined, 3_000_000n)
        const longest = Math.max(0, ...absorb.mock.calls.map(([blocks]) => blocks), ...mix.mock.calls.map(([rounds]) => rounds))
        const blocks = absorb.mock.calls.reduce((sum, [count]) => sum + count, 0)
        const rounds = mix.mock.calls.reduce((sum, [count]) => sum + count, 0)
        expect([name, longest <= 1000]).toEqual([name, true])
        return [name, [blocks, rounds]]
      }),
    )
    // Blocks of keccak-256 and rounds of BLAKE2b for 3 million gas.
    expect(done).toEqual({
      'keccak-256 of nothing': [63_383, 0],
      'keccak-256 of 32 bytes': [52_263, 0],
      'keccak-256 of 64 bytes': [47_285, 0],
      'keccak-256 of 136 bytes': [73_554, 0],
      'keccak-256 of 1 MB': [23_133, 0],
      'blake2f, 1 round': [0, 22_915],
      'blake2f, 12 rounds': [0, 253_524],
      'blake2f, a million rounds': [0, 2_000_000],
    })
  })
})
