// Room for something new in what is seen of a canvas.
import { grown, overlaps, type Box } from './geometry.ts'
import type { Scene } from './scene.ts'

/** Canvas units: from one place that is tried to the next, around what is put down, and to the border of the view. */
const pitch = 8
const around = 8
const margin = 16

/** The place in view nearest to the box where it covers nothing but frames; null when there is none. */
export function roomInView(scene: Pick<Scene, 'visible'>, view: Box, box: Box): Box | null {
  const seen = grown(view, -margin)
  const there = scene.visible(seen).boxes.filter(other => other.kind?.shape !== 'frame')
  let best: { spot: Box; far: number } | null = null
  for (let y = Math.ceil(seen.y / pitch) * pitch; y + box.h <= seen.y + seen.h; y += pitch)
    for (let x = Math.ceil(seen.x / pitch) * pitch; x + box.w <= seen.x + seen.w; x += pitch) {
      const spot = { ...box, x, y }
      const far = Math.hypot(x - box.x, y - box.y)
      if ((best === null || far < best.far) && !there.some(other => overlaps(grown(spot, around), other))) best = { spot, far }
    }
  return best && best.spot
}
