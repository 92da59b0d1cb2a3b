// Network charts: the graph behind link layers, and its layouts.
import { describe, expect, it } from 'vitest'
import { graphOf, wiring } from '../../../client/charts/network/graph.ts'
import { circle, disc, neighbours, relax, tree } from '../../../client/charts/network/layout.ts'
import type { Layer } from '../../../sim-engine/messages.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { frameAt } from '../../help/engine.ts'

const points: [number, number][] = [
  [0, 0],
  [1.5, 0],
  [0, 2.25],
  [7, 7],
]
const agents: Layer = {
  kind: 'agent',
  population: 'p',
  count: 4,
  ids: Float64Array.of(11, 12, 13, 14),
  x: Float32Array.from(points, ([x]) => x),
  y: Float32Array.from(points, ([, y]) => y),
  heading: new Float32Array(4),
  size: new Float32Array(4).fill(1),
  colors: Uint32Array.of(1, 2, 3, 4),
  shapes: new Uint8Array(4),
}
const bystanders: Layer = { ...agents, population: 'q', x: Float32Array.of(50, 51, 52, 53) }
const links = (pairs: [number, number][], population = 'l'): Extract<Layer, { kind: 'link' }> => ({
  kind: 'link',
  population,
  count: pairs.length,
  x1: Float32Array.from(pairs, ([a]) => points[a]?.[0] ?? 0),
  y1: Float32Array.from(pairs, ([a]) => points[a]?.[1] ?? 0),
  x2: Float32Array.from(pairs, ([, b]) => points[b]?.[0] ?? 0),
  y2: Float32Array.from(pairs, ([, b]) => points[b]?.[1] ?? 0),
  colors: new Uint32Array(pairs.length),
  thickness: new Float32Array(pairs.length).fill(1),
  populations: ['p'],
  from: Float64Array.from(pairs, ([a]) => 11 + a),
  to: Float64Array.from(pairs, ([, b]) => 11 + b),
  fromOf: new Uint8Array(pairs.length),
  toOf: new Uint8Array(pairs.length),
})

describe('the graph behind link layers', () => {
  it('finds ends by whom they are, keeps lonely nodes, leaves other populations out', () => {
    const graph = graphOf(
      frameAt(1, 0, {
        layers: [
          agents,
          bystanders,
          links([
            [0, 1],
            [2, 0],
          ]),
        ],
      }),
      [],
    )
    expect(graph.populations).toEqual(['p'])
    expect([...graph.ids]).toEqual([11, 12, 13, 14])
    expect([...graph.edges]).toEqual([0, 1, 2, 0])
  })
  it('tells apart who stand on one spot, who stand nowhere, and equal ids of two populations', () => {
    const herd: Layer = { ...agents, count: 2, x: new Float32Array(2), y: new Float32Array(2) }
    const layers = [
      herd,
      { ...herd, population: 'q' },
      {
        ...links([
          [0, 1],
          [2, 3],
        ]),
        populations: ['p', 'q'],
        toOf: Uint8Array.of(0, 1),
      },
    ]
    const graph = graphOf(frameAt(1, 0, { layers }), [])
    expect([graph.count, graph.populations]).toEqual([8, ['p', 'q']])
    expect([...graph.edges]).toEqual([0, 1, 2, 7])
  })
  it('takes the chosen links only, and knows when the wiring is another', () => {
    const layers = [
      agents,
      links([[0, 1]]),
      links(
        [
          [1, 2],
          [2, 3],
        ],
        'm',
      ),
    ]
    const chosen = graphOf(frameAt(1, 0, { layers }), ['m'])
    expect([...chosen.edges]).toEqual([1, 2, 2, 3])
    expect(wiring(chosen)).toBe(wiring(graphOf(frameAt(1, 5, { layers }), ['m'])))
    expect(wiring(chosen)).not.toBe(wiring(graphOf(frameAt(1, 5, { layers }), [])))
  })
})

const inside = (places: Float32Array) => places.every(at => Math.abs(at) <= 1)

describe('layouts', () => {
  it('list neighbours of both ends', () => {
    const { starts, list } = neighbours(4, Uint32Array.of(0, 1, 2, 0))
    expect([0, 1, 2, 3].map(node => [...list.subarray(starts[node], starts[node + 1])])).toEqual([[1, 2], [0], [0], []])
  })

  it('draw trees level by level, leaves apart, parents over their children', () => {
    const places = tree(6, Uint32Array.of(0, 1, 0, 2, 0, 3, 3, 4, 3, 5))
    const x = (node: number) => places[2 * node] ?? NaN
    const y = (node: number) => places[2 * node + 1] ?? NaN
    expect(inside(places)).toBe(true)
    expect(y(0)).toBeGreaterThan(y(1))
    expect(y(3)).toBeGreaterThan(y(4))
    expect(new Set([1, 2, 4, 5].map(x)).size).toBe(4)
    expect(x(3)).toBeCloseTo((x(4) + x(5)) / 2, 5)
  })

  it('are the same every time, inside the square, and pull linked nodes together', () => {
    const random = stream(1, 0, 'network')
    const count = 200
    // Two crowds with links inside each only.
    const edges = Uint32Array.from({ length: 1200 }, (_, i) => (Math.floor(i / 2) % 2) * 100 + below(random, 100))
    const lay = () => {
      const places = disc(count)
      for (let step = 0; step < 120; step++) relax(places, edges, 1 - step / 120)
      return places
    }
    const places = lay()
    expect(lay()).toEqual(places)
    expect(inside(places) && inside(circle(count))).toBe(true)
    const distance = (a: number, b: number) =>
      Math.hypot((places[2 * a] ?? 0) - (places[2 * b] ?? 0), (places[2 * a + 1] ?? 0) - (places[2 * b + 1] ?? 0))
    let linked = 0
    let other = 0
    for (let e = 0; e < edges.length; e += 2) linked += distance(edges[e] ?? 0, edges[e + 1] ?? 0)
    for (let i = 0; i < 600; i++) other += distance(below(random, 100), 100 + below(random, 100))
    expect(linked / 600).toBeLessThan((other / 600) * 0.8)
  })

  it('cope with nothing', () => {
    for (const places of [circle(0), disc(0), tree(0, new Uint32Array(0))]) {
      relax(places, new Uint32Array(0), 1)
      expect(places).toHaveLength(0)
    }
  })
})
