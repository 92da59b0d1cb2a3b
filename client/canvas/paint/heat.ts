// The heat of a profile on the drawing: the share of a run's time, from pale amber to red. Shares are from 0 to 1; the scale is that of
// their square root, so that small shares are distinguishable.
import type { SceneBox } from '../../editor/scene.ts'
import type { Painting } from './shapes.ts'

/** Below this share an element is unchanged. */
const minHeatShare = 0.001

/** The colour of a share, `#rrggbb`. */
export function heatColor(share: number): string {
  const warmth = Math.sqrt(Math.min(1, Math.max(0, share)))
  const between = (cold: number, hot: number): string =>
    Math.round(cold + (hot - cold) * warmth)
      .toString(16)
      .padStart(2, '0')
  return `#${between(250, 217)}${between(204, 45)}${between(84, 32)}`
}

/** Colours a box and writes its share below its corner. */
export function paintHeat({ pen, look, detail }: Pick<Painting, 'pen' | 'look' | 'detail'>, box: SceneBox, share: number): void {
  if (share < minHeatShare) return
  const color = heatColor(share)
  const strength = Math.round(60 + 90 * Math.sqrt(Math.min(1, share)))
  pen.rect({ x: box.x - 3, y: box.y - 3, w: box.w + 6, h: box.h + 6 }, 10, {
    fill: `${color}${strength.toString(16).padStart(2, '0')}`,
    stroke: color,
    width: 2,
  })
  if (!detail) return
  const text = share >= 0.0995 ? `${Math.round(share * 100)} %` : `${(share * 100).toFixed(1)} %`
  const type = { size: 11, weight: 600 as const, color: '#191e29', align: 'center' as const }
  const width = pen.measure(text, type) + 10
  const pill = { x: box.x + box.w - width - 4, y: box.y + box.h - 7, w: width, h: 16 }
  pen.rect(pill, 8, { fill: color, stroke: look.canvas, width: 1.5 })
  pen.text(text, { x: pill.x + width / 2, y: pill.y + 8 }, type)
}
