// Colours of series without one of their own: six that differ in lightness as well as in hue, so that they differ for colour-blind people
// and in grey print, too; each has a contrast of 3:1 to the surface of its theme (`tests/client/charts/colors.test.ts` measures both).

export const seriesColors = {
  light: ['#1b5aa6', '#c4531d', '#3a9d80', '#85194f', '#c28600', '#68717c'],
  dark: ['#559bf0', '#f47d3b', '#85ebcb', '#bd6f9b', '#f5ca58', '#adb3bb'],
} as const

/** The colour asked for, one of the six as it is in the theme; without one that for the `index`th series. */
export function seriesColor(index: number, asked: string | undefined, isDark: boolean): string {
  const set = seriesColors[isDark ? 'dark' : 'light']
  if (!asked) return set[index % set.length] ?? set[0]
  return set[seriesColors.light.findIndex(one => one === asked.toLowerCase())] ?? asked
}

/** Strokes and gaps of the line of the `index`th series: once the colours are used up, dashes distinguish the lines. Null: a solid line. */
export function seriesDash(index: number, asked: string | undefined): readonly number[] | null {
  const round = asked ? 0 : Math.floor(index / seriesColors.light.length)
  return round === 0 ? null : [8, 3, ...Array.from({ length: round }, () => [2, 3]).flat()]
}

/** A colour between two of the form #rrggbb; `share` 0 is the first, 1 the second. */
export function mixedColor(from: string, to: string, share: number): string {
  const part = (color: string, k: number): number => Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16)
  return `rgb(${[0, 1, 2].map(k => Math.round(part(from, k) * (1 - share) + part(to, k) * share)).join(', ')})`
}

/** One hue by lightness, from close to the background to the strongest contrast; the faintest is still visible on the background. */
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
