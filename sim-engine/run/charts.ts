// What charts have recorded: rows since the last frame, or the latest values of charts that show only those.
import type { CheckedModel } from '../check/checked.ts'
import type { Parts } from '../check/parts.ts'
import type { Element } from '../../model-schema/model.ts'
import type { Plain, Series } from '../messages.ts'
import { RunError } from '../problems.ts'
import type { World } from '../world/world.ts'
import type { Entries } from './entries.ts'
import { plain } from './statistics.ts'

/** Rows from `shown` on are of a time still to come: they were recorded before going back. */
type Rows = { id: string; growing: boolean; times: number[]; x: number[]; columns: number[][]; shown: number; unsent: number; sent: number }

/** Types of charts that keep a row for each tick; the others are computed when they are shown. */
export const growingTypes: ReadonlySet<string> = new Set(['line', 'area', 'scatter'])

/** Statistics, charts and a stop condition that are looked at whenever something has happened: processes cannot run on without a stop. */
export function lookedAtEvents({ parts }: CheckedModel): readonly Element[] {
  const { fields } = parts.scenario
  const isTicking = fields['ticking'] !== false
  const statistics = parts.statistics.filter(({ element }) => {
    const sample = element.fields['sample'] ?? 'tick'
    // A model without ticks is looked at whenever something happens.
    return sample === 'event' || (sample === 'tick' && !isTicking)
  })
  const charts = isTicking ? [] : parts.charts.filter(chart => growingTypes.has(String(chart.fields['type'] ?? 'line')))
  const { stopWhen } = fields
  const isStopping = typeof stopWhen === 'string' && stopWhen.trim() !== ''
  return [...statistics.map(({ element }) => element), ...charts, ...(isStopping ? [parts.scenario] : [])]
}

/** Whether what is looked at can change nothing: it draws nothing, and calls no function of the model that writes, draws or creates. */
export function looksMerely(checked: CheckedModel): boolean {
  const looked = new Set(lookedAtEvents(checked).map(({ id }) => id))
  for (const { id, inferred } of checked.formulas.values()) {
    if (!looked.has(id)) continue
    const asked = [...inferred.reads, ...inferred.functions.map(({ symbol }) => symbol)]
    const acts = asked.some(({ effects }) => effects?.writes || effects?.draws || effects?.creates)
    if (inferred.draws || inferred.mayCreate || acts) return false
  }
  return true
}

/** Most rows a chart keeps unsent: beyond it every second one is dropped. */
const rowLimit = 20_000
/** The same for rows kept for going back in time. */
const historyLimit = 200_000

export class ChartsOf {
  /** Keeps the rows that were sent, so that they can be sent again after going back in time. */
  keepsHistory = false
  readonly #entries: Entries
  #charts: Rows[]

