// The series of a what-if, for the charts of the run it was forked from.
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Id } from '../../model-schema/model.ts'
import { seldom, useRunView } from './RunProvider.tsx'
import type { SeriesBuffer } from './series.ts'

/** The rows of a chart in the what-if, if there is one; those before `since` (an x) are the run's own. */
export function useForkSeries(chart: Id): { readonly buffer: SeriesBuffer; readonly since: number } | null {
  const fork = useRunView(view => view.fork)
  const subscribe = useCallback((changed: () => void) => fork?.run.subscribe(changed) ?? (() => {}), [fork])
  const now = () => fork?.run.getState().series.get(chart) ?? null
  const buffer = useSyncExternalStore(subscribe, now, now)
  // Buffers fill in place: what shows their values is drawn again now and then.
  const [, redraw] = useState(0)
  useEffect(() => (fork ? seldom(fork.run, 120, () => redraw(count => count + 1)) : undefined), [fork])
  return fork && buffer ? { buffer, since: fork.tick } : null
}

/**
 * Rows of a run and, behind its columns, those of a what-if from `since` on, over the x of both. Both are in order of x; where
 * one has no row it has null.
 */
export function overlaid(
  own: readonly ArrayLike<number | null>[],
  other: readonly ArrayLike<number | null>[],
  since: number,
): (number | null)[][] {
  const [x = [], ...columns] = own
  const [otherX = [], ...otherColumns] = other
  const made: (number | null)[][] = Array.from({ length: own.length + otherColumns.length }, () => [])
  let i = 0
  let j = 0
  while (j < otherX.length && (otherX[j] ?? 0) < since) j++
  while (i < x.length || j < otherX.length) {
    const a = i < x.length ? (x[i] ?? Infinity) : Infinity
    const b = j < otherX.length ? (otherX[j] ?? Infinity) : Infinity
    const at = Math.min(a, b)
    made[0]!.push(at)
    columns.forEach((column, k) => made[k + 1]!.push(a === at ? (column[i] ?? null) : null))
    otherColumns.forEach((column, k) => made[k + own.length]!.push(b === at ? (column[j] ?? null) : null))
    if (a === at) i++
    if (b === at) j++
    // No number: neither would move on.
    if (!(a === at) && !(b === at)) break
  }
  return made
}
