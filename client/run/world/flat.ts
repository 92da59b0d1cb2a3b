// The painter without a GPU: draws into a pixel buffer itself, which in software is several times faster than asking a
// canvas for every agent. Agents are stamped with small coverage masks, made once per shape, size, heading and
// quarter-pixel offset. Lines are drawn by `lines.ts`.
import { toScreen, type Camera, type Viewport } from './camera.ts'
import { drawLine, type PixelTarget } from './lines.ts'
import { diameter, type AgentLayer, type CellLayer, type LinkLayer, type Painter, type Scene } from './scene.ts'
import { cube, cubeBrightness, distance, turns, type CubeView } from './shapes.ts'

type Mask = { width: number; cover: Uint8Array; shade: Uint8Array }

const headings = 48
const phases = 4
const maxMasks = 4096

/** Draws with the 2D canvas. Null only where even that is missing. */
export function flatPainter(canvas: HTMLCanvasElement): Painter | null {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return null
  const masks = new Map<number, Mask>()
  let image: ImageData | null = null
  let seenCube = ''

  return {
    kind: 'flat',
    paint(scene: Scene, camera: Camera, view: Viewport, world: number) {
      const { width, height } = canvas
      if (width === 0 || height === 0) return
      if (image?.width !== width || image.height !== height) image = context.createImageData(width, height)
      const pixels = new Uint32Array(image.data.buffer)
      pixels.fill(0)
      const box = boxOf(width, height, scene, camera, view)
      const ground = pixelOf(world)
      for (let y = box.top; y < box.bottom; y++) pixels.fill(ground, y * width + box.left, y * width + box.right)
      for (const layer of scene.cells) drawCells(pixels, width, height, layer, camera, view)
      const target: PixelTarget = { ...box, pixels, width }
      const cubeNow = String(scene.cube?.edges)
      if (masks.size > maxMasks || cubeNow !== seenCube) masks.clear()
      seenCube = cubeNow
      const brush = brushOf(target, camera, view, masks, scene.cube)
      const [agents] = scene.agents
      const [links] = scene.links
      if (agents?.z && links) drawSorted(brush, agents, agents.z, links)
      else {
        for (const layer of [...(scene.trails ?? []), ...scene.links]) for (let i = 0; i < layer.count; i++) brush.line(layer, i)
        for (const layer of scene.agents) for (let i = 0; i < layer.count; i++) brush.agent(layer, i)
      }
      context.putImageData(image, 0, 0)
    },
    destroy() {
      masks.clear()
      image = null
    },
  }
}

/** 0xRRGGBB to what a pixel buffer holds (little endian: alpha, blue, green, red). */
const pixelOf = (color: number): number => (0xff000000 | ((color & 0xff) << 16) | (color & 0xff00) | ((color >> 16) & 0xff)) >>> 0

const clamp = (value: number, low: number, high: number): number => (value < low ? low : value > high ? high : value)

function boxOf(width: number, height: number, { bounds }: Scene, camera: Camera, view: Viewport): Omit<PixelTarget, 'pixels' | 'width'> {
  const [left, top] = toScreen(camera, view, bounds.minX, bounds.maxY)
  const [right, bottom] = toScreen(camera, view, bounds.maxX, bounds.minY)
  const within = (css: number, most: number): number => clamp(Math.round(css * view.dpr), 0, most)
  return { left: within(left, width), right: within(right, width), top: within(top, height), bottom: within(bottom, height) }
}

