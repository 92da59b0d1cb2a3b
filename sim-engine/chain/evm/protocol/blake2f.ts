// The compression function of BLAKE2b at address 9 (EIP-152) by the module of permutations.ts; on pairs of 32-bit halves where that cannot be made.
import { halt } from '../frame.ts'
import { cycle, layout, lines, permutations, schedule } from '../permutations.ts'

const inputBytes = 213
const halves = (...words: bigint[]): Uint32Array =>
  Uint32Array.from(words.flatMap(word => [Number(word & 0xffffffffn), Number(word >> 32n)]))
// RFC 7693, section 2.6.
const initial = halves(
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
)
/** v[a] += v[b] + m, on halves. */
function addTo(v: Uint32Array, a: number, b: number, low: number, high: number): void {
  const sum = v[a]! + v[b]! + low
  v[a + 1] = v[a + 1]! + v[b + 1]! + high + (sum >= 0x200000000 ? 2 : sum >= 0x100000000 ? 1 : 0)
  v[a] = sum
}

/** v[d] = (v[d] ^ v[a]) rotated right by `bits` (24, 16 or 63); 32 exchanges the halves. */
function turn(v: Uint32Array, d: number, a: number, bits: number): void {
  const low = v[d]! ^ v[a]!
  const high = v[d + 1]! ^ v[a + 1]!
  if (bits === 32) {
    v[d] = high
    v[d + 1] = low
  } else if (bits === 63) {
    v[d] = (low << 1) | (high >>> 31)
    v[d + 1] = (high << 1) | (low >>> 31)
  } else {
    v[d] = (low >>> bits) | (high << (32 - bits))
    v[d + 1] = (high >>> bits) | (low << (32 - bits))
  }
}

function mix(v: Uint32Array, m: Uint32Array, line: (typeof lines)[number], x: number, y: number): void {
  const [a, b, c, d] = [2 * line[0], 2 * line[1], 2 * line[2], 2 * line[3]]
  addTo(v, a, b, m[x]!, m[x + 1]!)
  turn(v, d, a, 32)
  addTo(v, c, d, 0, 0)
  turn(v, b, c, 24)
  addTo(v, a, b, m[y]!, m[y + 1]!)
  turn(v, d, a, 16)
  addTo(v, c, d, 0, 0)
  turn(v, b, c, 63)
}

/** Words, block and rounds of the compression function. */
type Mixer = { readonly v: Uint32Array; readonly m: Uint32Array; readonly mix: (rounds: number) => void }

function slowMixer(): Mixer {
  const v = new Uint32Array(32)
  const m = new Uint32Array(32)
  return {
    v,
    m,
    mix: rounds => {
      for (let round = 0; round < rounds; round++) {
        const order = schedule[round % cycle]!
        for (let line = 0; line < 8; line++) mix(v, m, lines[line]!, 2 * order[2 * line]!, 2 * order[2 * line + 1]!)
      }
    },
  }
}

/** Rounds done in one call of the module. */
const roundsAtOnce = 100 * cycle

function fastMixer(): Mixer | null {
  const made = permutations()
  if (made === null) return null
  return {
    v: new Uint32Array(made.memory, layout.work, 32),
    m: new Uint32Array(made.memory, layout.block, 32),
    mix: rounds => {
      for (let left = rounds; left > 0; left -= roundsAtOnce) made.mix(Math.min(left, roundsAtOnce))
    },
  }
}

let mixer: Mixer | undefined

const roundsOf = (input: Uint8Array): number => new DataView(input.buffer, input.byteOffset).getUint32(0)

export const blake2fGas = (input: Uint8Array): number => (input.length === inputBytes ? roundsOf(input) : 0)

export function blake2f(input: Uint8Array): Uint8Array {
  if (input.length !== inputBytes || input[212]! > 1) halt('precompile failed')
  mixer ??= fastMixer() ?? slowMixer()
  const { v, m } = mixer
  const view = new DataView(input.buffer, input.byteOffset, input.length)
  const half = (at: number) => view.getUint32(at, true)
  for (let at = 0; at < 16; at++) v[at] = half(4 + 4 * at)
  for (let at = 0; at < 32; at++) m[at] = half(68 + 4 * at)
  v.set(initial, 16)
  for (let at = 0; at < 4; at++) v[24 + at]! ^= half(196 + 4 * at)
  if (input[212] === 1) {
    v[28] = ~v[28]!
    v[29] = ~v[29]!
  }
  mixer.mix(roundsOf(input))
  const output = new Uint8Array(64)
  const words = new DataView(output.buffer)
  for (let at = 0; at < 16; at++) words.setUint32(4 * at, half(4 + 4 * at) ^ v[at]! ^ v[at + 16]!, true)
  return output
}
