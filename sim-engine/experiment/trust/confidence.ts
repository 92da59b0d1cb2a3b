// How far to trust what a Monte Carlo experiment found: one page of figures and plain sentences, in both languages; for the command line as Markdown.
import type { Interval } from '../aggregate.ts'
import { intervals, jointIntervals } from './conclusions.ts'
import { runsToSee } from './output-analysis.ts'
import type { Prepared } from '../prepare.ts'
import type { Results } from '../results.ts'
import { warmUpsOf } from './warm-up.ts'
import { warningsOf } from './warnings.ts'
import { say, sayIn, type Words } from '../../../model-schema/words.ts'

type ConfidenceRow = {
  readonly alternative: string
  readonly measure: string
  readonly own: Interval
  /** That holds together with all others; null where there is one interval. */
  readonly joint: { readonly low: number; readonly high: number } | null
  /** Half of the interval as a share of the mean; null where the mean is 0 or there is no interval. */
  readonly relativeHalfWidth: number | null
  /** Runs of each of two systems that show a difference of 5 % of the mean with a power of 80 %; null where it can't be said. */
  readonly runsToSee5Percent: number | null
}

type ConfidencePage = {
  readonly rows: readonly ConfidenceRow[]
  /** What the figures mean, most important first. */
  readonly statements: readonly Words[]
  /** What makes them say less than they seem to. */
  readonly warnings: readonly Words[]
}

/** Share of the mean that is asked about, and how likely a difference of that size is to be seen. */
const difference = 0.05
const power = 0.8

/** Runs that show a difference of 5 % of a mean with a power of 80 %; null without a spread or a mean. */
export const runsToSee5Percent = ({ n, mean, std }: Interval, confidence: number): number | null =>
  n > 1 && mean !== 0 ? runsToSee(difference * Math.abs(mean), std, confidence, power) : null

/** Of a Monte Carlo experiment with runs; null of any other. */
export function confidencePage(prepared: Prepared, results: Results): ConfidencePage | null {
  const { experiment, alternatives } = prepared
  if (experiment.type !== 'monteCarlo' || results.known === 0) return null
  const joint = jointIntervals(prepared, results)
  const rows = intervals(prepared, results).flatMap((own, point) =>
    own.map((interval, measure): ConfidenceRow => {
      const together = joint?.intervals[point]?.[measure]
      const half = (interval.high - interval.low) / 2
      return {
        alternative: alternatives[results.points[point]!.alternative]!.name,
        measure: results.measures[measure]!.label,
        own: interval,
        joint: together ? { low: together.low, high: together.high } : null,
        relativeHalfWidth: interval.mean !== 0 && Number.isFinite(half) ? half / Math.abs(interval.mean) : null,
        runsToSee5Percent: runsToSee5Percent(interval, experiment.confidence),
      }
    }),
  )
  return { rows, statements: statementsOf(prepared, results, rows), warnings: warningsOf(prepared, results).map(({ words }) => words) }
}

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`

function* said({ experiment, runnable }: Prepared, results: Results, rows: readonly ConfidenceRow[]): Generator<Words, void> {
  const { confidence, seed } = experiment
  const level = percent(confidence)
  yield say(
    '{known} runs were made, {failed} failed. Replication i has the same random numbers in every alternative; the first seed is {seed}, and the same seed gives the same runs again.',
    { known: results.known, failed: results.failed, seed },
  )
  yield say(
    'An interval of {level} is made by a rule that catches the true mean in {level} of experiments like this one. It tells how much chance matters, not whether the model is right.',
    { level },
  )
  if (rows.length > 1)
    yield say(
      'Looked at together, {count} intervals miss somewhere more often than one: the joint intervals hold all at once with {level} (Bonferroni).',
      { count: rows.length, level },
    )
  if (experiment.until === 'interval')
    yield say(
      'The number of runs was found while running: they ended when every interval was narrow and stayed so for a twentieth more runs, as an interval that is narrow once may be so by chance.',
    )
  const wide = rows.filter(({ relativeHalfWidth }) => relativeHalfWidth !== null && relativeHalfWidth > 0.1)
  if (wide.length > 0)
    yield say('Known to worse than 10 % of its mean: {wide}. Half the width takes four times the runs.', { wide: wide.map(nameOf) })
  const warmUps = warmUpsOf(runnable)
  yield warmUps.every(ticks => ticks === 0)
    ? say(
        'No warm-up is left out. That is right if runs begin and end as the real system does; if the mean in the long term is asked for, the empty start pulls it away: find the warm-up first.',
      )
    : say('Statistics leave out a warm-up of {value} ticks.', { value: [...new Set(warmUps)] })
}

const statementsOf = (prepared: Prepared, results: Results, rows: readonly ConfidenceRow[]): Words[] => [...said(prepared, results, rows)]

const nameOf = ({ alternative, measure }: ConfidenceRow): string => `${measure} (${alternative})`

const number = (value: number): string => String(Number(value.toPrecision(5)))

/** The page as Markdown; `of`: which language. */
export function confidenceMarkdown(title: string, page: ConfidencePage, of: (words: Words) => string): string {
  const heads = [
    sayIn('of a comparison', 'Alternative'),
    sayIn('report', 'Measure'),
    sayIn('how many', 'Runs'),
    say('Mean'),
    say('Interval'),
    say('Joint interval'),
    say('Half-width / mean'),
    say('Runs to see a difference of 5 %'),
  ]
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  const bounds = (one: { low: number; high: number } | null): string => (one === null ? '–' : `${number(one.low)} … ${number(one.high)}`)
  const rows = page.rows.map(({ alternative, measure, own, joint, relativeHalfWidth, runsToSee5Percent: needed }) =>
    line([
      alternative,
      measure,
      String(own.n),
      number(own.mean),
      bounds(own),
      bounds(joint),
      relativeHalfWidth === null ? '–' : percent(relativeHalfWidth),
      needed === null ? '–' : String(needed),
    ]),
  )
  const list = (all: readonly Words[]): string => all.map(words => `- ${of(words)}`).join('\n')
  const warnings = page.warnings.length === 0 ? '' : `\n\n## ${of(say('Warnings'))}\n\n${list(page.warnings)}`
  return [
    `# ${title}: ${of(say('how far to trust it'))}`,
    [line(heads.map(of)), line(heads.map(() => '---')), ...rows].join('\n'),
    `${list(page.statements)}${warnings}\n`,
  ].join('\n\n')
}
