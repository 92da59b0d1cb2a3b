// The position of the world in the view. World y points up, screen y down; lengths on the screen are CSS pixels.
import type { Loaded } from '../../../sim-engine/messages.ts'

export type Bounds = { minX: number; maxX: number; minY: number; maxY: number }

/** The world point in the middle of the view, and CSS pixels per world unit. */
export type Camera = { x: number; y: number; scale: number }

/** Size in CSS pixels, device pixels per CSS pixel, and room kept for the axes when the world is fitted. */
export type Viewport = { width: number; height: number; dpr: number; left: number; bottom: number }

/** What is drawn of a space. Cells are unit squares around whole numbers, so a discrete space is half a cell wider. */
export function boundsOf(space: Loaded['spaces'][number]): Bounds {
  const half = space.topology === 'discrete' ? 0.5 : 0
  return { minX: space.minX - half, maxX: space.maxX + half, minY: space.minY - half, maxY: space.maxY + half }
}

/** The whole world, as large as fits, with whole device pixels per world unit unless that would waste much of the view. */
export function fit(bounds: Bounds, view: Viewport): Camera {
  const width = Math.max(1, view.width - view.left)
  const height = Math.max(1, view.height - view.bottom)
  const spanX = Math.max(1e-9, bounds.maxX - bounds.minX)
  const spanY = Math.max(1e-9, bounds.maxY - bounds.minY)
  const free = Math.min(width / spanX, height / spanY)
  const whole = Math.floor(free * view.dpr) / view.dpr
  const scale = whole / free >= 0.93 ? whole : free
  const x = (bounds.minX + bounds.maxX) / 2 - view.left / 2 / scale
  const y = (bounds.minY + bounds.maxY) / 2 - view.bottom / 2 / scale
  return snapped({ x, y, scale }, bounds, view)
}

/** Moves a camera by less than a device pixel so that the world's corner falls on one: cells stay sharp. */
function snapped(camera: Camera, bounds: Bounds, view: Viewport): Camera {
  const [left, top] = toScreen(camera, view, bounds.minX, bounds.maxY)
  const offX = (Math.round(left * view.dpr) / view.dpr - left) / camera.scale
  const offY = (Math.round(top * view.dpr) / view.dpr - top) / camera.scale
  return { scale: camera.scale, x: camera.x - offX, y: camera.y + offY }
}

export function toScreen(camera: Camera, view: Viewport, x: number, y: number): [number, number] {
  return [view.width / 2 + (x - camera.x) * camera.scale, view.height / 2 - (y - camera.y) * camera.scale]
}

export function toWorld(camera: Camera, view: Viewport, x: number, y: number): [number, number] {
  return [camera.x + (x - view.width / 2) / camera.scale, camera.y - (y - view.height / 2) / camera.scale]
}

/** Zooms by `factor` so that the world point under screen point (x, y) stays there. At least the fit, at most 64 times it. */
export function zoomAt(camera: Camera, view: Viewport, bounds: Bounds, x: number, y: number, factor: number): Camera {
  const whole = fit(bounds, view)
  const scale = Math.min(whole.scale * 64, camera.scale * factor)
  if (scale <= whole.scale * 1.001) return whole
  const [worldX, worldY] = toWorld(camera, view, x, y)
  return within({ scale, x: worldX - (x - view.width / 2) / scale, y: worldY + (y - view.height / 2) / scale }, bounds)
}

export function pan(camera: Camera, bounds: Bounds, dx: number, dy: number): Camera {
  return within({ scale: camera.scale, x: camera.x - dx / camera.scale, y: camera.y + dy / camera.scale }, bounds)
}

/** The middle of the view never leaves the world. */
export function within(camera: Camera, bounds: Bounds): Camera {
  const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
  return { scale: camera.scale, x: clamp(camera.x, bounds.minX, bounds.maxX), y: clamp(camera.y, bounds.minY, bounds.maxY) }
}

/** Steps of 1, 2 or 5 times a power of ten, at least `least` apart. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const rest = least / power
  return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10)
}
