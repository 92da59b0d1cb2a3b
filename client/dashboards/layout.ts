// The positions of cards on the grid, in columns and rows. Pure: the page, the keys and the tests call the same functions. Cards never
// overlap: placing one pushes down those under it. Documents may contain overlaps - two people place a card at once - so all reading goes
// through `settled`.
import type { Geo, Id } from '../../model-schema/model.ts'

/** A card's cells: left column, top row, columns and rows taken. */
export type Spot = { readonly id: Id; readonly x: number; readonly y: number; readonly w: number; readonly h: number }

/** Most rows of a card, and the last row one may begin in: limits of what a page can draw. */
export const mostRows = 60
const lastRow = 2000

/** CSS pixels. */
export const rowHeight = 40
export const gap = 12

/** On a phone, CSS pixels: as high as it is, but never higher than the screen is wide; numbers take a line. Null: as high as what is in it. */
export function narrowHeight(kind: string, rows: number, type?: unknown): number | null {
  if (kind === 'controller' || kind === 'note' || kind === 'image' || kind === 'cardGroup') return null
  if (kind === 'chart' && type === 'value') return 96
  return Math.min(420, Math.max(200, rows * (rowHeight + gap) - gap))
}

const whole = (value: number, least: number, most: number): number =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, Math.round(value))) : least

/** The spot a geometry means on a grid of this many columns. */
export function spotOf(id: Id, [x, y, w, h]: Geo, columns: number): Spot {
  const width = whole(w, 1, columns)
  return { id, x: whole(x, 0, columns - width), y: whole(y, 0, lastRow), w: width, h: whole(h, 1, mostRows) }
}

export const geoOf = ({ x, y, w, h }: Spot): Geo => [x, y, w, h]

export const overlap = (a: Spot, b: Spot): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

const byPlace = (a: Spot, b: Spot): number => a.y - b.y || a.x - b.x || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Everything in reading order, pushed down until nothing overlaps. The `fixed` one stays where it is. The order of `spots` does not matter. */
export function settled(spots: readonly Spot[], fixed?: Spot): Spot[] {
  const standing: Spot[] = fixed ? [fixed] : []
  for (const spot of spots.filter(one => one.id !== fixed?.id).toSorted(byPlace)) {
    let here = spot
    for (let hit = lowest(standing, here); hit; hit = lowest(standing, here)) here = { ...here, y: hit.y + hit.h }
    standing.push(here)
  }
  return standing.toSorted(byPlace)
}

/** Of those in the way, the one that ends lowest. */
function lowest(standing: readonly Spot[], spot: Spot): Spot | undefined {
  let found: Spot | undefined
  for (const one of standing) if (overlap(one, spot) && (!found || one.y + one.h > found.y + found.h)) found = one
  return found
}

/** The grid after a card was moved or resized: it keeps its new position, overlapped cards move down. */
export function put(spots: readonly Spot[], moved: Spot, columns: number): Spot[] {
  return settled(spots, spotOf(moved.id, geoOf(moved), columns))
}

/** The first place, in reading order, where a card of this size fits. */
export function freeSpot(spots: readonly Spot[], [w, h]: readonly [number, number], columns: number): readonly [number, number] {
  const width = Math.min(columns, w)
  const end = spots.reduce((most, spot) => Math.max(most, spot.y + spot.h), 0)
  for (let y = 0; y < end; y++) {
    for (let x = 0; x + width <= columns; x++) {
      if (!spots.some(spot => overlap(spot, { id: '', x, y, w: width, h }))) return [x, y]
    }
  }
  return [0, end]
}

type Size = readonly [columns: number, rows: number]

/**
 * Places for groups of cards, each group in rows of its own, from row `from` on. There are no holes: the cards of a row share all its columns
 * and are as high as the highest of them; no row of a group has more than one card more than another. `sizes` are those cards would like.
 */
export function inRows(groups: readonly (readonly Size[])[], columns: number, from = 0): Geo[] {
  const places: Geo[] = []
  let y = from
  for (const sizes of groups) {
    const widest = sizes.reduce((most, [w]) => Math.max(most, w), 1)
    const rows = Math.ceil(sizes.length / Math.max(1, Math.floor(columns / widest)))
    for (let row = 0; row < rows; row++) {
      const share = (k: number): number => Math.round((k * sizes.length) / rows)
      const cards = sizes.slice(share(row), share(row + 1))
      const height = cards.reduce((most, [, h]) => Math.max(most, h), 1)
      const left = (k: number): number => Math.round((k * columns) / cards.length)
      for (const k of cards.keys()) places.push([left(k), y, left(k + 1) - left(k), height])
      y += height
    }
  }
  return places
}

/**
 * The grid while some cards take fewer rows than in the document, or none: cards below them move up, and never overlap.
 * `rowsOf` is how many rows a card takes now; 0: it is hidden.
 */
export function folded(spots: readonly Spot[], rowsOf: (spot: Spot) => number): Spot[] {
  const done: { was: Spot; end: number }[] = []
  const now: Spot[] = []
  for (const spot of spots.toSorted(byPlace)) {
    const above = done.filter(({ was }) => was.y + was.h <= spot.y && was.x < spot.x + spot.w && spot.x < was.x + was.w)
    // As far below the nearest as it was.
    const air = spot.y - Math.max(...above.map(({ was }) => was.y + was.h))
    const y = above.length === 0 ? spot.y : Math.max(...above.map(({ end }) => end)) + air
    const rows = Math.min(spot.h, Math.max(0, rowsOf(spot)))
    done.push({ was: spot, end: y + rows })
    if (rows > 0) now.push({ ...spot, y, h: rows })
  }
  return now
}

/** The cards with a changed position. */
export function changes(before: readonly Spot[], after: readonly Spot[]): Spot[] {
  const was = new Map(before.map(spot => [spot.id, spot]))
  return after.filter(spot => {
    const old = was.get(spot.id)
    return !old || old.x !== spot.x || old.y !== spot.y || old.w !== spot.w || old.h !== spot.h
  })
}

/** Rows the grid takes. */
export const depth = (spots: readonly Spot[]): number => spots.reduce((most, { y, h }) => Math.max(most, y + h), 0)

/** The position of a card after an arrow key; with `resize` its lower right corner moves. */
export function nudged(spot: Spot, key: string, resize: boolean): Spot | null {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key]
  if (!step) return null
  const [dx = 0, dy = 0] = step
  return resize ? { ...spot, w: spot.w + dx, h: spot.h + dy } : { ...spot, x: spot.x + dx, y: spot.y + dy }
}
