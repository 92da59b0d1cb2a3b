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

/** One hue by lightness, from what lies near the ground to what stands out most from it; the faintest can still be told from the ground. */
const ordered = {
  light: ['#c9dcf5', '#7ba9e0', '#2f6fbf', '#124a8f', '#0a2a57'],
  dark: ['#2c4a70', '#3b73b5', '#559bf0', '#9cc6fb', '#e4f0ff'],
} as const

/** The colour of what is ordered, at `share` from the least, 0, to the most, 1. */
export function orderedColor(share: number, isDark: boolean): string {
  const colors = ordered[isDark ? 'dark' : 'light']
  const at = Math.min(1, Math.max(0, share)) * (colors.length - 1)
  const from = Math.min(colors.length - 2, Math.floor(at))
  return mixedColor(colors[from] ?? colors[0], colors[from + 1] ?? colors[0], at - from)
}
