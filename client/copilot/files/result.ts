// What the copilot says to "Explain this result": the finding, and then each figure it rests on with its unit, its interval, its runs and seeds, how
// alternatives differ, and how far all of it is to be trusted.
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { say, verbatim, type Words } from '../../../model-schema/words.ts'
import {
  bestFit,
  confidencePage,
  differences,
  front,
  intervalsAt,
  keyOf,
  unidentified,
  warningsOf,
  type Interval,
} from '../../../sim-engine/experiment.ts'
import { line, noResults, type Answer, type Line } from '../../../sim-engine/copilot/doors/questions.ts'
import { formatNumber, formatValue } from '../../charts/format.ts'
import type { Conducting } from '../../experiments/conduct/conducting.ts'
import { findingOf, settingsAt, short, type Found, type Writing } from '../../experiments/results/finding.ts'
import { locale } from '../../i18n/locale.ts'
import { textField } from '../../run/fields.ts'

/** Most figures of a part: the tables have the others. */
const mostFigures = 12

/** The answer about the results that the page of an experiment shows. */
export function resultExplained({ prepared, results, entry, preparation }: Conducting): Answer {
  const language = locale.getState().locale
  const writing: Writing = { number: value => formatNumber(value, language), value: setting => formatValue(setting, language) }
  const isEarlier = Boolean(preparation?.prepared && entry && keyOf(preparation.prepared) !== entry.key)
  const lines = prepared && results ? explainedResult({ prepared, results, writing }, isEarlier) : [noResults]
  return { lines, proposal: null, next: [] }
}

/** The lines of the answer; each cites the parts of the experiment it is about. `isEarlier`: whether the experiment or its model was changed since. */
export function explainedResult(found: Found, isEarlier: boolean): Line[] {
  const { prepared, results, writing } = found
  const { experiment } = prepared
  const finding = findingOf(prepared, results, writing)
  const page = confidencePage(prepared, results)
  return [
    ...(isEarlier ? [line(say('These are results of the experiment as it was: it or its model was changed since.'))] : []),
    ...(finding === null
      ? [line(say('These runs say nothing that could be put in a sentence.'), experiment.id)]
      : [finding.title, ...finding.more].map(words => line(words))),
    ...figures(found),
    ...(experiment.type === 'monteCarlo' ? compared(found) : []),
    ...doubts(found),
    ...(page === null ? [line(seeds(found), experiment.id)] : page.statements.map(words => line(words))),
    ...warningsOf(prepared, results).map(({ words }) => line(words)),
  ]
}

const level = ({ prepared, writing }: Found): string => writing.number(Number((prepared.experiment.confidence * 100).toPrecision(6)))

const seeds = ({ prepared, results }: Found): Words =>
  say('{known} runs were made, {failed} failed. Their seeds follow from {seed}, and the same seed gives the same runs again.', {
    known: results.known,
    failed: results.failed,
    seed: prepared.experiment.seed,
  })

/** Points whose figures are told one by one: all alternatives, or the point that is best. */
function pointsOf({ prepared, results }: Found): readonly { readonly point: number; readonly name: Words | null }[] {
  const { type, fit, objectives } = prepared.experiment
  if (type === 'monteCarlo')
    return results.points.map(({ alternative }, point) => ({
      point,
      name: results.points.length > 1 ? verbatim(prepared.alternatives[alternative]?.name ?? '') : null,
    }))
  const best =
    type === 'optimization' && objectives.length === 1
      ? front(prepared, results)[0]?.point
      : type === 'calibration' && fit === 'optimise'
        ? bestFit(prepared, results)?.point
        : undefined
  return best === undefined ? [] : [{ point: best, name: say('the best point') }]
}

/** The mean of each measure, with its interval and the runs it is a mean of. */
function figures(found: Found): Line[] {
  const { prepared, results, writing } = found
  const all = pointsOf(found).flatMap(({ point, name }) =>
    intervalsAt(prepared, results, point).flatMap((interval, k) => {
      const measure = results.measures[k]
      if (!measure || !Number.isFinite(interval.mean)) return []
      const values = {
        measure: name === null ? measure.label : say('{measure} ({of})', { measure: measure.label, of: name }),
        mean: withUnit(found, measure.id, interval.mean),
        runs: interval.n,
        ...bounds(writing, interval),
        level: level(found),
      }
      const words = isInterval(interval)
        ? say('{measure}: {mean} on average of {runs} runs, {level}% interval {low} to {high}.', values)
        : interval.n > 1
          ? say('{measure}: {mean} in each of {runs} runs.', values)
          : say('{measure}: {mean} in a single run.', values)
      return [line(words, elementOf(measure.id))]
    }),
  )
  return told(all)
}

