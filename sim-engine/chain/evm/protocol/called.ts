// The constant addresses that code calls: follows all its paths, with what is known of the stack, without executing anything.

/** Words that opcodes take and give, by ranges; those that are not here end a way. */
const ranges: readonly (readonly [first: number, last: number, taken: number, given: number])[] = [
  [0x01, 0x07, 2, 1],
  [0x08, 0x09, 3, 1],
  [0x0a, 0x0b, 2, 1],
  [0x10, 0x14, 2, 1],
  [0x15, 0x15, 1, 1],
  [0x16, 0x18, 2, 1],
  [0x19, 0x19, 1, 1],
  [0x1a, 0x1d, 2, 1],
  [0x1e, 0x1e, 1, 1],
  [0x20, 0x20, 2, 1],
  [0x30, 0x30, 0, 1],
  [0x31, 0x31, 1, 1],
  [0x32, 0x34, 0, 1],
  [0x35, 0x35, 1, 1],
  [0x36, 0x36, 0, 1],
  [0x37, 0x37, 3, 0],
  [0x38, 0x38, 0, 1],
  [0x39, 0x39, 3, 0],
  [0x3a, 0x3a, 0, 1],
  [0x3b, 0x3b, 1, 1],
  [0x3c, 0x3c, 4, 0],
  [0x3d, 0x3d, 0, 1],
  [0x3e, 0x3e, 3, 0],
  [0x3f, 0x40, 1, 1],
  [0x41, 0x48, 0, 1],
  [0x49, 0x49, 1, 1],
  [0x4a, 0x4a, 0, 1],
  [0x50, 0x50, 1, 0],
  [0x51, 0x51, 1, 1],
  [0x52, 0x53, 2, 0],
  [0x54, 0x54, 1, 1],
  [0x55, 0x55, 2, 0],
  [0x56, 0x56, 1, 0],
  [0x57, 0x57, 2, 0],
  [0x58, 0x5a, 0, 1],
  [0x5b, 0x5b, 0, 0],
  [0x5c, 0x5c, 1, 1],
  [0x5d, 0x5d, 2, 0],
  [0x5e, 0x5e, 3, 0],
  [0xa0, 0xa0, 2, 0],
  [0xa1, 0xa1, 3, 0],
  [0xa2, 0xa2, 4, 0],
  [0xa3, 0xa3, 5, 0],
  [0xa4, 0xa4, 6, 0],
  [0xf0, 0xf0, 3, 1],
  [0xf1, 0xf2, 7, 1],
  [0xf4, 0xf4, 6, 1],
  [0xf5, 0xf5, 4, 1],
  [0xfa, 0xfa, 6, 1],
]
const effects = new Map(
  ranges.flatMap(([first, last, taken, given]) =>
    Array.from({ length: last - first + 1 }, (_, k) => [first + k, { taken, given }] as const),
  ),
)

const opcode = { sub: 0x03, and: 0x16, shl: 0x1b, codecopy: 0x39, jump: 0x56, jumpi: 0x57, jumpdest: 0x5b, push0: 0x5f } as const
const calls: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa])
/** `undefined`: not known before the code runs. */
type Word = bigint | undefined

/** What masks are made of is calculated; sums are not, so that counters of loops are no new words in each round. */
function calculated(code: number, first: Word, second: Word): Word {
  if (first === undefined || second === undefined) return undefined
  if (code === opcode.sub) return BigInt.asUintN(256, first - second)
  if (code === opcode.and) return first & second
  if (code === opcode.shl) return first > 255n ? 0n : BigInt.asUintN(256, second << first)
  return undefined
}

/** Bytes that a push has behind it; 0 for all other opcodes. */
export const pushedBytes = (code: number): number => (code > opcode.push0 && code <= 0x7f ? code - opcode.push0 : 0)

export function pushed(code: Uint8Array, at: number): bigint {
  let word = 0n
  for (let k = 1; k <= pushedBytes(code[at]!); k++) word = (word << 8n) | BigInt(code[at + k] ?? 0)
  return word
}

