// What an experiment asks for next, by its type: a generator of batches of trials that receives their results. It depends on nothing else, so
// the same samples give the same trials: an interrupted experiment starts again and receives the known samples.
import type { Constraint } from '../../model-schema/experiment.ts'
import { stream } from '../kernel/random.ts'
import type { Prepared } from './prepare.ts'
import { violationOf } from './constraints.ts'
import type { Sample } from './protocol.ts'
import { aggregated, meanIntervalOf, RunningMoments } from './aggregate.ts'
import { lossOf } from './calibrate.ts'
import { explored, pointCount } from './explore/points.ts'
import { algorithms, automatic, reassessing } from './optimise.ts'
import { nondominated } from './optimise/ranking.ts'
import { bestOf, compareSingle, fit, highOf, lowOf, randomPoint, type Point, type Score, type Solution } from './optimise/search.ts'
import { allocation } from './trust/selection.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** A point with the replications of it that are wanted. `point` null: whatever the model itself says. */
export type Trial = { readonly alternative: number; readonly point: Point | null; readonly replications: readonly number[] }

/** What a trial gave: the samples in the order asked for; none when the constraints on inputs forbid the point. */
export type Outcome = { readonly samples: readonly Sample[]; /** Of the constraints on inputs. */ readonly violation: number }

type Study = Generator<readonly Trial[], void, readonly Outcome[]>

/** Trials answered at a time, and replications in one, where nothing has to be waited for. */
const batch = 512

/**
 * Whether all trials are known before any run is made: then the study never looks at what its trials gave, and its runs can be made in any order and
 * place.
 */
export function isPlanned(prepared: Prepared): boolean {
  const { type, design, until, fit } = prepared.experiment
  if (type === 'exploration') return design !== 'live'
  if (type === 'calibration') return fit === 'abc'
  return type === 'monteCarlo' && until === 'fixed' && !selecting(prepared)
}

/** The study of an experiment. `live` exploration asks for nothing. */
export function studyOf(prepared: Prepared): Study {
  switch (prepared.experiment.type) {
    case 'monteCarlo':
      return monteCarlo(prepared)
    case 'exploration':
      return exploration(prepared)
    case 'calibration':
      return prepared.experiment.fit === 'abc' ? priorSamples(prepared) : optimisation(prepared)
    case 'optimization':
      return optimisation(prepared)
    case 'learning':
      throw new RangeError('experiment: a training has no study of runs: learn/conduct.ts conducts it')
    default:
      return unreachable(prepared.experiment.type)
  }
}

/** How many runs there will be, when that is known before. */
export function plannedRuns(prepared: Prepared): number | null {
  const { experiment } = prepared
  const bounded = (runs: number): number => Math.min(runs, experiment.maxRuns)
  if (experiment.type === 'monteCarlo')
    return experiment.until === 'fixed' && !selecting(prepared) ? bounded(prepared.alternatives.length * experiment.replications) : null
  if (experiment.type === 'exploration') return bounded(pointCount(prepared) * experiment.replications)
  if (experiment.type === 'calibration' && experiment.fit === 'abc') return experiment.maxRuns
  const { maxIterations, populationSize } = experiment.settings
  const { replications } = experiment
  // Each generation but the first may run the one before it once more.
  const again = isReassessing(prepared) ? (maxIterations - 1) * populationSize : 0
  const searched = Math.min(evaluationsOf(prepared) * replications, maxIterations * populationSize * replications + again)
  const confirming = experiment.type === 'optimization' ? confirmingRuns(prepared) : 0
  return bounded(searched + confirming)
}

const selecting = ({ experiment, alternatives }: Prepared): boolean =>
  experiment.selection === 'best' && alternatives.length > 1 && experiment.objectives.length > 0

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

