// A figure: axes and the marks between them, in the values of the axes. `option.ts` draws it.

export type FigureAxis = { readonly label: string; readonly low: number; readonly high: number }

type Point = readonly [x: number, y: number]
type Area = { readonly x: readonly [number, number]; readonly y: readonly [number, number]; readonly title?: string }

/** Sizes, widths and gaps are in pixels. What is not a finite number is left out. */
export type FigureMark =
  | { readonly is: 'line'; readonly points: readonly Point[]; readonly color: string; readonly width?: number }
  /** Filled between `low` and `high` at each x. */
  | {
      readonly is: 'band'
      readonly points: readonly { readonly at: number; readonly low: number; readonly high: number }[]
      readonly color: string
      readonly opacity: number
    }
  /** `titles`: what a tooltip says of each. `ring`: the colour of the outline. */
  | {
      readonly is: 'dots'
      readonly points: readonly Point[]
      readonly color: string
      readonly size: number
      readonly opacity?: number
      readonly ring?: string
      readonly titles?: readonly string[]
    }
  /** Rectangles. `gap`: room left between neighbours. */
  | {
      readonly is: 'areas'
      readonly areas: readonly (Area & { readonly color: string })[]
      readonly opacity: number
      readonly gap?: number
      readonly outline?: string
    }
  /** Straight lines; `ends`: with a short line across each end, as of whiskers. */
  | {
      readonly is: 'segments'
      readonly segments: readonly (Area & { readonly color: string })[]
      readonly width: number
      readonly opacity?: number
      readonly ends?: boolean
      readonly isDashed?: boolean
    }

export type Figure = {
  readonly x?: FigureAxis
  readonly y?: FigureAxis
  /** Names along y instead of numbers: row 0 on top, centred at y = 0, the next at 1. */
  readonly rows?: readonly string[]
  readonly marks: readonly FigureMark[]
}

/** The extent of values with a margin, as a share of it; what is not finite is left out. Of nothing: 0 to 1. */
export function extentOf(values: Iterable<number>, margin = 0.04): [low: number, high: number] {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  if (low > high) return [0, 1]
  const room = (high - low) * margin
  return [low - room, high + room]
}

/** Bounds that an axis can have: one value becomes a small interval around it. */
export function boundsOf({ low, high }: Pick<FigureAxis, 'low' | 'high'>): { min: number; max: number } {
  if (low < high) return { min: low, max: high }
  if (!Number.isFinite(low)) return { min: 0, max: 1 }
  const room = Math.abs(low) / 10 || 1
  return { min: low - room, max: low + room }
}

/** Round numbers from `low` to `high`, about `wanted` of them. */
export function ticksOf(low: number, high: number, wanted: number): { values: number[]; step: number } {
  const rough = (high - low) / Math.max(1, wanted)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find(one => one * power >= rough) ?? 10) * power
  const values: number[] = []
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9 && values.length < 50; at++)
    values.push(at === 0 ? 0 : at * step)
  return { values, step }
}

/** The bars of a histogram. */
export const histogramAreas = (edges: readonly number[], counts: readonly number[], color: string, titled?: (bin: number) => string) =>
  counts.flatMap((count, bin) =>
    count === 0
      ? []
      : [
          {
            x: [edges[bin] ?? 0, edges[bin + 1] ?? 0] as const,
            y: [0, count] as const,
            color,
            ...(titled ? { title: titled(bin) } : {}),
          },
        ],
  )
