// The camera that circles a 3D space, and what it sees: a scene in space becomes a flat one in CSS pixels about the middle of the
// view, y up, sorted from the back to the front, so that the painters and picking need to know nothing of three dimensions but order.
import type { Id } from '../../../model-schema/model.ts'
import { empty, type Loaded } from '../../../sim-engine/messages.ts'
import { niceStep, type Bounds, type Camera, type Viewport } from './camera.ts'
import type { Picked } from './pick.ts'
import { diameter, type AgentLayer, type LinkLayer, type Scene } from './scene.ts'
import { cube, type CubeView } from './shapes.ts'

type Point = { x: number; y: number; z: number }
export type Bounds3D = Bounds & { minZ: number; maxZ: number }

/** Looks at a point from `yaw` degrees around and `pitch` degrees above; `zoom` 1 shows the whole box from everywhere. */
export type Orbit = { at: Point; yaw: number; pitch: number; zoom: number }

/** What the painters take for a camera when the scene is in pixels already. */
export const pixels: Camera = { x: 0, y: 0, scale: 1 }

type Space = Loaded['spaces'][number]

export function boxOf(space: Space): Bounds3D | null {
  const { minZ, maxZ } = space
  if (minZ === undefined || maxZ === undefined) return null
  const half = space.topology === 'discrete' ? 0.5 : 0
  return {
    minX: space.minX - half,
    maxX: space.maxX + half,
    minY: space.minY - half,
    maxY: space.maxY + half,
    minZ: minZ - half,
    maxZ: maxZ + half,
  }
}

