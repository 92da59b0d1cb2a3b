// What an experiment found, in one sentence, and in another how far that goes: the first thing on the page of its results.
import {
  bestFit,
  differences,
  effects,
  front,
  indices,
  intervalOf,
  intervals,
  selection,
  type Interval,
  type Prepared,
  type Results,
} from '../../../sim-engine/experiment.ts'
import type { Setting } from '../../../model-schema/experiment.ts'
import { say, verbatim, type Words } from '../../../model-schema/words.ts'
import { asWritten, objectiveName } from './objectives.ts'

export type Finding = { readonly title: Words; /** Sentences. */ readonly more: readonly Words[] }

/** How numbers and settings are written. */
export type Writing = { number(value: number): string; value(setting: Setting | undefined): string }

type Found = { readonly prepared: Prepared; readonly results: Results; readonly writing: Writing }

/** Null while there is nothing to say. */
export function findingOf(prepared: Prepared, results: Results, writing: Writing): Finding | null {
  const found: Found = { prepared, results, writing }
  const { type, design, fit } = prepared.experiment
  if (type === 'optimization') return prepared.space.objectives > 1 ? unbeaten(found) : optimum(found)
  if (type === 'calibration') return fit === 'optimise' ? fitted(found) : null
  if (type === 'monteCarlo') return results.points.length > 1 ? compared(found) : estimated(found)
  if (type === 'exploration') return design === 'morris' || design === 'sobolIndices' ? strongest(found) : extremes(found)
  return null
}

const settingsAt = ({ results, writing }: Found, point: number): Words[] =>
  results.decisions.map(({ label }, k) => {
    const setting = results.points[point]?.settings[k]
    return verbatim(`${label} = ${typeof setting === 'number' ? short(writing, setting) : writing.value(setting)}`)
  })

/** Points and runs that are known. */
const effort = ({ results }: Found): Words =>
  say('{points, plural, one {# point} other {# points}} tried in {runs, plural, one {# run} other {# runs}}.', {
    points: results.points.length,
    runs: results.known,
  })

/** The interval of a mean; null of a single run, which has none. */
function surely({ prepared, writing }: Found, { low, high }: Interval): Words | null {
  if (!Number.isFinite(low) || !Number.isFinite(high) || low === high) return null
  const level = writing.number(Number((prepared.experiment.confidence * 100).toPrecision(6)))
  return say('Between {low} and {high} with {level}% confidence.', { low: short(writing, low), high: short(writing, high), level })
}

/** What is counted is written whole, what is measured to four digits. */
const short = ({ number }: Writing, value: number): string => number(Number.isInteger(value) ? value : Number(value.toPrecision(4)))

const sentences = (parts: readonly (Words | null)[]): Words[] => parts.filter(one => one !== null)

function optimum(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const [best] = front(prepared, results)
  if (!best || best.violation > 0) return null
  const values = {
    name: objectiveName(prepared, 0),
    settings: settingsAt(found, best.point),
    value: short(writing, asWritten(prepared, 0, best.objectives[0] ?? NaN)),
  }
  const column = prepared.measured.objectives[0]
  return {
    title:
      prepared.experiment.objectives[0]?.direction === 'max'
        ? say('{name} is highest, {value}, with {settings}.', values)
        : say('{name} is lowest, {value}, with {settings}.', values),
    more: sentences([
      column === undefined ? null : surely(found, intervalOf(results.valuesAt(best.point, column), prepared.experiment.confidence)),
      effort(found),
    ]),
  }
}

function unbeaten(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const best = front(prepared, results).filter(({ violation }) => violation === 0)
  if (best.length === 0) return null
  const ranges = Array.from({ length: prepared.space.objectives }, (_, k) => {
    const values = best.map(({ objectives }) => asWritten(prepared, k, objectives[k] ?? NaN))
    return say('{name} from {low} to {high}', {
      name: objectiveName(prepared, k),
      low: short(
        writing,
        values.reduce((a, b) => Math.min(a, b), Infinity),
      ),
      high: short(
        writing,
        values.reduce((a, b) => Math.max(a, b), -Infinity),
      ),
    })
  })
  return {
    title: say('{count, plural, one {# choice is} other {# choices are}} beaten by no other: {ranges}.', { count: best.length, ranges }),
    more: [effort(found)],
  }
}

