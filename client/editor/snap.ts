// Snapping: a dragged box takes the edges and centre lines of its neighbours, else the 4-unit grid, and says which
// lines it took so that they can be drawn.
import type { Box } from './geometry.ts'

export type Guide = { readonly axis: 'x' | 'y'; readonly at: number; readonly from: number; readonly to: number }

export type Snap = { readonly dx: number; readonly dy: number; readonly guides: readonly Guide[] }

/** Grid pitch in canvas units. */
export const grid = 4

export const toGrid = (value: number): number => Math.round(value / grid) * grid

/** The shift that brings `box` onto a line of one of `others` closer than `reach` (canvas units), else onto the grid. */
export function snapped(box: Box, others: readonly Box[], reach: number): Snap {
  const x = nearestLine(
    linesOf(box.x, box.w),
    others.map(o => linesOf(o.x, o.w)),
    reach,
  )
  const y = nearestLine(
    linesOf(box.y, box.h),
    others.map(o => linesOf(o.y, o.h)),
    reach,
  )
  const dx = x?.shift ?? toGrid(box.x) - box.x
  const dy = y?.shift ?? toGrid(box.y) - box.y
  const guides: Guide[] = []
  const moved = { ...box, x: box.x + dx, y: box.y + dy }
  if (x) guides.push(guideThrough('x', x.at, moved, others))
  if (y) guides.push(guideThrough('y', y.at, moved, others))
  return { dx, dy, guides }
}

type Lines = readonly [start: number, middle: number, end: number]

const linesOf = (start: number, length: number): Lines => [start, start + length / 2, start + length]

// Middles go with middles, edges with edges: an edge on a neighbour's centre line is an accident, not an alignment.
function nearestLine(own: Lines, others: readonly Lines[], reach: number): { at: number; shift: number } | null {
  let best: { at: number; shift: number } | null = null
  const consider = (mine: number, theirs: number): void => {
    const shift = theirs - mine
    if (Math.abs(shift) <= reach && (!best || Math.abs(shift) < Math.abs(best.shift))) best = { at: theirs, shift }
  }
  for (const [start, middle, end] of others) {
    consider(own[1], middle)
    for (const mine of [own[0], own[2]]) for (const theirs of [start, end]) consider(mine, theirs)
  }
  return best
}

function guideThrough(axis: 'x' | 'y', at: number, box: Box, others: readonly Box[]): Guide {
  const near = 0.01
  let from = axis === 'x' ? box.y : box.x
  let to = axis === 'x' ? box.y + box.h : box.x + box.w
  for (const other of others) {
    const lines = axis === 'x' ? linesOf(other.x, other.w) : linesOf(other.y, other.h)
    if (!lines.some(line => Math.abs(line - at) < near)) continue
    from = Math.min(from, axis === 'x' ? other.y : other.x)
    to = Math.max(to, axis === 'x' ? other.y + other.h : other.x + other.w)
  }
  return { axis, at, from, to }
}
