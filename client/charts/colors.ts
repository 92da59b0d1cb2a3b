// Colours of series without one of their own: Okabe and Ito's set, told apart by colour-blind people too, made a little
// darker on white and lighter on black so that all reach a contrast of 3:1 there. https://jfly.uni-koeln.de/color/

const light = ['#0a6fb8', '#d55e00', '#00875f', '#b8589b', '#a67800', '#2f8fc4', '#6b5ea8', '#6b7280'] as const
const dark = ['#5ab4f0', '#ff8a47', '#34c79a', '#e79fcb', '#f0b93a', '#8cd0ff', '#b3a6f0', '#a4adbb'] as const

/** The colour asked for, or the one for the `index`th series. */
export function seriesColor(index: number, asked: string | undefined, isDark: boolean): string {
  const set = isDark ? dark : light
  return asked || set[index % set.length] || light[0]
}

/** A colour between two of the form #rrggbb; `share` 0 is the first, 1 the second. */
export function mixedColor(from: string, to: string, share: number): string {
  const part = (color: string, k: number): number => Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16)
  return `rgb(${[0, 1, 2].map(k => Math.round(part(from, k) * (1 - share) + part(to, k) * share)).join(', ')})`
}

/** Viridis (van der Walt and Smith 2015) at nine places: perceptually uniform, also for colour-blind people and in grey. */
const viridisColors = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725']

/** The colour of the viridis scale at `share`, from 0 to 1. */
export function viridis(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (viridisColors.length - 1)
  const from = Math.min(viridisColors.length - 2, Math.floor(at))
  return mixedColor(viridisColors[from] ?? '', viridisColors[from + 1] ?? '', at - from)
}
