// The grid of a dashboard: whatever people drag where, cards never overlap, stay on the grid, and nothing moves that need not.
import { describe, expect, it } from 'vitest'
import {
  changes,
  depth,
  freeSpot,
  geoOf,
  inRows,
  narrowHeight,
  nudged,
  overlap,
  put,
  settled,
  spotOf,
  type Spot,
} from '../../../client/dashboards/layout.ts'
import { seeds, type Chance } from '../../help/random.ts'

const columns = 12

/** Calls `check` with many grids as documents may hold them, overlaps included. */
function forGrids(check: (all: Spot[], draw: Chance['below']) => void): void {
  seeds(300, ({ below: draw }) => {
    const all = Array.from({ length: draw(15) }, (_, i) => spotOf(`c${i}`, [draw(12), draw(21), 1 + draw(12), 1 + draw(8)], columns))
    check(all, draw)
  })
}

const collisions = (all: readonly Spot[]): number => all.reduce((sum, a, i) => sum + all.slice(i + 1).filter(b => overlap(a, b)).length, 0)

describe('the grid', () => {
  it('never shows cards that overlap, whatever the document says; each keeps its column and size and only goes down', () => {
    forGrids(all => {
      const shown = settled(all)
      expect(collisions(shown)).toBe(0)
      expect(shown.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
      for (const spot of shown) {
        const own = all.find(({ id }) => id === spot.id)!
        expect([spot.x, spot.w, spot.h]).toEqual([own.x, own.w, own.h])
        expect(spot.y).toBeGreaterThanOrEqual(own.y)
      }
    })
  })

  it('is the same for every order of the cards, and settles once and for all', () => {
    forGrids(all => {
      const shown = settled(all)
      expect(settled(all.toReversed())).toEqual(shown)
      expect(settled(shown)).toEqual(shown)
    })
  })

  it('puts a card exactly where it was dropped and moves only what is in the way', () => {
    forGrids((all, draw) => {
      const [x, y] = [draw(36) - 5, draw(46) - 5]
      const before = settled(all)
      const [first] = before
      if (!first) return
      const after = put(before, { ...first, x, y }, columns)
      expect(collisions(after)).toBe(0)
      const there = after.find(({ id }) => id === first.id)!
      expect(there).toEqual(spotOf(first.id, geoOf({ ...first, x, y }), columns))
      expect(there.x + there.w).toBeLessThanOrEqual(columns)
      // A drop on free cells moves nothing else.
      if (!before.some(one => one.id !== first.id && overlap(one, there)))
        expect(changes(before, after).filter(({ id }) => id !== first.id)).toEqual([])
    })
  })

  it('finds the first free place, or the row below all', () => {
    forGrids((all, draw) => {
      const [w, h] = [1 + draw(12), 1 + draw(6)]
      const standing = settled(all)
      const [x, y] = freeSpot(standing, [w, h], columns)
      const made: Spot = { id: 'new', x, y, w, h }
      expect(standing.filter(one => overlap(one, made))).toEqual([])
      expect(x + w).toBeLessThanOrEqual(columns)
      expect(y).toBeLessThanOrEqual(depth(standing))
    })
    expect(freeSpot([{ id: 'a', x: 0, y: 0, w: 6, h: 4 }], [6, 2], columns)).toEqual([6, 0])
  })

  it('reads any numbers as a place on the grid', () => {
    expect(spotOf('a', [-3, -1, 40, 0], columns)).toEqual({ id: 'a', x: 0, y: 0, w: 12, h: 1 })
    expect(spotOf('a', [NaN, Infinity, 2.4, 3.6], columns)).toEqual({ id: 'a', x: 0, y: 0, w: 2, h: 4 })
  })

  it('arrow keys move, with Shift they resize', () => {
    const spot: Spot = { id: 'a', x: 2, y: 3, w: 4, h: 5 }
    expect(nudged(spot, 'ArrowRight', false)).toMatchObject({ x: 3, y: 3, w: 4, h: 5 })
    expect(nudged(spot, 'ArrowUp', true)).toMatchObject({ x: 2, y: 3, w: 4, h: 4 })
    expect(nudged(spot, 'a', false)).toBeNull()
  })

  it('lays groups of cards out in rows without holes, in their order', () => {
    seeds(300, ({ below: draw }) => {
      const wide = 1 + draw(14)
      const groups = Array.from({ length: draw(4) }, () => Array.from({ length: draw(8) }, () => [1 + draw(14), 1 + draw(8)] as const))
      const from = draw(5)
      const spots = inRows(groups, wide, from).map((geo, i) => spotOf(`c${i}`, geo, wide))
      expect(spots).toHaveLength(groups.flat().length)
      expect(collisions(spots)).toBe(0)
      expect(spots.reduce((sum, { w, h }) => sum + w * h, 0)).toBe(spots.length === 0 ? 0 : wide * (depth(spots) - from))
      expect(settled(spots).map(({ id }) => id)).toEqual(spots.map(({ id }) => id))
    })
  })
})

describe('on a phone', () => {
  it('numbers take a line, what is looked at as much as it has, within the screen, and controls what they need', () => {
    expect(narrowHeight('chart', 3, 'value')).toBe(96)
    expect(narrowHeight('chart', 3, 'line')).toBe(200)
    expect(narrowHeight('worldView', 8)).toBe(404)
    expect(narrowHeight('chart', 20, 'line')).toBe(420)
    expect(narrowHeight('controller', 2)).toBe(null)
  })
})
