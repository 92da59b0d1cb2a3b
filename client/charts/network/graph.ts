// The network behind link layers. A layer names the agents its links join, so that agents on one spot, and agents without a position, are
// nodes of their own.
import type { Id } from '../../../model-schema/model.ts'
import type { Frame } from '../../../sim-engine/messages.ts'

export type Graph = {
  count: number
  /** Pairs of node numbers. */
  edges: Uint32Array
  edgeColors: Uint32Array
  thickness: Float32Array
  populations: readonly Id[]
  /** Per node: index in `populations`, id for `inspect`, colour, size. */
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
  const linked = new Set<Id>()
  for (const { populations, fromOf, toOf } of links)
    for (const ends of [fromOf, toOf]) for (const place of new Set(ends)) linked.add(populations[place] ?? '')
  const agents = frame.layers.filter(layer => layer.kind === 'agent').filter(layer => linked.has(layer.population))
  const count = agents.reduce((sum, layer) => sum + layer.ids.length, 0)
  const graph = {
    population: new Uint16Array(count),
    ids: new Float64Array(count),
    colors: new Uint32Array(count),
    sizes: new Float32Array(count),
  }
  const nodes = new Map<Id, Map<number, number>>()
  let node = 0
  for (const [p, layer] of agents.entries()) {
    const own = new Map<number, number>()
    nodes.set(layer.population, own)
    graph.population.fill(p, node, node + layer.ids.length)
    graph.ids.set(layer.ids, node)
    graph.colors.set(layer.colors, node)
    graph.sizes.set(layer.size, node)
    for (const id of layer.ids) own.set(id, node++)
  }
  const edges: number[] = []
  const edgeColors: number[] = []
  const thickness: number[] = []
  for (const link of links) {
    const own = link.populations.map(population => nodes.get(population))
    for (let i = 0; i < link.from.length; i++) {
      const from = own[link.fromOf[i] ?? 0]?.get(link.from[i] ?? -1)
      const to = own[link.toOf[i] ?? 0]?.get(link.to[i] ?? -1)
      if (from === undefined || to === undefined) continue
      edges.push(from, to)
      edgeColors.push(link.colors[i] ?? 0)
      thickness.push(link.thickness[i] ?? 1)
    }
  }
  return {
    ...graph,
    count,
    edges: Uint32Array.from(edges),
    edgeColors: Uint32Array.from(edgeColors),
    thickness: Float32Array.from(thickness),
    populations: agents.map(layer => layer.population),
  }
}

/** Equal for equal wiring: a new layout is needed only when it changes. */
export function wiring(graph: Graph): string {
  let hash = 2166136261
  for (const end of graph.edges) hash = Math.imul(hash ^ end, 16777619)
  return `${graph.count} ${graph.edges.length} ${hash}`
}