/** Each alternative less the first: whether chance alone could have made the difference. */
function compared(found: Found): Line[] {
  const { prepared, results, writing } = found
  const nameOf = (point: number): string => prepared.alternatives[results.points[point]?.alternative ?? -1]?.name ?? ''
  const all = differences(prepared, results).flatMap((row, at) =>
    row.flatMap((interval, k) => {
      const measure = results.measures[k]
      if (!measure || !Number.isFinite(interval.mean)) return []
      const values = {
        name: nameOf(at + 1),
        first: nameOf(0),
        measure: measure.label,
        mean: withUnit(found, measure.id, interval.mean),
        ...bounds(writing, interval),
        level: level(found),
      }
      const words = !isInterval(interval)
        ? say('{name} less {first}, {measure}: {mean}.', values)
        : interval.low > 0 || interval.high < 0
          ? say('{name} less {first}, {measure}: {mean}, {level}% interval {low} to {high}. It does not hold 0: more than chance.', values)
          : say(
              '{name} less {first}, {measure}: {mean}, {level}% interval {low} to {high}. It holds 0: chance alone may have made it.',
              values,
            )
      return [line(words, elementOf(measure.id))]
    }),
  )
  return told(all)
}

/** What the best point of a search leaves open. */
function doubts(found: Found): Line[] {
  const { prepared, results } = found
  const { type, fit } = prepared.experiment
  const [best] = pointsOf(found)
  if (type === 'monteCarlo' || !best) return []
  const isNoisy = intervalsAt(prepared, results, best.point).some(isInterval)
  const chosen = isNoisy
    ? [
        line(
          say('The best of many points was partly lucky: with new seeds {settings} is likely to do a little worse.', {
            settings: settingsAt(found, best.point),
          }),
        ),
      ]
    : []
  if (type !== 'calibration' || fit !== 'optimise') return chosen
  const open = unidentified(prepared, results).flatMap(({ variable }) => prepared.free[variable] ?? [])
  const words = say('The data hardly tells what {variables} should be: other values fit as well.', {
    variables: open.map(({ name }) => name),
  })
  return open.length === 0 ? chosen : [...chosen, line(words, ...open.map(({ id }) => id))]
}

const told = (lines: readonly Line[]): Line[] =>
  lines.length <= mostFigures
    ? [...lines]
    : [...lines.slice(0, mostFigures), line(say('And {rest} more, in the tables.', { rest: lines.length - mostFigures }))]

const isInterval = ({ low, high }: Interval): boolean => Number.isFinite(low) && Number.isFinite(high) && low < high

const bounds = (writing: Writing, { low, high }: Interval): { low: string; high: string } => ({
  low: short(writing, low),
  high: short(writing, high),
})

/** The part of the experiment that a column is of: those of a data series are one for each of its times. */
const elementOf = (column: Id): Id => column.split('@')[0] ?? column

function withUnit({ prepared, writing }: Found, column: Id, value: number): string {
  const id = elementOf(column)
  const { objectives, constraints, responses, series } = prepared.experiment
  const asked = [...objectives, ...constraints, ...responses, ...series].find(one => one.id === id)
  const [of] = prepared.runnable.alternatives
  const unit = asked && of ? unitOf(of.model, of.scenario, asked.expression) : ''
  return unit === '' ? short(writing, value) : `${short(writing, value)} ${unit}`
}

/** Aggregates in the unit of what they are made from. */
const sameUnit: ReadonlySet<string> = new Set(['last', 'sum', 'mean', 'min', 'max', 'std', 'median', 'quantile'])

/** The unit of a formula that is the name of a variable, or of a statistic of one; blank where it cannot be known. */
function unitOf(model: Model, scenario: Id, expression: string): string {
  const named = (name: string, home: Id): Element | undefined =>
    (model.elements.get(home)?.children ?? [])
      .flatMap(id => model.elements.get(id) ?? [])
      .find(one => formulaName(textField(one, 'name')) === formulaName(name.trim()))
  const element = named(expression, scenario)
  if (element?.kind !== 'statistic') return element ? textField(element, 'unit') : ''
  if (!sameUnit.has(textField(element, 'aggregate') || 'last')) return ''
  const inside = named(textField(element, 'expression'), textField(element, 'over') || scenario)
  return inside?.kind === 'variable' ? textField(inside, 'unit') : ''
}
