// The bytes that a contract keeps, in the order of their keys. Keys are texts of one character a byte, in the same order as the bytes.

export type Key = string

export const keyOf = (bytes: Uint8Array): Key => {
  let key = ''
  for (const byte of bytes) key += String.fromCharCode(byte)
  return key
}

export const bytesOfKey = (key: Key): Uint8Array => Uint8Array.from(key, letter => letter.charCodeAt(0))

export class Store {
  readonly #values = new Map<Key, Uint8Array>()
  /** Keys in order; made at the first iteration, and kept from then on. */
  #sorted: Key[] | null = null

  get(key: Key): Uint8Array | undefined {
    return this.#values.get(key)
  }

  get size(): number {
    return this.#values.size
  }

  set(key: Key, value: Uint8Array | undefined): void {
    const isThere = this.#values.has(key)
    if (value === undefined) this.#values.delete(key)
    else this.#values.set(key, value)
    if (this.#sorted === null || isThere === (value !== undefined)) return
    const at = this.#placeOf(key)
    if (value === undefined) this.#sorted.splice(at, 1)
    else this.#sorted.splice(at, 0, key)
  }

  get keys(): readonly Key[] {
    return (this.#sorted ??= [...this.#values.keys()].sort((a, b) => (a < b ? -1 : 1)))
  }

  /** How many keys come before this one. */
  #placeOf(key: Key): number {
    const { keys } = this
    let [low, high] = [0, keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (keys[middle]! < key) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The first key that is at least `from`, and before `to` where that is given. */
  first(from: Key, to: Key | null): Key | undefined {
    const key = this.keys[this.#placeOf(from)]
    return key !== undefined && (to === null || key < to) ? key : undefined
  }

  /** The last key that is before `to`, or of all where that is null, and at least `from`. */
  last(from: Key, to: Key | null): Key | undefined {
    const key = this.keys[(to === null ? this.keys.length : this.#placeOf(to)) - 1]
    return key !== undefined && key >= from ? key : undefined
  }
}
