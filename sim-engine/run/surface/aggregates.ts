// Statistics of a sample, whole or by group.
import { FormulaDict, Ref } from '../../formula/runtime/values.ts'
import { show } from '../../formula/runtime/show.ts'
import { extentOf, giniOf, histogramOf, meanOf, quantileOf, sampleVarianceOf } from '../../kernel/descriptive.ts'
import { toNumber } from './numbers.ts'

/** `q` is the quantile asked for; null where a statistic of nothing has no value. */
const aggregate = (kind: string, values: readonly unknown[], q: number): unknown => {
  if (kind === 'list') return [...values]
  if (kind === 'count') return values.filter(value => value !== false).length
  const data = values.map(toNumber)
  const n = data.length
  if (kind === 'sum') return data.reduce((sum, value) => sum + value, 0)
  if (kind === 'histogram') return n === 0 ? [] : histogramOf(data, 20).counts
  if (n === 0) return null
  const sorted = (): Float64Array => Float64Array.from(data).sort()
  switch (kind) {
    case 'min':
      return extentOf(data).low
    case 'max':
      return extentOf(data).high
    case 'std':
      return Math.sqrt(sampleVarianceOf(data))
    case 'var':
      return sampleVarianceOf(data)
    case 'median':
      return quantileOf(sorted(), 0.5)
    case 'quantile':
      return quantileOf(sorted(), q)
    case 'gini':
      return giniOf(data)
    default:
      return meanOf(data)
  }
}

export const aggregateCalls = {
  aggregate,
  aggregateMixed: (kind: string, items: readonly unknown[], q: number): unknown =>
    kind === 'list' ? [...items] : aggregate('count', items, q),
  group(groups: Map<unknown, { key: unknown; values: unknown[] }>, key: unknown, value: unknown): void {
    const id = typeof key === 'object' && key !== null && !(key instanceof Ref) ? show(key) : key
    const known = groups.get(id)
    if (known) known.values.push(value)
    else groups.set(id, { key, values: [value] })
  },
  aggregateGroups(kind: string, groups: ReadonlyMap<unknown, { key: unknown; values: unknown[] }>, q: number): FormulaDict {
    const made = new FormulaDict()
    for (const { key, values } of groups.values())
      made.set(key === '' || key === null ? 'None' : key, aggregate(kind === 'last' ? 'mean' : kind, values, q))
    return made
  },
}
