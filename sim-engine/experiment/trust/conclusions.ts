// What the results say, at any moment of an experiment: intervals, comparisons, effects, fronts, fits. Functions of the results alone.
import { stream } from '../../kernel/random.ts'
import { quantileOf } from '../../kernel/descriptive.ts'
import { aggregated, intervalOf, meanInterval, type Interval } from '../aggregate.ts'
import { lossOf, type Loss } from '../calibrate.ts'
import { elementaryEffects, sobolIndices, type ElementaryEffects, type SobolIndex } from '../explore/sensitivity.ts'
import { hypervolume } from '../optimise/indicators.ts'
import { nondominated } from '../optimise/ranking.ts'
import type { Score } from '../optimise/search.ts'
import type { Prepared } from '../prepare.ts'
import type { Sample } from '../protocol.ts'
import type { Results } from '../results.ts'
import { selectBest, type Selection } from './selection.ts'
import { morrisOf } from '../explore/points.ts'
import { mostRuns, oftenRun, scoreOf } from '../studies.ts'

/** Points with all their runs. */
export const finishedPoints = (results: Results): number[] =>
  results.points.flatMap((_, point) => (results.isFinished(point) ? [point] : []))

/** Monte Carlo: the interval of each measure for each alternative (points are alternatives there). */
export const intervals = (prepared: Prepared, results: Results): Interval[][] =>
  results.points.map((_, point) => intervalsAt(prepared, results, point))

/** Of each measure at one point. */
export const intervalsAt = ({ experiment }: Prepared, results: Results, point: number): Interval[] =>
  results.measures.map((_, measure) => meanInterval(results.valuesAt(point, measure), experiment.confidence))

/**
 * Monte Carlo: intervals that hold all at once with the confidence of a single one (Bonferroni): each has its share of the error probability.
 * Null where there is a single interval.
 */
export function jointIntervals({ experiment }: Prepared, results: Results): { confidence: number; intervals: Interval[][] } | null {
  const count = results.points.length * results.measures.length
  if (count < 2) return null
  const confidence = 1 - (1 - experiment.confidence) / count
  const joint = results.points.map((_, point) =>
    results.measures.map((_, measure) => meanInterval(results.valuesAt(point, measure), confidence)),
  )
  return { confidence, intervals: joint }
}

/** Monte Carlo with several alternatives: the interval of the paired difference of each to the first, by measure. */
export function differences({ experiment }: Prepared, results: Results): Interval[][] {
  return results.points.slice(1).map((_, k) =>
    results.measures.map((_, measure) => {
      const base = results.valuesAt(0, measure)
      const own = results.valuesAt(k + 1, measure)
      // Replication i has one seed everywhere, so values pair up.
      return intervalOf(
        own.subarray(0, base.length).map((value, i) => value - base[i]!),
        experiment.confidence,
      )
    }),
  )
}

export function selection({ experiment, measured }: Prepared, results: Results): Selection | null {
  const [objective] = experiment.objectives
  if (!objective || results.points.length < 2) return null
  return selectBest(
    results.points.map((_, point) => results.valuesAt(point, measured.objectives[0]!)),
    objective.direction,
    experiment.indifference,
  )
}

/** Morris screening: effects by measure and decision variable; null while paths are missing. */
export function effects(prepared: Prepared, results: Results): ElementaryEffects[][] | null {
  if (prepared.experiment.design !== 'morris') return null
  const paths = morrisOf(prepared)
  const dimensions = prepared.free.length
  const known = knownTrials(results)
  const done = paths.filter((_, p) => (p + 1) * (dimensions + 1) <= known)
  if (done.length === 0) return null
  return results.measures.map((_, measure) =>
    elementaryEffects(
      done,
      done.map((path, p) => path.points.map((_, i) => meanAt(results, results.trials[p * (dimensions + 1) + i]!, measure))),
      dimensions,
    ),
  )
}

/** Sobol's indices by measure and decision variable, from whole blocks of the design. */
export function indices(prepared: Prepared, results: Results): SobolIndex[][] | null {
  const { experiment, free } = prepared
  if (experiment.design !== 'sobolIndices') return null
  const width = free.length + 2
  const whole = Math.floor(knownTrials(results) / width) * width
  if (whole === 0) return null
  return results.measures.map((_, measure) =>
    sobolIndices(
      results.trials.slice(0, whole).map(point => meanAt(results, point, measure)),
      free.length,
      experiment.confidence,
      stream(experiment.seed, measure, 'bootstrap'),
    ),
  )
}

/** How many trials from the first on have all their runs. */
function knownTrials(results: Results): number {
  const open = results.trials.findIndex(point => !results.runsOf(point).every(results.isKnown))
  return open < 0 ? results.trials.length : open
}

const meanAt = (results: Results, point: number, measure: number): number => aggregated(results.valuesAt(point, measure), 'mean')

type ScoredPoint = Score & { readonly point: number }

/** The score of every point that is done, forbidden ones left out. Objectives are all to be made small. */
export const scores = (prepared: Prepared, results: Results): ScoredPoint[] =>
  finishedPoints(results).map(point => ({ point, ...scoreOf(prepared, { samples: samplesAt(results, point), violation: 0 }) }))

const samplesAt = (results: Results, point: number): Sample[] => results.runsOf(point).flatMap(run => results.sampleOf(run) ?? [])

