// World views of 3D spaces, and the trails agents leave behind.
import { describe, expect, it } from 'vitest'
import { drawLine } from '../../../client/run/world/lines.ts'
import { boxOf, lensOf, overview, pickSeen, seenBy, shifted, turned, zoomed, type Bounds3D } from '../../../client/run/world/orbit.ts'
import { cubeBrightness } from '../../../client/run/world/shapes.ts'
import type { AgentLayer, CellLayer, Scene } from '../../../client/run/world/scene.ts'
import { Trails, type Traced } from '../../../client/run/world/trails.ts'
import { stream, uniform } from '../../../sim-engine/kernel/random.ts'
import { empty, type Frame } from '../../../sim-engine/messages.ts'
import { frameAt } from '../../help/engine.ts'

const space = {
  id: 'sky',
  name: 'Sky',
  topology: 'continuous',
  minX: 0,
  maxX: 20,
  minY: 0,
  maxY: 20,
  minZ: 0,
  maxZ: 10,
  wrapX: true,
  wrapY: true,
} as const
const box: Bounds3D = { minX: 0, maxX: 20, minY: 0, maxY: 20, minZ: 0, maxZ: 10 }
const view = { width: 400, height: 300, dpr: 1, left: 0, bottom: 0 }
const ink = { world: 0xffffff, line: 0x888888 }

const birds = (points: readonly (readonly [number, number, number])[], ids = points.map((_, i) => 100 + i)): AgentLayer => ({
  kind: 'agent',
  population: 'bird',
  count: points.length,
  ids: Float64Array.from(ids),
  x: Float32Array.from(points, ([x]) => x),
  y: Float32Array.from(points, ([, y]) => y),
  z: Float32Array.from(points, ([, , z]) => z),
  heading: new Float32Array(points.length),
  size: new Float32Array(points.length).fill(1),
  colors: new Uint32Array(points.length).fill(0x336699),
  shapes: new Uint8Array(points.length),
})
const sceneOf = (agents: AgentLayer[], cells: CellLayer[] = []): Scene => ({ bounds: box, cells, links: [], agents })

