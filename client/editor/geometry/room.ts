// Room for something new in what is seen of a canvas.
import type { Id } from '../../../model-schema/model.ts'
import { encloses, grown, overlaps, type Box } from './geometry.ts'
import type { Scene, SceneBox } from '../scene.ts'

/** Canvas units: from one place that is tried to the next, around what is put down, and to the border of the view. */
const pitch = 8
const around = 8
const margin = 16

/** Whether something at a spot would hide another: a frame may contain it, but nothing crosses its edge. */
const isHidden = (spot: Box, other: SceneBox): boolean =>
  overlaps(grown(spot, around), other) && !(other.kind?.shape === 'frame' && encloses(other, spot))

/** The place in view nearest to the box where it covers nothing (`except` aside); null when there is none. */
export function roomInView(scene: Pick<Scene, 'visible'>, view: Box, box: Box, except: ReadonlySet<Id> = new Set()): Box | null {
  const seen = grown(view, -margin)
  const there = scene.visible(seen).boxes.filter(other => !except.has(other.id))
  let best: { spot: Box; far: number } | null = null
  for (let y = Math.ceil(seen.y / pitch) * pitch; y + box.h <= seen.y + seen.h; y += pitch)
    for (let x = Math.ceil(seen.x / pitch) * pitch; x + box.w <= seen.x + seen.w; x += pitch) {
      const spot = { ...box, x, y }
      const far = Math.hypot(x - box.x, y - box.y)
      if ((best === null || far < best.far) && !there.some(other => isHidden(spot, other))) best = { spot, far }
    }
  return best && best.spot
}

/**
 * The box, or the nearest place right of or below it that covers nothing (`except` aside). `down` looks below first, as do
 * wide boxes.
 */
export function freeSpot(
  scene: Pick<Scene, 'visible'>,
  box: Box,
  { except = new Set(), down = box.w > 400 }: { except?: ReadonlySet<Id>; down?: boolean } = {},
): Box {
  const taken = (spot: Box): boolean =>
    scene.visible(grown(spot, around)).boxes.some(other => !except.has(other.id) && isHidden(spot, other))
  const across = down ? 1 : 6
  let spot = box
  for (let i = 1; i < 200 && taken(spot); i++)
    spot = i % across === 0 ? { ...box, y: spot.y + box.h + 32 } : { ...spot, x: spot.x + box.w + 40 }
  return spot
}