  constructor(parts: Parts, entries: Entries) {
    this.#entries = entries
    this.#charts = parts.charts.map((chart, c) => ({
      id: chart.id,
      growing: growingTypes.has(String(chart.fields['type'] ?? 'line')),
      times: [],
      x: [],
      columns: (entries.charts[c] ?? []).map(() => []),
      shown: 0,
      unsent: 0,
      sent: 0,
    }))
  }

  /** Records a row of every chart at a model time. */
  record(x: number, time: number): void {
    this.#charts.forEach((chart, c) => {
      if (!chart.growing) return
      const axis = this.#entries.axes[c]
      const row = [axis ? asNumber(axis()) : x, ...this.#entries.charts[c]!.map(value => asNumber(value()))]
      const known = chart.times[chart.shown]
      if (known !== undefined) {
        // What was recorded before comes again; a row that was thinned out stays so.
        if (known <= time) chart.shown++
        return
      }
      if (chart.x.length - chart.unsent >= (this.keepsHistory ? historyLimit : rowLimit) || chart.x.length >= historyLimit) thin(chart)
      chart.times.push(time)
      chart.x.push(row[0]!)
      for (const [k, column] of chart.columns.entries()) column.push(row[k + 1]!)
      chart.shown++
    })
  }

  /** Rows recorded since the last call; all rows again after going back in time. */
  take(world: World): Series[] {
    return this.#charts.map((chart, c) => {
      if (!chart.growing) return { chart: chart.id, latest: this.#look(world, chart.id, this.#entries.charts[c]!) }
      const fresh = (values: readonly number[]): Float64Array => Float64Array.from(values.slice(chart.unsent, chart.shown))
      const rows = { chart: chart.id, from: chart.sent, x: fresh(chart.x), columns: chart.columns.map(fresh) }
      chart.sent += rows.x.length
      chart.unsent = chart.shown
      if (!this.keepsHistory) cut(chart, 0)
      return rows
    })
  }

  /** Looking leaves no trace: what a formula draws here is put back. */
  #look(world: World, id: string, series: readonly (() => unknown)[]): Plain[] {
    if (series.length === 0) return []
    const stream = world.stream(id)
    const before = stream.slice()
    const values = series.map(latest)
    stream.set(before)
    return values
  }

  /** After going to another model time: rows up to it are sent again from the start. Those recorded later come back when it gets there. */
  rewind(time: number): void {
    for (const chart of this.#charts) {
      if (!this.keepsHistory) cut(chart, 0)
      const { times } = chart
      let shown = Math.min(chart.shown, times.length)
      while (shown > 0 && times[shown - 1]! > time) shown--
      while (shown < times.length && times[shown]! <= time) shown++
      chart.shown = shown
      chart.unsent = chart.sent = 0
    }
  }

  /** The future will be another: rows recorded later than now go. */
  forget(): void {
    for (const chart of this.#charts) cut(chart, chart.shown)
  }

  /** A copy of all rows kept, to be given to another run of the same model. */
  get rows(): unknown {
    return this.#charts.map(chart => ({
      ...chart,
      times: chart.times.slice(),
      x: chart.x.slice(),
      columns: chart.columns.map(column => column.slice()),
    }))
  }

  set rows(rows: unknown) {
    if (!Array.isArray(rows) || rows.length !== this.#charts.length) return
    this.#charts = this.#charts.map((chart, k) => {
      const given: unknown = rows[k]
      return isRows(given, chart) ? { ...given, unsent: 0, sent: 0 } : chart
    })
  }

  /** Takes over the rows of another run of the same model. */
  adopt(other: ChartsOf): void {
    this.keepsHistory = other.keepsHistory
    this.#charts = other.#charts
  }
}

function isRows(given: unknown, like: Rows): given is Rows {
  if (typeof given !== 'object' || given === null || !('id' in given) || given.id !== like.id) return false
  if (!('times' in given && 'x' in given && 'columns' in given && 'shown' in given && 'growing' in given)) return false
  return Array.isArray(given.times) && Array.isArray(given.columns) && given.columns.length === like.columns.length
}

/** Keeps the first rows only. */
function cut(chart: Rows, rows: number): void {
  chart.times.length = rows
  chart.x.length = rows
  for (const column of chart.columns) column.length = rows
  chart.shown = Math.min(chart.shown, rows)
  chart.unsent = Math.min(chart.unsent, rows)
}

/** Shown between instants, so a value that can't be had yet (a statistic before its first sample) is blank, not the end of the run. */
function latest(value: () => unknown): Plain {
  try {
    return plain(value())
  } catch (error) {
    if (error instanceof RunError) return null
    throw error
  }
}

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : NaN)

function thin(chart: Rows): void {
  const half = <T>(values: readonly T[]): T[] => values.filter((_, k) => k % 2 === 0)
  chart.times = half(chart.times)
  chart.x = half(chart.x)
  chart.columns = chart.columns.map(half)
  chart.shown = Math.ceil(chart.shown / 2)
  chart.unsent = Math.ceil(chart.unsent / 2)
}