function drawCells(pixels: Uint32Array, width: number, height: number, layer: CellLayer, camera: Camera, view: Viewport): void {
  const scale = camera.scale * view.dpr
  const [left, top] = toScreen(camera, view, layer.minX - 0.5, layer.minY + layer.rows - 0.5)
  const originX = left * view.dpr
  const originY = top * view.dpr
  // The first device pixel of every column: edges are rounded once, so that neighbours never overlap or part.
  const edges = new Int32Array(layer.columns + 1)
  for (let column = 0; column <= layer.columns; column++) edges[column] = clamp(Math.round(originX + column * scale), 0, width)
  let before = -1
  let beforeAt = 0
  for (let y = Math.max(0, Math.round(originY)); y < height; y++) {
    const row = layer.rows - 1 - Math.floor((y + 0.5 - originY) / scale)
    if (row < 0) break
    if (row >= layer.rows) continue
    const at = y * width
    const first = edges[0] ?? 0
    const last = edges[layer.columns] ?? 0
    if (row === before) {
      pixels.copyWithin(at + first, beforeAt + first, beforeAt + last)
      continue
    }
    const from = row * layer.columns
    for (let column = 0, x = first; column < layer.columns; column++) {
      const end = edges[column + 1] ?? 0
      if (x >= end) continue
      const pixel = pixelOf(layer.colors[from + column] ?? 0)
      for (; x < end; x++) pixels[at + x] = pixel
    }
    before = row
    beforeAt = at
  }
}

/** Draws one row of a layer. */
type Brush = { line(layer: LinkLayer, i: number): void; agent(layer: AgentLayer, i: number): void }

function brushOf(target: PixelTarget, camera: Camera, view: Viewport, masks: Map<number, Mask>, cubes: CubeView | undefined): Brush {
  const scale = camera.scale * view.dpr
  const originX = (view.width / 2) * view.dpr - camera.x * scale
  const originY = (view.height / 2) * view.dpr + camera.y * scale
  let keptKey = -1
  let kept: Mask | undefined
  return {
    line({ x1, y1, x2, y2, thickness, colors }, i) {
      const color = colors[i]!
      const thick = Math.max(1, thickness[i]! * view.dpr)
      const [fromX, fromY, toX, toY] = [
        originX + x1[i]! * scale,
        originY - y1[i]! * scale,
        originX + x2[i]! * scale,
        originY - y2[i]! * scale,
      ]
      drawLine(target, fromX, fromY, toX, toY, thick, color & 0xffffff, 255 - (color >>> 24))
    },
    agent({ x, y, heading, size, colors, shapes }, i) {
      // Sizes in half device pixels.
      const doubled = Math.min(1023, Math.round(diameter(size[i] ?? 0, camera.scale) * view.dpr * 2))
      if (doubled === 0) return
      const shape = shapes[i] ?? 0
      const px = originX + (x[i] ?? 0) * scale
      const py = originY - (y[i] ?? 0) * scale
      const fine = doubled < 64 ? phases : 1
      const left = Math.floor(px * fine) / fine
      const top = Math.floor(py * fine) / fine
      const phaseX = Math.round((left - Math.floor(left)) * phases)
      const phaseY = Math.round((top - Math.floor(top)) * phases)
      const turn = turns(shape) ? ((Math.round(((heading[i] ?? 0) / 360) * headings) % headings) + headings) % headings : 0
      const key = ((((shape * headings + turn) * phases + phaseX) * phases + phaseY) << 10) | doubled
      if (key !== keptKey) {
        kept = masks.get(key)
        if (!kept) {
          const [dx, dy] = [phaseX / phases, phaseY / phases]
          const angle = (turn / headings) * 2 * Math.PI
          kept = shape === cube && cubes ? cubeMask(cubes, doubled / 2, dx, dy) : makeMask(shape, doubled / 2, angle, dx, dy)
          masks.set(key, kept)
        }
        keptKey = key
      }
      if (kept) stamp(target, kept, Math.floor(left), Math.floor(top), colors[i] ?? 0)
    },
  }
}

/** Both from the back to the front, a line by its middle. */
function drawSorted(brush: Brush, agents: AgentLayer, z: Float32Array, lines: LinkLayer): void {
  const near = (i: number): number => ((lines.z1?.[i] ?? 0) + (lines.z2?.[i] ?? 0)) / 2
  let line = 0
  for (let i = 0; i < agents.count; i++) {
    for (; line < lines.count && near(line) <= (z[i] ?? 0); line++) brush.line(lines, line)
    brush.agent(agents, i)
  }
  for (; line < lines.count; line++) brush.line(lines, line)
}

