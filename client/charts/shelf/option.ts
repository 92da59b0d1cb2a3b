// A picture as ECharts draws it. All decisions are in the picture; here are axes, colours and places. What ECharts has no form for is in `forms.ts`.
import type { CustomSeriesOption, EChartsOption, SeriesOption, XAXisComponentOption, YAXisComponentOption } from 'echarts'
import type { Plot } from '../../../model-schema/plot.ts'
import { defined } from '../../ui/defined.ts'
import { seriesDash } from '../colors.ts'
import type { Ink } from '../ink.ts'
import {
  axisLineStyle,
  axisNameStyle,
  coordinateDimensions as dimensions,
  crossedLabelStyle,
  flatPairs as pairs,
  labelsInside,
  tooltipStyle,
  type DrawingSize,
} from '../render/style.ts'
import { thinned } from '../thin.ts'
import { bandForm, boxForm, violinForm } from './forms.ts'
import { rectangles, type Rect } from './layout.ts'
import type { Marks, Picture } from './picture.ts'
import type { Written } from './written.ts'

export type Drawn = DrawingSize & {
  readonly picture: Picture
  readonly plot: Plot
  readonly ink: Ink
  readonly written: Written
  /** Labels of series that are switched off. */
  readonly hidden: ReadonlySet<string>
  /** Title and legend are part of it: for pictures that leave the page. */
  readonly titled: string | null
  /** Pixels at the right that names at the ends of lines take. */
  readonly room?: number
}

export function optionOf(drawn: Drawn): EChartsOption {
  const { picture, ink, width, height, titled } = drawn
  const headed = titled === null ? 0 : 34 + (legendOf(drawn).length > 0 ? 22 : 0)
  const legendBar = picture.type === 'heat' && drawn.plot.legend ? 30 : 0
  const whole: Rect = {
    left: 4,
    top: headed + 6,
    width: Math.max(40, width - 12 - (drawn.room ?? 0)),
    height: Math.max(40, height - headed - 8 - legendBar),
  }
  const rects = rectangles(picture.panels.length, whole)
  const option: EChartsOption = {
    animation: false,
    backgroundColor: titled === null ? 'transparent' : ink.surface,
    color: picture.series.map(({ place, color }) => ink.series(place, color)),
    textStyle: { fontFamily: ink.font, fontSize: 11, color: ink.muted },
    title: [
      ...(titled === null
        ? []
        : [{ text: titled, left: 12, top: 8, textStyle: { color: ink.text, fontSize: 14, fontWeight: 600 as const } }]),
      ...facetTitles(drawn, rects),
    ],
    ...(titled === null || legendOf(drawn).length === 0
      ? {}
      : {
          legend: {
            left: 12,
            top: 32,
            itemWidth: 10,
            itemHeight: 10,
            icon: 'roundRect',
            textStyle: { color: ink.text },
            data: legendOf(drawn),
          },
        }),
    tooltip: tooltipOf(drawn),
  }
  switch (picture.type) {
    case 'pie':
      return { ...option, series: rects.flatMap((rect, p) => pieSeries(drawn, rect, p)) }
    case 'gauge':
      return { ...option, series: rects.flatMap((rect, p) => gaugeSeries(drawn, rect, p)) }
    case 'parallel':
      return parallel(option, drawn, rects)
    default:
      return framed(option, drawn, rects)
  }
}

/** Names of the series that have one, in their order. */
export const legendOf = ({ picture }: Pick<Drawn, 'picture'>): string[] =>
  picture.type === 'heat' || picture.type === 'value' || picture.type === 'table' || picture.type === 'gauge'
    ? []
    : [...new Set(picture.series.map(({ label }) => label))].filter(label => label !== '').slice(0, 200)

/** Where each line ends, by series: its last value; null of a line that is hidden or empty. */
export type LineEnd = { readonly at: number; readonly value: number }