describe('the orbit around a 3D space', () => {
  it('has the whole box in view from everywhere, and the near side larger', () => {
    const seen = new Float64Array(4)
    for (let yaw = 0; yaw < 360; yaw += 20) {
      for (const pitch of [-89, -30, 0, 45, 89]) {
        const lens = lensOf({ ...overview(box), yaw, pitch }, box, view)
        for (const x of [0, 20])
          for (const y of [0, 20])
            for (const z of [0, 10]) {
              lens.see(x, y, z, seen)
              expect(Math.abs(seen[0] ?? NaN)).toBeLessThan(200)
              expect(Math.abs(seen[1] ?? NaN)).toBeLessThan(150)
              expect(Math.sign((seen[2] ?? NaN) - lens.scale)).toBe(Math.sign((seen[3] ?? NaN) - 0.5))
            }
      }
    }
  })

  it('looks from the south first: x to the right, y away, z up', () => {
    const lens = lensOf(overview(box), box, view)
    const at = (x: number, y: number, z: number) => {
      const seen = new Float64Array(4)
      lens.see(x, y, z, seen)
      return { x: seen[0] ?? 0, y: seen[1] ?? 0, near: seen[3] ?? 0 }
    }
    expect(at(20, 10, 5).x).toBeGreaterThan(at(0, 10, 5).x)
    expect(at(10, 20, 5).near).toBeLessThan(at(10, 0, 5).near)
    expect(at(10, 10, 10).y).toBeGreaterThan(at(10, 10, 0).y)
  })

  it('never turns over the poles, zooms within limits, and drags what is looked at along', () => {
    expect(turned(overview(box), 0, 500).pitch).toBe(89)
    expect([zoomed(overview(box), 1e9).zoom, zoomed(overview(box), 1e-9).zoom]).toEqual([64, 0.5])
    const before = overview(box)
    const after = shifted(before, box, view, 30, -20)
    const seen = new Float64Array(4)
    lensOf(after, box, view).see(before.at.x, before.at.y, before.at.z, seen)
    expect(seen[0]).toBeCloseTo(30, 0)
    expect(seen[1]).toBeCloseTo(20, 0)
    expect(shifted(before, box, view, -1e6, 0).at.x).toBe(20)
  })

  it('sorts from the back to the front, and picks who stands in front', () => {
    const random = stream(5, 0, 'birds')
    const points = Array.from({ length: 500 }, () => [uniform(random) * 20, uniform(random) * 20, uniform(random) * 10] as const)
    const seen = seenBy(overview(box), box, view, sceneOf([birds(points)]), ink)
    const nearness = [...(seen.agents[0]?.z ?? [])]
    expect(nearness).toHaveLength(500)
    for (let i = 1; i < 500; i++) expect((nearness[i] ?? 0) - (nearness[i - 1] ?? 0)).toBeGreaterThan(-1 / 4096)
    const front = seenBy(
      { ...overview(box), yaw: -90, pitch: 0 },
      box,
      view,
      sceneOf([
        birds([
          [10, 18, 5],
          [10, 2, 5],
          [3, 2, 5],
        ]),
      ]),
      ink,
    )
    expect(pickSeen(front, 0, 0)).toMatchObject({ population: 'bird', kind: 'agent', entity: 101, y: 2, z: 5 })
    expect(pickSeen(front, 0, 140)).toBeNull()
  })

  it('shows cells that are not air, and of a block only the outside', () => {
    const block: CellLayer = {
      kind: 'cell',
      population: 'rock',
      columns: 4,
      rows: 4,
      layers: 4,
      minX: 0,
      minY: 0,
      minZ: 2,
      colors: new Uint32Array(64),
    }
    const solid = seenBy(overview(box), box, view, sceneOf([], [block]), ink)
    expect(solid.agents[0]?.count).toBe(64 - 8)
    block.colors.fill(empty)
    block.colors[2 * 16 + 3 * 4 + 1] = 0xff0000
    const one = seenBy(overview(box), box, view, sceneOf([], [block]), ink)
    expect([one.agents[0]?.count, one.source(0)]).toEqual([1, { population: 'rock', kind: 'cell', entity: 45, x: 1, y: 3, z: 4, size: 1 }])
  })

  it('shows a cube by the three sides turned to the camera, each in a light of its own', () => {
    const rock: CellLayer = {
      kind: 'cell',
      population: 'rock',
      columns: 1,
      rows: 1,
      layers: 1,
      minX: 0,
      minY: 0,
      minZ: 0,
      colors: Uint32Array.of(9),
    }
    const { cube } = seenBy(overview(box), box, view, sceneOf([], [rock]), ink)
    if (!cube) throw new Error('no cube')
    const seen = new Set<number>()
    for (let x = -0.95; x < 1; x += 0.05) for (let y = -0.95; y < 1; y += 0.05) seen.add(cubeBrightness(cube, x, y))
    expect(seen).toEqual(new Set([0, ...cube.bright]))
    expect(cubeBrightness(cube, 0, 0)).toBeGreaterThan(0)
    expect(cubeBrightness(cube, 0, 1.1)).toBe(0)
    // Seen from above, the top is the lightest.
    expect(cubeBrightness(cube, 0, 0.5)).toBe(1)
  })

  it('is there only where a space has a z', () => {
    expect(boxOf(space)).toEqual(box)
    const { minZ: _, maxZ: __, ...flat } = space
    expect(boxOf(flat)).toBeNull()
  })
})

