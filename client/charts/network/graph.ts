// The network behind link layers. A layer says where links begin and end, not at whom: ends are matched with agents by
// position, exactly (both come from the same columns). Agents that share a position can't be told apart and count as one.
import type { Id } from '../../../model-schema/model.ts'
import type { Frame } from '../../../sim-engine/messages.ts'

export type Graph = {
  count: number
  /** Pairs of node numbers. */
  edges: Uint32Array
  edgeColors: Uint32Array
  thickness: Float32Array
  populations: readonly Id[]
  /** Per node: place in `populations`, what `inspect` asks for, colour, size. */
  population: Uint16Array
  ids: Float64Array
  colors: Uint32Array
  sizes: Float32Array
}

/** Nodes of every population that has an end in one of the `chosen` links (of all links, when none is chosen). */
export function graphOf(frame: Frame, chosen: readonly Id[]): Graph {
  const links = frame.layers
    .filter(layer => layer.kind === 'link')
    .filter(layer => chosen.length === 0 || chosen.includes(layer.population))
  const agents = frame.layers.filter(layer => layer.kind === 'agent')
  const ends = new Set<string>()
  for (const link of links) {
    for (let i = 0; i < link.count; i++) {
      ends.add(`${link.x1[i]} ${link.y1[i]}`)
      ends.add(`${link.x2[i]} ${link.y2[i]}`)
    }
  }
  const nodes = new Map<string, number>()
  const populations: Id[] = []
  const rows: { population: number; id: number; color: number; size: number }[] = []
  for (const layer of agents) {
    let linked = false
    for (let i = 0; i < layer.count && !linked; i++) linked = ends.has(`${layer.x[i]} ${layer.y[i]}`)
    if (!linked) continue
    populations.push(layer.population)
    for (let i = 0; i < layer.count; i++) {
      const key = `${layer.x[i]} ${layer.y[i]}`
      if (nodes.has(key)) continue
      nodes.set(key, rows.length)
      rows.push({ population: populations.length - 1, id: layer.ids[i] ?? 0, color: layer.colors[i] ?? 0, size: layer.size[i] ?? 1 })
    }
  }
  const edges: number[] = []
  const edgeColors: number[] = []
  const thickness: number[] = []
  for (const link of links) {
    for (let i = 0; i < link.count; i++) {
      const from = nodes.get(`${link.x1[i]} ${link.y1[i]}`)
      const to = nodes.get(`${link.x2[i]} ${link.y2[i]}`)
      if (from === undefined || to === undefined) continue
      edges.push(from, to)
      edgeColors.push(link.colors[i] ?? 0)
      thickness.push(link.thickness[i] ?? 1)
    }
  }
  return {
    count: rows.length,
    edges: Uint32Array.from(edges),
    edgeColors: Uint32Array.from(edgeColors),
    thickness: Float32Array.from(thickness),
    populations,
    population: Uint16Array.from(rows, row => row.population),
    ids: Float64Array.from(rows, row => row.id),
    colors: Uint32Array.from(rows, row => row.color),
    sizes: Float32Array.from(rows, row => row.size),
  }
}

/** Equal for equal wiring: a new layout is needed only when it changes. */
export function wiring(graph: Graph): string {
  let hash = 2166136261
  for (const end of graph.edges) hash = Math.imul(hash ^ end, 16777619)
  return `${graph.count} ${graph.edges.length} ${hash}`
}