/** From the south and a little east, a little above: x to the right, y away, z up. */
export function overview(box: Bounds3D): Orbit {
  return { at: { x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2, z: (box.minZ + box.maxZ) / 2 }, yaw: -62, pitch: 24, zoom: 1 }
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
const diagonal = (box: Bounds3D): number => Math.max(1e-9, Math.hypot(box.maxX - box.minX, box.maxY - box.minY, box.maxZ - box.minZ))

/** Turned by degrees; never over the poles. */
export function turned(orbit: Orbit, yaw: number, pitch: number): Orbit {
  return { ...orbit, yaw: (orbit.yaw + yaw) % 360, pitch: clamp(orbit.pitch + pitch, -89, 89) }
}

export function zoomed(orbit: Orbit, factor: number): Orbit {
  return { ...orbit, zoom: clamp(orbit.zoom * factor, 0.5, 64) }
}

/** Moves the view so that its target shifts by (dx, dy) CSS pixels right and down; the target stays in the box. */
export function shifted(orbit: Orbit, box: Bounds3D, view: Viewport, dx: number, dy: number): Orbit {
  const { right, up, scale } = lensOf(orbit, box, view)
  const along = (axis: 0 | 1 | 2): number => (-(right[axis] ?? 0) * dx + (up[axis] ?? 0) * dy) / scale
  return {
    ...orbit,
    at: {
      x: clamp(orbit.at.x + along(0), box.minX, box.maxX),
      y: clamp(orbit.at.y + along(1), box.minY, box.maxY),
      z: clamp(orbit.at.z + along(2), box.minZ, box.maxZ),
    },
  }
}

/** CSS pixels per world unit at the point looked at, and how a world point is seen. */
type Lens = {
  readonly scale: number
  readonly right: readonly number[]
  readonly up: readonly number[]
  /** From what is looked at to the camera. */
  readonly back: readonly number[]
  /** Writes to `seen`: x, y in CSS pixels from the middle of the view, y up; pixels per unit there, 0 behind the camera; nearness 0 .. 1. */
  see(x: number, y: number, z: number, seen: Float64Array): void
}

export function lensOf({ at, yaw, pitch, zoom }: Orbit, box: Bounds3D, view: Viewport): Lens {
  const [cosYaw, sinYaw] = [Math.cos((yaw * Math.PI) / 180), Math.sin((yaw * Math.PI) / 180)]
  const [cosPitch, sinPitch] = [Math.cos((pitch * Math.PI) / 180), Math.sin((pitch * Math.PI) / 180)]
  const right = [-sinYaw, cosYaw, 0]
  const up = [-sinPitch * cosYaw, -sinPitch * sinYaw, cosPitch]
  const size = diagonal(box)
  const away = size * 2.4
  const scale = ((Math.max(1, Math.min(view.width, view.height)) * 0.98) / size) * zoom
  return {
    scale,
    right,
    up,
    back: [cosPitch * cosYaw, cosPitch * sinYaw, sinPitch],
    see(x, y, z, seen) {
      const dx = x - at.x
      const dy = y - at.y
      const dz = z - at.z
      const depth = cosPitch * cosYaw * dx + cosPitch * sinYaw * dy + sinPitch * dz
      const rest = away - depth
      const near = rest > away * 0.05 ? (scale * away) / rest : 0
      seen[0] = (-sinYaw * dx + cosYaw * dy) * near
      seen[1] = (up[0]! * dx + up[1]! * dy + cosPitch * dz) * near
      seen[2] = near
      seen[3] = clamp(0.5 + depth / size / 2, 0, 1)
    },
  }
}

/** The individual that a row of the sorted list draws. */
type Source = { population: Id; kind: 'agent' | 'cell'; entity: number; x: number; y: number; z: number; size: number }

/** A scene as it is seen. One layer of links and one of agents and cells, each from the back to the front. */
export type ProjectedScene = Scene & { readonly source: (row: number) => Source }

type Ink = { world: number; line: number }

/** Rows from the smallest to the largest nearness (0 .. 1): a counting sort, as thousands are sorted for every picture. */
function backToFront(nearness: Float32Array, count: number): Uint32Array {
  const bins = 4096
  const starts = new Uint32Array(bins + 1)
  const binOf = (i: number): number => Math.min(bins - 1, Math.floor((nearness[i] ?? 0) * bins))
  for (let i = 0; i < count; i++) starts[binOf(i) + 1]!++
  for (let b = 0; b < bins; b++) starts[b + 1]! += starts[b]!
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[starts[binOf(i)]!++] = i
  return order
}

/** Far things fade into the ground a little. */
function hazed(color: number, world: number, nearness: number): number {
  const haze = (1 - nearness) * 0.55
  const mix = (shift: number): number => {
    const own = (color >> shift) & 255
    return Math.round(own + (((world >> shift) & 255) - own) * haze) << shift
  }
  return mix(16) | mix(8) | mix(0)
}

export function seenBy(orbit: Orbit, box: Bounds3D, view: Viewport, scene: Scene, ink: Ink): ProjectedScene {
  const lens = lensOf(orbit, box, view)
  const { layer, source } = bodies(lens, scene, ink)
  return {
    bounds: { minX: -view.width / 2, maxX: view.width / 2, minY: -view.height / 2, maxY: view.height / 2 },
    cells: [],
    links: [lines(lens, [frameLines(box, ink), ...(scene.trails ?? []), ...scene.links], ink)],
    agents: [layer],
    cube: cubeView(lens),
    source,
  }
}

/** A sprite holds a cube from whatever side; sprites are drawn a little smaller than their size (`diameter`). */
const cubeSize = Math.sqrt(3) / 0.92

function cubeView({ right, up, back }: Lens): CubeView {
  const edges = new Float32Array(6)
  const bright = new Float32Array(3)
  for (let axis = 0; axis < 3; axis++) {
    const sign = back[axis]! < 0 ? -1 : 1
    // A little over the half: no seams between neighbours.
    edges[2 * axis] = (sign * right[axis]! * 1.02) / Math.sqrt(3)
    edges[2 * axis + 1] = (sign * up[axis]! * 1.02) / Math.sqrt(3)
    bright[axis] = [0.84, 0.7, sign < 0 ? 0.55 : 1][axis]!
  }
  return { edges, bright }
}

function bodies(lens: Lens, scene: Scene, ink: Ink): { layer: AgentLayer; source: ProjectedScene['source'] } {
  const cells = scene.cells.map(layer => ({ layer, shown: standing(layer) }))
  let most = cells.reduce((sum, { shown }) => sum + shown.length, 0)
  for (const layer of scene.agents) most += layer.count
  const near = new Float32Array(most)
  const x = new Float32Array(most)
  const y = new Float32Array(most)
  const heading = new Float32Array(most)
  const size = new Float32Array(most)
  const colors = new Uint32Array(most)
  const shapes = new Uint8Array(most)
  const seen = new Float64Array(4)
  let row = 0
  const put = (wx: number, wy: number, wz: number, wide: number, color: number, shape: number): void => {
    lens.see(wx, wy, wz, seen)
    x[row] = seen[0]!
    y[row] = seen[1]!
    size[row] = seen[2] === 0 || wide <= 0 ? 0 : Math.max(2.5, wide * seen[2]!)
    near[row] = seen[3]!
    colors[row] = hazed(color, ink.world, seen[3]!)
    shapes[row++] = shape
  }
  for (const { layer, shown } of cells) {
    const level = layer.columns * layer.rows
    for (const cell of shown) {
      const rest = cell % level
      const column = rest % layer.columns
      const z = (layer.minZ ?? 0) + Math.floor(cell / level)
      put(layer.minX + column, layer.minY + Math.floor(rest / layer.columns), z, cubeSize, layer.colors[cell] ?? 0, cube)
    }
  }
  for (const layer of scene.agents) {
    for (let i = 0; i < layer.count; i++) {
      const degrees = ((layer.heading[i] ?? 0) * Math.PI) / 180
      const [ahead, aside] = [Math.cos(degrees), Math.sin(degrees)]
      const over = ahead * lens.up[0]! + aside * lens.up[1]!
      heading[row] = (Math.atan2(over, ahead * lens.right[0]! + aside * lens.right[1]!) * 180) / Math.PI
      put(layer.x[i] ?? 0, layer.y[i] ?? 0, layer.z?.[i] ?? 0, layer.size[i] ?? 1, layer.colors[i] ?? 0, layer.shapes[i] ?? 0)
    }
  }
  const order = backToFront(near, row)
  const sorted = <A extends Float32Array | Uint32Array | Uint8Array>(from: A, into: A): A => {
    for (let k = 0; k < row; k++) into[k] = from[order[k]!]!
    return into
  }
  return {
    layer: {
      kind: 'agent',
      population: '3d',
      count: row,
      ids: new Float64Array(0),
      x: sorted(x, new Float32Array(row)),
      y: sorted(y, new Float32Array(row)),
      z: sorted(near, new Float32Array(row)),
      heading: sorted(heading, new Float32Array(row)),
      size: sorted(size, new Float32Array(row)),
      colors: sorted(colors, new Uint32Array(row)),
      shapes: sorted(shapes, new Uint8Array(row)),
    },
    source: place => sourceOf(scene, cells, order[place] ?? 0),
  }
}

/** Cells to be drawn: those that aren't air, and aren't walled in by others on all six sides. */
function standing({ columns, rows, layers = 1, colors }: Scene['cells'][number]): Uint32Array {
  const found: number[] = []
  const level = columns * rows
  const walled = (cell: number, column: number, row: number, layer: number): boolean =>
    column > 0 &&
    column < columns - 1 &&
    row > 0 &&
    row < rows - 1 &&
    layer > 0 &&
    layer < layers - 1 &&
    colors[cell - 1] !== empty &&
    colors[cell + 1] !== empty &&
    colors[cell - columns] !== empty &&
    colors[cell + columns] !== empty &&
    colors[cell - level] !== empty &&
    colors[cell + level] !== empty
  for (let layer = 0, cell = 0; layer < layers; layer++)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, cell++)
        if (colors[cell] !== empty && !walled(cell, column, row, layer)) found.push(cell)
  return Uint32Array.from(found)
}

