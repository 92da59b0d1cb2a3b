// A figure as an ECharts option.
import type { CustomSeriesOption, EChartsOption, SeriesOption, XAXisComponentOption, YAXisComponentOption } from 'echarts'
import { formatTick } from '../format.ts'
import type { Ink } from '../ink.ts'
import {
  axisLineStyle,
  axisNameStyle,
  coordinateDimensions,
  flatPairs,
  labelsInside,
  tooltipStyle,
  type DrawingSize,
} from '../render/style.ts'
import { bandForm } from '../shelf/forms.ts'
import { boundsOf, ticksOf, type Figure, type FigureAxis, type FigureMark } from './figure.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

/** Pixels between ticks. */
const xTickPitch = 72
const yTickPitch = 48

export function figureOption(figure: Figure, ink: Ink, locale: string, { width, height }: Omit<DrawingSize, 'density'>): EChartsOption {
  const { x, y, rows, marks } = figure
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: ink.font, fontSize: 11, color: ink.muted },
    grid: {
      left: y ? 22 : 8,
      right: 14,
      top: 8,
      bottom: x && x.label !== '' ? 20 : 6,
      ...labelsInside,
    },
    xAxis: numberAxis(x, (width - 70) / xTickPitch, ink, locale, true),
    yAxis: rows ? rowAxis(rows, width, ink) : numberAxis(y, (height - 48) / yTickPitch, ink, locale, false),
    tooltip: { ...tooltipStyle(ink), trigger: 'item', formatter: asked => (Array.isArray(asked) ? asked[0] : asked)?.name ?? '' },
    series: marks.map((mark, k): SeriesOption => ({ ...seriesOf(mark, ink), z: k + 2 })),
  }
}

/** `isAcross`: along the bottom, which has a line of its own; the other has lines across the figure. */
function numberAxis(axis: FigureAxis | undefined, wanted: number, ink: Ink, locale: string, isAcross: boolean) {
  if (!axis) return { type: 'value' as const, show: false, min: 0, max: 1 }
  const { min, max } = boundsOf(axis)
  const { values, step } = ticksOf(min, max, Math.max(2, wanted))
  const style = axisLineStyle(ink)
  return {
    type: 'value',
    min,
    max,
    ...axisNameStyle(ink),
    ...style,
    ...(axis.label === '' ? {} : { name: axis.label, nameGap: isAcross ? 24 : 12, nameTruncate: { maxWidth: 420 } }),
    splitLine: { ...style.splitLine, show: !isAcross },
    axisLine: { show: isAcross, onZero: false, lineStyle: { color: ink.lineStrong } },
    axisTick: { show: false, customValues: values },
    axisLabel: { ...style.axisLabel, customValues: values, formatter: (value: number) => formatTick(value, step, locale) },
  } satisfies XAXisComponentOption & YAXisComponentOption
}

function rowAxis(names: readonly string[], width: number, ink: Ink): YAXisComponentOption {
  const style = axisLineStyle(ink)
  const places = names.map((_, row) => row)
  return {
    type: 'value',
    inverse: true,
    min: -0.5,
    max: names.length - 0.5,
    ...style,
    splitLine: { show: false },
    axisTick: { show: false, customValues: places },
    axisLabel: {
      ...style.axisLabel,
      color: ink.text,
      hideOverlap: false,
      customValues: places,
      overflow: 'truncate',
      width: Math.max(40, width * 0.34),
      formatter: (row: number) => names[row] ?? '',
    },
  }
}

const isFinitePair = (pair: readonly [number, number]): boolean => Number.isFinite(pair[0]) && Number.isFinite(pair[1])

