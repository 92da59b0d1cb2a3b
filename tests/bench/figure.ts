// One measured figure, printed as a JSON line.

/**
 * `ratio` is value / baseline where there is a baseline in the same run; `cpp` what C++ would take here, by the share of the
 * baseline it took when both were measured, and `cppRatio` is value / cpp; `note` says what was computed.
 */
export type Figure = {
  name: string
  value: number
  unit: string
  baseline?: number
  ratio?: number
  cpp?: number
  cppRatio?: number
  note?: string
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Milliseconds of this thread's work: what others do on the machine meanwhile does not count. */
export function worked(act: () => unknown): number {
  const before = process.threadCpuUsage()
  act()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

export function print(figure: Figure): void {
  const short = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  console.log(JSON.stringify(figure, short))
}