function sourceOf(scene: Scene, cells: readonly { layer: Scene['cells'][number]; shown: Uint32Array }[], row: number): Source {
  let rest = row
  for (const { layer, shown } of cells) {
    if (rest >= shown.length) {
      rest -= shown.length
      continue
    }
    const entity = shown[rest] ?? 0
    return { population: layer.population, kind: 'cell', entity, ...cellAt(layer, entity), size: 1 }
  }
  for (const layer of scene.agents) {
    if (rest < layer.count) {
      const [x = 0, y = 0, z = 0, size = 1] = [layer.x[rest], layer.y[rest], layer.z?.[rest], layer.size[rest]]
      return { population: layer.population, kind: 'agent', entity: layer.ids[rest] ?? 0, x, y, z, size }
    }
    rest -= layer.count
  }
  throw new RangeError(`no row ${row} in this scene`)
}

function cellAt({ columns, rows, minX, minY, minZ = 0 }: Scene['cells'][number], cell: number): Point {
  const rest = cell % (columns * rows)
  return { x: minX + (rest % columns), y: minY + Math.floor(rest / columns), z: minZ + Math.floor(cell / (columns * rows)) }
}

function lines(lens: Lens, layers: readonly LinkLayer[], ink: Ink): LinkLayer {
  const most = layers.reduce((sum, layer) => sum + layer.count, 0)
  const column = (): Float32Array => new Float32Array(most)
  const made = { x1: column(), y1: column(), x2: column(), y2: column(), z1: column(), z2: column() }
  const middle = new Float32Array(most)
  const colors = new Uint32Array(most)
  const thickness = new Float32Array(most)
  const seen = new Float64Array(4)
  let row = 0
  for (const layer of layers) {
    for (let i = 0; i < layer.count; i++) {
      lens.see(layer.x1[i] ?? 0, layer.y1[i] ?? 0, layer.z1?.[i] ?? 0, seen)
      if (seen[2] === 0) continue
      made.x1[row] = seen[0]!
      made.y1[row] = seen[1]!
      made.z1[row] = seen[3]!
      lens.see(layer.x2[i] ?? 0, layer.y2[i] ?? 0, layer.z2?.[i] ?? 0, seen)
      if (seen[2] === 0) continue
      made.x2[row] = seen[0]!
      made.y2[row] = seen[1]!
      made.z2[row] = seen[3]!
      middle[row] = (made.z1[row]! + seen[3]!) / 2
      const color = layer.colors[i] ?? 0
      colors[row] = (color & 0xff000000) + hazed(color & 0xffffff, ink.world, middle[row]!)
      thickness[row++] = layer.thickness[i] ?? 1
    }
  }
  const order = backToFront(middle, row)
  const sorted = (from: Float32Array): Float32Array => Float32Array.from(order, place => from[place]!)
  return {
    kind: 'link',
    population: '3d lines',
    count: row,
    x1: sorted(made.x1),
    y1: sorted(made.y1),
    x2: sorted(made.x2),
    y2: sorted(made.y2),
    z1: sorted(made.z1),
    z2: sorted(made.z2),
    colors: Uint32Array.from(order, place => colors[place]!),
    thickness: sorted(thickness),
  }
}

