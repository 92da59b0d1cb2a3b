// What makes the figures of an experiment say less than they seem to: told beside them, in both languages.
import { say, type Words } from '../../model-schema/kinds/kind.ts'
import type { Prepared } from './prepare.ts'
import type { Results } from './results.ts'

export type Warning = {
  readonly code: 'failed-runs' | 'skewed' | 'alike' | 'single-run'
  readonly words: Words
}

/** Intervals of skewed values cover less than they say below so many of them: 25 times the square of the skewness (Cochran 1977). */
const cochran = 25

export function warningsOf(prepared: Prepared, results: Results): Warning[] {
  const { experiment } = prepared
  const { failed, known } = results
  const found: Warning[] = []
  const averages = experiment.type === 'monteCarlo' || experiment.type === 'exploration'
  if (failed > 0 && averages)
    found.push({
      code: 'failed-runs',
      words: say(
        `${failed} of ${known} runs failed and are in no mean or interval: what is told is of the runs that did not fail, and biased if those that failed are different.`,
        `${known} 次运行中有 ${failed} 次失败，均值和区间不包含它们：结果只反映未失败的运行；若失败的运行有所不同，结果会有偏差。`,
      ),
    })
  if (failed > 0 && !averages) {
    const { partly, wholly } = pointsWithFailures(results)
    found.push({
      code: 'failed-runs',
      words: say(
        `${failed} of ${known} runs failed and are left out. ${partly} points are estimated from their other runs, and biased if those that failed are different; ${wholly} points without a run that succeeded count as the worst there are.`,
        `${known} 次运行中有 ${failed} 次失败，不计入结果。${partly} 个点由其余运行估计，若失败的运行有所不同，估计会有偏差；${wholly} 个点没有成功的运行，被视为最差。`,
      ),
    })
  }
  if (experiment.type === 'monteCarlo') found.push(...ofMeans(prepared, results))
  return found
}

/** How many points have some failed runs, and how many have no others. */
function pointsWithFailures(results: Results): { partly: number; wholly: number } {
  let partly = 0
  let wholly = 0
  for (const [point] of results.points.entries()) {
    const runs = results.runsOf(point).filter(results.isKnown)
    const failed = runs.filter(run => results.endOf(run) === 'failed').length
    if (failed > 0 && failed === runs.length) wholly++
    else if (failed > 0) partly++
  }
  return { partly, wholly }
}

/** Of the means of a Monte Carlo experiment, at most one of a kind for each measure. */
function* ofMeans({ experiment, alternatives }: Prepared, results: Results): Generator<Warning, void> {
  for (const [measure, { label }] of results.measures.entries()) {
    const skewed: string[] = []
    const alike: string[] = []
    let single = false
    let fewest = Infinity
    let needed = 0
    for (const [point, { alternative }] of results.points.entries()) {
      const values = results.valuesAt(point, measure)
      const { n, skewness } = skewnessOf(values)
      const of = results.points.length > 1 ? ` (${alternatives[alternative]?.name ?? ''})` : ''
      if (n === 1) single = true
      if (n < 2) continue
      fewest = Math.min(fewest, n)
      // Where nobody asked how many would do, it may be an output that chance has no part in.
      if (skewness === null && experiment.until === 'interval') alike.push(`${label}${of}`)
      else if (skewness === null) continue
      else if (n < cochran * skewness * skewness) {
        skewed.push(`${label}${of}`)
        needed = Math.max(needed, Math.ceil(cochran * skewness * skewness))
      }
    }
    if (single)
      yield {
        code: 'single-run',
        words: say(`"${label}": a single run says nothing of how much chance matters.`, `“${label}”：单次运行无法说明随机性的影响。`),
      }
    const [first] = skewed
    if (first !== undefined)
      yield {
        code: 'skewed',
        words: say(
          `"${first}": ${fewest} values as skewed as these are few, so the interval covers the mean less often than it says; about ${needed} would do.`,
          `“${first}”：数值偏斜，${fewest} 个太少，区间包含均值的概率低于标称值；约需 ${needed} 个。`,
        ),
      }
    const [same] = alike
    if (same !== undefined)
      yield {
        code: 'alike',
        words: say(
          `"${same}": all ${fewest} runs gave one value. What happens in fewer than ${Math.min(100, Math.ceil(300 / fewest))} % of runs may not have been seen.`,
          `“${same}”：${fewest} 次运行结果相同。发生率低于 ${Math.min(100, Math.ceil(300 / fewest))}% 的情况可能未被观察到。`,
        ),
      }
  }
}

/** Of the values that are not NaN; the skewness is null when all are the same. */
function skewnessOf(values: Float64Array): { n: number; skewness: number | null } {
  let n = 0
  let sum = 0
  for (const value of values) {
    if (Number.isNaN(value)) continue
    sum += value
    n++
  }
  const mean = sum / n
  let second = 0
  let third = 0
  for (const value of values) {
    if (Number.isNaN(value)) continue
    const away = value - mean
    second += away * away
    third += away * away * away
  }
  return { n, skewness: second > 0 ? third / n / (second / n) ** 1.5 : null }
}
