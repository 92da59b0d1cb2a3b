// How far to trust what a Monte Carlo experiment found: one page of figures and plain sentences, in both languages; for the command line as Markdown.
import { say, type Words } from '../../model-schema/kinds/kind.ts'
import type { Interval } from './aggregate.ts'
import { intervals, jointIntervals } from './conclusions.ts'
import { runsToSee } from './output-analysis.ts'
import type { Prepared } from './prepare.ts'
import type { Results } from './results.ts'
import { warmUpsOf } from './warm-up.ts'
import { warningsOf } from './warnings.ts'

export type ConfidenceRow = {
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

export type ConfidencePage = {
  readonly rows: readonly ConfidenceRow[]
  /** What the figures mean, most important first. */
  readonly statements: readonly Words[]
  /** What makes them say less than they seem to. */
  readonly warnings: readonly Words[]
}

/** Share of the mean that is asked about, and how likely a difference of that size is to be seen. */
const difference = 0.05
const power = 0.8

/** Runs that show a difference of 5 % of a mean with a power of 80 %; null where there is no spread or mean to tell it by. */
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
    `${results.known} runs were made, ${results.failed} failed. Replication i has the same random numbers in every alternative; the first seed is ${seed}, and the same seed gives the same runs again.`,
    `共运行 ${results.known} 次，其中 ${results.failed} 次失败。每个备选方案的第 i 次重复使用相同的随机数；起始种子为 ${seed}，相同的种子会得到相同的运行。`,
  )
  yield say(
    `An interval of ${level} is made by a rule that catches the true mean in ${level} of experiments like this one. It tells how much chance matters, not whether the model is right.`,
    `${level} 区间由这样的规则得到：在 ${level} 的同类实验中，它会包含真实均值。它说明随机性的影响，不说明模型是否正确。`,
  )
  if (rows.length > 1)
    yield say(
      `Looked at together, ${rows.length} intervals miss somewhere more often than one: the joint intervals hold all at once with ${level} (Bonferroni).`,
      `同时查看 ${rows.length} 个区间时，至少有一个出错的概率更大：联合区间以 ${level} 的把握同时成立（Bonferroni 校正）。`,
    )
  if (experiment.until === 'interval')
    yield say(
      'The number of runs was found while running: they ended when every interval was narrow and stayed so for a twentieth more runs, as an interval that is narrow once may be so by chance.',
      '运行次数在运行中确定：当所有区间都足够窄，并在再增加二十分之一的运行后仍然如此，才结束，因为区间偶尔变窄可能只是巧合。',
    )
  const wide = rows.filter(({ relativeHalfWidth }) => relativeHalfWidth !== null && relativeHalfWidth > 0.1)
  if (wide.length > 0)
    yield say(
      `Known to worse than 10 % of its mean: ${wide.map(nameOf).join(', ')}. Half the width takes four times the runs.`,
      `误差超过均值的 10%：${wide.map(nameOf).join('、')}。区间减半需要四倍的运行次数。`,
    )
  const warmUps = warmUpsOf(runnable)
  yield warmUps.every(ticks => ticks === 0)
    ? say(
        'No warm-up is left out. That is right if runs begin and end as the real system does; if the mean in the long term is asked for, the empty start pulls it away: find the warm-up first.',
        '没有排除预热期。如果运行的开始和结束与真实系统一致，这是正确的；如果要求长期均值，空的初始状态会使其偏离：请先确定预热期。',
      )
    : say(
        `Statistics leave out a warm-up of ${[...new Set(warmUps)].join(', ')} ticks.`,
        `统计排除了 ${[...new Set(warmUps)].join('、')} 步的预热期。`,
      )
}

const statementsOf = (prepared: Prepared, results: Results, rows: readonly ConfidenceRow[]): Words[] => [...said(prepared, results, rows)]

const nameOf = ({ alternative, measure }: ConfidenceRow): string => `${measure} (${alternative})`

const number = (value: number): string => String(Number(value.toPrecision(5)))

/** The page as Markdown; `of`: which language. */
export function confidenceMarkdown(title: string, page: ConfidencePage, of: (words: Words) => string): string {
  const heads = [
    say('Alternative', '备选方案'),
    say('Measure', '指标'),
    say('Runs', '运行次数'),
    say('Mean', '均值'),
    say('Interval', '区间'),
    say('Joint interval', '联合区间'),
    say('Half-width / mean', '半宽 / 均值'),
    say('Runs to see a difference of 5 %', '可见 5% 差异所需运行次数'),
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
  const warnings = page.warnings.length === 0 ? '' : `\n\n## ${of(say('Warnings', '警告'))}\n\n${list(page.warnings)}`
  return [
    `# ${title}: ${of(say('how far to trust it', '可信程度'))}`,
    [line(heads.map(of)), line(heads.map(() => '---')), ...rows].join('\n'),
    `${list(page.statements)}${warnings}\n`,
  ].join('\n\n')
}
