// Forms that ECharts does not have: bands around a course, boxes with their outliers, violins. Each series gives its own extent to the axes through the
// second and third number of its rows.
import type { CustomSeriesOption } from 'echarts'
import type { Ink } from '../ink.ts'
import type { BoxPlot, Density } from './shapes.ts'

type Form = Pick<CustomSeriesOption, 'type' | 'data' | 'encode' | 'renderItem' | 'clip' | 'z' | 'silent' | 'progressive'>

const among = { type: 'custom' as const, encode: { x: 0, y: [1, 2] }, clip: true, progressive: 0 }

/** Filled between low and high; where either is missing there is a gap. */
export function bandForm(x: Float64Array | null, low: Float64Array, high: Float64Array, color: string, opacity = 0.18): Form {
  const data = Array.from(low, (bottom, k) => [x?.[k] ?? k, bottom, high[k] ?? NaN]).filter(
    ([, a, b]) => Number.isFinite(a) && Number.isFinite(b),
  )
  return {
    ...among,
    data,
    silent: true,
    z: 1,
    // Drawn once, for all its rows.
    renderItem: (params, api) =>
      params.dataIndexInside === 0
        ? {
            type: 'polygon',
            shape: {
              points: [
                ...data.map(([at = 0, bottom = 0]) => api.coord([at, bottom])),
                ...data.toReversed().map(([at = 0, , top = 0]) => api.coord([at, top])),
              ],
            },
            style: { fill: color, opacity },
          }
        : null,
  }
}

/** The middle and width of a form among several at one name. */
function stand(across: number, middle: number, [i, count]: readonly [number, number], most: number): { at: number; half: number } {
  const room = (across * 0.76) / count
  return { at: middle + (i - (count - 1) / 2) * room, half: Math.min(most, room * 0.42) }
}

const reachOf = (box: BoxPlot): [number, number] => [Math.min(box.low, ...box.outliers), Math.max(box.high, ...box.outliers)]

type Point = [number, number]
const pointOf = (coord: number[]): Point => [coord[0] ?? 0, coord[1] ?? 0]

export function boxForm(boxes: readonly (BoxPlot | null)[], color: string, ink: Ink, place: readonly [number, number]): Form {
  const kept = boxes.flatMap((box, at) => (box ? [{ box, at }] : []))
  return {
    ...among,
    // After the extent: the values shown in the tooltip.
    data: kept.map(({ box, at }) => [at, ...reachOf(box), box.low, box.q1, box.median, box.q3, box.high]),
    z: 2,
    renderItem: (params, api) => {
      const one = kept[params.dataIndexInside]
      if (!one) return null
      const { box, at } = one
      const size = api.size?.([1, 0])
      const across = Array.isArray(size) ? (size[0] ?? 40) : (size ?? 40)
      const y = (value: number): number => pointOf(api.coord([at, value]))[1]
      const { at: middle, half } = stand(across, pointOf(api.coord([at, box.median]))[0], place, 34)
      const [top, bottom] = [y(box.q3), y(box.q1)]
      const line = (x1: number, y1: number, x2: number, y2: number, width = 1.5) => ({
        type: 'line' as const,
        shape: { x1, y1, x2, y2 },
        style: { stroke: color, lineWidth: width },
      })
      return {
        type: 'group',
        children: [
          line(middle, y(box.low), middle, bottom),
          line(middle, top, middle, y(box.high)),
          line(middle - half / 2, y(box.low), middle + half / 2, y(box.low)),
          line(middle - half / 2, y(box.high), middle + half / 2, y(box.high)),
          {
            type: 'rect',
            shape: { x: middle - half, y: top, width: half * 2, height: Math.max(1, bottom - top), r: 2 },
            style: { fill: ink.surface, stroke: color, lineWidth: 1.5 },
          },
          {
            type: 'rect',
            shape: { x: middle - half, y: top, width: half * 2, height: Math.max(1, bottom - top), r: 2 },
            style: { fill: color, opacity: 0.2 },
          },
          line(middle - half, y(box.median), middle + half, y(box.median), 2.5),
          { type: 'circle', shape: { cx: middle, cy: y(box.mean), r: 2.5 }, style: { fill: ink.surface, stroke: color, lineWidth: 1.5 } },
          ...box.outliers.map(value => ({
            type: 'circle' as const,
            shape: { cx: middle, cy: y(value), r: 2.5 },
            style: { fill: color, opacity: 0.6 },
          })),
        ],
      }
    },
  }
}

export function violinForm(
  densities: readonly (Density | null)[],
  boxes: readonly (BoxPlot | null)[],
  color: string,
  ink: Ink,
  place: readonly [number, number],
): Form {
  const kept = densities.flatMap((density, at) => {
    const box = boxes[at]
    return density && box ? [{ density, box, at }] : []
  })
  const widest = Math.max(...kept.flatMap(({ density }) => [...density.share]), 0) || 1
  return {
    ...among,
    data: kept.map(({ density, box, at }) => [at, density.at[0], density.at.at(-1), box.low, box.q1, box.median, box.q3, box.high]),
    z: 2,
    renderItem: (params, api) => {
      const one = kept[params.dataIndexInside]
      if (!one) return null
      const { density, box, at } = one
      const size = api.size?.([1, 0])
      const across = Array.isArray(size) ? (size[0] ?? 40) : (size ?? 40)
      const y = (value: number): number => pointOf(api.coord([at, value]))[1]
      const { at: middle, half } = stand(across, pointOf(api.coord([at, box.median]))[0], place, 60)
      const side = (sign: number): Point[] =>
        [...density.at].map((value, k): Point => [middle + (sign * half * (density.share[k] ?? 0)) / widest, y(value)])
      return {
        type: 'group',
        children: [
          {
            type: 'polygon',
            shape: { points: [...side(-1), ...side(1).reverse()] },
            style: { fill: color, opacity: 0.35, stroke: color, lineWidth: 1 },
          },
          {
            type: 'rect',
            shape: { x: middle - 3, y: y(box.q3), width: 6, height: Math.max(1, y(box.q1) - y(box.q3)), r: 3 },
            style: { fill: color },
          },
          { type: 'circle', shape: { cx: middle, cy: y(box.median), r: 3 }, style: { fill: ink.surface, stroke: color, lineWidth: 1 } },
        ],
      }
    },
  }
}
