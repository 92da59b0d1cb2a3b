// One measured figure, printed as a JSON line.

/** `ratio` is value / baseline where there is a baseline in the same run; `note` says what was computed. */
export type Figure = { name: string; value: number; unit: string; baseline?: number; ratio?: number; note?: string }

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
  const short = (value: number | undefined) => (value === undefined ? undefined : Number(value.toPrecision(4)))
  console.log(JSON.stringify({ ...figure, value: short(figure.value), baseline: short(figure.baseline), ratio: short(figure.ratio) }))
}
