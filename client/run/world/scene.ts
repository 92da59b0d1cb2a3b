// What the painters draw: the newest layers of one space, in order cells, trails, links, agents.
import type { Id } from '../../../model-schema/model.ts'
import type { Frame, Layer, Loaded } from '../../../sim-engine/messages.ts'
import type { Bounds, Camera, Viewport } from './camera.ts'
import type { CubeView } from './shapes.ts'

export type CellLayer = Extract<Layer, { kind: 'cell' }>
export type AgentLayer = Extract<Layer, { kind: 'agent' }>
/** Lines: links, and the trails behind agents. What they join is of no matter here. */
export type LinkLayer = Omit<Extract<Layer, { kind: 'link' }>, 'populations' | 'from' | 'to' | 'fromOf' | 'toOf'>

export type Scene = {
  bounds: Bounds
  cells: readonly CellLayer[]
  links: readonly LinkLayer[]
  agents: readonly AgentLayer[]
  /** Under the links. */
  trails?: readonly LinkLayer[]
  /** How cubes are seen, where there are any. */
  cube?: CubeView
}

/**
 * Draws a scene into its canvas. Layers that are the same object as last time need not be read again. Agents with a z come with one
 * layer of links with z, both sorted from the back (0) to the front (1): what is in front hides what is behind.
 */
export type Painter = {
  readonly kind: 'webgl' | 'flat'
  /** `world` is the colour (0xRRGGBB) of the empty world. */
  paint(scene: Scene, camera: Camera, view: Viewport, world: number): void
  destroy(): void
}

export type Shown = { space: Id | null; layers: readonly Id[]; links: boolean }

/** The layers a world view shows: those chosen, or when none is, all populations of its space and the links between them. */
export function sceneOf(frame: Frame, loaded: Loaded, bounds: Bounds, shown: Shown): Scene {
  const spaceOf = new Map(loaded.populations.map(population => [population.id, population.space]))
  const scene: Scene & { cells: CellLayer[]; links: LinkLayer[]; agents: AgentLayer[] } = { bounds, cells: [], links: [], agents: [] }
  for (const layer of frame.layers) {
    const chosen =
      shown.layers.length === 0
        ? (layer.kind === 'link' && spaceOf.get(layer.population) === null) || spaceOf.get(layer.population) === shown.space
        : shown.layers.includes(layer.population)
    if (!chosen) continue
    if (layer.kind === 'cell') scene.cells.push(layer)
    else if (layer.kind === 'agent') scene.agents.push(layer)
    else if (shown.links) scene.links.push(layer)
  }
  return scene
}

/** Diameter in CSS pixels of an agent of `size`: its size in world units, but never too small to be seen. */
export const diameter = (size: number, scale: number): number => (size <= 0 ? 0 : Math.max(2.5, size * scale * 0.92))
