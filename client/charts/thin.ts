// Long series in as few rows as a screen can show: of every pixel column the first, least, greatest and last value of each series, so that
// the line drawn is the same. M4: Jugel, Jerzak, Hackenbroich and Markl, "M4: A Visualization-Oriented Time Series Data Aggregation", PVLDB
// 7(10), 2014. All series share their x; within a pixel column an extreme may thus have the x of another row of that column.

/** Rows kept of a pixel column. */
export const perPixel = 4

/** x in ascending order, then one column per series; at most `perPixel` rows for each of `pixels`. What is short enough comes back as it is. */
export function thinned(data: readonly Float64Array[], pixels: number): readonly Float64Array[] {
  const [x, ...columns] = data
  if (!x || pixels < 1 || x.length <= pixels * perPixel) return data
  const from = x[0] ?? 0
  const width = (x[x.length - 1] ?? 0) - from
  if (!(width > 0)) return data
  const pixelOf = (row: number): number => Math.min(pixels - 1, Math.floor((((x[row] ?? 0) - from) / width) * pixels))
  const rows = data.map(() => new Float64Array(pixels * perPixel))
  let length = 0
  const keep = (to: number, row: number): void => data.forEach((column, i) => void ((rows[i] ?? column)[to] = column[row] ?? NaN))
  for (let start = 0; start < x.length;) {
    const pixel = pixelOf(start)
    let end = start + 1
    while (end < x.length && pixelOf(end) === pixel) end++
    // Not a course over x but a path: every row counts.
    if (pixel < 0 || (end < x.length && pixelOf(end) < pixel)) return data
    if (end - start <= perPixel) {
      for (let row = start; row < end; row++) keep(length++, row)
    } else {
      keep(length, start)
      keep(length + 1, start + 1)
      keep(length + 2, end - 2)
      keep(length + 3, end - 1)
      for (const [series, column] of columns.entries()) extremes(column, start, end, rows[series + 1], length + 1)
      length += perPixel
    }
    start = end
  }
  return rows.map(column => column.subarray(0, length))
}

/** Writes the least and the greatest value of [start, end) in the order they came; NaN, a gap, only where all are. */
function extremes(column: Float64Array, start: number, end: number, out: Float64Array | undefined, at: number): void {
  let low = NaN
  let high = NaN
  let lowAt = 0
  let highAt = 0
  for (let row = start; row < end; row++) {
    const value = column[row] ?? NaN
    if (Number.isNaN(value)) continue
    if (!(low <= value)) {
      low = value
      lowAt = row
    }
    if (!(high >= value)) {
      high = value
      highAt = row
    }
  }
  if (!out) return
  out[at] = lowAt <= highAt ? low : high
  out[at + 1] = lowAt <= highAt ? high : low
}
