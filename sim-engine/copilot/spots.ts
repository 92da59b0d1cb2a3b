// The position of a new element: next to what it belongs to, over no other, the same for the same model; on a page of cards, in the first cells
// that are free.
import type { Geo, Id, Model } from '../../model-schema/model.ts'

const gap = 32
/** Upper left corners lie on this grid, in canvas units. */
const grid = 8
const columns = 12

/** A free place on a canvas for a box of this size: to the right of `near` (of the last box), then in the rows below. */
export function freeSpot(model: Model, parent: Id, [w, h]: readonly [number, number], near: Id | null): [number, number] {
  const boxes = (model.elements.get(parent)?.children ?? []).flatMap(id => {
    const element = model.elements.get(id)
    return element && !element.ends ? [element] : []
  })
  const beside = boxes.find(({ id }) => id === near) ?? boxes.at(-1)
  if (!beside) return [0, 0]
  const round = (value: number): number => Math.ceil(value / grid) * grid
  const [bx, by, bw, bh] = beside.geo
  const left = Math.min(...boxes.map(({ geo }) => geo[0]))
  const bottom = Math.max(...boxes.map(({ geo }) => geo[1] + geo[3]))
  for (let y = by + (bh - h) / 2, row = 0; y < bottom; y += h + gap, row++)
    for (let column = 0; column < columns; column++) {
      const spot: [number, number] = [round((row === 0 ? bx + bw + gap : bx) + column * (w + gap)), round(y)]
      if (boxes.every(({ geo }) => apart(geo, [...spot, w, h]))) return spot
    }
  return [round(left), round(bottom + gap)]
}

/** The first free cells of a page, in reading order, for a card of so many columns and rows. `columns`: of the page. */
export function freeCells(model: Model, [w, h]: readonly [number, number], columns: number): [number, number] {
  const cards = [...model.elements.values()].flatMap(({ parent, kind, geo }) =>
    parent !== null && kind !== 'association' && geo[2] > 0 ? [geo] : [],
  )
  const width = Math.min(columns, w)
  const end = Math.max(0, ...cards.map(geo => geo[1] + geo[3]))
  for (let y = 0; y < end; y++)
    for (let x = 0; x + width <= columns; x++)
      if (cards.every(geo => geo[0] >= x + width || geo[0] + geo[2] <= x || geo[1] >= y + h || geo[1] + geo[3] <= y)) return [x, y]
  return [0, end]
}

const apart = (a: Geo, b: Geo): boolean =>
  a[0] + a[2] + gap / 2 <= b[0] || b[0] + b[2] + gap / 2 <= a[0] || a[1] + a[3] + gap / 2 <= b[1] || b[1] + b[3] + gap / 2 <= a[1]
