// Tokens in transit: a token that moved from one step to another is shown as a disc that travels along the flows between the two. A run
// reports only the step of each token; the path shown is the one with the fewest flows, since steps that take no time hold no token.
import type { Id } from '../../model-schema/model.ts'
import type { Frame } from '../../sim-engine/messages.ts'
import type { Point } from '../editor/geometry/geometry.ts'
import type { Scene } from '../editor/scene.ts'
import type { Pen } from './paint/pen.ts'
import type { Look } from './paint/shapes.ts'

export type FrameTokens = NonNullable<Frame['standing']>

/** `lines`: one a flow. Between them the token is inside a step, and not drawn: it would cover the step's name. */
type Journey = { readonly lines: readonly (readonly Point[])[]; readonly begins: number; readonly takes: number }

/** At most so many at a time; milliseconds a flow, for a whole way at most, and between two on one way. */
const maxJourneys = 60
const flowMs = 300
const maxJourneyMs = 900
const apart = 60
/** Canvas units; discs that follow, by how far and how strongly. */
const radius = 6.5
const trail = [
  { behind: 9, size: 0.8, alpha: 0.45 },
  { behind: 17, size: 0.6, alpha: 0.28 },
  { behind: 24, size: 0.45, alpha: 0.15 },
] as const

export class Travellers {
  #journeys: Journey[] = []
  #canvas: Id | null = null

  /** Sends off what moved between two moments of a run, on the canvas that is shown. */
  send(scene: Scene, before: FrameTokens, now: FrameTokens, time: number): void {
    if (this.#canvas !== scene.canvas) this.#journeys = []
    this.#canvas = scene.canvas
    const onTheWay = new Map<string, number>()
    for (const flows of waysBetween(scene, before, now)) {
      if (this.#journeys.length >= maxJourneys) return
      const key = flows.join()
      const ahead = onTheWay.get(key) ?? 0
      onTheWay.set(key, ahead + 1)
      const lines = flows.map(id => scene.pointsOf(id))
      this.#journeys.push({ lines, begins: time + ahead * apart, takes: Math.min(maxJourneyMs, flowMs * flows.length) })
    }
  }

  /** Draws all tokens in transit; returns whether there are any. */
  paint(pen: Pen, look: Look, canvas: Id, time: number): boolean {
    this.#journeys = canvas === this.#canvas ? this.#journeys.filter(({ begins, takes }) => time < begins + takes) : []
    for (const { lines, begins, takes } of this.#journeys) {
      const part = (time - begins) / takes
      if (part < 0) continue
      const { line, gone } = placeOn(lines, eased(part))
      for (const { behind, size, alpha } of trail)
        if (gone > behind) pen.circle(along(line, gone - behind), radius * size, { fill: look.entity, alpha })
      pen.circle(along(line, gone), radius, { fill: look.entity, stroke: look.canvas, width: 2 })
    }
    return this.#journeys.length > 0
  }
}

/** The flows that each token took which moved, came in or left. */
export function waysBetween(scene: Scene, before: FrameTokens, now: FrameTokens): Id[][] {
  const was = new Map(before)
  const left = new Set<Id>()
  const moved: [from: Id | null, to: Id | null][] = []
  for (const [token, step] of now) {
    const from = was.get(token)
    was.delete(token)
    if (from === step) continue
    if (from !== undefined) left.add(from)
    moved.push([from ?? null, step])
  }
  for (const step of was.values()) {
    left.add(step)
    moved.push([step, null])
  }
  const begins = (id: Id): boolean => left.has(id) || scene.box(id)?.kind?.shape === 'start'
  const ends = (id: Id): boolean => scene.box(id)?.kind?.shape === 'end'
  return moved.flatMap(([from, to]) => {
    const flows =
      from === null ? shortest(scene, to!, begins, 'from').toReversed() : shortest(scene, from, to === null ? ends : id => id === to, 'to')
    return flows.length > 0 ? [flows] : []
  })
}

/**
 * The path with the fewest flows from an element to one that matches, in the direction of flows (`to`) or against it (`from`); empty if
 * there is none.
 */
function shortest(scene: Scene, start: Id, isSought: (id: Id) => boolean, end: 'from' | 'to'): Id[] {
  if (!scene.box(start)) return []
  const reached = new Map<Id, Id[]>([[start, []]])
  for (const [at, flows] of reached) {
    if (flows.length > 0 && isSought(at)) return flows
    for (const id of flowsAt(scene, at, end)) {
      const next = scene.wire(id)?.element.ends?.[end].id
      const body = next && end === 'from' ? (hostOf(scene, next) ?? next) : next
      if (body && !reached.has(body)) reached.set(body, [...flows, id])
    }
  }
  return []
}

/** Flows that leave an element (`to`) or lead to it (`from`); those of the events at its border leave it too. */
function flowsAt(scene: Scene, id: Id, end: 'from' | 'to'): Id[] {
  const other = end === 'to' ? 'from' : 'to'
  const bodies = [id, ...(end === 'to' ? [...scene.boundaries].filter(box => box.element.fields['host'] === id).map(box => box.id) : [])]
  return bodies.flatMap(body =>
    scene.wiresOf(body).filter(wire => {
      const element = scene.wire(wire)?.element
      return element?.kind === 'flow' && element.ends?.[other].id === body
    }),
  )
}

function hostOf(scene: Scene, id: Id): Id | null {
  const box = scene.box(id)
  const host = box?.kind?.shape === 'boundary' ? box.element.fields['host'] : null
  return typeof host === 'string' ? host : null
}

const eased = (part: number): number => (part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part))

const reach = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y)

const lengthOf = (line: readonly Point[]): number => line.reduce((sum, p, i) => sum + (i === 0 ? 0 : reach(line[i - 1]!, p)), 0)

/** The line on which so large a share of all of them together ends, and how far along it that is. */
function placeOn(lines: readonly (readonly Point[])[], share: number): { line: readonly Point[]; gone: number } {
  let gone = share * lines.reduce((sum, line) => sum + lengthOf(line), 0)
  for (const line of lines) {
    const length = lengthOf(line)
    if (gone <= length) return { line, gone }
    gone -= length
  }
  const line = lines.at(-1) ?? []
  return { line, gone: lengthOf(line) }
}

/** The point so far along a line. */
function along(line: readonly Point[], distance: number): Point {
  let left = distance
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1]!, line[i]!]
    const length = reach(a, b)
    if (left <= length && length > 0) return { x: a.x + ((b.x - a.x) * left) / length, y: a.y + ((b.y - a.y) * left) / length }
    left -= length
  }
  return line.at(-1) ?? { x: 0, y: 0 }
}