/** The labels at the ends of the lines of one chart, each with a name of its own; null if the lines are in several charts, or stacked. */
export function lineEnds({ picture, hidden }: Pick<Drawn, 'picture' | 'hidden'>): (LineEnd | null)[] | null {
  const [panel, ...others] = picture.panels
  const marks = panel?.marks
  const isOfLines = picture.type === 'line' || picture.type === 'area' || picture.type === 'bands'
  if (!isOfLines || others.length > 0 || marks?.is !== 'courses' || legendOf({ picture }).length !== picture.series.length) return null
  return picture.series.map(({ label }, s) => {
    const ys = marks.ys[s] ?? new Float64Array(0)
    const last = ys.findLastIndex(Number.isFinite)
    return last < 0 || hidden.has(label) ? null : { at: marks.x?.[last] ?? last, value: ys[last] ?? NaN }
  })
}

const isShown = ({ picture, hidden }: Drawn, s: number): boolean => !hidden.has(picture.series[s]?.label ?? '')
const colorAt = ({ picture, ink }: Drawn, s: number): string => ink.series(picture.series[s]?.place ?? 0, picture.series[s]?.color ?? '')
const dashAt = ({ picture }: Drawn, s: number): { type?: number[] } => {
  const { place = 0, color = '' } = picture.series[s] ?? {}
  const dash = seriesDash(place, color)
  return dash ? { type: [...dash] } : {}
}
const titleRoom = 18

function facetTitles({ picture, ink }: Drawn, rects: readonly Rect[]) {
  if (picture.panels.length < 2 && (picture.panels[0]?.title ?? '') === '') return []
  return picture.panels.map(({ title }, p) => ({
    text: title,
    left: (rects[p]?.left ?? 0) + (rects[p]?.width ?? 0) / 2,
    top: rects[p]?.top ?? 0,
    textAlign: 'center' as const,
    padding: 0,
    textStyle: { fontSize: 12, fontWeight: 600 as const, color: ink.text, overflow: 'truncate' as const, width: rects[p]?.width ?? 0 },
  }))
}

const hasTitles = (picture: Picture): boolean => picture.panels.length > 1 || (picture.panels[0]?.title ?? '') !== ''

/** What is as high as its value begins at nothing. */
const barsFromZero: ReadonlySet<string> = new Set(['bar', 'histogram', 'stacked', 'area'])

/** Bounds that axes with the same ticks can share: powers of ten, or whole steps. */
function roundOut(bounds: [number, number] | null, log: boolean, fromZero: boolean): [number, number] | null {
  if (!bounds) return null
  const [low, high] = fromZero ? [Math.min(0, bounds[0]), Math.max(0, bounds[1])] : bounds
  if (log) return low > 0 ? [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high))] : null
  const step = roundUp((high - low || Math.abs(high) || 1) / 5)
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step]
}

