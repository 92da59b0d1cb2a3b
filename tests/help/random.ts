// Seeded chance for tests: a failure prints its seed and can be run again. mulberry32 (public domain, Tommy Ettinger).

export type Chance = {
  readonly seed: number
  /** In [0, 1). */
  next(): number
  /** A whole number in [0, n). */
  below(n: number): number
  pick<T>(items: readonly T[]): T
  chance(p: number): boolean
  /** A new array in random order. */
  shuffle<T>(items: readonly T[]): T[]
  /** A text of up to `length` characters, now and then none or an odd one. */
  text(length?: number): string
  /** Another stream that does not depend on how far this one got. */
  fork(name: number): Chance
}

export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  const self: Chance = {
    seed,
    next,
    below,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('pick: nothing to pick from')
      return item
    },
    chance: p => next() < p,
    shuffle<T>(items: readonly T[]): T[] {
      const out = [...items]
      for (let i = out.length - 1; i > 0; i--) {
        const j = below(i + 1)
        const [a, b] = [out[i], out[j]]
        if (a !== undefined && b !== undefined) {
          out[i] = b
          out[j] = a
        }
      }
      return out
    },
    text: (length = 8) => Array.from({ length: below(length + 1) }, () => self.pick(letters)).join(''),
    fork: name => chance((Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(name + 1, 0xc2b2ae35)) >>> 0),
  }
  return self
}

const letters = [...'abcdefgh ijkl+-*/()=<>.,_"\'\n0123456789', 'é', '汉', '😀', ' ']

/**
 * Runs `test` with each of `count` seeds from `first` (the environment's `SEEDS` times as many), or only with its `SEED`; a failure names its
 * seed.
 */
export function seeds(count: number, test: (random: Chance) => void, first = 1): void {
  const only = process.env.SEED
  const all = count * Number(process.env.SEEDS ?? 1)
  const list = only === undefined ? Array.from({ length: all }, (_, i) => first + i) : [Number(only)]
  for (const seed of list) {
    try {
      test(chance(seed))
    } catch (error) {
      if (error instanceof Error) error.message = `SEED=${seed}\n${error.message}`
      throw error
    }
  }
}