function* monteCarlo(prepared: Prepared): Study {
  const { experiment, alternatives } = prepared
  const all = range(0, alternatives.length)
  const most = Math.floor(experiment.maxRuns / all.length)
  const made = all.map(() => 0)
  const trialsTo = (wanted: readonly number[]): Trial[] => {
    const trials = all.flatMap(k =>
      range(0, Math.ceil((wanted[k]! - made[k]!) / batch)).map(part => {
        const from = made[k]! + part * batch
        return { alternative: k, point: null, replications: range(from, Math.min(wanted[k]!, from + batch)) }
      }),
    )
    // Replication by replication, so that what has been made compares the alternatives evenly.
    return trials.sort((a, b) => a.replications[0]! - b.replications[0]!)
  }
  if (isPlanned(prepared)) {
    const wanted = Math.min(most, experiment.replications)
    // Block by block: the trials of ten million runs would take more memory than what the runs give.
    for (let from = 0; from < wanted; from += batch)
      yield all.map(k => ({ alternative: k, point: null, replications: range(from, Math.min(wanted, from + batch)) }))
    return
  }
  const run = function* (wanted: readonly number[], take: (alternative: number, sample: Sample) => void): Study {
    const trials = trialsTo(wanted)
    const outcomes = yield trials
    trials.forEach(({ alternative, replications }, j) => {
      for (const sample of outcomes[j]!.samples) take(alternative, sample)
      made[alternative]! += replications.length
    })
  }
  if (selecting(prepared)) {
    const [objective] = experiment.objectives
    const figures: number[][] = all.map(() => [])
    const keep = (k: number, sample: Sample): void => void figures[k]!.push(sample.values[prepared.measured.objectives[0]!]!)
    yield* run(
      all.map(() => Math.min(most, Math.max(10, Math.min(experiment.replications, 20)))),
      keep,
    )
    for (;;) {
      const more = allocation(figures, objective!.direction, experiment.confidence, experiment.indifference, 10 * all.length)
      const left = experiment.maxRuns - made.reduce((a, b) => a + b, 0)
      const sum = more?.reduce((a, b) => a + b, 0) ?? 0
      if (more === null || left < sum || sum === 0) return
      yield* run(
        made.map((n, k) => n + more[k]!),
        keep,
      )
    }
  }
  // Not planned and nothing to select: until every interval is narrow.
  const columns = all.map(() => prepared.measures.map(() => new RunningMoments()))
  const narrow = (of: readonly RunningMoments[]): boolean => of.every(column => isNarrow(column, experiment))
  let count = Math.min(most, Math.max(fewestReplications, experiment.replications))
  for (;;) {
    yield* run(
      all.map(() => count),
      (k, sample) => columns[k]!.forEach((column, m) => column.add(sample.values[m]!)),
    )
    if (count >= most) return
    if (columns.every(narrow)) {
      let staysNarrow = true
      count = Math.min(most, count + lookAhead(count))
      yield* run(
        all.map(() => count),
        (k, sample) => {
          columns[k]!.forEach((column, m) => column.add(sample.values[m]!))
          staysNarrow &&= narrow(columns[k]!)
        },
      )
      if (staysNarrow || count >= most) return
    }
    count = Math.min(most, Math.ceil(count * 1.5))
  }
}

/** Replications of the first look: the spread of fewer is known too badly to end by. */
const fewestReplications = 15

/**
 * How many more replications have to leave every interval narrow after the look that found them so. Ending at the first narrow interval favours
 * samples with a spread that is low by chance, so that intervals cover the mean too seldom; this mends most of it for a twentieth more runs
 * (Hoad, Robinson and Davies 2010, kLimit 5). `npm run bench -- coverage` measures it.
 */
const lookAhead = (count: number): number => Math.max(5, Math.ceil(count / 20))

/** Runs that all gave the same value do not show how rare another one is; from so many on they are believed. */
const fewestAlike = 100

/**
 * Whether the mean of values is known as well as an experiment wants it: to a share of itself, or to a half-width in units of the values. Values that are
 * all 0 may be those of an event that is rare: their mean is known to no share of itself, however many there are.
 */
function isNarrow(values: RunningMoments, { confidence, halfWidth, absoluteHalfWidth }: Prepared['experiment']): boolean {
  const { n, mean, low, high } = meanIntervalOf(values.moments(), confidence)
  // No value is known: more runs would only show again that it is missing.
  if (n === 0) return values.count >= fewestAlike
  if (n < fewestAlike && low === high) return false
  return (high - low) / 2 <= Math.max(halfWidth * Math.abs(mean), absoluteHalfWidth ?? 0)
}

function* exploration(prepared: Prepared): Study {
  const { replications, maxRuns } = prepared.experiment
  const points = explored(prepared).slice(0, Math.max(1, Math.floor(maxRuns / replications)))
  const all = range(0, replications)
  for (let i = 0; i < points.length; i += batch)
    yield points.slice(i, i + batch).map(point => ({ alternative: 0, point, replications: all }))
}

function* priorSamples(prepared: Prepared): Study {
  const { seed, replications, maxRuns } = prepared.experiment
  const random = stream(seed, 0, 'design')
  const all = Math.floor(maxRuns / replications)
  // Each sample has seeds of its own: with common ones, the posterior would be that of one draw of chance.
  for (let from = 0; from < all; from += batch)
    yield range(from, Math.min(from + batch, all)).map(i => ({
      alternative: 0,
      point: randomPoint(prepared.space, random),
      replications: range(i * replications, (i + 1) * replications),
    }))
}