/** Charts with an x and a y axis. */
function framed(option: EChartsOption, drawn: Drawn, rects: readonly Rect[]): EChartsOption {
  const { picture, plot, ink, written } = drawn
  const { x, y, type } = picture
  const labelled = axisNameStyle(ink)
  const lines = axisLineStyle(ink)
  const shared = picture.panels.length > 1 ? roundOut(extent(picture), plot.yScale === 'log', barsFromZero.has(type)) : null
  const rows = type === 'heat' ? firstCells(picture).rows : []
  const bars = barsFromZero.has(type)
  const xAxis = rects.map((rect, gridIndex): XAXisComponentOption => {
    const isNamed = x.label !== '' && (gridIndex === 0 || picture.panels.length <= 6)
    const common = { gridIndex, ...(isNamed ? { name: x.label } : {}), nameGap: 24, ...labelled, ...lines }
    if (x.is === 'name')
      return {
        ...common,
        type: 'category',
        data: [...x.names],
        splitLine: { show: false },
        axisLine: { show: true, lineStyle: { color: ink.lineStrong } },
        axisLabel: {
          ...lines.axisLabel,
          overflow: 'truncate',
          width: Math.max(40, Math.min(140, ((rect.width - 50) / Math.max(1, x.names.length)) * (x.names.length > 12 ? 3 : 1))),
        },
      }
    return {
      ...common,
      type: plot.xScale === 'log' && !x.dates ? 'log' : x.dates ? 'time' : 'value',
      scale: true,
      ...(type === 'histogram' ? binBounds(picture) : {}),
      ...(type === 'line' || type === 'area' || type === 'bands' || type === 'stacked' ? { min: 'dataMin', max: 'dataMax' } : {}),
      splitLine: { show: false },
      axisLine: { show: true, onZero: false, lineStyle: { color: ink.lineStrong } },
      axisLabel: x.dates
        ? lines.axisLabel
        : {
            ...lines.axisLabel,
            formatter: (value: number) => written.tick(value),
            // The bounds of classes are rarely round.
            ...(type === 'histogram' ? { showMinLabel: false, showMaxLabel: false } : {}),
          },
    }
  })
  const yAxis = rects.map((_, gridIndex): YAXisComponentOption => {
    const common = { gridIndex, ...labelled, ...lines, ...(y.label === '' ? {} : { name: y.label, nameGap: 12, nameRotate: 90 }) }
    if (type === 'heat') return { ...common, type: 'category', data: [...rows], splitLine: { show: false } }
    const [low, high] = shared ?? [null, null]
    return {
      ...common,
      type: plot.yScale === 'log' ? 'log' : 'value',
      scale: !bars,
      ...defined({ min: plot.yMin ?? low ?? undefined, max: plot.yMax ?? high ?? undefined }),
      axisLabel: { ...lines.axisLabel, formatter: (value: number) => written.tick(value) },
    }
  })
  const top = hasTitles(picture) ? titleRoom + 6 : 8
  return {
    ...option,
    grid: rects.map(rect => ({
      left: rect.left + (y.label === '' ? 6 : 20),
      top: rect.top + top,
      width: rect.width - (y.label === '' ? 14 : 28),
      height: Math.max(20, rect.height - top - (x.label === '' ? 6 : 20)),
      ...labelsInside,
    })),
    xAxis,
    yAxis,
    ...(type === 'heat' ? { visualMap: heatColors(drawn) } : {}),
    series: picture.panels.flatMap(({ marks }, p) => seriesIn(drawn, marks, p, rects[p]?.width ?? 0)),
  }
}

function firstCells({ panels }: Picture): Extract<Marks, { is: 'cells' }> {
  const marks = panels[0]?.marks
  return marks?.is === 'cells' ? marks : { is: 'cells', columns: [], rows: [], values: new Float64Array(0) }
}

function binBounds({ panels }: Picture): { min?: number; max?: number } {
  const marks = panels[0]?.marks
  if (marks?.is !== 'bins' || marks.edges.length === 0) return {}
  return { min: marks.edges[0]!, max: marks.edges.at(-1)! }
}

/** One of the small charts: the axes of its series, and which of them are shown. */
type Panel = {
  readonly drawn: Drawn
  readonly at: { readonly xAxisIndex: number; readonly yAxisIndex: number }
  readonly shown: readonly number[]
}
type MarksOf<K extends Marks['is']> = Extract<Marks, { is: K }>

/** `width`: of the chart, in pixels; lines are thinned to it. */
function seriesIn(drawn: Drawn, marks: Marks, p: number, width: number): SeriesOption[] {
  const shown = drawn.picture.series.map((_, s) => s).filter(s => isShown(drawn, s))
  const panel: Panel = { drawn, at: { xAxisIndex: p, yAxisIndex: p }, shown }
  switch (marks.is) {
    case 'courses': {
      const { type } = drawn.picture
      return type === 'bar' || (type === 'stacked' && marks.x === null) ? barsOf(panel, marks) : linesOf(panel, marks, width)
    }
    case 'points':
      return pointsOf(panel, marks)
    case 'bins':
      return binsOf(panel, marks)
    case 'boxes':
      return boxesOf(panel, marks)
    case 'violins':
      return violinsOf(panel, marks)
    case 'cells':
      return cellsOf(panel, marks)
    default:
      return []
  }
}

