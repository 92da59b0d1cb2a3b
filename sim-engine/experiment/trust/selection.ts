// Which of several systems is best, with how many runs of each: optimal computing budget allocation (Chen, Lin, Yucesan, Chick 2000), stopping when
// the approximate probability of a correct selection (Bonferroni) is high enough.
import { normalCdf } from '../distributions.ts'
import { intervalOf } from '../aggregate.ts'

export type Selection = { best: number; /** Probability that it is, or is within the indifference zone of the best. */ probability: number }

/** Values of the replications of each system. Runs that gave none count for nothing. */
export function selectBest(values: readonly ArrayLike<number>[], direction: 'min' | 'max', indifference: number): Selection {
  const sign = direction === 'min' ? 1 : -1
  const figures = values.map(list => intervalOf(list, 0.95))
  const best = figures.reduce((b, one, k) => (figures[b]!.n === 0 || sign * one.mean < sign * figures[b]!.mean ? k : b), 0)
  const top = figures[best]!
  const miss = figures.reduce((sum, { mean, std, n }, k) => {
    // All its runs failed: it is not the best.
    if (k === best || n === 0) return sum
    const spread = Math.sqrt((std * std) / n + (top.std * top.std) / top.n)
    const gap = Math.max(sign * (mean - top.mean), indifference)
    return sum + (spread > 0 ? normalCdf(-gap / spread) : gap > 0 ? 0 : 0.5)
  }, 0)
  return { best, probability: Math.max(0, 1 - miss) }
}

/** How many more runs each system gets of the next `budget`; null when it is known well enough which is best. */
export function allocation(
  values: readonly ArrayLike<number>[],
  direction: 'min' | 'max',
  confidence: number,
  indifference: number,
  budget: number,
): number[] | null {
  const { best, probability } = selectBest(values, direction, indifference)
  if (!(probability < confidence)) return null
  const figures = values.map(list => intervalOf(list, 0.95))
  const top = figures[best]!
  const shares = figures.map(({ n, mean, std }, k) => {
    if (k === best || n === 0) return 0
    const gap = Math.max(Math.abs(mean - top.mean), indifference, 1e-12)
    return Math.max(std / gap, 1e-12) ** 2
  })
  shares[best] =
    top.std * Math.sqrt(figures.reduce((sum, { std }, k) => (k === best || !(std > 0) ? sum : sum + (shares[k]! / std) ** 2), 0))
  const total = shares.reduce((a, b) => a + (Number.isFinite(b) ? b : 0), 0)
  const made = figures.reduce((sum, { n }) => sum + n, 0) + budget
  const wanted = shares.map((share, k) => Math.max(0, Math.round((made * share) / total) - figures[k]!.n))
  const sum = wanted.reduce((a, b) => a + b, 0)
  // At least one run somewhere, and no more than the budget in one round.
  if (!(sum > 0)) return figures.map(() => Math.ceil(budget / figures.length))
  return wanted.map(n => Math.ceil(n * Math.min(1, budget / sum)))
}