function* optimisation(prepared: Prepared): Study {
  const { experiment, space } = prepared
  const evaluations = evaluationsOf(prepared)
  const reassess = isReassessing(prepared)
  const name = experiment.algorithm === 'auto' ? automatic(space, evaluations, reassess) : experiment.algorithm
  const assessed = new Assessed(prepared, evaluations, reassess)
  const settings = {
    ...experiment.settings,
    reassess,
    get evaluations() {
      return assessed.evaluations
    },
  }
  const search = algorithms[name](space, settings, stream(experiment.seed, 0, 'search'))
  let best = Infinity
  let still = 0
  for (let step = search.next(); !step.done;) {
    const scores = yield* assessed.score(step.value)
    if (scores === null || assessed.isIdle) break
    if (experiment.settings.stall !== null && space.objectives === 1) {
      const least = Math.min(...scores.map(({ violation, objectives }) => (violation > 0 ? Infinity : objectives[0]!)))
      still = least < best ? 0 : still + 1
      best = Math.min(best, least)
      if (still >= experiment.settings.stall) break
    }
    step = search.next(scores)
  }
  if (experiment.type === 'calibration')
    yield around(prepared, bestOf([...assessed.told.values()])).map(trial => ({
      ...trial,
      replications: range(0, experiment.replications),
    }))
  if (experiment.type === 'optimization' && experiment.confirmations > 0) {
    const confirmed = range(0, mostRuns(prepared) + experiment.confirmations)
    const often = oftenRun([...assessed.told.values()], ({ runs }) => runs)
    yield promising(often).map(({ point }) => ({ alternative: 0, point, replications: confirmed }))
  }
}

type Assessment = Solution & { readonly runs: number }

/** The points of a search with what they are worth, and the runs that are left for more. */
class Assessed {
  /** By the point's coordinates. */
  readonly told = new Map<string, Assessment>()
  readonly #prepared: Prepared
  readonly #reassess: boolean
  /** Most points that can be distinguished; Infinity for real numbers. */
  readonly #places: number
  readonly #first: number
  #left: number
  #asked = 0
  /** Points asked for since a run was last needed for one. */
  #idle = 0

