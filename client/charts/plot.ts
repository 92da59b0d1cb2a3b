// One uPlot chart with our looks: lines, areas, points, grouped bars. The card owns data and legend; here is drawing only.
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatTick } from './format.ts'

/**
 * `dashed`: of a what-if; its rows and the run's own need not be at the same x. `dash`: strokes and gaps that distinguish it from another
 * series of its colour.
 */
type PlotSeries = { label: string; color: string; shown: boolean; dashed?: boolean; dash?: readonly number[] | null }

export type PlotConfig = {
  kind: 'line' | 'area' | 'scatter' | 'bars'
  series: readonly PlotSeries[]
  xLabel: string
  yLabel: string
  ink: { text: string; line: string; surface: string; font: string }
  locale: string
  /** Bars touch, as in a histogram, instead of standing apart. */
  touching?: boolean
  /** Index of the row under the pointer, or null. */
  pointed(row: number | null): void
  /** Pixels to leave at the right of the lines, for what is written at their ends. */
  room?(): number
  /** Where each series ends, in pixels from the top of the chart; null where it has no value or is not shown. */
  ended?(tops: readonly (number | null)[]): void
}

/** x, then one column per series. */
export type PlotData = readonly (Float64Array | readonly (number | null)[])[]

/** Points beyond this many are left out of a scatter, oldest first: more would only overlap. */
const mostPoints = 20_000

export class Plot {
  readonly #host: HTMLElement
  readonly #plot: UPlot
  readonly #config: PlotConfig
  #names: readonly string[] = []
  readonly #resized: ResizeObserver

  constructor(host: HTMLElement, config: PlotConfig) {
    this.#host = host
    this.#config = config
    this.#plot = new UPlot(this.#options(), [[], ...config.series.map(() => [])], host)
    this.#resized = new ResizeObserver(() => this.#plot.setSize(sizeOf(host)))
    this.#resized.observe(host)
  }

