// What an experiment found, as plain data and as text: the same for the command line, the server and a file that is handed on.
import { formulaName } from '../../model-schema/kinds.ts'
import type { Setting } from '../../model-schema/experiment.ts'
import type { Interval } from './aggregate.ts'
import {
  bestFit,
  differences,
  effects,
  finishedPoints,
  front,
  frontVolume,
  indices,
  jointIntervals,
  intervals,
  intervalsAt,
  posterior,
  selection,
  unidentified,
} from './trust/conclusions.ts'
import { runsToSee5Percent } from './trust/confidence.ts'
import type { Prepared } from './prepare.ts'
import type { Results } from './results.ts'
import { warningsOf } from './trust/warnings.ts'
import { english } from '../../model-schema/words.ts'

type Figures = Record<string, number>
type Named<T> = Record<string, T>

export type Report = {
  experiment: string
  type: string
  runs: number
  points: number
  failed: number
  /** Monte Carlo: by alternative and measure. */
  intervals?: Named<Named<Figures>>
  /** Monte Carlo: the intervals that hold all at once; absent where there is one. */
  joint?: { confidence: number; intervals: Named<Named<Figures>> }
  /** Monte Carlo: runs of each of two systems that show a difference of 5 % of the mean with a power of 80 %, by alternative and measure. */
  runsToSee5Percent?: Named<Named<number | null>>
  /** Monte Carlo: each alternative less the first. */
  differences?: Named<Named<Figures>>
  selected?: { alternative: string; probability: number }
  /** Exploration by other designs than screening and indices: the first points; half-widths where there are replications. */
  table?: { settings: Named<Setting>; means: Figures; halfWidths?: Figures }[]
  /** Exploration: by measure and variable. */
  effects?: Named<Named<Figures>>
  indices?: Named<Named<Record<string, number | [number, number]>>>
  /** Optimisation: points no other is better than. */
  front?: { settings: Named<Setting>; objectives: Figures; violation: number }[]
  hypervolume?: number
  fit?: { settings: Named<Setting>; loss: number; heldOut: number | null; unidentified: string[] }
  posterior?: { accepted: number; tolerance: number; variables: Named<Figures> }
  failures: { run: number; seed: number; code: number; message: string }[]
  /** What makes the figures say less than they seem to. */
  warnings: { code: string; message: string }[]
}

/** Most points told one by one; a table of all runs has the others. */
const mostPoints = 1000

