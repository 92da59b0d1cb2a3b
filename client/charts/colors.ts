// Colours of series without one of their own: Okabe and Ito's set, told apart by colour-blind people too, made a little
// darker on white and lighter on black so that all reach a contrast of 3:1 there. https://jfly.uni-koeln.de/color/

const light = ['#0a6fb8', '#d55e00', '#00875f', '#b8589b', '#a67800', '#2f8fc4', '#6b5ea8', '#6b7280'] as const
const dark = ['#5ab4f0', '#ff8a47', '#34c79a', '#e79fcb', '#f0b93a', '#8cd0ff', '#b3a6f0', '#a4adbb'] as const

/** The colour asked for, or the one for the `index`th series. */
export function seriesColor(index: number, asked: string | undefined, isDark: boolean): string {
  const set = isDark ? dark : light
  return asked || set[index % set.length] || light[0]
}
