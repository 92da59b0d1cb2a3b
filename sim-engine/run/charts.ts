// What charts have recorded: rows since the last frame, or the latest values of charts that show only those.
import type { Parts } from '../check/parts.ts'
import type { Plain, Series } from '../messages.ts'
import { RunError } from '../problems.ts'
import type { Entries } from './build.ts'
import { plain } from './statistics.ts'

type Rows = { id: string; growing: boolean; x: number[]; columns: number[][]; sent: number }

const growingTypes = new Set(['line', 'area', 'scatter'])

/** Most rows a chart keeps unsent: beyond it every second one is dropped. */
const rowLimit = 20_000

export class ChartsOf {
  readonly #entries: Entries
  readonly #charts: Rows[]

  constructor(parts: Parts, entries: Entries) {
    this.#entries = entries
    this.#charts = parts.charts.map((chart, c) => ({ id: chart.id, growing: growingTypes.has(String(chart.fields['type'] ?? 'line')), x: [], columns: (entries.charts[c] ?? []).map(() => []), sent: 0 }))
  }

  record(x: number): void {
    this.#charts.forEach((chart, c) => {
      if (!chart.growing) return
      if (chart.x.length >= rowLimit) thin(chart)
      const axis = this.#entries.axes[c]
      chart.x.push(axis ? asNumber(axis()) : x)
      chart.columns.forEach((column, k) => column.push(asNumber(this.#entries.charts[c]![k]!())))
    })
  }

  /** Rows recorded since the last call. */
  take(): Series[] {
    return this.#charts.map((chart, c) => {
      if (!chart.growing) return { chart: chart.id, latest: this.#entries.charts[c]!.map(latest) }
      const rows = { chart: chart.id, from: chart.sent, x: Float64Array.from(chart.x), columns: chart.columns.map(column => Float64Array.from(column)) }
      chart.sent += chart.x.length
      chart.x = []
      chart.columns = chart.columns.map(() => [])
      return rows
    })
  }

  /** After going back in time: rows not sent yet are forgotten. */
  rewind(_x: number): void {
    for (const chart of this.#charts) {
      chart.x = []
      chart.columns = chart.columns.map(() => [])
    }
  }
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
  chart.x = chart.x.filter((_, k) => k % 2 === 0)
  chart.columns = chart.columns.map(column => column.filter((_, k) => k % 2 === 0))
}