export function reportOf(prepared: Prepared, results: Results): Report {
  const { experiment, free, alternatives } = prepared
  const named = <T>(labels: readonly { label: string }[], values: readonly T[]): Named<T> =>
    Object.fromEntries(labels.map(({ label }, k) => [label, values[k]!] as const))
  const settings = (point: number): Named<Setting> => named(results.decisions, results.points[point]!.settings)
  const report: Report = {
    experiment: experiment.name,
    type: experiment.type,
    runs: results.known,
    points: results.points.length,
    failed: results.failed,
    failures: results.failures
      .slice(0, 10)
      .map(({ run, problem }) => ({ run, seed: results.seedOf(run), code: problem.code, message: english(problem.message) })),
    warnings: warningsOf(prepared, results).map(({ code, words }) => ({ code, message: english(words) })),
  }
  if (experiment.type === 'monteCarlo') {
    const names = results.points.map(({ alternative }) => alternatives[alternative]!.name)
    const own = intervals(prepared, results)
    report.intervals = Object.fromEntries(own.map((row, k) => [names[k]!, named(results.measures, row)]))
    const joint = jointIntervals(prepared, results)
    const bounds = ({ low, high }: Interval): Figures => ({ low, high })
    if (joint)
      report.joint = {
        confidence: joint.confidence,
        intervals: Object.fromEntries(joint.intervals.map((row, k) => [names[k]!, named(results.measures, row.map(bounds))])),
      }
    const needed = (interval: Interval): number | null => runsToSee5Percent(interval, experiment.confidence)
    report.runsToSee5Percent = Object.fromEntries(own.map((row, k) => [names[k]!, named(results.measures, row.map(needed))]))
    if (names.length > 1)
      report.differences = Object.fromEntries(differences(prepared, results).map((row, k) => [names[k + 1]!, named(results.measures, row)]))
    const best = experiment.selection === 'best' ? selection(prepared, results) : null
    if (best) report.selected = { alternative: names[best.best]!, probability: best.probability }
  }
  if (experiment.type === 'exploration') {
    const morris = effects(prepared, results)
    const sobol = indices(prepared, results)
    if (morris)
      report.effects = named(
        results.measures,
        morris.map(row => named(results.decisions, row)),
      )
    if (sobol)
      report.indices = named(
        results.measures,
        sobol.map(row => named(results.decisions, row)),
      )
    // Points that are not run yet, as somebody stopped, have no means.
    if (!morris && !sobol)
      report.table = finishedPoints(results)
        .slice(0, mostPoints)
        .map(point => ({ point, row: intervalsAt(prepared, results, point) }))
        .map(({ point, row }) => ({
          settings: settings(point),
          means: named(
            results.measures,
            row.map(({ mean }) => mean),
          ),
          ...(experiment.replications > 1
            ? {
                halfWidths: named(
                  results.measures,
                  row.map(({ low, high }) => (high - low) / 2),
                ),
              }
            : {}),
        }))
  }
  if (experiment.type === 'optimization') {
    report.front = front(prepared, results).map(({ point, objectives, violation }) => ({
      settings: settings(point),
      // As people wrote them: what is to be made large was searched with its sign turned.
      objectives: Object.fromEntries(
        experiment.objectives.map(({ name, expression, direction }, k) => [
          name || expression,
          direction === 'max' ? -objectives[k]! : objectives[k]!,
        ]),
      ),
      violation,
    }))
    if (experiment.objectives.length > 1) report.hypervolume = frontVolume(prepared, results)
  }
  if (experiment.type === 'calibration' && experiment.fit === 'optimise') {
    const best = bestFit(prepared, results)
    if (best) {
      const { fitted, heldOut } = best.loss
      report.fit = {
        settings: settings(best.point),
        loss: fitted,
        heldOut: Number.isNaN(heldOut) ? null : heldOut,
        unidentified: unidentified(prepared, results).map(({ variable }) => free[variable]!.name),
      }
    }
  }
  if (experiment.type === 'calibration' && experiment.fit === 'abc') {
    const found = posterior(prepared, results)
    if (found)
      report.posterior = {
        accepted: found.accepted.length,
        tolerance: found.tolerance,
        variables: named(results.decisions, found.variables),
      }
  }
  return report
}

/** The report as indented lines. */
export function reportText({ experiment, type, ...rest }: Report): string {
  const lines = [`${experiment} (${type})`]
  const write = (label: string, value: unknown, depth: number): void => {
    const indent = '  '.repeat(depth)
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return
    if (Array.isArray(value) && value.every(item => typeof item === 'number'))
      lines.push(`${indent}${label}: ${value.map(shown).join(' .. ')}`)
    else if (Array.isArray(value)) {
      lines.push(`${indent}${label}`)
      value.forEach((item, k) => write(`${k + 1}`, item, depth + 1))
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value)
      if (entries.every(([, item]) => typeof item !== 'object' || item === null))
        lines.push(
          `${indent}${label}: ${entries.map(([name, item]) => `${formulaName(name) === name ? name : `"${name}"`} ${shown(item)}`).join(', ')}`,
        )
      else {
        lines.push(`${indent}${label}`)
        for (const [name, item] of entries) write(name, item, depth + 1)
      }
    } else lines.push(`${indent}${label}: ${shown(value)}`)
  }
  for (const [label, value] of Object.entries(rest)) write(label, value, 1)
  return `${lines.join('\n')}\n`
}

const shown = (value: unknown): string => (typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value))
