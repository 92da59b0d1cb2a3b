// The individual under the pointer: the nearest agent within reach, else a link, else the cell.
import type { Id } from '../../../model-schema/model.ts'
import type { Camera } from './camera.ts'
import { diameter, type Scene } from './scene.ts'

/** `entity` is what `inspect` asks for: an agent's id; a cell's place in the grid. */
export type Picked = { population: Id; kind: 'agent' | 'cell'; entity: number; x: number; y: number; z?: number; size: number }

/** World point (x, y). Agents are easier to hit than they are large: within 6 CSS pixels of their edge. */
export function pick(scene: Scene, camera: Camera, x: number, y: number): Picked | null {
  let best: Picked | null = null
  let bestDistance = Infinity
  for (const layer of scene.agents) {
    for (let i = 0; i < layer.count; i++) {
      const dx = (layer.x[i] ?? NaN) - x
      const dy = (layer.y[i] ?? NaN) - y
      const away = Math.hypot(dx, dy)
      const size = layer.size[i] ?? 1
      const reach = (diameter(size, camera.scale) / 2 + 6) / camera.scale
      if (away > reach || away > bestDistance) continue
      bestDistance = away
      best = { population: layer.population, kind: 'agent', entity: layer.ids[i] ?? 0, x: layer.x[i] ?? 0, y: layer.y[i] ?? 0, size }
    }
  }
  if (best) return best
  for (const layer of scene.cells.toReversed()) {
    const column = Math.floor(x - layer.minX + 0.5)
    const row = Math.floor(y - layer.minY + 0.5)
    if (column < 0 || row < 0 || column >= layer.columns || row >= layer.rows) continue
    return {
      population: layer.population,
      kind: 'cell',
      entity: row * layer.columns + column,
      x: layer.minX + column,
      y: layer.minY + row,
      size: 1,
    }
  }
  return null
}

/** Where an agent is now, or null when it is no longer there. */
export function whereIs(scene: Scene, population: Id, entity: number): { x: number; y: number; z?: number; size: number } | null {
  for (const layer of scene.agents) {
    if (layer.population !== population) continue
    const i = layer.ids.subarray(0, layer.count).indexOf(entity)
    return i < 0 ? null : { x: layer.x[i] ?? 0, y: layer.y[i] ?? 0, ...(layer.z && { z: layer.z[i] ?? 0 }), size: layer.size[i] ?? 1 }
  }
  return null
}