/** The coverage (0..255) of a shape with its middle (dx, dy) right and below the corner of the mask's middle pixel. */
function makeMask(shape: number, size: number, angle: number, dx: number, dy: number): Mask {
  const radius = size / 2
  const reach = Math.ceil(radius + 1)
  const width = reach * 2 + 1
  const cover = new Uint8Array(width * width)
  const shade = new Uint8Array(width * width)
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) {
      const x = (column - reach + 0.5 - dx) / radius
      const y = -(row - reach + 0.5 - dy) / radius
      const d = distance(shape, x * cos + y * sin, y * cos - x * sin) * radius
      cover[row * width + column] = Math.round(clamp(0.5 - d, 0, 1) * 255)
      shade[row * width + column] = radius > 4 ? Math.round(255 * (1 - clamp(d + 1.5, 0, 1) * 0.28)) : 255
    }
  }
  return { width, cover, shade }
}

/** The same of a cube, from three by three points in each pixel. */
function cubeMask(view: CubeView, size: number, dx: number, dy: number): Mask {
  const radius = size / 2
  const reach = Math.ceil(radius + 1)
  const width = reach * 2 + 1
  const cover = new Uint8Array(width * width)
  const shade = new Uint8Array(width * width)
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) {
      let hits = 0
      let sum = 0
      for (let part = 0; part < 9; part++) {
        const x = (column - reach + ((part % 3) + 0.5) / 3 - dx) / radius
        const y = -(row - reach + (Math.floor(part / 3) + 0.5) / 3 - dy) / radius
        const bright = cubeBrightness(view, x, y)
        if (bright > 0) hits++
        sum += bright
      }
      cover[row * width + column] = Math.round((hits / 9) * 255)
      shade[row * width + column] = hits > 0 ? Math.round((sum / hits) * 255) : 255
    }
  }
  return { width, cover, shade }
}

function stamp(target: PixelTarget, mask: Mask, middleX: number, middleY: number, color: number): void {
  const { pixels, width } = target
  const reach = (mask.width - 1) >> 1
  const x0 = middleX - reach
  const y0 = middleY - reach
  const red = (color >> 16) & 0xff
  const green = (color >> 8) & 0xff
  const blue = color & 0xff
  const firstRow = Math.max(0, target.top - y0)
  const lastRow = Math.min(mask.width, target.bottom - y0)
  const firstColumn = Math.max(0, target.left - x0)
  const lastColumn = Math.min(mask.width, target.right - x0)
  for (let row = firstRow; row < lastRow; row++) {
    let at = (y0 + row) * width + x0 + firstColumn
    let from = row * mask.width + firstColumn
    for (let column = firstColumn; column < lastColumn; column++, at++, from++) {
      const cover = mask.cover[from] ?? 0
      if (cover === 0) continue
      const shade = mask.shade[from] ?? 255
      const r = (red * shade) >> 8
      const g = (green * shade) >> 8
      const b = (blue * shade) >> 8
      const under = pixels[at] ?? 0
      const alpha = under >>> 24
      if (cover === 255 || alpha === 0) {
        pixels[at] = ((cover << 24) | (b << 16) | (g << 8) | r) >>> 0
        continue
      }
      const underR = under & 0xff
      const underG = (under >> 8) & 0xff
      const underB = (under >> 16) & 0xff
      const mixR = underR + (((r - underR) * cover) >> 8)
      const mixG = underG + (((g - underG) * cover) >> 8)
      const mixB = underB + (((b - underB) * cover) >> 8)
      pixels[at] = ((Math.max(alpha, cover) << 24) | (mixB << 16) | (mixG << 8) | mixR) >>> 0
    }
  }
}