describe('trails', () => {
  const all: Traced = { populations: ['bird'], agents: [], length: 5 }
  const flat = (...points: [number, number][]): AgentLayer => {
    const { z: _, ...layer } = birds(points.map(([x, y]) => [x, y, 0]))
    return layer
  }
  const at = (tick: number, more: Partial<Frame> = {}) => frameAt(1, tick, more)

  it('are the way from picture to picture, no longer than asked, the oldest clearest', () => {
    const trails = new Trails()
    for (let tick = 0; tick < 9; tick++) trails.see(at(tick), [flat([tick, 1], [5, 5])], space, all)
    const [lines] = trails.lines()
    expect([lines?.count, [...(lines?.x1 ?? [])], [...(lines?.x2 ?? [])]]).toEqual([5, [3, 4, 5, 6, 7], [4, 5, 6, 7, 8]])
    const clear = [...(lines?.colors ?? [])].map(color => color >>> 24)
    expect(clear.toSorted((a, b) => b - a)).toEqual(clear)
    expect([...(lines?.colors ?? [])].every(color => (color & 0xffffff) === 0x336699)).toBe(true)
  })

  it('go back with the run, leave a gap after a travel, and begin anew with a load', () => {
    const trails = new Trails()
    for (let tick = 0; tick < 5; tick++) trails.see(at(tick), [flat([tick, 1])], space, all)
    trails.see(at(2, { rewound: true }), [flat([2, 1])], space, all)
    expect([...(trails.lines()[0]?.x2 ?? [])]).toEqual([1, 2])
    trails.see(at(3), [flat([2, 9])], space, all)
    expect([...(trails.lines()[0]?.y2 ?? [])]).toEqual([1, 1, 9])
    trails.see(at(40, { rewound: true }), [flat([9, 9])], space, all)
    expect(trails.size).toBe(3)
    trails.see(frameAt(2, 0), [flat([0, 0])], space, all)
    expect(trails.size).toBe(0)
  })

  it('leave over one border and come in over the other', () => {
    const trails = new Trails()
    trails.see(at(0), [flat([19, 10])], space, all)
    trails.see(at(1), [flat([1, 12])], space, all)
    const [lines] = trails.lines()
    expect(lines?.count).toBe(2)
    expect([lines?.x1[0], lines?.x2[0], lines?.y2[0]]).toEqual([19, 20, 11])
    expect([lines?.x1[1], lines?.x2[1], lines?.y1[1]]).toEqual([0, 1, 11])
  })

  it('know who is who when others die, and follow single agents', () => {
    const trails = new Trails()
    const one: Traced = { populations: [], agents: [{ population: 'bird', entity: 102 }], length: 50 }
    trails.see(at(0), [flat([1, 1], [2, 2], [3, 3])], space, one)
    const rest = { ...flat([2, 3], [3, 4]), ids: Float64Array.of(101, 102) }
    trails.see(at(1), [rest], space, one)
    const [lines] = trails.lines()
    expect([lines?.count, lines?.y1[0], lines?.y2[0]]).toEqual([1, 3, 4])
    trails.see(at(2), [rest], space, { ...one, agents: [] })
    expect(trails.size).toBe(0)
  })

  it('never take more than a fixed room', () => {
    const trails = new Trails()
    const random = stream(1, 0, 'crowd')
    for (let tick = 0; tick < 20; tick++) {
      const crowd = birds(Array.from({ length: 30_000 }, () => [uniform(random) * 20, uniform(random) * 20, uniform(random) * 10] as const))
      trails.see(at(tick), [crowd], { ...space, wrapX: false, wrapY: false }, { ...all, length: 2000 })
    }
    expect(trails.size).toBe(90_000)
  })
})

describe('lines in a pixel buffer', () => {
  it('cover what lies on them, stay within the world, and blend where clear', () => {
    const target = { pixels: new Uint32Array(40 * 30).fill(0xffffffff), width: 40, left: 5, right: 35, top: 4, bottom: 26 }
    drawLine(target, -20, 10, 60, 10, 2, 0xff0000, 255)
    const touched = [...target.pixels.keys()].filter(i => target.pixels[i] !== 0xffffffff)
    expect(new Set(touched.map(i => Math.floor(i / 40)))).toEqual(new Set([9, 10]))
    expect([Math.min(...touched.map(i => i % 40)), Math.max(...touched.map(i => i % 40))]).toEqual([5, 34])
    expect(target.pixels[9 * 40 + 20]).toBe(0xff0000ff)
    drawLine(target, 20.5, 0, 20.5, 30, 1, 0x000000, 128)
    expect((target.pixels[20 * 40 + 20] ?? 0) & 0xff).toBeCloseTo(127, -1)
    drawLine(target, 300, 300, 400, 400, 9, 0, 255)
    drawLine(target, 8, 20, 8, 20, 1, 0x00ff00, 255)
  })
})
