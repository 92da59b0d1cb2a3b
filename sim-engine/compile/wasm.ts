// Just enough of the WebAssembly binary format for one function over vectors of sixteen bytes (Core Specification 2.0,
// chapters 5 and 4.4.3). https://webassembly.github.io/spec/core/binary/

const int = 0x7f

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? low + 128 : low)
  } while (rest > 0)
  return bytes
}

/** Signed LEB128 of a 32-bit integer. */
export function signed(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 127
    const isLast = (rest >> 7 === 0 && (low & 64) === 0) || (rest >> 7 === -1 && (low & 64) !== 0)
    bytes.push(isLast ? low : low + 128)
    if (isLast) return bytes
  }
}

/** How a module begins: its name and version. */
export const magic = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

export type LaneOp = keyof typeof laneOps

const laneOps = {
  eq: 0x23,
  ne: 0x24,
  lt: 0x26,
  gt: 0x28,
  le: 0x2a,
  ge: 0x2c,
  not: 0x4d,
  and: 0x4e,
  or: 0x50,
} as const

/** The body of a function of 32-bit integers that returns one. */
export class Code {
  readonly bytes: number[] = []
  readonly parameters: number
  #ints = 0

  constructor(parameters: number) {
    this.parameters = parameters
  }

  int(): number {
    return this.parameters + this.#ints++
  }

  get(local: number): void {
    this.bytes.push(0x20, ...unsigned(local))
  }

  set(local: number): void {
    this.bytes.push(0x21, ...unsigned(local))
  }

  number(value: number): void {
    this.bytes.push(0x41, ...signed(value))
  }

  plus(): void {
    this.bytes.push(0x6a)
  }

  /** Sixteen times the same byte. */
  same(value: number): void {
    this.bytes.push(0xfd, 0x0c, ...Array.from({ length: 16 }, () => value))
  }

  /** A vector from the address on the stack, at no special boundary. */
  load(offset: number): void {
    this.bytes.push(0xfd, 0x00, 0, ...unsigned(offset))
  }

  op(name: LaneOp): void {
    this.bytes.push(0xfd, laneOps[name])
  }

  /** How many bytes of a vector have their highest bit set. */
  tally(): void {
    this.bytes.push(0xfd, 0x64, 0x69)
  }

  /** `begin`, then again and again while what `more` leaves is not 0. */
  loop(body: () => void, more: () => void): void {
    this.bytes.push(0x03, 0x40)
    body()
    more()
    this.bytes.push(0x0d, 0, 0x0b)
  }

  less(): void {
    this.bytes.push(0x49)
  }

  /** The module: imports the memory `m.m`, exports the function `f`. */
  module(): Uint8Array<ArrayBuffer> {
    const text = (name: string): number[] => [name.length, ...Array.from(name, letter => letter.charCodeAt(0))]
    const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content]
    const parameters = Array.from({ length: this.parameters }, () => int)
    const locals = [1, ...unsigned(this.#ints), int]
    const body = [...locals, ...this.bytes, 0x0b]
    return Uint8Array.from([
      ...magic,
      ...section(1, [1, 0x60, ...unsigned(this.parameters), ...parameters, 1, int]),
      ...section(2, [1, ...text('m'), ...text('m'), 0x02, 0x00, 1]),
      ...section(3, [1, 0]),
      ...section(7, [1, ...text('f'), 0x00, 0]),
      ...section(10, [1, ...unsigned(body.length), ...body]),
    ])
  }
}
