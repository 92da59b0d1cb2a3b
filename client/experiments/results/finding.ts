// The finding of an experiment in one sentence, and its limits in another: the first thing on the page of its results.
import {
  bestFit,
  differences,
  effects,
  front,
  indices,
  intervalOf,
  intervals,
  posterior,
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

export type Found = { readonly prepared: Prepared; readonly results: Results; readonly writing: Writing }

/** Null while there is no finding. */
export function findingOf(prepared: Prepared, results: Results, writing: Writing): Finding | null {
  const found: Found = { prepared, results, writing }
  const { type, design, fit } = prepared.experiment
  if (type === 'optimization') return prepared.space.objectives > 1 ? unbeaten(found) : optimum(found)
  if (type === 'calibration') return fit === 'optimise' ? fitted(found) : plausible(found)
  if (type === 'monteCarlo') return results.points.length > 1 ? compared(found) : estimated(found)
  if (type === 'exploration') return design === 'morris' || design === 'sobolIndices' ? strongest(found) : extremes(found)
  return null
}

export const settingsAt = ({ results, writing }: Found, point: number): Words[] =>
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

/** Counts are written in full, measurements to four digits. */
export const short = ({ number }: Writing, value: number): string => number(Number.isInteger(value) ? value : Number(value.toPrecision(4)))

/** Most measures in the summary: the others are in the tables. */
const mostTold = 3

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

/** The values of each variable in the samples that fit; values between them are not known to fit. */
function plausible(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const known = posterior(prepared, results)
  if (known === null) return null
  const told = known.variables.map(({ mean, q05, q95 }, k) => {
    const domain = prepared.free[k]?.domain
    const whole = domain && 'min' in domain ? domain.max - domain.min : Infinity
    const name = results.decisions[k]?.label ?? ''
    const values = { name, mean: short(writing, mean), low: short(writing, q05), high: short(writing, q95) }
    return { name, isVague: q95 - q05 > vagueShare * whole, words: say('{name} = {mean} ({low} to {high})', values) }
  })
  const clear = told.filter(({ isVague }) => !isVague)
  const vague = told.filter(({ isVague }) => isVague).map(({ name }) => name)
  return {
    title:
      clear.length > 0
        ? say('The data fits best with {settings}.', { settings: clear.map(({ words }) => words) })
        : say('The data does not tell the values of {variables} apart yet.', { variables: vague }),
    more: sentences([
      clear.length > 0 && vague.length > 0 ? say('It says little about {variables}.', { variables: vague }) : null,
      say('{accepted, plural, one {# sample} other {# samples}} accepted of {runs}; nine in ten lie in these ranges.', {
        accepted: known.accepted.length,
        runs: results.points.length,
      }),
    ]),
  }
}

/** Ranges of nine in ten samples are about .9 of the whole where the data says nothing. */
const vagueShare = 0.8

/** Of each measure, in their order. */
function estimated(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const told = (intervals(prepared, results)[0] ?? []).flatMap((interval, k) => {
    const measure = results.measures[k]?.label
    return measure === undefined || !Number.isFinite(interval.mean) ? [] : [{ measure, interval, mean: short(writing, interval.mean) }]
  })
  const [first] = told
  if (!first) return null
  const effort = say('{runs, plural, one {# run} other {# runs}} with different random numbers.', { runs: results.known })
  if (told.length === 1)
    return {
      title: say('{measure} is {mean} on average.', { measure: first.measure, mean: first.mean }),
      more: sentences([surely(found, first.interval), effort]),
    }
  return {
    title: say('On average {means}.', {
      means: told
        .slice(0, mostTold)
        .map(({ measure, mean, interval: { low, high } }) =>
          low < high
            ? say('{measure} is {mean} ({low} to {high})', { measure, mean, low: short(writing, low), high: short(writing, high) })
            : say('{measure} is {mean}', { measure, mean }),
        ),
    }),
    more: [effort],
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
  const first = nameOf(0)
  const all = differences(prepared, results)
  // Of each measure the alternative furthest from the first; the measures in which that is surest come before others.
  const told = results.measures
    .flatMap(({ label: measure }, k) => {
      const rows = all.flatMap((row, at) => {
        const interval = row[k]
        return interval && (interval.low > 0 || interval.high < 0) ? [{ measure, name: nameOf(at + 1), interval }] : []
      })
      return rows.toSorted((a, b) => Math.abs(b.interval.mean) - Math.abs(a.interval.mean)).slice(0, 1)
    })
    .toSorted((a, b) => sureness(b.interval) - sureness(a.interval))
  const same = results.measures.map(({ label }) => label).filter(label => !told.some(({ measure }) => measure === label))
  const alike = say('No alternative differs from {first} in {measures} by more than chance.', { first, measures: same })
  const [most, ...others] = told
  if (!most) return same.length === 0 ? null : { title: alike, more: [effort(found)] }
  const sentence = ({ measure, name, interval }: (typeof told)[number]): Words => {
    const values = { measure, name, first, by: short(writing, Math.abs(interval.mean)) }
    return interval.mean > 0
      ? say('{measure} is {by} higher with {name} than with {first}.', values)
      : say('{measure} is {by} lower with {name} than with {first}.', values)
  }
  return {
    title: sentence(most),
    more: sentences([
      surely(found, most.interval),
      ...others.slice(0, mostTold - 1).map(sentence),
      same.length > 0 ? alike : null,
      effort(found),
    ]),
  }
}

/** How far a difference is from nothing, in widths of its interval. */
const sureness = ({ mean, low, high }: Interval): number => (high > low ? Math.abs(mean) / (high - low) : Infinity)

/** The variable that matters most for each measure. */
function strongest(found: Found): Finding | null {
  const { prepared, results, writing } = found
  const screened = effects(prepared, results)?.map(row => row.map(({ absolute }) => absolute))
  const weights = screened ?? indices(prepared, results)?.map(row => row.map(({ total }) => total)) ?? []
  const told = results.measures.flatMap(({ label: measure }, m) => {
    const order = (weights[m] ?? [])
      .map((weight, k) => ({ weight, name: results.decisions[k]?.label ?? '' }))
      .toSorted((a, b) => b.weight - a.weight)
    const [most, next] = order
    return most && Number.isFinite(most.weight) && most.weight > 0 ? [{ measure, most, next }] : []
  })
  const [first] = told
  if (!first) return null
  const leaders = [...new Set(told.map(({ most }) => most.name))]
  return {
    title: say('{findings}.', {
      findings: leaders.map(name =>
        say('{name} matters most for {measures}', {
          name,
          measures: told.filter(({ most }) => most.name === name).map(({ measure }) => measure),
        }),
      ),
    }),
    more: sentences([
      first.next && first.next.weight > 0
        ? say('For {measure} {times} times as much as {name}, which comes next.', {
            measure: first.measure,
            times: short(writing, first.most.weight / first.next.weight),
            name: first.next.name,
          })
        : null,
      effort(found),
    ]),
  }
}

/** Where the measure that moves most beyond chance is lowest and highest; how far the next ones go. */
function extremes(found: Found): Finding | null {
  const { results, writing } = found
  const told = results.measures
    .flatMap(({ label: measure }, k) => {
      const known = results.points.flatMap((_, point) => {
        const values = results.valuesAt(point, k).filter(Number.isFinite)
        return values.length === 0 ? [] : [{ point, ...spreadOf(values) }]
      })
      if (known.length === 0) return []
      const low = known.reduce((a, b) => (b.mean < a.mean ? b : a))
      const high = known.reduce((a, b) => (b.mean > a.mean ? b : a))
      const noise = Math.sqrt(known.reduce((sum, { variance }) => sum + variance, 0) / known.length)
      return [{ measure, low, high, signal: high.mean === low.mean ? 0 : (high.mean - low.mean) / noise }]
    })
    .toSorted((a, b) => (a.signal === b.signal ? 0 : b.signal - a.signal))
  const [most, ...others] = told
  if (!most) return null
  const { measure, low, high } = most
  if (low.mean === high.mean)
    return { title: say('{measure} is {value} everywhere.', { measure, value: short(writing, low.mean) }), more: [effort(found)] }
  const ranges = others.slice(0, mostTold - 1).map(one =>
    say('{name} from {low} to {high}', {
      name: one.measure,
      low: short(writing, one.low.mean),
      high: short(writing, one.high.mean),
    }),
  )
  return {
    title: say('{measure} goes from {low}, with {lowest}, to {high}, with {highest}.', {
      measure,
      low: short(writing, low.mean),
      high: short(writing, high.mean),
      lowest: settingsAt(found, low.point),
      highest: settingsAt(found, high.point),
    }),
    more: sentences([ranges.length > 0 ? say('Besides: {ranges}.', { ranges }) : null, effort(found)]),
  }
}

function spreadOf(values: Float64Array): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length }
}