function seriesOf(mark: FigureMark, ink: Ink): SeriesOption {
  switch (mark.is) {
    case 'line':
      return {
        type: 'line',
        ...pointData(mark.points.filter(isFinitePair)),
        silent: true,
        showSymbol: false,
        color: mark.color,
        lineStyle: { width: mark.width ?? 2 },
      }
    case 'band': {
      const column = (of: 'at' | 'low' | 'high') => Float64Array.from(mark.points, point => point[of])
      return bandForm(column('at'), column('low'), column('high'), mark.color, mark.opacity)
    }
    case 'dots': {
      const { titles, points } = mark
      return {
        type: 'scatter',
        ...(titles
          ? { data: points.flatMap((value, k) => (isFinitePair(value) ? [{ value: [...value], name: titles[k] ?? '' }] : [])) }
          : { ...pointData(points.filter(isFinitePair)), silent: true }),
        symbolSize: mark.size,
        large: titles === undefined && points.length > 2000,
        itemStyle: {
          color: mark.color,
          opacity: mark.opacity ?? 1,
          ...(mark.ring === undefined ? {} : { borderColor: mark.ring, borderWidth: 2 }),
        },
      }
    }
    case 'areas':
      return areaSeries(mark)
    case 'segments':
      return segmentSeries(mark, ink)
    default:
      return unreachable(mark)
  }
}

const pointData = (points: readonly (readonly [number, number])[]) => ({
  dimensions: coordinateDimensions,
  data: flatPairs(
    points.map(([x]) => x),
    points.map(([, y]) => y),
  ),
})

/** Rows of a form for shapes that extend from one corner to another. */
const cornerForm = {
  type: 'custom' as const,
  encode: { x: [0, 1], y: [2, 3] },
  clip: true,
  progressive: 0,
}

const cornersOf = ({ x, y, title = '' }: { x: readonly [number, number]; y: readonly [number, number]; title?: string }) => ({
  value: [...x, ...y],
  name: title,
  ...(title === '' ? { tooltip: { show: false } } : {}),
})

const hasCorners = ({ x, y }: { x: readonly [number, number]; y: readonly [number, number] }): boolean => isFinitePair(x) && isFinitePair(y)

function areaSeries({ areas, opacity, gap = 0, outline }: Extract<FigureMark, { is: 'areas' }>): CustomSeriesOption {
  const shown = areas.filter(hasCorners)
  return {
    ...cornerForm,
    data: shown.map(cornersOf),
    renderItem: (params, api) => {
      const one = shown[params.dataIndexInside]
      if (!one) return null
      const [x1 = 0, y1 = 0] = api.coord([one.x[0], one.y[0]])
      const [x2 = 0, y2 = 0] = api.coord([one.x[1], one.y[1]])
      return {
        type: 'rect',
        shape: {
          x: Math.min(x1, x2) + gap / 2,
          y: Math.min(y1, y2),
          width: Math.max(1, Math.abs(x2 - x1) - gap),
          height: Math.abs(y2 - y1),
        },
        style: { fill: one.color, opacity, ...(outline === undefined ? {} : { stroke: outline, lineWidth: 1 }) },
      }
    },
  }
}

/** Pixels from a segment to the end of the line across its end. */
const halfEnd = 3

function segmentSeries(
  { segments, width, opacity = 1, ends = false, isDashed = false }: Extract<FigureMark, { is: 'segments' }>,
  ink: Ink,
): CustomSeriesOption {
  const shown = segments.filter(hasCorners)
  return {
    ...cornerForm,
    data: shown.map(cornersOf),
    color: ink.text,
    renderItem: (params, api) => {
      const one = shown[params.dataIndexInside]
      if (!one) return null
      const [x1 = 0, y1 = 0] = api.coord([one.x[0], one.y[0]])
      const [x2 = 0, y2 = 0] = api.coord([one.x[1], one.y[1]])
      const style = {
        stroke: one.color,
        lineWidth: width,
        opacity,
        ...(width > 4 ? { lineCap: 'round' as const } : {}),
        ...(isDashed ? { lineDash: [4, 3] } : {}),
      }
      const line = (ax: number, ay: number, bx: number, by: number) => ({
        type: 'line' as const,
        shape: { x1: ax, y1: ay, x2: bx, y2: by },
        style,
      })
      const length = Math.hypot(x2 - x1, y2 - y1) || 1
      const [dx, dy] = [(-(y2 - y1) / length) * halfEnd, ((x2 - x1) / length) * halfEnd]
      return {
        type: 'group',
        children: [
          line(x1, y1, x2, y2),
          ...(ends ? [line(x1 - dx, y1 - dy, x1 + dx, y1 + dy), line(x2 - dx, y2 - dy, x2 + dx, y2 + dy)] : []),
        ],
      }
    },
  }
}
