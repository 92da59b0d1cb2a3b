// Positions of small charts: a grid of equal rectangles that fills the whole.

export type Rect = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

/** As many columns as make rectangles about half as high again as wide at most. */
export function rectangles(count: number, { left, top, width, height }: Rect, gap = 8): Rect[] {
  let columns = 1
  let best = -Infinity
  for (let tried = 1; tried <= count; tried++) {
    const rows = Math.ceil(count / tried)
    const shape = width / tried / (height / rows)
    // Wider than high reads best; what is left empty counts against it.
    const score = -Math.abs(Math.log(shape / 1.6)) - (tried * rows - count) * 0.3
    if (score > best) [best, columns] = [score, tried]
  }
  const rows = Math.ceil(count / columns)
  const w = (width - gap * (columns - 1)) / columns
  const h = (height - gap * (rows - 1)) / rows
  return Array.from({ length: count }, (_, i) => ({
    left: left + (i % columns) * (w + gap),
    top: top + Math.floor(i / columns) * (h + gap),
    width: w,
    height: h,
  }))
}