/** The edges of the box and a grid on its floor, in pieces short enough to be sorted by depth among the agents around them. */
function frameLines(box: Bounds3D, ink: Ink): LinkLayer {
  const found: number[] = []
  const line = (a: Point, b: Point, clear: number): void => {
    const parts = 12
    for (let k = 0; k < parts; k++)
      for (const t of [k / parts, (k + 1) / parts]) found.push(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, clear)
  }
  const { minX, maxX, minY, maxY, minZ, maxZ } = box
  const step = niceStep(Math.max(maxX - minX, maxY - minY) / 11)
  for (let x = Math.ceil(minX / step) * step; x < maxX; x += step) line({ x, y: minY, z: minZ }, { x, y: maxY, z: minZ }, 150)
  for (let y = Math.ceil(minY / step) * step; y < maxY; y += step) line({ x: minX, y, z: minZ }, { x: maxX, y, z: minZ }, 150)
  for (const y of [minY, maxY]) for (const z of [minZ, maxZ]) line({ x: minX, y, z }, { x: maxX, y, z }, 0)
  for (const x of [minX, maxX]) for (const z of [minZ, maxZ]) line({ x, y: minY, z }, { x, y: maxY, z }, 0)
  for (const x of [minX, maxX]) for (const y of [minY, maxY]) line({ x, y, z: minZ }, { x, y, z: maxZ }, 0)
  const count = found.length / 8
  const column = (pick: number): Float32Array => Float32Array.from({ length: count }, (_, i) => found[8 * i + pick]!)
  return {
    kind: 'link',
    population: 'box',
    count,
    x1: column(0),
    y1: column(1),
    z1: column(2),
    x2: column(4),
    y2: column(5),
    z2: column(6),
    colors: Uint32Array.from({ length: count }, (_, i) => found[8 * i + 3]! * 0x1000000 + ink.line),
    thickness: new Float32Array(count).fill(1),
  }
}

/** The individual at (x, y), in pixels from the middle, y up: the one in front there, else the nearest within 6 pixels of its edge. */
export function pickSeen(seen: ProjectedScene, x: number, y: number): Picked | null {
  const [layer] = seen.agents
  if (!layer) return null
  let best = -1
  let bestGap = 6
  for (let row = layer.count - 1; row >= 0; row--) {
    const gap = Math.hypot((layer.x[row] ?? NaN) - x, (layer.y[row] ?? NaN) - y) - diameter(layer.size[row] ?? 0, 1) / 2
    if (!(gap < bestGap) || layer.size[row] === 0) continue
    best = row
    bestGap = gap
    if (gap <= 0) break
  }
  return best < 0 ? null : seen.source(best)
}
