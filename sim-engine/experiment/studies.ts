// What an experiment asks for next, by its type: a generator of batches of trials, told what they gave. It looks at nothing but that, so the same
// samples give the same trials: an interrupted experiment is begun anew and told what is known.
import type { Constraint } from '../../model-schema/experiment.ts'
import { stream } from '../kernel/random.ts'
import type { Prepared } from './prepare.ts'
import { violationOf } from './constraints.ts'
import type { Sample } from './protocol.ts'
import { aggregated, intervalOf } from './aggregate.ts'
import { lossOf } from './calibrate.ts'
import { explored, pointCount } from './explore/points.ts'
import { algorithms, automatic, reassessing } from './optimise.ts'
import { nondominated } from './optimise/ranking.ts'
import { compareSingle, fit, highOf, lowOf, randomPoint, type Point, type Score, type Solution } from './optimise/search.ts'
import { allocation } from './selection.ts'

/** A point with the replications of it that are wanted. `point` null: whatever the model itself says. */
export type Trial = { readonly alternative: number; readonly point: Point | null; readonly replications: readonly number[] }

/** What a trial gave: the samples in the order asked for; none when the constraints on inputs forbid the point. */
export type Outcome = { readonly samples: readonly Sample[]; /** Of the constraints on inputs. */ readonly violation: number }

export type Study = Generator<readonly Trial[], void, readonly Outcome[]>

/** Trials of one batch, where nothing has to be waited for. */
const batch = 512

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
      throw new RangeError('experiment: reinforcement learning has no study of runs')
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
  const values: Sample[][] = all.map(() => [])
  const made = all.map(() => 0)
  const run = function* (wanted: readonly number[]): Study {
    const trials: Trial[] = []
    for (const k of all) {
      const to = wanted[k]!
      for (let from = made[k]!; from < to; from += batch)
        trials.push({ alternative: k, point: null, replications: range(from, Math.min(to, from + batch)) })
    }
    // Replication by replication, so that what has been made compares the alternatives evenly.
    trials.sort((a, b) => a.replications[0]! - b.replications[0]!)
    for (let i = 0; i < trials.length; i += all.length) {
      const part = trials.slice(i, i + all.length)
      const outcomes = yield part
      part.forEach(({ alternative, replications }, j) => {
        values[alternative]!.push(...outcomes[j]!.samples)
        made[alternative]! += replications.length
      })
    }
  }
  if (selecting(prepared)) {
    yield* run(all.map(() => Math.min(most, Math.max(10, Math.min(experiment.replications, 20)))))
    const [objective] = experiment.objectives
    for (;;) {
      const figures = values.map(samples => samples.map(sample => sample.values[prepared.measured.objectives[0]!]!))
      const more = allocation(figures, objective!.direction, experiment.confidence, experiment.indifference, 10 * all.length)
      const left = experiment.maxRuns - made.reduce((a, b) => a + b, 0)
      const sum = more?.reduce((a, b) => a + b, 0) ?? 0
      if (more === null || left < sum || sum === 0) return
      yield* run(made.map((n, k) => n + more[k]!))
    }
  }
  if (experiment.until === 'fixed') return yield* run(all.map(() => Math.min(most, experiment.replications)))
  let count = Math.min(most, Math.max(10, experiment.replications))
  for (;;) {
    yield* run(all.map(() => count))
    const wide = prepared.measures.some((_, column) =>
      values.some(samples => {
        const { mean, low, high } = intervalOf(
          samples.map(sample => sample.values[column]!),
          experiment.confidence,
        )
        return (high - low) / 2 > experiment.halfWidth * Math.abs(mean)
      }),
    )
    if (!wide || count >= most) return
    count = Math.min(most, Math.ceil(count * 1.5))
  }
}

function* exploration(prepared: Prepared): Study {
  const { replications, maxRuns } = prepared.experiment
  const points = explored(prepared).slice(0, Math.max(1, Math.floor(maxRuns / replications)))
  for (let i = 0; i < points.length; i += batch)
    yield points.slice(i, i + batch).map(point => ({ alternative: 0, point, replications: range(0, replications) }))
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
  const constrained = experiment.constraints.some(({ stage }) => stage === 'outputs')
  const reassess = isReassessing(prepared)
  const name = experiment.algorithm === 'auto' ? automatic(space, evaluations, constrained, reassess) : experiment.algorithm
  const search = algorithms[name](space, { ...experiment.settings, evaluations, reassess }, stream(experiment.seed, 0, 'search'))
  const replications = range(0, experiment.replications)
  const told = new Map<string, Solution & { readonly runs: number }>()
  /** A point that is asked for again is run once more, up to its bound; without that, it is worth what it was. */
  const wanted = (point: Point): number => {
    const before = told.get(point.join())?.runs ?? 0
    return reassess && before > 0 ? Math.min(before + 1, mostRuns(prepared)) : experiment.replications
  }
  let left = evaluations * experiment.replications
  let best = Infinity
  let still = 0
  for (let step = search.next(); !step.done;) {
    const runs = step.value.map(wanted)
    if (reassess) {
      const asked = new Map(step.value.map((point, i) => [point.join(), runs[i]!]))
      for (const [key, count] of asked) left -= count - (told.get(key)?.runs ?? 0)
      if (left < 0) break
    }
    const outcomes = yield step.value.map((point, i) => ({ alternative: 0, point, replications: range(0, runs[i]!) }))
    const scores = outcomes.map(outcome => scoreOf(prepared, outcome))
    step.value.forEach((point, i) => told.set(point.join(), { ...scores[i]!, point, runs: runs[i]! }))
    if (experiment.settings.stall !== null && space.objectives === 1) {
      const least = Math.min(...scores.map(({ violation, objectives }) => (violation > 0 ? Infinity : objectives[0]!)))
      still = least < best ? 0 : still + 1
      best = Math.min(best, least)
      if (still >= experiment.settings.stall) break
    }
    step = search.next(scores)
    if (step.done && experiment.type === 'calibration') yield around(prepared, step.value).map(trial => ({ ...trial, replications }))
  }
  if (experiment.type === 'optimization' && experiment.confirmations > 0) {
    const confirmed = range(0, mostRuns(prepared) + experiment.confirmations)
    const often = oftenRun([...told.values()], ({ runs }) => runs)
    yield promising(often).map(({ point }) => ({ alternative: 0, point, replications: confirmed }))
  }
}

/** Whether survivors are run again while the search goes on. */
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

/** The best point with each coordinate moved by a tenth of its range, down and up: how well the data tells each. */
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
