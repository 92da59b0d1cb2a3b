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

/** Most points listed one by one; a table of all runs has the others. */
const mostPoints = 1000

export function reportOf(prepared: Prepared, results: Results): Report {
  const { experiment } = prepared
  return {
    experiment: experiment.name,
    type: experiment.type,
    runs: results.known,
    points: results.points.length,
    failed: results.failed,
    failures: results.failures
      .slice(0, 10)
      .map(({ run, problem }) => ({ run, seed: results.seedOf(run), code: problem.code, message: english(problem.message) })),
    warnings: warningsOf(prepared, results).map(({ code, words }) => ({ code, message: english(words) })),
    ...findings(prepared, results),
  }
}

function findings(prepared: Prepared, results: Results): Partial<Report> {
  const { experiment } = prepared
  switch (experiment.type) {
    case 'monteCarlo':
      return compared(prepared, results)
    case 'exploration':
      return explored(prepared, results)
    case 'optimization':
      return optimised(prepared, results)
    case 'calibration':
      return experiment.fit === 'abc' ? estimated(prepared, results) : fitted(prepared, results)
    default:
      return {}
  }
}

const named = <T>(labels: readonly { label: string }[], values: readonly T[]): Named<T> =>
  Object.fromEntries(labels.map(({ label }, k) => [label, values[k]!] as const))

const settingsOf = (results: Results, point: number): Named<Setting> => named(results.decisions, results.points[point]!.settings)

function compared(prepared: Prepared, results: Results): Partial<Report> {
  const { experiment, alternatives } = prepared
  const names = results.points.map(({ alternative }) => alternatives[alternative]!.name)
  /** By alternative and measure; `from`: the alternative of the first row. */
  const table = <T>(rows: readonly (readonly T[])[], from = 0): Named<Named<T>> =>
    Object.fromEntries(rows.map((row, k) => [names[k + from]!, named(results.measures, row)]))
  const own = intervals(prepared, results)
  const joint = jointIntervals(prepared, results)
  const bounds = ({ low, high }: Interval): Figures => ({ low, high })
  const needed = (interval: Interval): number | null => runsToSee5Percent(interval, experiment.confidence)
  const best = experiment.selection === 'best' ? selection(prepared, results) : null
  return {
    intervals: table(own),
    ...(joint && { joint: { confidence: joint.confidence, intervals: table(joint.intervals.map(row => row.map(bounds))) } }),
    runsToSee5Percent: table(own.map(row => row.map(needed))),
    ...(names.length > 1 && { differences: table(differences(prepared, results), 1) }),
    ...(best && { selected: { alternative: names[best.best]!, probability: best.probability } }),
  }
}

function explored(prepared: Prepared, results: Results): Partial<Report> {
  const { measures, decisions } = results
  const morris = effects(prepared, results)
  const sobol = indices(prepared, results)
  const byVariable = <T>(rows: readonly (readonly T[])[]): Named<Named<T>> =>
    named(
      measures,
      rows.map(row => named(decisions, row)),
    )
  const isReplicated = prepared.experiment.replications > 1
  const tableRow = (point: number): NonNullable<Report['table']>[number] => {
    const row = intervalsAt(prepared, results, point)
    const means = row.map(({ mean }) => mean)
    const halfWidths = row.map(({ low, high }) => (high - low) / 2)
    return {
      settings: settingsOf(results, point),
      means: named(measures, means),
      ...(isReplicated && { halfWidths: named(measures, halfWidths) }),
    }
  }
  return {
    ...(morris && { effects: byVariable(morris) }),
    ...(sobol && { indices: byVariable(sobol) }),
    // Points that are not run yet, because the experiment was stopped, have no means.
    ...(!morris && !sobol && { table: finishedPoints(results).slice(0, mostPoints).map(tableRow) }),
  }
}

function optimised(prepared: Prepared, results: Results): Partial<Report> {
  const { objectives: asked } = prepared.experiment
  // As people wrote them: what is to be made large was searched with its sign turned.
  const written = (objectives: readonly number[]): Figures =>
    Object.fromEntries(
      asked.map(({ name, expression, direction }, k) => [name || expression, direction === 'max' ? -objectives[k]! : objectives[k]!]),
    )
  return {
    front: front(prepared, results).map(({ point, objectives, violation }) => ({
      settings: settingsOf(results, point),
      objectives: written(objectives),
      violation,
    })),
    ...(asked.length > 1 && { hypervolume: frontVolume(prepared, results) }),
  }
}

function fitted(prepared: Prepared, results: Results): Partial<Report> {
  const best = bestFit(prepared, results)
  if (!best) return {}
  const { loss } = best
  return {
    fit: {
      settings: settingsOf(results, best.point),
      loss: loss.fitted,
      heldOut: Number.isNaN(loss.heldOut) ? null : loss.heldOut,
      unidentified: unidentified(prepared, results).map(({ variable }) => prepared.free[variable]!.name),
    },
  }
}

function estimated(prepared: Prepared, results: Results): Partial<Report> {
  const found = posterior(prepared, results)
  if (!found) return {}
  const { accepted, tolerance, variables } = found
  return { posterior: { accepted: accepted.length, tolerance, variables: named(results.decisions, variables) } }
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
