// Random contract code in which every instruction finds its arguments, so that programs get far; now and then one is wrong on purpose.
import type { Chance } from '../random.ts'

const oneByte = (byte: number): number[] => [byte]
const boundaries = [0n, 1n, 2n, 31n, 32n, 255n, 256n, (1n << 255n) - 1n, 1n << 255n, (1n << 256n) - 1n, (1n << 128n) + 7n, (1n << 64n) - 1n]

export function push(value: bigint): number[] {
  const digits = value.toString(16)
  const bytes = Array.from(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
  return [0x5f + bytes.length, ...bytes]
}

/** Opcodes by the number of words they take, with arguments that may be any word. */
const unary = [0x15, 0x19, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x54, 0x5c, 0x49]
const binaries = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d,
]
const ternary = [0x08, 0x09]
const plain = [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59, 0x5a]

export type Addresses = { contracts: bigint[]; others: bigint[] }

function word(random: Chance): bigint {
  if (random.chance(0.5)) return random.pick(boundaries)
  return random.chance(0.5)
    ? BigInt(random.below(2000))
    : BigInt(`0x${Array.from({ length: 1 + random.below(64) }, () => random.below(16).toString(16)).join('')}`)
}

/** An offset or a length in memory: nearly always small. */
const place = (random: Chance): bigint => (random.chance(0.01) ? word(random) : BigInt(random.below(200)))

function call(random: Chance, addresses: Addresses): number[] {
  const opcode = random.pick([0xf1, 0xf2, 0xf4, 0xfa])
  const to = random.chance(0.2) ? BigInt(1 + random.below(5)) : random.pick([...addresses.contracts, ...addresses.others])
  const value = opcode === 0xf1 || opcode === 0xf2 ? push(random.chance(0.7) ? 0n : BigInt(random.below(100))) : []
  const [outputLength, outputAt, inputLength, inputAt] = [place(random), place(random), place(random), place(random)]
  const gas = random.chance(0.8) ? BigInt(random.below(60_000)) : word(random)
  return [...[outputLength, outputAt, inputLength, inputAt].flatMap(push), ...value, ...push(to), ...push(gas), opcode]
}

/** CREATE or CREATE2 of a small piece of code that was put into memory. */
function creation(random: Chance): number[] {
  const code = random.pick(['600160005500', '60016000526020600cf3', '60006000fd', 'fe', '6000ff', '60ef60005360016000f3'])
  const stored = [...push(BigInt(`0x${code}`)), ...push(0n), 0x52]
  const from = 32n - BigInt(code.length / 2)
  const salt = random.chance(0.5) ? push(BigInt(random.below(3))) : undefined
  const create = [...push(BigInt(code.length / 2)), ...push(from), ...push(BigInt(random.below(10))), salt === undefined ? 0xf0 : 0xf5]
  return [...stored, ...(salt ?? []), ...create]
}

function log(random: Chance): number[] {
  const topics = random.below(5)
  return [...Array.from({ length: topics }, () => push(word(random))).flat(), ...push(place(random)), ...push(place(random)), 0xa0 + topics]
}

/** A statement that leaves at most one more word on the stack. */
function statement(random: Chance, addresses: Addresses): number[] {
  const argument = () => push(word(random))
  const range = () => [...push(place(random)), ...push(place(random)), ...push(place(random))]
  const kinds: (() => number[])[] = [
    () => [...argument(), random.pick(unary)],
    () => [...argument(), ...argument(), random.pick(binaries)],
    () => [...argument(), ...argument(), random.pick(binaries)],
    () => [...argument(), ...argument(), ...argument(), random.pick(ternary)],
    () => oneByte(random.pick(plain)),
    () => [...argument(), ...push(place(random)), random.pick([0x52, 0x53])],
    () => [...push(place(random)), 0x51],
    () => [...argument(), ...push(BigInt(random.below(4))), random.pick([0x55, 0x55, 0x5d])],
    () => [...push(BigInt(random.below(4))), 0x54],
    () => [...push(place(random)), ...push(place(random)), 0x20],
    () => [...range(), random.pick([0x37, 0x39, 0x5e])],
    () => [...push(BigInt(random.below(20))), ...push(BigInt(random.below(20))), ...push(place(random)), 0x3e],
    () => [...range(), ...push(random.pick(addresses.contracts)), 0x3c],
    () => call(random, addresses),
    () => call(random, addresses),
    () => creation(random),
    () => log(random),
    () => [...argument(), ...argument(), 0x90, 0x50],
    () => oneByte(0x80 + random.below(3)),
  ]
  return random.chance(0.01) ? oneByte(random.below(256)) : random.pick(kinds)()
}

/** A random program. Loops and jumps forward are made of blocks that leave the stack as it was. */
export function randomCode(random: Chance, addresses: Addresses): Uint8Array {
  const code: number[] = []
  const count = 2 + random.below(14)
  for (let at = 0; at < count; at++) {
    const body = statement(random, addresses)
    if (random.chance(0.15)) {
      // Skips the body where the condition holds.
      const target = code.length + 4 + 2 + body.length
      code.push(...push(BigInt(random.below(2))).slice(0, 1), random.below(2), 0x61, target >> 8, target & 255, 0x57)
      while (code.length < target - body.length) code.push(0x5b)
      code.push(...body, 0x5b)
    } else {
      code.push(...body)
    }
  }
  const end = random.below(6)
  if (end === 0) code.push(...push(place(random)), ...push(place(random)), 0xf3)
  if (end === 1) code.push(...push(place(random)), ...push(place(random)), 0xfd)
  if (end === 2) code.push(...push(random.pick(addresses.others)), 0xff)
  return Uint8Array.from(code)
}
