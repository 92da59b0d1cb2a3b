// State as data: what a world is made of, as a tree of plain values and typed arrays. Every part of the world has
// `save` and `load`; a snapshot is such a tree, a hash is taken over it in its own order. Values of formulas (lists, dicts,
// references ...) may share and contain each other: a ValueWriter flattens them into a table, a ValueReader rebuilds
// the same graph, sharing included.
import { EngineFault } from './fault.ts'

/** A structured-clonable tree. Typed arrays in it are copies, which are never written afterwards. */
export type State = null | boolean | number | string | Numbers | readonly State[] | { readonly [key: string]: State }

export type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array

/** How objects of one class are taken apart and made again: `make` gives the empty object, `fill` its parts (which may refer back to it). */
export type Codec = {
  readonly tag: string
  is(value: object): boolean
  parts(value: object): readonly unknown[]
  make(parts: readonly unknown[]): object
  /** Absent = `make` already used the parts (immutable classes; they can't contain themselves). */
  fill?(made: object, parts: readonly unknown[]): void
}

/** Flattens values into one table; the same object gives the same row. */
export class ValueWriter {
  readonly #codecs: readonly Codec[]
  readonly #rows = new Map<object, number>()
  readonly #table: State[] = []

  constructor(codecs: readonly Codec[]) {
    this.#codecs = codecs
  }

  /** The value itself when it is null, a boolean, a number or a text; otherwise a row of the table. */
  write(value: unknown): State {
    if (value === undefined) return { undefined: true }
    if (value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'bigint') return { integer: value.toString() }
    if (typeof value !== 'object') throw new TypeError(`snapshot: a ${typeof value} cannot be saved`)
    const known = this.#rows.get(value)
    if (known !== undefined) return { row: known }
    const row = this.#table.length
    this.#rows.set(value, row)
    this.#table.push(null)
    const codec = this.#codecs.find(one => one.is(value))
    if (!codec) throw new TypeError(`snapshot: no codec for ${value.constructor.name}`)
    this.#table[row] = [codec.tag, ...codec.parts(value).map(part => this.write(part))]
    return { row }
  }

  /** Everything written so far. */
  get table(): State {
    return this.#table
  }
}

/** Rebuilds what a ValueWriter flattened. Throws RangeError on a damaged table. */
export class ValueReader {
  readonly #codecs: readonly Codec[]
  readonly #table: readonly State[]
  readonly #made: (object | undefined)[] = []

  constructor(codecs: readonly Codec[], table: State) {
    this.#codecs = codecs
    this.#table = listOf(table)
  }