const seriesBase = ({ drawn, at }: Panel, s: number) => ({ ...at, name: drawn.picture.series[s]?.label ?? '', color: colorAt(drawn, s) })
const stackOf = ({ at }: Panel): string => `panel ${at.xAxisIndex}`

function barsOf(panel: Panel, marks: MarksOf<'courses'>): SeriesOption[] {
  const { type } = panel.drawn.picture
  const { plot } = panel.drawn
  // Bars that are alone at their position share it.
  const lonely = plot.dimension === '' && plot.colorBy === ''
  return panel.shown.map(s => ({
    ...seriesBase(panel, s),
    type: 'bar' as const,
    data: [...(marks.ys[s] ?? [])].map(value => (Number.isFinite(value) ? value : '-')),
    barMaxWidth: 56,
    barCategoryGap: '24%',
    ...(type === 'stacked' || lonely ? { stack: stackOf(panel) } : {}),
  }))
}

/** Lines and areas; with the bands around them. */
function linesOf(panel: Panel, marks: MarksOf<'courses'>, width: number): SeriesOption[] {
  const { drawn } = panel
  const { type } = drawn.picture
  const many = type === 'area' || type === 'stacked'
  const x = marks.x
  const columns = x ? [x, ...panel.shown.map(s => marks.ys[s] ?? x)] : null
  // Stacked series must keep their rows: those of all series have the same x.
  const few = columns && thinned(columns, Math.max(50, width * drawn.density))
  const bands =
    type === 'bands' && marks.low && marks.high
      ? panel.shown.map((s): CustomSeriesOption => ({
          ...seriesBase(panel, s),
          ...bandForm(x, marks.low?.[s] ?? new Float64Array(0), marks.high?.[s] ?? new Float64Array(0), colorAt(drawn, s)),
        }))
      : []
  return [
    ...bands,
    ...panel.shown.map((s, i): SeriesOption => {
      const xs = few?.[0]
      const ys = few?.[i + 1] ?? marks.ys[s] ?? new Float64Array(0)
      return {
        ...seriesBase(panel, s),
        type: 'line',
        ...(xs ? { dimensions, data: pairs(xs, ys) } : { data: [...ys].map(value => (Number.isFinite(value) ? value : '-')) }),
        showSymbol: ys.length <= 40,
        symbol: 'circle',
        symbolSize: 5,
        lineStyle: { width: 1.75, ...dashAt(drawn, s) },
        // A gap between replications of one course is none of its values.
        connectNulls: false,
        ...(many ? { areaStyle: { opacity: type === 'stacked' ? 0.55 : 0.16 } } : {}),
        ...(type === 'stacked' ? { stack: stackOf(panel) } : {}),
      }
    }),
  ]
}

function pointsOf(panel: Panel, marks: MarksOf<'points'>): SeriesOption[] {
  const { ink, plot } = panel.drawn
  const dots = panel.shown.map((s): SeriesOption => {
    const xs = marks.xs[s] ?? new Float64Array(0)
    return {
      ...seriesBase(panel, s),
      type: 'scatter',
      dimensions,
      data: pairs(xs, marks.ys[s] ?? xs),
      symbolSize: xs.length > 2000 ? 4 : xs.length > 300 ? 6 : 8,
      itemStyle: { opacity: xs.length > 300 ? 0.55 : 0.8 },
      large: xs.length > 2000,
    }
  })
  if (!marks.fronts) return dots
  const goal = plot.dimension === '' ? (plot.metrics[0]?.goal ?? 'min') : 'min'
  return [
    ...dots,
    {
      ...panel.at,
      type: 'line',
      name: '',
      data: marks.fronts.map(([x, y]) => [x, y]),
      // Between two points the front is what the one with the better x still gives.
      step: goal === 'min' ? 'end' : 'start',
      color: ink.text,
      lineStyle: { width: 1.5 },
      symbol: 'circle',
      symbolSize: 8,
      z: 4,
    },
  ]
}

