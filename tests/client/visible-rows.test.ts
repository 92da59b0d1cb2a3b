// Lists of any length: which rows are drawn, and where.
import { expect, it } from 'vitest'
import { visibleRows } from '../../client/ui/gestures/visible-rows.ts'

it('visible rows: those in sight and a few around them', () => {
  const at = (top: number) => visibleRows(100, 20, 3, top, 200)
  expect([at(0).first, at(0).last]).toEqual([0, 13])
  expect([at(1000).first, at(1000).last]).toEqual([47, 63])
  expect([at(1800).first, at(1800).last]).toEqual([87, 100])
  expect([at(1000).height, at(1000).topOf(50), at(0).room]).toEqual([2000, 1000, 16])
})

it('visible rows: none of an empty list, and none after its end when it became shorter', () => {
  const none = visibleRows(0, 20, 3, 0, 200)
  expect([none.first, none.last, none.height]).toEqual([0, 0, 0])
  const short = visibleRows(5, 20, 3, 4000, 200)
  expect([short.first, short.last]).toEqual([5, 5])
})

it('visible rows: a list taller than browsers can lay out is reached from its first row to its last', () => {
  const count = 5_000_000
  const [height, rowHeight] = [480, 28]
  const { height: bar } = visibleRows(count, rowHeight, 4, 0, height)
  expect(bar).toBe(8_000_000)
  expect(visibleRows(count, rowHeight, 4, 0, height).first).toBe(0)
  const end = visibleRows(count, rowHeight, 4, bar - height, height)
  expect(end.last).toBe(count)
  // The last row ends where the list does.
  expect(end.topOf(count - 1) + rowHeight).toBeCloseTo(bar, 3)
  // Rows in sight are drawn in sight, at every position of the bar.
  for (const top of [1, 12_345, 4_000_000.5, 7_999_000]) {
    const seen = visibleRows(count, rowHeight, 4, top, height)
    expect(seen.topOf(seen.first)).toBeLessThanOrEqual(top)
    expect(seen.topOf(seen.last)).toBeGreaterThanOrEqual(Math.min(top + height, bar))
  }
})
