// Networks made by a rule. All link living individuals in birth order; a network grows from the random stream alone, so
// the same seed gives the same links in the same order.
import { log1p } from '../kernel/math.ts'
import { below, uniform, uniformOpen, type Stream } from '../kernel/random.ts'
import { RunError } from '../problems.ts'
import type { Links } from './links.ts'
import type { Population } from './population.ts'

const slotsOf = (population: Population): Int32Array => Int32Array.from(population.individuals(), handle => handle & 0xffffff)

/** Ordered pairs in a directed network, unordered ones in an undirected network; never a node with itself. */
class Pairs {
  readonly first: Int32Array
  readonly second: Int32Array
  readonly count: number
  readonly #links: Links
  readonly #a: Population
  readonly #b: Population
  readonly #same: boolean
  readonly #triangle: boolean

  constructor(links: Links, a: Population, b: Population) {
    this.#links = links
    this.#a = a
    this.#b = b
    this.#same = a === b
    this.#triangle = this.#same && !links.directed
    this.first = slotsOf(a)
    this.second = this.#same ? this.first : slotsOf(b)
    const n = this.first.length
    this.count = this.#triangle ? (n * (n - 1)) / 2 : this.#same ? n * (n - 1) : n * this.second.length
  }

  /** Links pair number k, 0 <= k < count; in an undirected network pairs come as (1,0) (2,0) (2,1) (3,0) ... */
  link(k: number): void {
    if (this.#triangle) {
      // The row v with v(v-1)/2 <= k; the square root may miss it by one.
      let v = Math.floor((1 + Math.sqrt(1 + 8 * k)) / 2)
      while ((v * (v - 1)) / 2 > k) v--
      while ((v * (v + 1)) / 2 <= k) v++
      this.at(k - (v * (v - 1)) / 2, v)
    } else if (this.#same) {
      const i = Math.floor(k / (this.first.length - 1))
      const j = k - i * (this.first.length - 1)
      this.at(i, j >= i ? j + 1 : j)
    } else {
      const i = Math.floor(k / this.second.length)
      this.at(i, k - i * this.second.length)
    }
  }

  /** Links the i-th of a with the j-th of b. */
  at(i: number, j: number): void {
    this.#links.add(this.#a, this.first[i]!, this.#b, this.second[j]!)
  }
}

/** Erdős–Rényi G(n, p), by geometric skips in O(n + links) (Batagelj & Brandes 2005). 10021 unless 0 <= p <= 1. */
export function random(links: Links, a: Population, b: Population, probability: number, stream: Stream): void {
  if (!(probability >= 0 && probability <= 1)) throw new RunError(10021)
  const pairs = new Pairs(links, a, b)
  if (probability === 0) return
  if (probability === 1) return complete(links, a, b)
  const scale = 1 / log1p(-probability)
  for (let k = -1; ;) {
    k += 1 + Math.floor(log1p(-uniformOpen(stream)) * scale)
    if (k >= pairs.count) return
    pairs.link(k)
  }
}

/** G(n, m): `count` links, in a network that is not repeatable all different. 10020 when there are fewer pairs. */
export function randomCount(links: Links, a: Population, b: Population, count: number, stream: Stream): void {
  const pairs = new Pairs(links, a, b)
  const { repeatable } = links.plan
  if (!(count >= 0) || (count > 0 && pairs.count === 0) || (!repeatable && count > pairs.count)) throw new RunError(10020)
  if (repeatable) for (let k = 0; k < count; k++) pairs.link(below(stream, pairs.count))
  else if (count * 2 < pairs.count) {
    const taken = new Set<number>()
    while (taken.size < count) {
      const k = below(stream, pairs.count)
      if (taken.has(k)) continue
      taken.add(k)
      pairs.link(k)
    }
  } else {
    // Selection sampling (Knuth, algorithm S): one draw a pair.
    let wanted = count
    for (let k = 0; wanted > 0; k++) {
      if (below(stream, pairs.count - k) >= wanted) continue
      pairs.link(k)
      wanted--
    }
  }
}

