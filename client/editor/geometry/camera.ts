// The camera: which part of the infinite canvas the window shows. Screen = (canvas - camera) * zoom, in CSS pixels.
import type { Box, Point } from './geometry.ts'

export type Camera = { readonly x: number; readonly y: number; readonly zoom: number }
/** The window in CSS pixels. */
export type Size = { readonly w: number; readonly h: number }

export const minZoom = 0.05
export const maxZoom = 8

/** The steps of the + and - keys. */
export const zoomSteps = [0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6, 8] as const

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
export const followable = 0.6

/** From this zoom on names are read without effort. */
export const readable = 0.5

/** The camera that shows the whole box with `margin` screen pixels around it, never closer than `closest`. */
export function fitted(box: Box, size: Size, margin = 48, closest = 1.25): Camera {
  const zoom = clampZoom(Math.min(closest, (size.w - 2 * margin) / Math.max(1, box.w), (size.h - 2 * margin) / Math.max(1, box.h)))
  return { x: box.x + box.w / 2 - size.w / 2 / zoom, y: box.y + box.h / 2 - size.h / 2 / zoom, zoom }
}

/** The bar that zooms, in the lower corner of the window where lines begin, with some space around it. CSS pixels. */
export const floating: Size = { w: 148, h: 56 }

/** In a window lower than this nothing is kept free for the bar. CSS pixels. */
const lowest = 400

/** `fitted`, but below or beside the box there is room for the bar that zooms, where `isUnder` says that some of it would lie under that. `mirrored`: lines run from the right. */
export function fittedClear(box: Box, size: Size, margin: number, isUnder: (part: Box) => boolean, mirrored: boolean): Camera {
  const camera = fitted(box, size, margin)
  const { x, y, w, h } = viewOf(camera, size)
  const corner = { w: floating.w / camera.zoom, h: floating.h / camera.zoom }
  if (size.h < lowest || !isUnder({ ...corner, x: mirrored ? x + w - corner.w : x, y: y + h - corner.h })) return camera
  const below = fitted(box, { w: size.w, h: size.h - Math.max(0, floating.h - margin) }, margin)
  const aside = Math.max(0, floating.w - margin)
  const beside = fitted(box, { w: size.w - aside, h: size.h }, margin)
  if (beside.zoom <= below.zoom) return below
  return mirrored ? beside : panned(beside, -aside, 0)
}

/** The part of the canvas that is seen. */
export const viewOf = (camera: Camera, size: Size): Box => ({ x: camera.x, y: camera.y, w: size.w / camera.zoom, h: size.h / camera.zoom })