function fitted(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const best = bestFit(prepared, results)
  if (best === null) return null
  return {
    title: say('The model comes closest to the data with {settings}.', { settings: settingsAt(found, best.point) }),
    more: sentences([say('Fit error {error}.', { error: short(writing, best.loss.fitted) }), effort(found)]),
  }
}

function estimated(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const [first] = intervals(prepared, results)[0] ?? []
  const measure = results.measures[0]?.label
  if (!first || measure === undefined || !Number.isFinite(first.mean)) return null
  return {
    title: say('{measure} is {mean} on average.', { measure, mean: short(writing, first.mean) }),
    more: sentences([
      surely(found, first),
      say('{runs, plural, one {# run} other {# runs}} with different random numbers.', { runs: results.known }),
    ]),
  }
}

/** The alternative that is best, where one is sought; else the one furthest from the first in the first measure. */
function compared(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const nameOf = (point: number): string => prepared.alternatives[results.points[point]?.alternative ?? -1]?.name ?? ''
  const best = prepared.experiment.selection === 'best' ? selection(prepared, results) : null
  if (best !== null)
    return {
      title: say('Best so far: {name}, with a probability of {share}%.', {
        name: nameOf(best.best),
        share: writing.number(Number((best.probability * 100).toPrecision(4))),
      }),
      more: [effort(found)],
    }
  const measure = results.measures[0]?.label
  if (measure === undefined) return null
  const told = differences(prepared, results)
    .map((row, k) => ({ point: k + 1, interval: row[0] }))
    .flatMap(({ point, interval }) => (interval && (interval.low > 0 || interval.high < 0) ? [{ point, interval }] : []))
    .toSorted((a, b) => Math.abs(b.interval.mean) - Math.abs(a.interval.mean))
  const [most] = told
  const first = nameOf(0)
  if (!most)
    return {
      title: say('No alternative differs from {first} in {measure} by more than chance.', { first, measure }),
      more: [effort(found)],
    }
  const values = { name: nameOf(most.point), first, measure, by: short(writing, Math.abs(most.interval.mean)) }
  return {
    title:
      most.interval.mean > 0
        ? say('{measure} is {by} higher with {name} than with {first}.', values)
        : say('{measure} is {by} lower with {name} than with {first}.', values),
    more: sentences([surely(found, most.interval), effort(found)]),
  }
}

function strongest(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const measure = results.measures[0]?.label
  const weights =
    effects(prepared, results)?.[0]?.map(({ absolute }) => absolute) ?? indices(prepared, results)?.[0]?.map(({ total }) => total)
  if (measure === undefined || !weights) return null
  const order = weights.map((weight, k) => ({ weight, name: results.decisions[k]?.label ?? '' })).toSorted((a, b) => b.weight - a.weight)
  const [first, second] = order
  if (!first || !Number.isFinite(first.weight) || first.weight <= 0) return null
  return {
    title: say('{name} matters most for {measure}.', { name: first.name, measure }),
    more: sentences([
      second && second.weight > 0
        ? say('{times} times as much as {name}, which comes next.', {
            times: short(writing, first.weight / second.weight),
            name: second.name,
          })
        : null,
      effort(found),
    ]),
  }
}

/** Where the first measure is lowest and where it is highest. */
function extremes(found: Found): Finding | null {
  const { results, writing } = found
  const measure = results.measures[0]?.label
  const means = results.points.flatMap((_, point) => {
    const values = results.valuesAt(point, 0).filter(Number.isFinite)
    return values.length === 0 ? [] : [{ point, mean: values.reduce((sum, value) => sum + value, 0) / values.length }]
  })
  if (measure === undefined || means.length === 0) return null
  const low = means.reduce((a, b) => (b.mean < a.mean ? b : a))
  const high = means.reduce((a, b) => (b.mean > a.mean ? b : a))
  if (low.mean === high.mean)
    return { title: say('{measure} is {value} everywhere.', { measure, value: short(writing, low.mean) }), more: [effort(found)] }
  return {
    title: say('{measure} goes from {low}, with {lowest}, to {high}, with {highest}.', {
      measure,
      low: short(writing, low.mean),
      high: short(writing, high.mean),
      lowest: settingsAt(found, low.point),
      highest: settingsAt(found, high.point),
    }),
    more: [effort(found)],
  }
}