/** Watts–Strogatz: a ring of `each` neighbours on each side; every link's far end is moved to a random node with `probability`. */
export function smallWorld(links: Links, nodes: Population, each: number, probability: number, stream: Stream): void {
  if (!(probability >= 0 && probability <= 1)) throw new RunError(10021)
  const pairs = new Pairs(links, nodes, nodes)
  const n = pairs.first.length
  const reach = Math.min(Math.floor(each), (n - 1) >> 1)
  const key = (i: number, j: number): number => (links.directed || i < j ? i * n + j : j * n + i)
  const taken = new Set<number>()
  const degrees = new Int32Array(n)
  const count = (i: number, j: number, change: number): void => {
    degrees[i]! += change
    if (!links.directed) degrees[j]! += change
  }
  const ends: [number, number][] = []
  for (let step = 1; step <= reach; step++) {
    for (let i = 0; i < n; i++) {
      const j = (i + step) % n
      ends.push([i, j])
      taken.add(key(i, j))
      count(i, j, 1)
    }
  }
  for (const end of ends) {
    const [i, old] = end
    if (uniform(stream) >= probability || degrees[i]! >= n - 1) continue
    let j = below(stream, n)
    while (j === i || taken.has(key(i, j))) j = below(stream, n)
    taken.delete(key(i, old))
    taken.add(key(i, j))
    count(i, old, -1)
    count(i, j, 1)
    end[1] = j
  }
  for (const [i, j] of ends) pairs.at(i, j)
}

/** Barabási–Albert: a star of attach + 1 nodes, then each node links to `attach` different older ones, by degree. */
export function scaleFree(links: Links, nodes: Population, attach: number, stream: Stream): void {
  const pairs = new Pairs(links, nodes, nodes)
  const n = pairs.first.length
  const m = Math.floor(attach)
  if (!(m >= 1) || m >= n) throw new RunError(10020)
  // Every node as often as it has links: a uniform draw is one by degree.
  const ends: number[] = []
  for (let i = 1; i <= m; i++) {
    pairs.at(i, 0)
    ends.push(i, 0)
  }
  for (let i = m + 1; i < n; i++) {
    const chosen: number[] = []
    while (chosen.length < m) {
      const j = ends[below(stream, ends.length)]!
      if (!chosen.includes(j)) chosen.push(j)
    }
    for (const j of chosen) {
      pairs.at(i, j)
      ends.push(i, j)
    }
  }
}

/** Each node linked to the `each` next ones of a circle. */
export function ring(links: Links, nodes: Population, each: number): void {
  const pairs = new Pairs(links, nodes, nodes)
  const n = pairs.first.length
  const reach = Math.min(Math.floor(each), links.directed ? n - 1 : n >> 1)
  for (let step = 1; step <= reach; step++) {
    // Half way round, the second half of the circle would repeat the first.
    const last = !links.directed && step * 2 === n ? n / 2 : n
    for (let i = 0; i < last; i++) pairs.at(i, (i + step) % n)
  }
}

/** A square grid of ceil(sqrt(n)) columns: each node linked to the next in its row and in its column. */
export function lattice(links: Links, nodes: Population): void {
  const pairs = new Pairs(links, nodes, nodes)
  const n = pairs.first.length
  const columns = Math.ceil(Math.sqrt(n))
  for (let i = 0; i < n; i++) {
    if ((i + 1) % columns !== 0 && i + 1 < n) pairs.at(i, i + 1)
    if (i + columns < n) pairs.at(i, i + columns)
  }
}

export function complete(links: Links, a: Population, b: Population): void {
  const pairs = new Pairs(links, a, b)
  for (let k = 0; k < pairs.count; k++) pairs.link(k)
}

/** Rows of birth positions among the living (0 = the oldest). 10058 when there is none, and what `connect` raises. */
export function fromTable(links: Links, a: Population, b: Population, rows: readonly (readonly [number, number])[]): void {
  const first = a.individuals()
  const second = b.individuals()
  for (const [i, j] of rows) links.connect(a, first[i] ?? -1, b, second[j] ?? -1)
}
