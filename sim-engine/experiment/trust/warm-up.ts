// How long the warm-up of an experiment's runs is: a few runs looked at over their time, averaged and smoothed (Welch 1983), with the cut of MSER-5 as
// a suggestion. What the model or the experiment leaves out as warm-up is looked at, too.
import type { Element, Id } from '../../../model-schema/model.ts'
import { lag1, mser5 } from './output-analysis.ts'
import { withWarmUp, type Prepared } from '../prepare.ts'
import type { Evaluator, Job, Runnable, Sample } from '../protocol.ts'

/** Responses and objectives over the time of several runs. */
export type Courses = {
  /** Ticks, rising; the same for all. */
  readonly times: readonly number[]
  /** `runs[r][t]`: its value in run r at time t. */
  readonly measures: readonly { readonly label: string; readonly runs: readonly Float64Array[] }[]
}

/** Times looked at in one run at most, and the fewest that say something. */
const mostTimes = 500
const fewestTimes = 20

/** What makes an evaluator of runs: threads, or workers of a page. */
type Hire = (runnable: Runnable) => Evaluator

/**
 * Makes runs and looks at them over their time; null where they are too short for it, or fail. `jobs`: numbered from 0. Rejects when the signal is
 * aborted or no worker can make a run.
 */
export async function coursesOf(prepared: Prepared, jobs: readonly Job[], hire: Hire, signal: AbortSignal): Promise<Courses | null> {
  const whole = withoutWarmUp(prepared.runnable)
  const [first] = await made(hire(whole), jobs.slice(0, 1), signal)
  const times = timesOf(first?.ticks ?? 0)
  if (times.length < fewestTimes) return null
  const columns = prepared.measures.filter(({ id }) => !id.includes('@'))
  const measures = whole.measures.filter(({ at }) => at === null).map(({ id }) => ({ id, at: times }))
  const samples = await made(hire({ ...whole, measures }), jobs, signal)
  const ended = samples.filter(({ end }) => end !== 'failed')
  // There may be no value at first, as of a mean before anything was measured, and none at the last times where runs end early.
  const isComplete = (t: number): boolean =>
    ended.every(({ values }) => columns.every((_, m) => !Number.isNaN(values[m * times.length + t])))
  const from = times.findIndex((_, t) => isComplete(t))
  const missing = times.findIndex((_, t) => t > from && !isComplete(t))
  const to = missing < 0 ? times.length : missing
  if (ended.length === 0 || from < 0 || to - from < fewestTimes) return null
  return {
    times: times.slice(from, to),
    measures: columns.map(({ label }, m) => ({
      label,
      runs: ended.map(({ values }) => Float64Array.from(values.slice(m * times.length + from, m * times.length + to))),
    })),
  }
}

/** What statistics leave out at the beginning of each alternative's runs, in ticks. */
export const warmUpsOf = ({ alternatives }: Runnable): number[] =>
  alternatives.map(({ model, scenario }) => Number(model.elements.get(scenario)?.fields['warmUp'] ?? 0))

/** Whole ticks where runs have that many, else parts of them. */
function timesOf(ticks: number): number[] {
  const step = ticks >= mostTimes ? Math.ceil(ticks / mostTimes) : ticks >= fewestTimes ? 1 : 0
  return step === 0 ? [] : Array.from({ length: Math.floor(ticks / step) }, (_, k) => (k + 1) * step)
}

async function made(evaluator: Evaluator, jobs: readonly Job[], signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = []
  try {
    await evaluator.evaluate(jobs, (run, sample) => (samples[run] = sample), signal)
  } finally {
    evaluator.close()
  }
  return samples
}

/** The models without their warm-ups, and with statistics that are sampled at the end sampled at every tick: before the end those have no value. */
function withoutWarmUp(runnable: Runnable): Runnable {
  const measured = new Set(runnable.measures.map(({ id }) => id))
  const isAtEnd = ({ id, kind, fields }: Element): boolean => kind === 'statistic' && fields['sample'] === 'end' && !measured.has(id)
  const alternatives = runnable.alternatives.map(({ model, scenario }) => {
    const elements = [...model.elements].map(([id, element]): [Id, Element] => [
      id,
      isAtEnd(element) ? { ...element, fields: { ...element.fields, sample: 'tick', aggregate: 'last' } } : element,
    ])
    return { model: withWarmUp({ ...model, elements: new Map(elements) }, scenario, 0), scenario }
  })
  return { ...runnable, alternatives }
}

type Welch = {
  /** Of all runs at each time. */
  readonly mean: Float64Array
  /** The same, smoothed. */
  readonly smooth: Float64Array
  /** What MSER-5 cuts of the mean, in ticks; null where the course is too short to decide. */
  readonly suggested: number | null
  /** Correlation of neighbouring values of the mean behind the suggested cut. */
  readonly correlation: number
}

/** Mean over runs and its moving average of 2 x window + 1 values; near both ends of as many as there are on the shorter side. */
export function welch(times: readonly number[], runs: readonly Float64Array[], window: number): Welch {
  const n = times.length
  const mean = Float64Array.from({ length: n }, (_, t) => runs.reduce((sum, run) => sum + run[t]!, 0) / runs.length)
  const sums = new Float64Array(n + 1)
  mean.forEach((value, t) => (sums[t + 1] = sums[t]! + value))
  const smooth = Float64Array.from({ length: n }, (_, t) => {
    const half = Math.min(window, t, n - 1 - t)
    return (sums[t + half + 1]! - sums[t - half]!) / (2 * half + 1)
  })
  const found = mser5([...mean])
  const cut = found?.isReliable === true ? found.cut : null
  const suggested = cut === null ? null : cut === 0 ? 0 : (times[cut - 1] ?? null)
  return { mean, smooth, suggested, correlation: lag1(Array.from(mean).slice(cut ?? 0)) }
}
