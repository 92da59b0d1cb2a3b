// A run of an experiment in the place of a live one. An experiment stores of each run its seed, its values and what it measured at the end, not its course:
// the page makes the run again from them, and says so; what was measured is measured again, so that a model that has changed since is found out.
import { elementOf } from '../../../model-schema/overlay.ts'
import type { Element } from '../../../model-schema/model.ts'
import { handedIn, type Handed } from '../../run/handed.ts'
import type { RunView } from '../../run/run.ts'

export type Stored = Handed & {
  /** Shown to viewers: the experiment's name and the number of the run in it. */
  readonly experiment: string
  readonly run: number
  /** Ticks it had made at its end, and how it ended, in the engine's words. */
  readonly ended: { readonly ticks: number; readonly end: string }
  /** Null: no number. */
  readonly measured: readonly { readonly label: string; readonly expression: string; readonly value: number | null }[]
}

/** Characters: one line of a document, far below what it may have. */
const mostLength = 50_000
const mostMeasures = 50

/** The text that says which run it is; null when it is too long. */
export function storedText(stored: Stored): string | null {
  const text = JSON.stringify({ ...stored, measured: stored.measured.slice(0, mostMeasures) })
  return text.length <= mostLength ? text : null
}

/** The run named by a text; null if there is none. */
export function storedRun(text: string): Stored | null {
  if (text === '' || text.length > mostLength) return null
  try {
    const json: unknown = JSON.parse(text)
    const handed = handedIn(json)
    if (handed === null || !isObject(json)) return null
    const { experiment, run, ended, measured } = json
    if (typeof experiment !== 'string' || typeof run !== 'number' || !Number.isSafeInteger(run) || run < 0) return null
    if (!isObject(ended) || typeof ended['ticks'] !== 'number' || typeof ended['end'] !== 'string' || !Array.isArray(measured)) return null
    return {
      ...handed,
      experiment,
      run,
      ended: { ticks: ended['ticks'], end: ended['end'] },
      measured: measured.filter(isMeasure).slice(0, mostMeasures),
    }
  } catch {
    return null // not JSON: the caller reports that it can't be read
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const isMeasure = (one: unknown): one is Stored['measured'][number] =>
  isObject(one) &&
  typeof one['label'] === 'string' &&
  typeof one['expression'] === 'string' &&
  (one['value'] === null || typeof one['value'] === 'number')

const nameOf = (index: number): string => `stored_measure_${index + 1}`

/** What the experiment measured, as statistics for the canvas of the scenario: as it did itself. No model has their ids, as a colon is in no id. */
export const measures = ({ measured }: Stored): Element[] =>
  measured.map(({ expression }, k) =>
    elementOf('statistic', `stored:${k}`, '', { name: nameOf(k), expression, aggregate: 'last', sample: 'end' }),
  )

/** The value of a measure in the replayed run; null if it is not a number. */
export function measuredNow({ summary }: Pick<RunView, 'summary'>, index: number): number | null {
  const value = summary?.statistics[nameOf(index)]
  const number = typeof value === 'boolean' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Whether the run that was made again came out as the experiment stored it; null while it has not ended. */
export function isAsStored(stored: Stored, view: Pick<RunView, 'status' | 'result' | 'summary'>): boolean | null {
  const { status, result, summary } = view
  if (status !== 'ended' || !result || !summary) return null
  if (result.end !== stored.ended.end || summary.ticks !== stored.ended.ticks) return false
  // What failed has measured nothing.
  return result.end === 'failed' || stored.measured.every(({ value }, k) => measuredNow(view, k) === value)
}
