// The numbers behind a picture as a table: what a screen reader is read, and what is downloaded.
import type { Table } from '../figures.ts'
import type { BoxPlot } from './shapes.ts'
import type { Marks, Picture } from './picture.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

type BehindWords = {
  facet: string
  name: string
  value: string
  from: string
  to: string
  low: string
  high: string
  median: string
  mean: string
  count: string
  series: string
}

type Cell = string | number | null
const known = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value)

export function tableBehind(picture: Picture, words: BehindWords): Table {
  const parts = picture.panels.map(({ marks }) => partOf(picture, marks, words))
  const [first = { head: [], rows: [] }] = parts
  if (picture.panels.length < 2) return first
  return {
    head: [words.facet, ...first.head],
    rows: parts.flatMap(({ rows }, p) => rows.map(row => [picture.panels[p]?.title ?? '', ...row])),
  }
}

function partOf({ series, x, y }: Picture, marks: Marks, words: BehindWords): { head: string[]; rows: Cell[][] } {
  const labels = series.map(({ label }) => label || y.label || words.value)
  const across = x.label || words.name
  const dated = (value: number): Cell => (x.is === 'number' && x.dates ? new Date(value).toISOString() : known(value))
  switch (marks.is) {
    case 'courses': {
      const xs = marks.x
      const length = xs?.length ?? (x.is === 'name' ? x.names.length : 0)
      const xOf = (row: number): Cell => (xs ? dated(xs[row] ?? NaN) : x.is === 'name' ? (x.names[row] ?? '') : null)
      const { low, high } = marks
      return {
        head: [across, ...labels.flatMap(label => (low ? [label, `${label} · ${words.low}`, `${label} · ${words.high}`] : [label]))],
        rows: Array.from({ length }, (_, row) => [
          xOf(row),
          ...marks.ys.flatMap((column, s) =>
            low && high ? [known(column[row]), known(low[s]?.[row]), known(high[s]?.[row])] : [known(column[row])],
          ),
        ]),
      }
    }
    case 'slices':
    case 'figures':
      return { head: [words.name, y.label || words.value], rows: labels.map((label, s) => [label, known(marks.values[s])]) }
    case 'points':
      return {
        head: [words.series, across, y.label || words.value],
        rows: marks.xs.flatMap((xs, s) =>
          [...xs].map((value, k): Cell[] => [
            labels[s] ?? '',
            x.is === 'name' ? (x.names[value] ?? '') : dated(value),
            known(marks.ys[s]?.[k]),
          ]),
        ),
      }
    case 'bins':
      return {
        head: [words.from, words.to, ...labels.map(label => label || words.count)],
        rows: Array.from({ length: Math.max(0, marks.edges.length - 1) }, (_, bin) => [
          known(marks.edges[bin]),
          known(marks.edges[bin + 1]),
          ...marks.counts.map(counts => known(counts[bin])),
        ]),
      }
    case 'boxes':
    case 'violins':
      return {
        head: [across, words.series, words.low, 'Q1', words.median, 'Q3', words.high, words.mean, words.count],
        rows: marks.boxes.flatMap((boxes, s) =>
          boxes.flatMap((box: BoxPlot | null, at) =>
            box
              ? [
                  [
                    x.is === 'name' ? (x.names[at] ?? '') : '',
                    labels[s] ?? '',
                    box.low,
                    box.q1,
                    box.median,
                    box.q3,
                    box.high,
                    box.mean,
                    box.count,
                  ],
                ]
              : [],
          ),
        ),
      }
    case 'cells':
      return {
        head: [y.label || words.name, ...marks.columns],
        rows: marks.rows.map((name, row) => [
          name,
          ...marks.columns.map((_, column) => known(marks.values[row * marks.columns.length + column])),
        ]),
      }
    case 'lines':
      return {
        head: [words.series, ...marks.axes.map(({ label }) => label)],
        rows: marks.rows.map((row, k) => [
          labels[marks.of[k] ?? 0] ?? '',
          ...marks.axes.map(({ names }, a): Cell => (names ? (names[row[a] ?? -1] ?? '') : known(row[a]))),
        ]),
      }
    case 'listing':
      return { head: [...marks.head], rows: marks.body.map(row => [...row]) }
    default:
      return unreachable(marks)
  }
}
