// The latest values of a chart on a model's canvas as a picture: pies, boxes and heat maps, drawn as charts of fields are.
import { elementOf } from '../../model-schema/overlay.ts'
import { plotOf, type Plot } from '../../model-schema/plot.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import { boxOf, numbersOf } from './figures.ts'
import type { Marks, Picture } from './shelf/picture.ts'
import { listNow } from '../i18n/list.ts'

type LiveSeries = { label: string; color: string }

export type LivePicture = { picture: Picture; plot: Plot; summary: string }

/** Chart types that show the latest values. */
type LivePictureType = 'pie' | 'box' | 'heat'

const plainPlot = (type: LivePictureType): Plot => plotOf(elementOf('plot', '', '', { type, legend: false }))
const plots: Readonly<Record<LivePictureType, Plot>> = { pie: plainPlot('pie'), box: plainPlot('box'), heat: plainPlot('heat') }

function pictureWith(type: LivePictureType, series: readonly LiveSeries[], names: readonly string[], marks: Marks): Picture {
  return {
    type,
    series: series.map((one, place) => ({ ...one, place })),
    panels: [{ title: '', marks }],
    x: { is: 'name', label: '', names },
    y: { label: '' },
    left: { colors: 0, facets: 0, names: 0 },
    rows: series.length,
    missing: [],
  }
}

/** Shares of a whole. Negative amounts have no share. */
export function piePicture(series: readonly LiveSeries[], amounts: readonly number[], percent: (share: number) => string): LivePicture {
  const values = Float64Array.from(series, (_, s) => Math.max(0, amounts[s] ?? 0))
  const total = values.reduce((sum, amount) => sum + amount, 0)
  return {
    picture: pictureWith('pie', series, [], { is: 'slices', values }),
    plot: plots.pie,
    summary: listNow(series.map(({ label }, s) => `${label} ${total > 0 ? percent((values[s] ?? 0) / total) : '–'}`)),
  }
}

/** A box of each series' samples, side by side. */
export function boxPicture(series: readonly LiveSeries[], values: readonly Plain[], number: (value: number) => string): LivePicture {
  const boxes = series.map((_, s) => boxOf(values[s] ?? null))
  return {
    picture: pictureWith(
      'box',
      series,
      series.map(({ label }) => label),
      { is: 'boxes', boxes: series.map((_, s) => boxes.map((box, place) => (place === s ? box : null))) },
    ),
    plot: plots.box,
    summary: listNow(series.map(({ label }, s) => `${label}: ${boxes[s] ? number(boxes[s].median) : '–'}`)),
  }
}

/** A grid of numbers: a list of rows, the first on top. */
export function heatPicture(series: readonly LiveSeries[], value: Plain): LivePicture {
  const rows = (Array.isArray(value) ? value : []).map(numbersOf).filter(row => row.length > 0)
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const names = Array.from({ length: columns }, (_, x) => String(x))
  // Rows are drawn from the bottom up.
  const upwards = rows.toReversed()
  return {
    picture: pictureWith('heat', series.slice(0, 1), names, {
      is: 'cells',
      columns: names,
      rows: upwards.map((_, y) => String(rows.length - 1 - y)),
      values: Float64Array.from({ length: columns * rows.length }, (_, k) => upwards[Math.floor(k / columns)]?.[k % columns] ?? NaN),
    }),
    plot: plots.heat,
    summary: `${rows.length} × ${columns}`,
  }
}
