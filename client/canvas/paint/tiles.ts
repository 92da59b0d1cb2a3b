// The far-away drawing cached as square tiles: moving the view only repositions them, and a change of the scene redraws only those it
// touches. While zooming, the tiles of the last zoom are shown stretched until the new ones are drawn. In software rendering, ten thousand
// shapes cost forty milliseconds; twelve pictures cost one.
import { viewOf } from '../../editor/geometry/camera.ts'
import type { Box } from '../../editor/geometry/geometry.ts'
import type { Scene } from '../../editor/scene.ts'
import { paintPatches, type ScenePainting } from './scene.ts'

/** Device pixels along a side. */
const side = 512
/** Milliseconds of a frame that new pictures may take; one is drawn in any case. */
const budget = 8
/** The same for the first tiles, when nothing else is waiting. */
const firstBudget = 60
/** Pictures kept beyond those in view. */
const maxSpareTiles = 24

type Tile = { readonly canvas: HTMLCanvasElement; readonly rough: boolean }
type Set_ = { readonly scale: number; readonly tiles: Map<string, Tile> }

export class Tiles {
  #now: Set_ = { scale: 0, tiles: new Map() }
  /** Of the zoom before, whole. */
  #before: Set_ | null = null
  #of: readonly unknown[] = []
  #scene: Scene | null = null
  #version = -1

  /** Draws the view; returns whether something is still missing and must be drawn again. */
  draw(context: CanvasRenderingContext2D, what: ScenePainting, pixelRatio: number): boolean {
    const { scene, camera, size, badges, base } = what
    const scale = camera.zoom * pixelRatio
    const first = this.#scene === null
    this.#forget(scene, [scene, base.look, badges.problems, badges.heat, badges.reached, what.carried], scale)
    const { tiles } = this.#now
    const left = Math.round(camera.x * scale)
    const top = Math.round(camera.y * scale)
    const columns = range(left, size.w * pixelRatio)
    const rows = range(top, size.h * pixelRatio)
    const seen = new Set<string>()
    const missing: { key: string; column: number; row: number }[] = []
    for (const row of rows)
      for (const column of columns) {
        const key = `${column} ${row}`
        seen.add(key)
        if (tiles.get(key)?.rough !== false) missing.push({ key, column, row })
      }
    const until = performance.now() + (first ? firstBudget : budget)
    let drawn = 0
    for (const { key, column, row } of missing) {
      if (drawn > 0 && performance.now() > until) break
      tiles.set(key, drawTile(what, pixelRatio, scale, column, row, tiles.get(key)?.canvas))
      drawn++
    }
    context.setTransform(1, 0, 0, 1, 0, 0)
    if (missing.some(({ key }) => !tiles.has(key)) && this.#before) {
      const old = this.#before
      const stretch = scale / old.scale
      for (const [key, { canvas }] of old.tiles) {
        const [column = 0, row = 0] = key.split(' ').map(Number)
        context.drawImage(canvas, column * side * stretch - left, row * side * stretch - top, side * stretch, side * stretch)
      }
    }
    for (const row of rows)
      for (const column of columns) {
        const tile = tiles.get(`${column} ${row}`)
        if (tile) context.drawImage(tile.canvas, column * side - left, row * side - top)
      }
    for (const key of tiles.keys()) {
      if (tiles.size <= seen.size + maxSpareTiles) break
      if (!seen.has(key)) tiles.delete(key)
    }
    const again = missing.some(({ key }) => tiles.get(key)?.rough !== false)
    if (!again) this.#before = null
    return again
  }

  /** Drops tiles that are out of date. */
  #forget(scene: Scene, of: readonly unknown[], scale: number): void {
    if (of.some((part, i) => part !== this.#of[i])) {
      this.#now = { scale, tiles: new Map() }
      this.#before = null
    } else if (scale !== this.#now.scale) {
      if (this.#now.tiles.size > 0 && !this.#before) this.#before = this.#now
      this.#now = { scale, tiles: new Map() }
    }
    if (scene === this.#scene && scene.version !== this.#version) {
      const changes = scene.changesSince(this.#version)
      for (const { scale: at, tiles } of this.#before ? [this.#now, this.#before] : [this.#now]) dropTouched(tiles, at, changes)
    }
    this.#of = of
    this.#scene = scene
    this.#version = scene.version
  }
}

/** Marks and outlines reach this many device pixels beyond their box. */
const reach = 6

function dropTouched(tiles: Map<string, Tile>, scale: number, changes: readonly Box[] | null): void {
  if (changes === null) return tiles.clear()
  for (const box of changes) {
    const columns = range(box.x * scale - reach, box.w * scale + 2 * reach)
    const rows = range(box.y * scale - reach, box.h * scale + 2 * reach)
    if (columns.length * rows.length > tiles.size) {
      for (const key of tiles.keys()) {
        const [column = 0, row = 0] = key.split(' ').map(Number)
        if (columns.includes(column) && rows.includes(row)) tiles.delete(key)
      }
    } else for (const row of rows) for (const column of columns) tiles.delete(`${column} ${row}`)
  }
}

/** The numbers of the tiles between a pixel and `length` pixels further. */
function range(from: number, length: number): number[] {
  const first = Math.floor(from / side)
  const count = Math.min(4096, Math.floor((from + length) / side) - first + 1)
  return Array.from({ length: count }, (_, i) => first + i)
}

function drawTile(
  what: ScenePainting,
  pixelRatio: number,
  scale: number,
  column: number,
  row: number,
  used: HTMLCanvasElement | undefined,
): Tile {
  const canvas = used ?? document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) return { canvas, rough: false }
  const camera = { x: (column * side) / scale, y: (row * side) / scale, zoom: what.camera.zoom }
  const size = { w: side / pixelRatio, h: side / pixelRatio }
  const view = viewOf(camera, size)
  // A tile holds what reaches into it from outside, too.
  const margin = reach / scale
  const rough = paintPatches(context, { ...what, camera, size }, pixelRatio, {
    x: view.x - margin,
    y: view.y - margin,
    w: view.w + 2 * margin,
    h: view.h + 2 * margin,
  })
  return { canvas, rough }
}
