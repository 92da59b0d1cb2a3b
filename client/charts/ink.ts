// Colours and font of charts in the current theme.
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { fontFamily, theme, usePalette, type Palette } from '../ui/theme.ts'
import { seriesColor } from './colors.ts'

export type Ink = Palette & {
  readonly font: string
  readonly dark: boolean
  /** The colour of a series: `own` if it has one, else the palette's at `place`. */
  readonly series: (place: number, own?: string) => string
}

export function useInk(): Ink {
  const palette = usePalette()
  const dark = useStore(theme, state => state.dark)
  return useMemo(() => ({ ...palette, font: fontFamily, dark, series: (place, own) => seriesColor(place, own, dark) }), [palette, dark])
}
