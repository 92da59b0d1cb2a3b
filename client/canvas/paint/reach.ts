// The coverage of a model's tests, on the drawing: reached steps have a plain outline and a count, others a dashed one.
import type { Point } from '../../editor/geometry/geometry.ts'
import type { SceneBox } from '../../editor/scene.ts'
import { short, type Painting } from './shapes.ts'

const reachedColor = '#1a9a63'
const missedDash = [5, 4]

/** `count`: how often; absent for what is no step. */
export function paintReach(
  { pen, look, detail }: Pick<Painting, 'pen' | 'look' | 'detail'>,
  box: SceneBox,
  count: number | undefined,
): void {
  if (count === undefined) return
  const color = count > 0 ? reachedColor : look.bad
  const around = { x: box.x - 4, y: box.y - 4, w: box.w + 8, h: box.h + 8 }
  pen.rect(around, 10, { stroke: color, width: 2, ...(count > 0 ? {} : { dash: missedDash }) })
  if (!detail) return
  const text = count > 0 ? `${short(count)}×` : '0×'
  const type = { size: 11, weight: 600 as const, color: '#ffffff', align: 'center' as const }
  const width = pen.measure(text, type) + 10
  const pill = { x: box.x + box.w - width - 4, y: box.y + box.h - 5, w: width, h: 16 }
  pen.rect(pill, 8, { fill: color, stroke: look.canvas, width: 1.5 })
  pen.text(text, { x: pill.x + width / 2, y: pill.y + 8 }, type)
}

/** A branch of a gateway that no token took. */
export function paintReachOfWire({ pen, look }: Pick<Painting, 'pen' | 'look'>, points: readonly Point[], count: number | undefined): void {
  if (count === 0 && points.length > 1) pen.line(points, { stroke: look.bad, width: 3, dash: missedDash })
}
