// The inner functions of keccak-256 and BLAKE2b as one module of WebAssembly, which has the 64-bit words that JavaScript lacks: written with halves
// of 32 bits they take eight times as long, and contracts hash as often as their gas allows. Below 4 kB, so that pages may compile it
// at once as well. Keccak: FIPS 202, section 3.2. BLAKE2b: RFC 7693, section 3.
import { Bytes, i32, i64, moduleOf, nothing, op, type Made } from '../../backends/binary.ts'

/** Layout of the module's memory of one page. Words are little-endian. */
export const layout = {
  /** State of Keccak: 25 words. */
  state: 0,
  /** 24 words, one a round. */
  roundConstants: 256,
  /** The words and the block of BLAKE2b, 16 words each. */
  work: 512,
  block: 640,
  /** Of each round in a cycle of ten, where in memory the block's words are that it takes one after the other: 16 times 32 bits. */
  schedule: 1024,
  /** What Keccak absorbs, up to the end. */
  input: 2048,
} as const
/** Bytes that one permutation absorbs. */
export const rate = 136
export const cycle = 10

const load = { word: 0x29, number: 0x28 } as const
const storeWord = 0x37

/** Writes the code that puts a value on the stack. */
type Value = () => void

/** A function that is being written. Its words and numbers are locals. */
class Body {
  readonly #code = new Bytes(2048)
  readonly #locals: number[] = []
  readonly #parameters: number

  constructor(parameters: number) {
    this.#parameters = parameters
  }

  local(type: number): number {
    return this.#parameters + this.#locals.push(type) - 1
  }
  words = (count: number): number[] => Array.from({ length: count }, () => this.local(i64))

  get =
    (local: number): Value =>
    () =>
      this.#code.at(op.localGet, local)
  number =
    (value: number): Value =>
    () =>
      this.#code.i32(value)
  set(local: number, value: Value): void {
    value()
    this.#code.at(op.localSet, local)
  }

