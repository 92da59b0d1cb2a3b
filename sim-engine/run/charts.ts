// What charts have recorded: rows since the last frame, or the latest values of charts that show only those.
import type { Parts } from '../check/parts.ts'
import type { Plain, Series } from '../messages.ts'
import { RunError } from '../problems.ts'
import type { Entries } from './build.ts'
import { plain } from './statistics.ts'

type Rows = { id: string; growing: boolean; times: number[]; x: number[]; columns: number[][]; unsent: number; sent: number }

const growingTypes = new Set(['line', 'area', 'scatter'])

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
      id: chart.id, growing: growingTypes.has(String(chart.fields['type'] ?? 'line')), times: [], x: [], columns: (entries.charts[c] ?? []).map(() => []), unsent: 0, sent: 0,
    }))
  }

  /** Records a row of every chart at a model time. */
  record(x: number, time: number): void {
    this.#charts.forEach((chart, c) => {
      if (!chart.growing) return
      if (chart.x.length - chart.unsent >= (this.keepsHistory ? historyLimit : rowLimit) || chart.x.length >= historyLimit) thin(chart)
      const axis = this.#entries.axes[c]
      chart.times.push(time)
      chart.x.push(axis ? asNumber(axis()) : x)
      chart.columns.forEach((column, k) => column.push(asNumber(this.#entries.charts[c]![k]!())))
    })
  }

  /** Rows recorded since the last call; all rows again after going back in time. */
  take(): Series[] {
    return this.#charts.map((chart, c) => {
      if (!chart.growing) return { chart: chart.id, latest: this.#entries.charts[c]!.map(latest) }
      const fresh = (values: readonly number[]): Float64Array => Float64Array.from(chart.unsent === 0 ? values : values.slice(chart.unsent))
      const rows = { chart: chart.id, from: chart.sent, x: fresh(chart.x), columns: chart.columns.map(fresh) }
      chart.sent += rows.x.length
      chart.unsent = chart.x.length
      if (!this.keepsHistory) cut(chart, 0)
      return rows
    })
  }

  /** After going back to a model time: what was recorded later is forgotten, the rest is sent again from the start. */
  rewind(time: number): void {
    for (const chart of this.#charts) {
      let kept = chart.times.length
      while (kept > 0 && chart.times[kept - 1]! > time) kept--
      cut(chart, kept)
      chart.unsent = chart.sent = 0
    }
  }

  /** Takes over the rows of another run of the same model. */
  adopt(other: ChartsOf): void {
    this.#charts = other.#charts.map(chart => ({ ...chart, times: [...chart.times], x: [...chart.x], columns: chart.columns.map(column => [...column]) }))
  }
}

/** Keeps the first rows only. */
function cut(chart: Rows, rows: number): void {
  chart.times.length = rows
  chart.x.length = rows
  for (const column of chart.columns) column.length = rows
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
  chart.unsent = Math.ceil(chart.unsent / 2)
}
