// The common style of charts drawn by ECharts: axes and tooltips.
import type { Ink } from '../ink.ts'

/** Pixels and their density: what an option is made for. */
export type DrawingSize = { readonly width: number; readonly height: number; /** Screen pixels of a CSS pixel. */ readonly density: number }

export const axisNameStyle = (ink: Ink) => ({
  nameTextStyle: { color: ink.muted, fontFamily: ink.font, fontSize: 11 },
  nameLocation: 'middle' as const,
})

export const axisLineStyle = (ink: Ink) => ({
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: ink.line } },
  axisLabel: { color: ink.muted, fontFamily: ink.font, fontSize: 11, hideOverlap: true },
})

/** Axis labels that lines cross have a background. */
export const crossedLabelStyle = (ink: Ink) => ({
  color: ink.muted,
  fontSize: 11,
  backgroundColor: ink.surface,
  padding: [1, 3],
  borderRadius: 3,
})

export const tooltipStyle = (ink: Ink) => ({
  // Plain text: names come from people and files, and are never read as markup.
  renderMode: 'richText' as const,
  confine: true,
  backgroundColor: ink.raised,
  borderColor: ink.lineStrong,
  borderWidth: 1,
  padding: [6, 10],
  textStyle: { color: ink.text, fontSize: 12, fontFamily: ink.font },
})

/** Keeps axis labels inside the rectangle given to a grid. */
export const labelsInside = { outerBoundsMode: 'same' as const, outerBoundsContain: 'axisLabel' as const }

export const coordinateDimensions = ['x', 'y']

/** Rows of x and y, one after the other: ECharts takes flat numbers without looking at each, in a third of the time of rows by themselves. */
export function flatPairs(xs: ArrayLike<number>, ys: ArrayLike<number>): number[] {
  const out = new Float64Array(xs.length * 2)
  for (let k = 0; k < xs.length; k++) {
    const y = ys[k] ?? NaN
    out[2 * k] = xs[k] ?? NaN
    out[2 * k + 1] = Number.isFinite(y) ? y : NaN
  }
  // It takes them for every type of series, though its types say so of scatters only.
  return out as ArrayLike<number> as number[]
}
