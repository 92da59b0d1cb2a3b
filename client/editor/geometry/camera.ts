// The camera: which part of the infinite canvas the window shows. Screen = (canvas - camera) * zoom, in CSS pixels.
import type { Box, Point } from './geometry.ts'

export type Camera = { readonly x: number; readonly y: number; readonly zoom: number }
/** The window in CSS pixels. */
export type Size = { readonly w: number; readonly h: number }

const minZoom = 0.05
const maxZoom = 8

/** The steps of the + and - keys. */
const zoomSteps = [0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6, 8] as const

export const clampZoom = (zoom: number): number => Math.max(minZoom, Math.min(maxZoom, zoom))

export const toScreen = (camera: Camera, p: Point): Point => ({ x: (p.x - camera.x) * camera.zoom, y: (p.y - camera.y) * camera.zoom })

export const onScreen = (camera: Camera, { x, y, w, h }: Box): Box => ({
  ...toScreen(camera, { x, y }),
  w: w * camera.zoom,
  h: h * camera.zoom,
})

export const toCanvas = (camera: Camera, p: Point): Point => ({ x: p.x / camera.zoom + camera.x, y: p.y / camera.zoom + camera.y })

/** Moves the view by screen pixels. */
export const panned = (camera: Camera, dx: number, dy: number): Camera => ({
  x: camera.x + dx / camera.zoom,
  y: camera.y + dy / camera.zoom,
  zoom: camera.zoom,
})

/** Zooms so that the canvas point under `screen` stays under it. */
export function zoomedAt(camera: Camera, screen: Point, zoom: number): Camera {
  const fixed = toCanvas(camera, screen)
  const z = clampZoom(zoom)
  return { x: fixed.x - screen.x / z, y: fixed.y - screen.y / z, zoom: z }
}

/** The next zoom step up (1) or down (-1). */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  if (direction > 0) return zoomSteps.find(step => step > zoom * 1.01) ?? maxZoom
  return zoomSteps.findLast(step => step < zoom * 0.99) ?? minZoom
}

/** Below this zoom charts and worlds are too small to be followed. */
const followable = 0.6
/** A chart or a world drawn smaller than it is must be so high, in screen pixels, to be followed. */
const followableHeight = 150

/** Whether charts and worlds of these sizes can be followed at a zoom. */
export const isFollowable = (zoom: number, drawings: readonly Size[]): boolean =>
  zoom >= followable && (zoom >= 1 || drawings.every(({ h }) => h * zoom >= Math.min(h, followableHeight)))

/** From this zoom on names are read without effort. */
export const readable = 0.5

/** The camera that shows the whole box with `margin` screen pixels around it, never closer than `closest`. */
export function fitted(box: Box, size: Size, margin = 48, closest = 1.25): Camera {
  const zoom = clampZoom(Math.min(closest, (size.w - 2 * margin) / Math.max(1, box.w), (size.h - 2 * margin) / Math.max(1, box.h)))
  return { x: box.x + box.w / 2 - size.w / 2 / zoom, y: box.y + box.h / 2 - size.h / 2 / zoom, zoom }
}

/** `fitted` for part of a canvas: spare room goes to the side of the rest, below or above. */
export function fittedAmong(box: Box, rest: Box, size: Size, margin: number): Camera {
  const camera = fitted(box, size, margin)
  const top = box.y - margin / camera.zoom
  const bottom = box.y + box.h + margin / camera.zoom - size.h / camera.zoom
  const below = rest.y + rest.h - (camera.y + size.h / camera.zoom)
  const above = camera.y - rest.y
  return Math.max(above, below) <= 0 ? camera : { ...camera, y: below >= above ? top : bottom }
}

/** The part of the canvas that is seen. */
export const viewOf = (camera: Camera, size: Size): Box => ({ x: camera.x, y: camera.y, w: size.w / camera.zoom, h: size.h / camera.zoom })

/** The camera moved as little as possible so that the whole box is seen; of a box larger than the window, as much as fits. */
export function movedToShow(camera: Camera, size: Size, box: Box): Camera {
  const view = viewOf(camera, size)
  const along = (from: number, length: number, at: number, extent: number): number => {
    const [low, high] = [at + extent - length, at].sort((a, b) => a - b) as [number, number]
    return Math.max(low, Math.min(high, from))
  }
  return { ...camera, x: along(view.x, view.w, box.x, box.w), y: along(view.y, view.h, box.y, box.h) }
}
