// Reasons for which the figures of an experiment say less than they seem to: shown with them, in both languages.
import type { Prepared } from '../prepare.ts'
import type { Results } from '../results.ts'
import { say, type Words } from '../../../model-schema/words.ts'

type Warning = {
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
        '{failed} of {known} runs failed and are in no mean or interval: what is told is of the runs that did not fail, and biased if those that failed are different.',
        { failed, known },
      ),
    })
  if (failed > 0 && !averages) {
    const { partly, wholly } = pointsWithFailures(results)
    found.push({
      code: 'failed-runs',
      words: say(
        '{failed} of {known} runs failed and are left out. {partly} points are estimated from their other runs, and biased if those that failed are different; {wholly} points without a run that succeeded count as the worst there are.',
        { failed, known, partly, wholly },
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
      // Without a requested precision, it may be an output that does not depend on chance.
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
        words: say('"{label}": a single run says nothing of how much chance matters.', { label }),
      }
    const [first] = skewed
    if (first !== undefined)
      yield {
        code: 'skewed',
        words: say(
          '"{first}": {fewest} values as skewed as these are few, so the interval covers the mean less often than it says; about {needed} would do.',
          { first, fewest, needed },
        ),
      }
    const [same] = alike
    if (same !== undefined)
      yield {
        code: 'alike',
        words: say('"{same}": all {fewest} runs gave one value. What happens in fewer than {min} % of runs may not have been seen.', {
          same,
          fewest,
          min: Math.min(100, Math.ceil(300 / fewest)),
        }),
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
