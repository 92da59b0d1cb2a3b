// Small pictures of models for lists: the boxes of the first scenario, scaled into a card. Made when a document is open on this device,
// stored with its row.
import { dashboardOf } from '../../model-schema/dashboard.ts'
import type { Model } from '../../model-schema/model.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import { device } from './device.ts'

/** Boxes in a picture of 240 by 120: x, y, width, height, and 1 where the accent belongs (what acts), 0 elsewhere. */
export type Preview = [x: number, y: number, w: number, h: number, accent: 0 | 1][]

const maxPreviewBoxes = 60

/** The picture of a model; null when there is nothing to see. */
function previewOf(model: Model): Preview | null {
  const boxes = boxesOf(model)
    // Frames behind what stands in them.
    .sort((a, b) => b.w * b.h - a.w * a.h)
    .slice(0, maxPreviewBoxes)
  if (boxes.length === 0) return null
  const left = Math.min(...boxes.map(box => box.x))
  const top = Math.min(...boxes.map(box => box.y))
  const width = Math.max(...boxes.map(box => box.x + box.w)) - left
  const height = Math.max(...boxes.map(box => box.y + box.h)) - top
  // Never larger than life: one small box stays small.
  const scale = Math.min(216 / width, 100 / height, 0.8)
  const [dx, dy] = [120 - (width * scale) / 2, 60 - (height * scale) / 2]
  const round = (value: number): number => Math.round(value * 10) / 10
  return boxes.map(({ x, y, w, h, accent }) => [
    round((x - left) * scale + dx),
    round((y - top) * scale + dy),
    round(w * scale),
    round(h * scale),
    accent ? 1 : 0,
  ])
}

type Outline = { x: number; y: number; w: number; h: number; accent: boolean }

function boxesOf(model: Model): Outline[] {
  const page = dashboardOf(model)
  if (page)
    return page.items.flatMap(({ element: { kind, geo }, layout }) => {
      const [x, y, w, h] = geo
      // Cards are on a grid of columns and rows; a panel is not.
      return w > 0 && h > 0 && layout !== 'panel'
        ? [{ x: x * 84, y: y * 52, w: w * 84 - 12, h: h * 52 - 12, accent: kind === 'worldView' }]
        : []
    })
  const root = model.scenarios[0]
  const children = root === undefined ? [] : (model.elements.get(root)?.children ?? [])
  return children.flatMap(id => {
    const element = model.elements.get(id)
    if (element === undefined || element.ends !== null) return []
    const family = kindOf(element.kind)?.family
    const [x, y, w, h] = element.geo
    return w > 0 && h > 0 ? [{ x, y, w, h, accent: family === 'entity' || family === 'flow' }] : []
  })
}

/** Keeps the picture of a file; does nothing when the file isn't listed here. */
export async function keepPreview(user: string, id: string, model: Model): Promise<void> {
  await device.files.update([user, id], { preview: previewOf(model) })
}