  constructor(prepared: Prepared, evaluations: number, reassess: boolean) {
    this.#prepared = prepared
    this.#reassess = reassess
    this.#first = evaluations
    this.#left = evaluations * prepared.experiment.replications
    this.#places = prepared.space.domains.reduce(
      (product, domain) => product * (domain.as === 'real' ? Infinity : highOf(domain) - lowOf(domain) + 1),
      1,
    )
  }

  /** How many points the search may ask for in all: what costs no run does not count, and the last batch may be larger than what is left. */
  get evaluations(): number {
    if (this.#asked === 0) return this.#first
    const { populationSize, replications } = { ...this.#prepared.experiment.settings, ...this.#prepared.experiment }
    return this.#left < replications ? this.#asked : this.#asked + Math.max(Math.ceil(this.#left / replications), 2 * populationSize + 8)
  }

  /** Whether the search asks for nothing but what is known, or there is nothing else. */
  get isIdle(): boolean {
    if (this.#idle > 10 * Math.max(100, this.#prepared.experiment.settings.populationSize)) return true
    return !this.#reassess && this.told.size >= this.#places
  }

  /** Scores of points in their order; null when the runs that are left do not pay for all of them: then those that they pay for were run. */
  *score(points: readonly Point[]): Generator<readonly Trial[], Score[] | null, readonly Outcome[]> {
    const scores: Score[] = []
    this.#asked += points.length
    const runs = points.map(point => this.#wanted(point))
    while (scores.length < points.length) {
      const from = scores.length
      const count = this.#affordable(points.slice(from), runs.slice(from))
      if (count === 0) return null
      const part = points.slice(from, from + count)
      const outcomes = yield part.map((point, i) => ({ alternative: 0, point, replications: range(0, runs[from + i]!) }))
      part.forEach((point, i) => {
        const score = scoreOf(this.#prepared, outcomes[i]!)
        scores.push(score)
        const key = point.join()
        const before = this.told.get(key)?.runs ?? 0
        // Forbidden by the constraints on inputs: nothing was run, and nothing ever is.
        const spent = outcomes[i]!.samples.length
        this.#left -= Math.max(0, spent - before)
        this.#idle = spent > before ? 0 : this.#idle + 1
        this.told.set(key, { ...score, point, runs: spent })
      })
    }
    return scores
  }

  /** A point that is asked for again is run once more, up to its bound; without that, it is worth what it was. */
  #wanted(point: Point): number {
    const { replications } = this.#prepared.experiment
    const before = this.told.get(point.join())?.runs ?? 0
    return this.#reassess && before > 0 ? Math.min(before + 1, mostRuns(this.#prepared)) : replications
  }

  /** How many of these the runs that are left pay for in any case. */
  #affordable(points: readonly Point[], runs: readonly number[]): number {
    const seen = new Set<string>()
    let cost = 0
    for (const [i, point] of points.entries()) {
      const key = point.join()
      const before = this.told.get(key)
      if (!seen.has(key) && before?.runs !== 0) cost += runs[i]! - (before?.runs ?? 0)
      if (cost > this.#left) return i
      seen.add(key)
    }
    return points.length
  }
}

/** Whether survivors are run again during the search. */
const isReassessing = ({ experiment: { type, algorithm, resampling, replications } }: Prepared): boolean =>
  type === 'optimization' && resampling > replications && (algorithm === 'auto' || reassessing.has(algorithm))

/** Most runs of a point before it is confirmed. */
export const mostRuns = (prepared: Prepared): number =>
  isReassessing(prepared) ? prepared.experiment.resampling : prepared.experiment.replications

/** Those with at least half as many runs as the most: what a single run says of others is not to be compared with them. */
export function oftenRun<T>(all: readonly T[], runsOf: (one: T) => number): T[] {
  const most = all.reduce((most, one) => Math.max(most, runsOf(one)), 0)
  return all.filter(one => 2 * runsOf(one) >= most)
}

/** How many points a search may ask for: a calibration keeps some runs for its look around the best one, an optimisation for its confirmation. */
function evaluationsOf(prepared: Prepared): number {
  const { experiment, free } = prepared
  const { type, replications, maxRuns } = experiment
  const confirming = type === 'optimization' ? confirmingRuns(prepared) : 0
  const kept = type === 'calibration' ? 2 * free.length : 0
  // Confirmation takes half of what there is at most.
  return Math.max(1, Math.floor((maxRuns - Math.min(confirming, maxRuns / 2)) / replications) - kept)
}

/** Runs of the confirmation, at most: those that have not been run as often as they may are brought there first. */
function confirmingRuns(prepared: Prepared): number {
  const { confirmations, replications } = prepared.experiment
  return confirmations === 0 ? 0 : (mostRuns(prepared) - replications + confirmations) * mostConfirmed(prepared.space.objectives)
}

const mostConfirmed = (objectives: number): number => (objectives === 1 ? 10 : 50)

/** The best points for one objective; of several the front, evenly thinned along the first of them. */
function promising(solutions: readonly Solution[]): Solution[] {
  const finite = solutions.filter(({ objectives }) => objectives.every(Number.isFinite))
  const objectives = finite[0]?.objectives.length ?? 1
  const most = mostConfirmed(objectives)
  if (objectives === 1) return finite.toSorted(compareSingle).slice(0, most)
  const front = nondominated(finite).toSorted((a, b) => a.objectives[0]! - b.objectives[0]!)
  if (front.length <= most) return front
  return Array.from({ length: most }, (_, i) => front[Math.round((i * (front.length - 1)) / (most - 1))]!)
}

/** The best point with each coordinate moved by a tenth of its range, down and up: how well the data determines each. */
function around({ space }: Prepared, [best]: readonly Solution[]): Trial[] {
  if (!best) return []
  return space.domains.flatMap((domain, k) =>
    [-0.1, 0.1].map(share => {
      const point = best.point.slice()
      const step = share * (highOf(domain) - lowOf(domain))
      // Whole numbers move by at least one; beyond a bound the other way.
      const far = domain.as === 'real' ? step : Math.sign(step) * Math.max(1, Math.round(Math.abs(step)))
      const inside = point[k]! + far >= lowOf(domain) && point[k]! + far <= highOf(domain)
      point[k] = fit(domain, point[k]! + (inside ? far : -far / 2))
      return { alternative: 0, point, replications: [] }
    }),
  )
}

/** What a trial is worth to a search: objectives to be made small, violations of all constraints. */
export function scoreOf(prepared: Prepared, { samples, violation }: Outcome): Score {
  const { experiment, measured, space } = prepared
  const nothing = (): number[] => Array.from({ length: space.objectives }, () => Infinity)
  // Not run: its violation is what it is worth. One more than any that was run, so that runs are not spent on the forbidden side.
  if (violation > 0 || samples.length === 0) return { objectives: nothing(), violation: 1e9 + violation }
  const column = (k: number): number[] => samples.map(sample => sample.values[k]!)
  const outputs = experiment.constraints.filter(({ stage }) => stage === 'outputs')
  const outside = outputs.reduce(
    (sum, constraint: Constraint, i) => sum + violationOf(constraint, aggregated(column(measured.constraints[i]!), constraint.aggregate)),
    0,
  )
  const values =
    experiment.type === 'calibration'
      ? [lossOf(prepared, samples).fitted]
      : experiment.objectives.map(({ direction, aggregate }, i) => {
          const value = aggregated(column(measured.objectives[i]!), aggregate)
          return direction === 'max' ? -value : value
        })
  return { objectives: values.map(value => (Number.isNaN(value) ? Infinity : value)), violation: outside }
}
