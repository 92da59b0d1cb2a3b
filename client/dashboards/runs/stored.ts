// A run of an experiment in the place of a live one. An experiment stores of each run its seed, its values and what it measured at the end, not its course:
// the page makes the run again from them, and says so; what was measured is measured again, so that a model that has changed since is found out.
import { elementOf } from '../../../model-schema/overlay.ts'
import type { Element } from '../../../model-schema/model.ts'
import { handedSchema, type Handed } from '../../run/handed.ts'
import type { RunView } from '../../run/run.ts'
import { readJson } from '../../validate.ts'
import * as z from '../../zod.ts'

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

const measure = z.object({ label: z.string(), expression: z.string(), value: z.nullable(z.number()) })
const storedSchema = z.object({
  ...handedSchema.shape,
  experiment: z.string(),
  run: z.int().check(z.gte(0)),
  ended: z.object({ ticks: z.number(), end: z.string() }),
  /** What has another form is left out. */
  measured: z.pipe(
    z.array(z.catch(z.nullable(measure), null)),
    z.transform(all => all.filter(one => one !== null).slice(0, mostMeasures)),
  ),
}) satisfies z.ZodMiniType<Stored>

/** The run described by a text; null if it describes none. */
export const storedRun = (text: string): Stored | null => (text === '' || text.length > mostLength ? null : readJson(storedSchema, text))

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
