// Places for the nodes of a network, in the square from -1 to 1. Deterministic: equal networks look alike everywhere.

export type NetworkLayout = 'force' | 'circle' | 'tree'

/** x and y of node i at 2i and 2i + 1. */
export type Places = Float32Array<ArrayBuffer>

export function circle(count: number): Places {
  const places = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    const angle = Math.PI / 2 - (i / Math.max(1, count)) * 2 * Math.PI
    places[2 * i] = Math.cos(angle) * 0.96
    places[2 * i + 1] = Math.sin(angle) * 0.96
  }
  return places
}

/** Even over a disc, by the golden angle (Vogel 1979). */
export function disc(count: number): Places {
  const places = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    const radius = Math.sqrt((i + 0.5) / Math.max(1, count)) * 0.9
    places[2 * i] = radius * Math.cos(i * 2.399963229728653)
    places[2 * i + 1] = radius * Math.sin(i * 2.399963229728653)
  }
  return places
}

/** The neighbours of each node as one list: those of node i from `starts[i]` to `starts[i + 1]`. */
export function neighbours(count: number, edges: Uint32Array): { starts: Uint32Array; list: Uint32Array } {
  const starts = new Uint32Array(count + 1)
  for (const end of edges) starts[end + 1] = (starts[end + 1] ?? 0) + 1
  for (let i = 0; i < count; i++) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0)
  const next = starts.slice()
  const list = new Uint32Array(edges.length)
  const put = (node: number, other: number): void => {
    const at = next[node] ?? 0
    list[at] = other
    next[node] = at + 1
  }
  for (let e = 0; e < edges.length; e += 2) {
    put(edges[e] ?? 0, edges[e + 1] ?? 0)
    put(edges[e + 1] ?? 0, edges[e] ?? 0)
  }
  return { starts, list }
}

/** Breadth-first trees side by side, each from its best connected node; leaves evenly spread, parents over their children. */
export function tree(count: number, edges: Uint32Array): Places {
  const { starts, list } = neighbours(count, edges)
  const degree = (node: number): number => (starts[node + 1] ?? 0) - (starts[node] ?? 0)
  const depth = new Int32Array(count).fill(-1)
  const children: number[][] = Array.from({ length: count }, () => [])
  const byDegree = Array.from({ length: count }, (_, i) => i).sort((a, b) => degree(b) - degree(a) || a - b)
  const order: number[] = []
  const roots: number[] = []
  for (const root of byDegree) {
    if (depth[root] !== -1) continue
    depth[root] = 0
    roots.push(root)
    const queue = [root]
    for (let head = 0; head < queue.length; head++) {
      const node = queue[head] ?? 0
      order.push(node)
      for (let k = starts[node] ?? 0; k < (starts[node + 1] ?? 0); k++) {
        const other = list[k] ?? 0
        if (depth[other] !== -1) continue
        depth[other] = (depth[node] ?? 0) + 1
        children[node]?.push(other)
        queue.push(other)
      }
    }
  }
  const x = new Float64Array(count)
  let leaf = 0
  // Leaves in the order of a depth-first walk, then parents from the deepest up.
  const stack = roots.toReversed()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const below = children[node] ?? []
    if (below.length === 0) x[node] = leaf++
    else stack.push(...below.toReversed())
  }
  for (const node of order.toReversed()) {
    const below = children[node] ?? []
    if (below.length > 0) x[node] = below.reduce((sum, child) => sum + (x[child] ?? 0), 0) / below.length
  }
  const deepest = depth.reduce((most, one) => Math.max(most, one), 1)
  const places = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    places[2 * i] = leaf > 1 ? ((x[i] ?? 0) / (leaf - 1)) * 1.92 - 0.96 : 0
    places[2 * i + 1] = 0.96 - ((depth[i] ?? 0) / deepest) * 1.92
  }
  return places
}

/**
 * Spring layout after Fruchterman and Reingold (1991): links pull, near nodes push (found through a grid, so that a step
 * takes time in proportion to the nodes), moves shrink as it cools. Mutates `places`; `heat` goes from 1 to 0.
 */
export function relax(places: Places, edges: Uint32Array, heat: number): void {
  const count = places.length / 2
  if (count === 0) return
  const ideal = Math.sqrt(3.2 / count)
  const reach = ideal * 2
  const columns = Math.max(1, Math.ceil(2.4 / reach))
  const cellOf = (i: number): number => {
    const column = Math.min(columns - 1, Math.max(0, Math.floor(((places[2 * i] ?? 0) + 1.2) / reach)))
    const row = Math.min(columns - 1, Math.max(0, Math.floor(((places[2 * i + 1] ?? 0) + 1.2) / reach)))
    return row * columns + column
  }
  const heads = new Int32Array(columns * columns).fill(-1)
  const next = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    const cell = cellOf(i)
    next[i] = heads[cell] ?? -1
    heads[cell] = i
  }
  const push = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    const cell = cellOf(i)
    const column = cell % columns
    const row = (cell - column) / columns
    for (let r = Math.max(0, row - 1); r <= Math.min(columns - 1, row + 1); r++) {
      for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++) {
        for (let j = heads[r * columns + c] ?? -1; j >= 0; j = next[j] ?? -1) {
          if (j === i) continue
          const dx = (places[2 * i] ?? 0) - (places[2 * j] ?? 0)
          const dy = (places[2 * i + 1] ?? 0) - (places[2 * j + 1] ?? 0)
          const square = dx * dx + dy * dy + 1e-9
          if (square > reach * reach) continue
          const force = (ideal * ideal) / square
          push[2 * i] = (push[2 * i] ?? 0) + dx * force
          push[2 * i + 1] = (push[2 * i + 1] ?? 0) + dy * force
        }
      }
    }
    // A weak pull to the middle keeps components together.
    push[2 * i] = (push[2 * i] ?? 0) - (places[2 * i] ?? 0) * ideal * 0.6
    push[2 * i + 1] = (push[2 * i + 1] ?? 0) - (places[2 * i + 1] ?? 0) * ideal * 0.6
  }
  for (let e = 0; e < edges.length; e += 2) {
    const a = edges[e] ?? 0
    const b = edges[e + 1] ?? 0
    const dx = (places[2 * b] ?? 0) - (places[2 * a] ?? 0)
    const dy = (places[2 * b + 1] ?? 0) - (places[2 * a + 1] ?? 0)
    const force = Math.hypot(dx, dy) / ideal / 4
    push[2 * a] = (push[2 * a] ?? 0) + dx * force
    push[2 * a + 1] = (push[2 * a + 1] ?? 0) + dy * force
    push[2 * b] = (push[2 * b] ?? 0) - dx * force
    push[2 * b + 1] = (push[2 * b + 1] ?? 0) - dy * force
  }
  const most = 0.02 + 0.16 * heat * heat
  for (let i = 0; i < count; i++) {
    const x = push[2 * i] ?? 0
    const y = push[2 * i + 1] ?? 0
    const length = Math.hypot(x, y)
    const step = length > 0 ? Math.min(length, most * (0.05 + heat)) / length : 0
    places[2 * i] = Math.min(1, Math.max(-1, (places[2 * i] ?? 0) + x * step))
    places[2 * i + 1] = Math.min(1, Math.max(-1, (places[2 * i + 1] ?? 0) + y * step))
  }
}