  #all =
    (code: number, first: Value, rest: readonly Value[]): Value =>
    () => {
      first()
      for (const value of rest) {
        value()
        this.#code.op(code)
      }
    }
  xor = (first: Value, ...rest: Value[]): Value => this.#all(op.i64Xor, first, rest)
  and = (first: Value, second: Value): Value => this.#all(op.i64And, first, [second])
  add = (first: Value, ...rest: Value[]): Value => this.#all(op.i64Add, first, rest)
  plus = (first: Value, second: Value): Value => this.#all(op.i32Add, first, [second])
  not = (value: Value): Value => this.xor(value, () => this.#code.i64(-1))
  rotate = (value: Value, left: number): Value => (left === 0 ? value : this.#all(op.i64Rotl, value, [() => this.#code.i64(left)]))

  #at(code: number, offset: number): void {
    this.#code.op(code)
    this.#code.unsigned(code === load.number ? 2 : code === storeWord ? 3 : 0)
    this.#code.unsigned(offset)
  }
  word =
    (offset: number, base: Value = this.number(0)): Value =>
    () => {
      base()
      this.#at(load.word, offset)
    }
  loadNumber =
    (offset: number, base: Value): Value =>
    () => {
      base()
      this.#at(load.number, offset)
    }
  store(offset: number, value: Value): void {
    this.#code.i32(0)
    value()
    this.#at(storeWord, offset)
  }

  /** Does something if a number is 0. */
  unless(condition: Value, act: () => void): void {
    condition()
    this.#code.put(op.i32Eqz, op.if, nothing)
    act()
    this.#code.op(op.end)
  }

  /** Does something for as long as a number is not 0. */
  while(condition: Value, act: () => void): void {
    this.#code.put(op.block, nothing, op.loop, nothing)
    condition()
    this.#code.op(op.i32Eqz)
    this.#code.at(op.brIf, 1)
    act()
    this.#code.at(op.br, 0)
    this.#code.put(op.end, op.end)
  }

  made(): Made {
    return { parameters: Array.from({ length: this.#parameters }, () => i32), results: [], locals: this.#locals, code: this.#code }
  }
}

/** By how much each lane turns to the left: along the walk (x, y) to (y, 2x + 3y), the triangular numbers. */
function turns(): number[] {
  const found = Array.from({ length: 25 }, () => 0)
  let [x, y] = [1, 0]
  for (let t = 1; t <= 24; t++) {
    found[x + 5 * y] = ((t * (t + 1)) / 2) % 64
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
  }
  return found
}

/** `absorb(blocks, isFirst)`: blocks of the input into the state, which is all zeros before the first. */
function absorb(): Made {
  const body = new Body(2)
  const { get, xor, rotate, and, not } = body
  const [blocks, isFirst] = [0, 1]
  const a = body.words(25)
  const b = body.words(25)
  const c = body.words(5)
  const d = body.words(5)
  const [from, round] = [body.local(i32), body.local(i32)]
  const lane = turns()
  body.unless(get(isFirst), () => a.forEach((one, k) => body.set(one, body.word(layout.state + 8 * k))))
  body.while(get(blocks), () => {
    for (let k = 0; k < rate / 8; k++) body.set(a[k]!, xor(get(a[k]!), body.word(layout.input + 8 * k, get(from))))
    body.set(from, body.plus(get(from), body.number(rate)))
    body.set(blocks, body.plus(get(blocks), body.number(-1)))
    body.set(round, body.number(0))
    body.while(body.plus(get(round), body.number(-24 * 8)), () => {
      for (let x = 0; x < 5; x++) body.set(c[x]!, xor(...([0, 5, 10, 15, 20].map(y => get(a[x + y]!)) as [Value, ...Value[]])))
      for (let x = 0; x < 5; x++) body.set(d[x]!, xor(get(c[(x + 4) % 5]!), rotate(get(c[(x + 1) % 5]!), 1)))
      for (let y = 0; y < 5; y++)
        for (let x = 0; x < 5; x++)
          body.set(b[y + 5 * ((2 * x + 3 * y) % 5)]!, rotate(xor(get(a[x + 5 * y]!), get(d[x]!)), lane[x + 5 * y]!))
      for (let y = 0; y < 25; y += 5)
        for (let x = 0; x < 5; x++)
          body.set(a[x + y]!, xor(get(b[x + y]!), and(not(get(b[((x + 1) % 5) + y]!)), get(b[((x + 2) % 5) + y]!))))
      body.set(a[0]!, xor(get(a[0]!), body.word(layout.roundConstants, get(round))))
      body.set(round, body.plus(get(round), body.number(8)))
    })
  })
  a.forEach((one, k) => body.store(layout.state + 8 * k, get(one)))
  return body.made()
}

const bytesOfRound = 16 * 4
/** The words that are mixed: columns, then diagonals. */
export const lines = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

/** `mix(rounds)`: rounds of BLAKE2b on its 16 words, beginning with round 0. */
function mix(): Made {
  const body = new Body(1)
  const { get, xor, add, rotate } = body
  const rounds = 0
  const v = body.words(16)
  const order = body.local(i32)
  v.forEach((one, k) => body.set(one, body.word(layout.work + 8 * k)))
  body.while(get(rounds), () => {
    body.unless(body.plus(get(order), body.number(-cycle * bytesOfRound)), () => body.set(order, body.number(0)))
    lines.forEach((line, k) => {
      const [a, b, c, d] = line.map(at => v[at]!) as [number, number, number, number]
      const half = (second: number, turnD: number, turnB: number): void => {
        const place = body.loadNumber(layout.schedule + 4 * (2 * k + second), get(order))
        body.set(a, add(get(a), get(b), body.word(0, place)))
        body.set(d, rotate(xor(get(d), get(a)), turnD))
        body.set(c, add(get(c), get(d)))
        body.set(b, rotate(xor(get(b), get(c)), turnB))
      }
      half(0, 32, 40)
      half(1, 48, 1)
    })
    body.set(order, body.plus(get(order), body.number(bytesOfRound)))
    body.set(rounds, body.plus(get(rounds), body.number(-1)))
  })
  v.forEach((one, k) => body.store(layout.work + 8 * k, get(one)))
  return body.made()
}

/** The constants of Keccak's rounds: bits 0, 1, 3, 7, 15, 31 and 63 from a shift register (FIPS 202, algorithm 5). */
function roundConstants(): bigint[] {
  let register = 1
  return Array.from({ length: 24 }, () => {
    let word = 0n
    for (let bit = 0; bit < 7; bit++) {
      if ((register & 1) === 1) word |= 1n << ((1n << BigInt(bit)) - 1n)
      register = (register << 1) ^ ((register >> 7) * 0x171)
    }
    return word
  })
}

/** Of rounds 0 to 9 of BLAKE2b, the order in which they take the block's words. */
export const schedule: readonly (readonly number[])[] = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map(row => Array.from(row, digit => Number.parseInt(digit, 16)))

export const permutationsModule = (): Uint8Array<ArrayBuffer> =>
  moduleOf(
    [],
    [absorb(), mix()],
    [
      { name: 'absorb', index: 0 },
      { name: 'mix', index: 1 },
    ],
  )

export type Permutations = {
  readonly memory: ArrayBuffer
  readonly absorb: (blocks: number, isFirst: number) => void
  /** Code that is entered once stays as it was first compiled, nine times as slow: many rounds are done in many calls. */
  readonly mix: (rounds: number) => void
}

/** `null` where WebAssembly is not there or may not be made. */
function make(): Permutations | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 })
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(permutationsModule()), { host: { memory } })
    const view = new DataView(memory.buffer)
    roundConstants().forEach((word, k) => view.setBigUint64(layout.roundConstants + 8 * k, word, true))
    schedule.flat().forEach((word, k) => view.setUint32(layout.schedule + 4 * k, layout.block + 8 * word, true))
    return { memory: memory.buffer, ...(exports as Pick<Permutations, 'absorb' | 'mix'>) }
  } catch {
    return null
  }
}

let made: Permutations | null | undefined
/** Made when it is first needed. */
export const permutations = (): Permutations | null => (made === undefined ? (made = make()) : made)