function binsOf(panel: Panel, marks: MarksOf<'bins'>): SeriesOption[] {
  return panel.shown.map(s => ({
    ...seriesBase(panel, s),
    type: 'bar' as const,
    dimensions,
    data: pairs(
      Float64Array.from(marks.edges.subarray(1), (edge, i) => (edge + marks.edges[i]!) / 2),
      marks.counts[s] ?? new Float64Array(0),
    ),
    barCategoryGap: '3%',
    barGap: '-100%',
    itemStyle: { opacity: panel.shown.length > 1 ? 0.55 : 0.9 },
  }))
}

function boxesOf(panel: Panel, marks: MarksOf<'boxes'>): SeriesOption[] {
  const { drawn, shown } = panel
  return shown.map((s, i) => {
    const own = marks.boxes[s] ?? []
    // Boxes that have their name to themselves use all of its room.
    const isAlone = own.every((box, k) => box === null || shown.every(other => other === s || !marks.boxes[other]?.[k]))
    return { ...seriesBase(panel, s), ...boxForm(own, colorAt(drawn, s), drawn.ink, isAlone ? [0, 1] : [i, shown.length]) }
  })
}

function violinsOf(panel: Panel, marks: MarksOf<'violins'>): SeriesOption[] {
  const { drawn, shown } = panel
  return shown.map((s, i) => ({
    ...seriesBase(panel, s),
    ...violinForm(marks.densities[s] ?? [], marks.boxes[s] ?? [], colorAt(drawn, s), drawn.ink, [i, shown.length]),
  }))
}

function cellsOf({ drawn, at }: Panel, marks: MarksOf<'cells'>): SeriesOption[] {
  return [
    {
      ...at,
      type: 'heatmap',
      name: drawn.picture.series[0]?.label ?? '',
      data: [...marks.values].map((value, k) => [
        k % marks.columns.length,
        Math.floor(k / marks.columns.length),
        Number.isFinite(value) ? value : '-',
      ]),
      itemStyle: { borderColor: drawn.ink.surface, borderWidth: marks.columns.length > 40 ? 0 : 1 },
    },
  ]
}