  /** Draws these rows. `names` are the bars' own labels. */
  draw(data: PlotData, names: readonly string[] = []): void {
    this.#names = names
    const rows = this.#config.kind === 'scatter' ? sortedByX(data) : data
    // uPlot only reads; its type asks for mutable arrays. Drawn at once, not at the end of the task, so that callers can measure the time.
    this.#plot.batch(() =>
      this.#plot.setData(rows.map(column => (column instanceof Float64Array ? column : [...column])) as UPlot.AlignedData),
    )
  }

  setShown(series: number, shown: boolean): void {
    this.#plot.setSeries(series + 1, { show: shown })
  }

  /** The picture on its own ground. */
  async png(): Promise<Blob | null> {
    const from = this.#plot.ctx.canvas
    const copy = document.createElement('canvas')
    copy.width = from.width
    copy.height = from.height
    const context = copy.getContext('2d')
    if (!context) return null
    context.fillStyle = this.#config.ink.surface
    context.fillRect(0, 0, copy.width, copy.height)
    context.drawImage(from, 0, 0)
    return new Promise(done => copy.toBlob(done, 'image/png'))
  }

  destroy(): void {
    this.#resized.disconnect()
    this.#plot.destroy()
  }

  #options(): UPlot.Options {
    const { kind, series, ink, locale, xLabel, yLabel } = this.#config
    const bars = kind === 'bars'
    const touching = this.#config.touching === true
    const axis = (label: string): UPlot.Axis => ({
      stroke: ink.text,
      font: `11px ${ink.font}`,
      labelFont: `11px ${ink.font}`,
      ...(label ? { label, labelSize: 16, labelGap: 0 } : {}),
      grid: { stroke: ink.line, width: 1 },
      ticks: { show: false },
      gap: 4,
    })
    return {
      ...sizeOf(this.#host),
      padding: [10, () => Math.max(16, this.#config.room?.() ?? 0), xLabel ? 2 : 0, yLabel ? 2 : 0],
      legend: { show: false },
      cursor: {
        drag: { x: false, y: false },
        points: { size: 7, show: !bars },
        y: false,
        // The canvas below may be zoomed by a transform: back to the chart's own pixels.
        move: (plot, left, top) => {
          const scale = plot.over.clientWidth / Math.max(1, plot.over.getBoundingClientRect().width)
          return [left * scale, top * scale]
        },
      },
      scales: {
        x: {
          time: false,
          range: (plot, min, max) => {
            if (min === null || max === null || Number.isNaN(min)) return [0, 1]
            const room = touching ? unitOf(plot) / 2 : bars ? 0.6 : 0
            return min === max && room === 0 ? [min, min + 1] : [min - room, max + room]
          },
        },
        y: { range: (_, min, max) => yRange(min, max, kind === 'area' || bars) },
      },
      axes: [
        {
          ...axis(xLabel),
          size: 22,
          space: 56,
          grid: { show: false },
          border: { show: true, stroke: ink.line, width: 1 },
          incrs: roundSteps,
          ...(bars && !touching
            ? {
                grid: { show: false },
                incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
                values: (_: UPlot, splits: number[]) => splits.map(split => shortened(this.#names[split] ?? '')),
              }
            : {
                values: (_: UPlot, splits: number[], __: number, ___: number, step: number) =>
                  splits.map(split => formatTick(split, step, locale)),
              }),
        },
        {
          ...axis(yLabel),
          incrs: roundSteps,
          // Two numbers even on a flat chart.
          space: (_, __, ___, ____, height) => (height < 120 ? 18 : 34),
          size: (_, values) => Math.max(28, 14 + 6.4 * Math.max(0, ...(values ?? []).map(value => String(value).length))),
          values: (_, splits, __, ___, step) => splits.map(split => formatTick(split, step, locale)),
        },
      ],
      series: [
        {},
        ...series.map((one, at): UPlot.Series => ({
          label: one.label,
          show: one.shown,
          stroke: one.color,
          width: kind === 'scatter' ? 0 : bars ? 0 : 1.75,
          ...(one.dashed ? { dash: [4, 3] } : one.dash ? { dash: [...one.dash] } : {}),
          spanGaps: series.some(other => other.dashed),
          ...(kind === 'area' && !one.dashed ? { fill: `${one.color}29` } : {}),
          ...(kind === 'scatter'
            ? { paths: () => null, points: { show: true, size: 5, fill: `${one.color}b0`, stroke: one.color, width: 0 } }
            : { points: { show: false } }),
          ...(bars ? { fill: one.color, paths: barPaths(at, touching) } : {}),
        })),
      ],
      hooks: {
        setCursor: [plot => this.#config.pointed(plot.cursor.idx ?? null)],
        draw: [plot => this.#config.ended?.(plot.series.slice(1).map((one, at) => (one.show ? endOf(plot, at + 1) : null)))],
      },
    }
  }
}

/** Steps of an axis: 1, 2 or 5 times a power of ten. */
const roundSteps: number[] = Array.from({ length: 36 }, (_, i) => i - 18).flatMap(power =>
  [1, 2, 5].map(digit => Number(`${digit}e${power}`)),
)

/** How far down the last value of a series is drawn, in pixels. */
function endOf(plot: UPlot, at: number): number | null {
  const column = plot.data[at] ?? []
  for (let row = column.length - 1; row >= 0; row--) {
    const value = column[row]
    if (typeof value === 'number' && Number.isFinite(value)) return plot.valToPos(value, 'y') + plot.bbox.top / devicePixelRatio
  }
  return null
}

const sizeOf = (host: HTMLElement): { width: number; height: number } => ({
  width: Math.max(40, host.clientWidth),
  height: Math.max(40, host.clientHeight),
})

const shortened = (name: string): string => (name.length > 12 ? `${name.slice(0, 11)}…` : name)

/** Room above and below the values; from 0 where the amount is an area. */
function yRange(min: number | null, max: number | null, fromZero: boolean): UPlot.Range.MinMax {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1]
  const low = fromZero ? Math.min(0, min) : min
  const high = fromZero ? Math.max(0, max) : max
  if (low === high) return low === 0 ? [0, 1] : [Math.min(low * 0.9, low * 1.1), Math.max(low * 0.9, low * 1.1)]
  const room = (high - low) * 0.06
  // Amounts that never go below 0 don't show a negative axis.
  return [low >= 0 && low - room < 0 ? 0 : low === 0 ? 0 : low - room, high === 0 ? 0 : high + room]
}

/** The distance between bars: bins may have any width. */
const unitOf = (plot: UPlot): number => (plot.data[0][1] ?? 1) - (plot.data[0][0] ?? 0)

/** Bars around each x; where several series have one at the same place they share it. */
function barPaths(at: number, touching: boolean): UPlot.Series.PathBuilder {
  return (plot, series, first, last) => {
    const fill = new Path2D()
    const xs = plot.data[0]
    const columns = plot.data.slice(1)
    const unit = Math.abs(plot.valToPos(unitOf(plot), 'x', true) - plot.valToPos(0, 'x', true))
    const group = touching ? Math.max(1, unit - 1) : Math.min(unit * 0.72, 72 * devicePixelRatio)
    const zero = plot.valToPos(0, 'y', true)
    for (let i = first; i <= last; i++) {
      const value = plot.data[series]?.[i]
      if (value === null || value === undefined || !Number.isFinite(value)) continue
      const filled = (column: (typeof columns)[number]): boolean => typeof column[i] === 'number'
      const count = columns.filter(filled).length
      const place = columns.slice(0, at).filter(filled).length
      const width = group / count
      const left = plot.valToPos(xs[i] ?? 0, 'x', true) - group / 2 + place * width
      const top = plot.valToPos(value, 'y', true)
      fill.rect(left, Math.min(top, zero), Math.max(1, width - (count > 1 ? 1 : 0)), Math.abs(zero - top))
    }
    return { stroke: null, fill, clip: null, band: null, flags: 0 }
  }
}

function sortedByX(data: PlotData): PlotData {
  const x = data[0] ?? []
  const from = Math.max(0, x.length - mostPoints)
  const order = Uint32Array.from({ length: x.length - from }, (_, i) => from + i).sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0))
  return data.map(column => Float64Array.from(order, i => column[i] ?? NaN))
}
