// Rows in the order of numbers. A comparing sort of a million of them would stop for a second.

/**
 * Rows by their values, those without one last, equal ones as they were. Radix sort by digits of 11 bits over the bits of the numbers,
 * which as integers have the order of the numbers once negative ones are inverted.
 */
export function ordered(rows: Int32Array, at: (row: number) => number, down: boolean): Int32Array {
  const { length } = rows
  const bits = new Uint32Array(new Float64Array(1).buffer)
  const number = new Float64Array(bits.buffer)
  const low = new Uint32Array(length)
  const high = new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    const value = at(rows[i]!)
    // The two zeros are one.
    number[0] = value === 0 ? 0 : value
    const negative = bits[1]! >>> 31 === 1
    const turn = negative !== down ? 0xffffffff : 0
    low[i] = bits[0]! ^ turn
    high[i] = bits[1]! ^ turn ^ (negative ? 0 : 0x80000000)
    if (Number.isNaN(value)) low[i] = high[i] = 0xffffffff
  }
  let order = Int32Array.from({ length }, (_, i) => i)
  let next = new Int32Array(length)
  for (let digit = 0; digit < 6; digit++) {
    const word = digit < 3 ? low : high
    const shift = (digit % 3) * 11
    const starts = new Int32Array(2049)
    for (let i = 0; i < length; i++) starts[((word[i]! >>> shift) & 2047) + 1]!++
    for (let k = 1; k < 2049; k++) starts[k]! += starts[k - 1]!
    for (let i = 0; i < length; i++) next[starts[(word[order[i]!]! >>> shift) & 2047]!++] = order[i]!
    ;[order, next] = [next, order]
  }
  return order.map(i => rows[i]!)
}