/** The least and greatest value of all small charts: they are compared. */
function extent({ panels, type }: Picture): [number, number] | null {
  let low = Infinity
  let high = -Infinity
  const take = (values: Iterable<number>): void => {
    for (const value of values) {
      if (!Number.isFinite(value)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  for (const { marks } of panels) {
    if (marks.is === 'courses') {
      for (const values of [...marks.ys, ...(marks.low ?? []), ...(marks.high ?? [])]) take(values)
      if (type === 'stacked')
        take(Array.from({ length: marks.ys[0]?.length ?? 0 }, (_, k) => marks.ys.reduce((sum, values) => sum + (values[k] || 0), 0)))
    } else if (marks.is === 'points') for (const values of marks.ys) take(values)
    else if (marks.is === 'bins') for (const values of marks.counts) take(values)
    else if (marks.is === 'boxes' || marks.is === 'violins')
      for (const box of marks.boxes.flat()) if (box) take([box.low, box.high, ...box.outliers])
  }
  return low > high ? null : [low, high]
}

const lightHeat = ['#f2f6fb', '#b5d3ea', '#5fa5d6', '#1f6fb4', '#0b2f66']
const darkHeat = ['#1b2330', '#17505f', '#1f8a8c', '#7fc97f', '#fde725']

/** From faint to strong, in the series' own colour if it has one. */
function heatColors({ picture, ink, plot, written }: Drawn) {
  let low = Infinity
  let high = -Infinity
  for (const { marks } of picture.panels) {
    if (marks.is !== 'cells') continue
    for (const value of marks.values) {
      if (!Number.isFinite(value)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  const own = picture.series[0]?.color ?? ''
  const min = plot.yMin ?? (low <= high ? low : 0)
  const max = plot.yMax ?? (low <= high ? high : 1)
  return {
    type: 'continuous' as const,
    min,
    max: max > min ? max : min + 1,
    show: plot.legend,
    orient: 'horizontal' as const,
    left: 'center' as const,
    bottom: 0,
    itemWidth: 10,
    itemHeight: 140,
    text: [written.value(max), written.value(min)],
    textStyle: { color: ink.muted, fontSize: 11 },
    inRange: own === '' ? { color: ink.dark ? darkHeat : lightHeat } : { color: [own, own], colorAlpha: [0.06, 1] },
    // Cells without a value are not coloured.
    outOfRange: { color: 'transparent' },
  }
}

function pieSeries(drawn: Drawn, rect: Rect, p: number): SeriesOption[] {
  const { picture, ink } = drawn
  const marks = picture.panels[p]?.marks
  if (marks?.is !== 'slices') return []
  const top = hasTitles(picture) ? titleRoom : 0
  const size = Math.max(20, Math.min(rect.width, rect.height - top) / 2 - 10)
  const total = picture.series.reduce((sum, _, s) => sum + (isShown(drawn, s) ? Math.max(0, marks.values[s] || 0) : 0), 0)
  return [
    {
      type: 'pie',
      center: [rect.left + rect.width / 2, rect.top + top + (rect.height - top) / 2],
      radius: [size * 0.54, size],
      itemStyle: { borderColor: ink.surface, borderWidth: 1.5 },
      label: {
        position: 'inside',
        color: '#fff',
        fontWeight: 600,
        formatter: ({ percent = 0 }) => (percent > 6 ? `${Math.round(percent)}%` : ''),
      },
      labelLine: { show: false },
      data: picture.series.flatMap(({ label }, s) =>
        isShown(drawn, s)
          ? [{ name: label, value: total > 0 ? Math.max(0, marks.values[s] || 0) : 0, itemStyle: { color: colorAt(drawn, s) } }]
          : [],
      ),
    },
  ]
}

function gaugeSeries(drawn: Drawn, rect: Rect, p: number): SeriesOption[] {
  const { picture, plot, ink, written } = drawn
  const marks = picture.panels[p]?.marks
  if (marks?.is !== 'figures') return []
  const top = hasTitles(picture) ? titleRoom : 0
  const greatest = Math.max(
    ...picture.panels.flatMap(panel => (panel.marks.is === 'figures' ? [...panel.marks.values] : [])).filter(Number.isFinite),
    0,
  )
  const min = plot.yMin ?? Math.min(0, ...[...marks.values].filter(Number.isFinite))
  const max = plot.yMax ?? roundUp(greatest > min ? greatest : min + 1)
  return rectangles(picture.series.length, { ...rect, top: rect.top + top, height: rect.height - top }).flatMap((own, s) => {
    const value = marks.values[s] ?? NaN
    const size = Math.max(24, Math.min(own.width / 2, own.height / 1.75) - 8)
    return [
      {
        type: 'gauge' as const,
        center: [own.left + own.width / 2, own.top + own.height / 2 + size * 0.18],
        radius: size,
        min,
        max,
        startAngle: 210,
        endAngle: -30,
        splitNumber: 2,
        progress: { show: Number.isFinite(value), width: Math.max(6, size / 7), itemStyle: { color: colorAt(drawn, s) } },
        axisLine: { lineStyle: { width: Math.max(6, size / 7), color: [[1, ink.line]] as [number, string][] } },
        pointer: { show: false },
        axisTick: { show: false },
        splitLine: { show: false },
        axisLabel: {
          distance: Math.max(10, size / 5),
          color: ink.muted,
          fontSize: 11,
          formatter: (at: number) => (at === min || at === max ? written.tick(at) : ''),
        },
        title: { offsetCenter: [0, '38%'], color: ink.muted, fontSize: 12, overflow: 'truncate' as const, width: size * 1.6 },
        detail: {
          offsetCenter: [0, 0],
          color: ink.text,
          fontSize: Math.max(14, Math.min(30, size / 3)),
          fontWeight: 600 as const,
          formatter: () => written.value(value),
        },
        data: [{ value: Number.isFinite(value) ? value : min, name: picture.series[s]?.label ?? '' }],
      },
    ]
  })
}

/** The next of 1, 2, 5 times a power of ten. */
function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find(one => one * power >= value) ?? 10) * power
}

function parallel(option: EChartsOption, drawn: Drawn, rects: readonly Rect[]): EChartsOption {
  const { picture, ink, written } = drawn
  const top = hasTitles(picture) ? titleRoom + 26 : 28
  const axisLabel = crossedLabelStyle(ink)
  return {
    ...option,
    parallel: rects.map(rect => ({
      left: rect.left + 40,
      top: rect.top + top,
      width: rect.width - 80,
      height: Math.max(20, rect.height - top - 16),
    })),
    parallelAxis: picture.panels.flatMap(({ marks }, parallelIndex) =>
      marks.is !== 'lines'
        ? []
        : marks.axes.map(({ label, names }, dim) => ({
            dim,
            parallelIndex,
            name: label,
            nameTextStyle: { color: ink.text, fontSize: 11 },
            axisLine: { lineStyle: { color: ink.lineStrong } },
            axisTick: { show: false },
            ...(names
              ? { type: 'category' as const, data: [...names], axisLabel }
              : {
                  type: 'value' as const,
                  scale: true,
                  axisLabel: { ...axisLabel, formatter: (value: number) => written.tick(value) },
                }),
          })),
    ),
    series: picture.panels.flatMap(({ marks }, parallelIndex): SeriesOption[] =>
      marks.is !== 'lines'
        ? []
        : picture.series.flatMap(({ label }, s) => {
            const own = marks.rows.filter((_, k) => marks.of[k] === s)
            return isShown(drawn, s)
              ? [
                  {
                    type: 'parallel' as const,
                    name: label,
                    parallelIndex,
                    color: colorAt(drawn, s),
                    lineStyle: { width: 1, opacity: own.length > 200 ? 0.15 : 0.5 },
                    data: own.map(row => [...row].map((value, a) => marks.axes[a]?.names?.[value] ?? value)),
                  },
                ]
              : []
          }),
    ),
  }
}

function tooltipOf({ picture, ink, written }: Drawn): NonNullable<EChartsOption['tooltip']> {
  const { type, x } = picture
  const across = type === 'line' || type === 'area' || type === 'bar' || type === 'stacked' || type === 'bands' || type === 'histogram'
  const xText = (value: unknown): string =>
    typeof value === 'number' ? (x.is === 'number' && x.dates ? written.date(value) : written.tick(value)) : String(value)
  const valueText = (value: unknown): string => (typeof value === 'number' ? written.value(value) : String(value ?? '–'))
  return {
    show: type !== 'parallel' && type !== 'gauge',
    trigger: across ? 'axis' : 'item',
    ...tooltipStyle(ink),
    axisPointer: {
      type: type === 'bar' || type === 'histogram' ? 'shadow' : 'line',
      lineStyle: { color: ink.lineStrong },
      shadowStyle: { opacity: 0.08 },
    },
    formatter: asked => {
      const items = Array.isArray(asked) ? asked : [asked]
      const [first] = items
      if (!first) return ''
      const last = (value: unknown): unknown => (Array.isArray(value) ? value.at(-1) : value)
      const lines = items
        .filter(({ seriesType }) => seriesType !== 'custom' || !across)
        .flatMap(({ seriesName, name, value, seriesType }) => {
          if (seriesType === 'custom' && Array.isArray(value))
            return [`${seriesName} ${String(name)}`.trim(), ...value.slice(3).map(valueText)]
          const text = valueText(last(value))
          if (seriesType === 'pie') return [`${name}: ${text}`]
          if (seriesType === 'scatter' && Array.isArray(value)) return [`${seriesName || ''} ${xText(value[0])} · ${text}`.trim()]
          return last(value) === '-' ? [] : [seriesName ? `${seriesName}: ${text}` : text]
        })
      if (!across) return lines.join('\n')
      const value = Array.isArray(first.value) ? first.value[0] : first.name
      return [xText(typeof value === 'number' ? value : first.name), ...lines.slice(0, 14), ...(lines.length > 14 ? ['…'] : [])].join('\n')
    },
  }
}