/** What a stack holds at most. */
const mostWords = 1024

/** Ways through one code. `steps` is how many more opcodes are looked at, in codes within it too. */
class Walk {
  readonly addresses: Set<bigint>
  /** Parts of the code that are copied: contracts that it creates, or what remains of it after its creation. */
  readonly copied = new Map<bigint, bigint>()
  readonly #code: Uint8Array
  readonly #seen = new Set<string>()
  readonly #open: { at: number; stack: Word[] }[] = [{ at: 0, stack: [] }]
  #steps: number

  constructor(code: Uint8Array, addresses: Set<bigint>, steps: number) {
    this.#code = code
    this.addresses = addresses
    this.#steps = steps
  }

  /** The number of steps left; `null` where there were too few, or the target of a jump is unknown. */
  go(): number | null {
    for (let way = this.#open.pop(); way !== undefined; way = this.#open.pop()) {
      let at: number | null = way.at
      while (at !== null && at < this.#code.length && way.stack.length <= mostWords) {
        if (this.#steps-- <= 0) return null
        const next: number | null | undefined = this.#step(at, way.stack)
        if (next === undefined) return null
        at = next
      }
    }
    return this.#steps
  }

  /** The continuation of the path; `null` at its end, `undefined` where that is not known. */
  #step(at: number, stack: Word[]): number | null | undefined {
    const code = this.#code[at]!
    if (code === opcode.push0 || pushedBytes(code) > 0) {
      stack.push(pushed(this.#code, at))
      return at + 1 + pushedBytes(code)
    }
    if (code >= 0x80 && code <= 0x9f) return exchanged(code, stack) ? at + 1 : null
    const effect = effects.get(code)
    if (effect === undefined || stack.length < effect.taken) return null
    if (code === opcode.jumpdest && this.#wasHere(at, stack)) return null
    const words = Array.from({ length: effect.taken }, () => stack.pop())
    if (effect.given === 1) stack.push(calculated(code, words[0], words[1]))
    if (code === opcode.jump || code === opcode.jumpi) {
      if (words[0] === undefined) return undefined
      const to = Number(words[0])
      if (code === opcode.jump) return this.#code[to] === opcode.jumpdest ? to : null
      if (this.#code[to] === opcode.jumpdest) this.#open.push({ at: to, stack: [...stack] })
    }
    if (calls.has(code) && words[1] !== undefined) this.addresses.add(words[1])
    if (code === opcode.codecopy && words[1] !== undefined && words[2] !== undefined) this.copied.set(words[1], words[2])
    return at + 1
  }

  #wasHere(at: number, stack: readonly Word[]): boolean {
    const key = `${at}:${stack.join()}`
    if (this.#seen.has(key)) return true
    this.#seen.add(key)
    return false
  }
}

/** DUP1 to DUP16, and SWAP1 to SWAP16; whether the stack is deep enough. */
function exchanged(code: number, stack: Word[]): boolean {
  const top = stack.length - 1
  const depth = code < 0x90 ? code - 0x80 : code - 0x8f
  if (depth > top) return false
  const word = stack[top - depth]
  if (code < 0x90) stack.push(word)
  else {
    stack[top - depth] = stack[top]
    stack[top] = word
  }
  return true
}

/** How many opcodes are looked at for each byte at most: what Solidity makes needs about one. */
const stepsForByte = 8

/** The constant addresses that the code calls; `null` where the code is too entangled to be known. */
export function addressesCalled(code: Uint8Array): ReadonlySet<bigint> | null {
  const addresses = new Set<bigint>()
  const open = [code]
  let steps: number | null = stepsForByte * code.length
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const walk: Walk = new Walk(one, addresses, steps)
    steps = walk.go()
    if (steps === null) return null
    // A code that copies all of itself has nothing new.
    for (const [from, size] of walk.copied)
      if (from > 0n && from < BigInt(one.length)) open.push(one.subarray(Number(from), Number(from + size)))
  }
  return addresses
}