  read(state: State): unknown {
    if (state === null || typeof state !== 'object') return state
    const record = recordOf(state)
    if (record['undefined']) return undefined
    if (typeof record['integer'] === 'string') return BigInt(record['integer'])
    const row = record['row']
    if (typeof row !== 'number') throw new EngineFault('snapshot: damaged value')
    const known = this.#made[row]
    if (known) return known
    const [tag, ...parts] = listOf(this.#table[row] ?? null)
    const codec = this.#codecs.find(one => one.tag === tag)
    if (!codec) throw new EngineFault(`snapshot: unknown class ${String(tag)}`)
    if (!codec.fill) return (this.#made[row] = codec.make(parts.map(part => this.read(part))))
    const made = (this.#made[row] = codec.make([]))
    codec.fill(
      made,
      parts.map(part => this.read(part)),
    )
    return made
  }
}

/** Lists, plain objects, maps and sets. The world adds the classes of the formula language. */
export const plainCodecs: readonly Codec[] = [
  {
    tag: 'list',
    is: Array.isArray,
    parts: value => (Array.isArray(value) ? value : []),
    make: () => [],
    fill(made, parts) {
      if (Array.isArray(made)) made.push(...parts)
    },
  },
  {
    tag: 'map',
    is: value => value instanceof Map,
    parts: value => (value instanceof Map ? [...value].flat(1) : []),
    make: () => new Map(),
    fill(made, parts) {
      if (made instanceof Map) for (let i = 0; i < parts.length; i += 2) made.set(parts[i], parts[i + 1])
    },
  },
  {
    tag: 'set',
    is: value => value instanceof Set,
    parts: value => (value instanceof Set ? [...value] : []),
    make: () => new Set(),
    fill(made, parts) {
      if (made instanceof Set) for (const part of parts) made.add(part)
    },
  },
  {
    tag: 'object',
    is: value => Object.getPrototypeOf(value) === Object.prototype,
    parts: value => Object.entries(value).flat(1),
    make: () => ({}),
    fill(made, parts) {
      for (let i = 0; i < parts.length; i += 2)
        Object.defineProperty(made, String(parts[i]), { value: parts[i + 1], writable: true, enumerable: true, configurable: true })
    },
  },
]

/** Checked views of a tree that came from outside. Each throws RangeError when the tree is not of that shape. */
export function recordOf(state: State): { readonly [key: string]: State } {
  if (state === null || typeof state !== 'object' || Array.isArray(state) || ArrayBuffer.isView(state)) throw damaged('an object')
  return state as { readonly [key: string]: State }
}

export function listOf(state: State): readonly State[] {
  if (!Array.isArray(state)) throw damaged('a list')
  return state
}

export function numberOf(state: State | undefined): number {
  if (typeof state !== 'number') throw damaged('a number')
  return state
}

/** Copies a saved array into a new one of at least `capacity` entries, the rest `rest`. */
export function floatsOf(state: State | undefined, capacity = 0, rest = 0): Float64Array<ArrayBuffer> {
  if (!(state instanceof Float64Array)) throw damaged('numbers')
  const copy = new Float64Array(Math.max(capacity, state.length))
  copy.set(state)
  return rest === 0 ? copy : copy.fill(rest, state.length)
}

export function intsOf(state: State | undefined, capacity = 0, rest = 0): Int32Array<ArrayBuffer> {
  if (!(state instanceof Int32Array)) throw damaged('integers')
  const copy = new Int32Array(Math.max(capacity, state.length))
  copy.set(state)
  return rest === 0 ? copy : copy.fill(rest, state.length)
}

export function bytesOf(state: State | undefined, capacity = 0): Uint8Array<ArrayBuffer> {
  if (!(state instanceof Uint8Array)) throw damaged('bytes')
  const copy = new Uint8Array(Math.max(capacity, state.length))
  copy.set(state)
  return copy
}

const damaged = (expected: string): RangeError => new EngineFault(`snapshot: damaged, expected ${expected}`)

/**
 * FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv) over the tree in written order, by 32-bit words, in two lanes (the
 * second reads each word rotated, so that high bits count too): sixteen hexadecimal digits. All NaN are one value.
 */
export function hashOf(state: State): string {
  const hash = { a: 0x811c9dc5 | 0, b: 0x01000193 ^ 0x5bd1e995 }
  absorb(hash, state)
  return digits(hash.a) + digits(hash.b)
}

type Lanes = { a: number; b: number }

const digits = (word: number): string => {
  const z = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
  return ((z ^ (z >>> 15)) >>> 0).toString(16).padStart(8, '0')
}

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

function absorb(hash: Lanes, state: State): void {
  if (state === null) word(hash, 1)
  else if (typeof state === 'boolean') word(hash, state ? 3 : 2)
  else if (typeof state === 'number') {
    word(hash, 4)
    doubles(hash, [state])
  } else if (typeof state === 'string') {
    word(hash, 5)
    text(hash, state)
  } else if (state instanceof Float64Array || state instanceof Float32Array) {
    word(hash, 6)
    word(hash, state.length)
    doubles(hash, state)
  } else if (ArrayBuffer.isView(state)) {
    word(hash, 7)
    word(hash, state.length)
    integers(hash, state)
  } else if (Array.isArray(state)) {
    word(hash, 8)
    word(hash, state.length)
    for (const item of state) absorb(hash, item)
  } else {
    word(hash, 9)
    for (const [key, item] of Object.entries(recordOf(state))) {
      text(hash, key)
      absorb(hash, item)
    }
    word(hash, 10)
  }
}

function word(hash: Lanes, value: number): void {
  hash.a = Math.imul(hash.a ^ value, 16777619)
  hash.b = Math.imul(hash.b ^ ((value << 13) | (value >>> 19)), 16777619)
}

function text(hash: Lanes, value: string): void {
  word(hash, value.length)
  for (let i = 0; i < value.length; i++) word(hash, value.charCodeAt(i))
}

function doubles(hash: Lanes, values: ArrayLike<number>): void {
  let { a, b } = hash
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    double[0] = value
    const low = value === value ? halves[0]! : 0
    const high = value === value ? halves[1]! : 0x7ff80000
    a = Math.imul(Math.imul(a ^ low, 16777619) ^ high, 16777619)
    b = Math.imul(Math.imul(b ^ ((low << 13) | (low >>> 19)), 16777619) ^ ((high << 13) | (high >>> 19)), 16777619)
  }
  hash.a = a
  hash.b = b
}

function integers(hash: Lanes, values: ArrayLike<number>): void {
  let { a, b } = hash
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    a = Math.imul(a ^ value, 16777619)
    b = Math.imul(b ^ ((value << 13) | (value >>> 19)), 16777619)
  }
  hash.a = a
  hash.b = b
}
