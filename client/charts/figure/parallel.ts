// Parallel coordinates as an ECharts option: one line an item through all its axes; dragging along an axis keeps what passes there.
import type { EChartsOption } from 'echarts'
import type { Ink } from '../ink.ts'
import { crossedLabelStyle } from '../render/style.ts'
import { boundsOf } from './figure.ts'

type ParallelAxis = {
  readonly id: string
  readonly label: string
  readonly low: number
  readonly high: number
  /** Names instead of numbers have no labels at the ends. */
  readonly isNames: boolean
}

type ParallelLine = { readonly values: readonly number[]; readonly color: string }

/** More lines than this are drawn fainter. */
const manyLines = 200

export function parallelOption(
  axes: readonly ParallelAxis[],
  lines: readonly ParallelLine[],
  ink: Ink,
  number: (value: number) => string,
): EChartsOption {
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: ink.font, fontSize: 11, color: ink.muted },
    parallel: { left: 50, right: 50, top: 40, bottom: 28 },
    parallelAxis: axes.map(({ id, label, isNames, ...bounds }, dim) => {
      const { min, max } = boundsOf(bounds)
      return {
        id,
        dim,
        type: 'value' as const,
        min,
        max,
        name: label,
        nameTruncate: { maxWidth: 150 },
        // Neighbours alternate, so that long names fit.
        nameGap: dim % 2 === 0 ? 22 : 8,
        nameTextStyle: { color: ink.text, fontSize: 11, fontWeight: 600 as const },
        axisLine: { lineStyle: { color: ink.lineStrong } },
        axisTick: { show: false },
        axisLabel: {
          ...crossedLabelStyle(ink),
          show: !isNames,
          customValues: [min, max],
          formatter: (value: number) => number(Number(value.toPrecision(4))),
        },
        areaSelectStyle: { width: 16, borderWidth: 1, borderColor: ink.accent, color: ink.accent, opacity: 0.35 },
      }
    }),
    series: [
      {
        type: 'parallel',
        inactiveOpacity: 0.06,
        activeOpacity: lines.length > manyLines ? 0.5 : 0.8,
        lineStyle: { width: 1.2, opacity: lines.length > manyLines ? 0.4 : 0.7 },
        data: lines.map(({ values, color }) => ({ value: [...values], lineStyle: { color } })),
      },
    ],
  }
}

/** Intervals selected on each axis. A line passes when, on every axis with intervals, it is inside one of them. */
export type AxisIntervals = Readonly<Record<string, readonly (readonly [number, number])[]>>

export const passesIntervals = (values: readonly number[], axes: readonly { readonly id: string }[], kept: AxisIntervals): boolean =>
  axes.every(({ id }, k) => {
    const intervals = kept[id] ?? []
    const value = values[k] ?? NaN
    return intervals.length === 0 || intervals.some(([low, high]) => value >= low && value <= high)
  })
