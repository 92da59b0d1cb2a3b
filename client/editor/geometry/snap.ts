// Snapping: a dragged box takes the edges and centre lines of its neighbours, else a place with equal gaps in its row or column, else the 4-unit
// grid, and says which lines and gaps it took so that they can be drawn.
import { overlaps, type Box } from './geometry.ts'

/** A line at `at` of an axis, from one end to the other of the other axis. */
export type Guide = { readonly axis: 'x' | 'y'; readonly at: number; readonly from: number; readonly to: number }

/** The space between two boxes along an axis, drawn at `at` of the other. */
export type Gap = Guide

type Snap = { readonly dx: number; readonly dy: number; readonly guides: readonly Guide[]; readonly gaps: readonly Gap[] }

/** Grid pitch in canvas units. */
const grid = 4

export const toGrid = (value: number): number => Math.round(value / grid) * grid

/** The shift that brings `box` onto a line of one of `others` or between equal gaps, closer than `reach` (canvas units), else onto the grid. */
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
  const across = x ? null : equalGaps('x', box, others, reach)
  const down = y ? null : equalGaps('y', box, others, reach)
  const dx = x?.shift ?? across ?? toGrid(box.x) - box.x
  const dy = y?.shift ?? down ?? toGrid(box.y) - box.y
  const guides: Guide[] = []
  const moved = { ...box, x: box.x + dx, y: box.y + dy }
  if (x) guides.push(guideThrough('x', x.at, moved, others))
  if (y) guides.push(guideThrough('y', y.at, moved, others))
  return { dx, dy, guides, gaps: [...gapsAround('x', moved, others), ...gapsAround('y', moved, others)] }
}

type Stretch = { readonly from: number; readonly to: number }

const along = (axis: 'x' | 'y', box: Box): Stretch =>
  axis === 'x' ? { from: box.x, to: box.x + box.w } : { from: box.y, to: box.y + box.h }

/** The stretches along an axis of the boxes in the row (or column) of a box, in order, without those that lie over one another. */
function row(axis: 'x' | 'y', box: Box, others: readonly Box[]): Stretch[] {
  const other = along(axis === 'x' ? 'y' : 'x', box)
  const band =
    axis === 'x'
      ? { x: -1e9, w: 2e9, y: other.from, h: other.to - other.from }
      : { y: -1e9, h: 2e9, x: other.from, w: other.to - other.from }
  const found: Stretch[] = []
  for (const one of others
    .filter(near => overlaps(near, band))
    .map(near => along(axis, near))
    .toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && one.from < last.to) found[found.length - 1] = { from: last.from, to: Math.max(last.to, one.to) }
    else found.push(one)
  }
  return found
}

/**
 * The shift along an axis after which the gaps around the box are equal, to each other or to the next one in its row; null when none is in
 * reach.
 */
function equalGaps(axis: 'x' | 'y', box: Box, others: readonly Box[], reach: number): number | null {
  const own = along(axis, box)
  const middle = (own.from + own.to) / 2
  const stretches = row(axis, box, others)
  const before = stretches.filter(one => (one.from + one.to) / 2 < middle)
  const after = stretches.filter(one => (one.from + one.to) / 2 >= middle)
  const [a, b] = [before.at(-1), after[0]]
  const wanted: number[] = []
  if (a && b && b.from - a.to >= own.to - own.from) wanted.push((a.to + b.from) / 2 - middle)
  const [c, d] = [before.at(-2), after[1]]
  if (a && c) wanted.push(a.to + (a.from - c.to) - own.from)
  if (b && d) wanted.push(b.from - (d.from - b.to) - own.to)
  const near = wanted.filter(shift => Math.abs(shift) <= reach).toSorted((p, q) => Math.abs(p) - Math.abs(q))
  return near[0] ?? null
}

/** The gaps next to a box that equal another gap in its row, and those: all are drawn. */
function gapsAround(axis: 'x' | 'y', box: Box, others: readonly Box[]): Gap[] {
  const own = along(axis, box)
  const stretches = row(axis, box, others)
  if (stretches.some(one => one.from < own.to && own.from < one.to)) return []
  const at = [...stretches, own].toSorted((p, q) => p.from - q.from)
  const mine = at.indexOf(own)
  const gaps = at.slice(1).map((next, i) => ({ from: at[i]?.to ?? next.from, to: next.from, beside: i === mine || i + 1 === mine }))
  // Only what is next to it, or one further: equal gaps far away are no help.
  const near = gaps.slice(Math.max(0, mine - 2), mine + 2)
  const size = ({ from, to }: Stretch): number => to - from
  const line = axis === 'x' ? box.y + box.h / 2 : box.x + box.w / 2
  return near
    .filter(gap => near.some(one => one !== gap && (one.beside || gap.beside) && size(gap) > 0 && Math.abs(size(one) - size(gap)) < 0.01))
    .map(({ from, to }) => ({ axis, at: line, from, to }))
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
