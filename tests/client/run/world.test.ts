// The world view's geometry: cameras that keep points in place, picking, shapes, and which layers are shown.
import { describe, expect, it } from 'vitest'
import { boundsOf, fit, niceStep, pan, toScreen, toWorld, zoomAt, type Viewport } from '../../../client/run/world/camera.ts'
import { pick, whereIs } from '../../../client/run/world/pick.ts'
import { sceneOf, type AgentLayer, type CellLayer, type Scene } from '../../../client/run/world/scene.ts'
import { arrow, circle, distance, person, square, star, triangle } from '../../../client/run/world/shapes.ts'
import { frameAt, loadedWith } from '../../help/engine.ts'
import { stream, uniform } from '../../../sim-engine/kernel/random.ts'

const space = { id: 'sp', name: 'Field', topology: 'discrete', minX: 0, maxX: 50, minY: -10, maxY: 40, wrapX: true, wrapY: true } as const
const bounds = boundsOf(space)
const view: Viewport = { width: 400, height: 300, dpr: 1, left: 0, bottom: 0 }

describe('the camera', () => {
  it('fits the whole world, letterboxed, on whole pixels where that costs little', () => {
    expect(bounds).toEqual({ minX: -0.5, maxX: 50.5, minY: -10.5, maxY: 40.5 })
    const camera = fit(bounds, view)
    const [left, top] = toScreen(camera, view, bounds.minX, bounds.maxY)
    const [right, bottom] = toScreen(camera, view, bounds.maxX, bounds.minY)
    expect(left).toBeGreaterThanOrEqual(-1)
    expect(top).toBeGreaterThanOrEqual(-1)
    expect(right).toBeLessThanOrEqual(401)
    expect(bottom).toBeLessThanOrEqual(301)
    const sharp = fit(bounds, { ...view, height: 310 })
    expect(sharp.scale).toBe(6)
    expect(toScreen(sharp, { ...view, height: 310 }, bounds.minX, bounds.maxY).map(at => Math.abs(at % 1))).toEqual([0, 0])
  })

  it('keeps the point under the pointer while zooming, and never leaves the world', () => {
    const random = stream(3, 0, 'test')
    for (let round = 0; round < 300; round++) {
      let camera = fit(bounds, view)
      for (let step = 0; step < 12; step++) {
        const at = [uniform(random) * view.width, uniform(random) * view.height] as const
        const before = toWorld(camera, view, ...at)
        const next = zoomAt(camera, view, bounds, ...at, 0.5 + uniform(random) * 2)
        const free = next.x > bounds.minX && next.x < bounds.maxX && next.y > bounds.minY && next.y < bounds.maxY
        if (free && next.scale > fit(bounds, view).scale * 1.01) {
          const after = toWorld(next, view, ...at)
          expect(after[0]).toBeCloseTo(before[0], 6)
          expect(after[1]).toBeCloseTo(before[1], 6)
        }
        camera = pan(next, bounds, uniform(random) * 500 - 250, uniform(random) * 500 - 250)
        expect(camera.x).toBeGreaterThanOrEqual(bounds.minX)
        expect(camera.y).toBeLessThanOrEqual(bounds.maxY)
      }
    }
  })

  it('turns back to the whole world when zoomed out, and stops somewhere when zoomed in', () => {
    const whole = fit(bounds, view)
    expect(zoomAt({ ...whole, scale: whole.scale * 1.2 }, view, bounds, 10, 10, 0.5)).toEqual(whole)
    expect(zoomAt(whole, view, bounds, 10, 10, 1e9).scale).toBe(whole.scale * 64)
  })

  it('has steps of 1, 2, 5', () => {
    expect([0.03, 1, 1.1, 3, 7, 44].map(niceStep)).toEqual([0.05, 1, 2, 5, 10, 50])
  })
})

const agents = (population: string, points: [number, number][]): AgentLayer => ({
  kind: 'agent',
  population,
  count: points.length,
  ids: Float64Array.from(points, (_, i) => 100 + i),
  x: Float32Array.from(points, ([x]) => x),
  y: Float32Array.from(points, ([, y]) => y),
  heading: new Float32Array(points.length),
  size: new Float32Array(points.length).fill(1),
  colors: new Uint32Array(points.length),
  shapes: new Uint8Array(points.length),
})
const cells: CellLayer = { kind: 'cell', population: 'grass', columns: 51, rows: 51, minX: 0, minY: -10, colors: new Uint32Array(51 * 51) }

describe('picking', () => {
  const scene: Scene = {
    bounds,
    cells: [cells],
    links: [],
    agents: [
      agents('wolf', [
        [10, 10],
        [11, 10],
        [30, 5],
      ]),
    ],
  }
  const camera = fit(bounds, view)

  it('takes the nearest agent within reach, else the cell', () => {
    expect(pick(scene, camera, 10.7, 10)).toMatchObject({ kind: 'agent', population: 'wolf', entity: 101 })
    expect(pick(scene, camera, 20.2, -9.6)).toEqual({ population: 'grass', kind: 'cell', entity: 20, x: 20, y: -10, size: 1 })
    expect(pick(scene, camera, 3, 2)).toMatchObject({ kind: 'cell', entity: 12 * 51 + 3 })
    expect(pick(scene, camera, 70, 2)).toBeNull()
  })

  it('follows an agent until it is gone', () => {
    expect(whereIs(scene, 'wolf', 102)).toEqual({ x: 30, y: 5, size: 1 })
    expect(whereIs(scene, 'wolf', 7)).toBeNull()
    expect(whereIs(scene, 'sheep', 102)).toBeNull()
  })
})

describe('layers', () => {
  const loaded = loadedWith(1, {
    spaces: [space],
    populations: [
      { id: 'wolf', name: 'Wolf', kind: 'agent', space: 'sp', color: '', shape: '' },
      { id: 'fish', name: 'Fish', kind: 'agent', space: 'sea', color: '', shape: '' },
      { id: 'grass', name: 'Grass', kind: 'cell', space: 'sp', color: '', shape: '' },
    ],
  })
  const frame = frameAt(1, 1, { layers: [agents('wolf', [[1, 1]]), agents('fish', [[1, 1]]), cells] })

  it('are those of the space, or those chosen', () => {
    const own = sceneOf(frame, loaded, bounds, { space: 'sp', layers: [], links: true })
    expect([own.cells.length, own.agents.map(layer => layer.population)]).toEqual([1, ['wolf']])
    const chosen = sceneOf(frame, loaded, bounds, { space: 'sp', layers: ['grass'], links: true })
    expect([chosen.cells.length, chosen.agents.length]).toEqual([1, 0])
  })
})

describe('shapes', () => {
  it('are solid in the middle and empty outside their square', () => {
    for (const shape of [circle, square, triangle, arrow, person, star]) {
      expect([shape, distance(shape, 0, 0) < 0]).toEqual([shape, true])
      for (const [x, y] of [
        [1.2, 0],
        [-1.2, 0],
        [0, 1.25],
        [0, -1.2],
        [1, 1],
        [-1, -1],
      ] as const)
        expect([shape, x, y, distance(shape, x, y) > 0]).toEqual([shape, x, y, true])
    }
  })
  it('let an arrow point where it is heading', () => {
    expect(distance(arrow, 0.9, 0)).toBeLessThan(0)
    expect(distance(arrow, -0.9, 0)).toBeGreaterThan(0)
  })
})