/** Optimisation: the points no other is better than in every objective; with one objective the best. Of those that were confirmed, once they are. */
export function front(prepared: Prepared, results: Results): ScoredPoint[] {
  const all = scores(prepared, results).filter(({ objectives }) => objectives.every(Number.isFinite))
  const runs = ({ point }: ScoredPoint): number => results.runsOf(point).length
  const confirmed = all.filter(one => runs(one) > mostRuns(prepared))
  const best = nondominated(confirmed.length > 0 ? confirmed : oftenRun(all, runs))
  return prepared.space.objectives === 1 ? best.slice(0, 1) : best.sort((a, b) => a.objectives[0]! - b.objectives[0]!)
}

/** The volume a front covers, with all objectives in units of the extent of all points seen (reference at 1.1). */
export const frontVolume = (prepared: Prepared, results: Results): number => volumes(prepared, results, 1).at(-1)?.volume ?? 0

/** How that volume grew: at up to so many moments, after how many points. All in the units of the points seen until now, so that it never falls. */
export function volumes(prepared: Prepared, results: Results, moments: number): { points: number; volume: number }[] {
  const all = scores(prepared, results)
  const usable = all.map(({ violation, objectives }) => violation === 0 && objectives.every(Number.isFinite))
  const low = Array.from({ length: prepared.space.objectives }, () => Infinity)
  const high = low.map(() => -Infinity)
  all.forEach(({ objectives }, i) => {
    if (!usable[i]) return
    objectives.forEach((value, k) => {
      low[k] = Math.min(low[k]!, value)
      high[k] = Math.max(high[k]!, value)
    })
  })
  const reference = low.map(() => 1.1)
  const found: { points: number; volume: number }[] = []
  let best: ScoredPoint[] = []
  let from = 0
  for (let moment = 1; moment <= moments; moment++) {
    const to = Math.round((all.length * moment) / moments)
    if (to === from) continue
    best = nondominated([...best, ...all.slice(from, to).filter((_, i) => usable[from + i])])
    const inUnits = best.map(({ objectives }) => objectives.map((value, k) => (value - low[k]!) / (high[k]! - low[k]! || 1)))
    found.push({ points: to, volume: hypervolume(inUnits, reference) })
    from = to
  }
  return found
}

/** Best objective (or loss) after each point, for one objective; infeasible points don't count. */
export function convergence(prepared: Prepared, results: Results): number[] {
  let best = Infinity
  return scores(prepared, results).map(({ violation, objectives }) => {
    if (violation === 0) best = Math.min(best, objectives[0]!)
    return best
  })
}

type Fit = { readonly point: number; readonly loss: Loss }

/** Calibration: the point of least loss. */
export function bestFit(prepared: Prepared, results: Results): Fit | null {
  let best: Fit | null = null
  for (const point of finishedPoints(results)) {
    const loss = lossOf(prepared, samplesAt(results, point))
    if (!Number.isNaN(loss.fitted) && (best === null || loss.fitted < best.loss.fitted)) best = { point, loss }
  }
  return best
}

type Posterior = {
  readonly accepted: readonly number[]
  readonly tolerance: number
  readonly variables: readonly { mean: number; std: number; q05: number; q95: number }[]
}

/** Approximate Bayesian computation by rejection: the accepted share of the prior samples, and what it says of each variable. */
export function posterior(prepared: Prepared, results: Results): Posterior | null {
  const fits = finishedPoints(results)
    .map(point => ({ point, loss: lossOf(prepared, samplesAt(results, point)).fitted }))
    .filter(({ loss }) => !Number.isNaN(loss))
    .sort((a, b) => a.loss - b.loss || a.point - b.point)
  const accepted = fits.slice(0, Math.max(1, Math.round(fits.length * prepared.experiment.accepted)))
  const last = accepted.at(-1)
  if (!last) return null
  const variables = prepared.free.map((_, k) => {
    const values = accepted.map(({ point }) => Number(results.points[point]!.settings[k]))
    const sorted = Float64Array.from(values).sort()
    const { mean, std } = intervalOf(values, 0.95)
    return { mean, std, q05: quantileOf(sorted, 0.05), q95: quantileOf(sorted, 0.95) }
  })
  return { accepted: accepted.map(({ point }) => point), tolerance: last.loss, variables }
}

/** A variable the data says little about: moved by a tenth of its range from the best point, it fits as well. */
type Unidentified = {
  readonly variable: number
  /** What moving it costs, as a share of what the median point costs. */ readonly cost: number
}

/** From the trials that a calibration makes around its best point when it is over; before that nothing is known. */
export function unidentified(prepared: Prepared, results: Results): Unidentified[] {
  const best = bestFit(prepared, results)
  if (best === null) return []
  const losses = finishedPoints(results)
    .map(point => lossOf(prepared, samplesAt(results, point)).fitted)
    .filter(Number.isFinite)
  const scale = quantileOf(Float64Array.from(losses).sort(), 0.5) - best.loss.fitted
  const around = results.trials.slice(-2 * prepared.free.length)
  return prepared.free.flatMap((_, variable) => {
    const moved = around.slice(2 * variable, 2 * variable + 2).filter(point => onlyDiffers(results, best.point, point, variable))
    if (moved.length === 0 || !(scale > 0)) return []
    const cost = Math.max(...moved.map(point => lossOf(prepared, samplesAt(results, point)).fitted - best.loss.fitted)) / scale
    return cost < 0.001 ? [{ variable, cost }] : []
  })
}

const onlyDiffers = (results: Results, a: number, b: number, variable: number): boolean =>
  results.points[a]!.settings.every((value, k) => (value === results.points[b]!.settings[k]) === (k !== variable))
